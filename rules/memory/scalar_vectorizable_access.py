"""
## What it does
Finds two or four accesses of a thread to neighbouring elements of global memory that one access of a vector
type could make: `a[4 * k]` to `a[4 * k + 3]`, where the allocation and the index make them aligned. Also
accesses of one or two bytes per lane, and records of such fields that no vector instruction fits (`uchar3`).

## Why it costs
Each access is an instruction, a request and its latency. The compiler merges neighbouring accesses only where
it knows the alignment, which a plain pointer parameter does not give. One load of a float4 replaces four: the
same sectors, a quarter of the requests. A warp that stores a byte per lane moves 32 bytes with an instruction
that can move 512; a `uchar3` is three such accesses, a `uchar4` is one. Rows of 512 halves, doubled and
stored: 50 us on an H100 with one per lane, 39 us with two (`experiments/host_calls.cu`).

## Example
```cuda
for (int k = 0; k < n; ++k)
    sum += body[4 * k] * x + body[4 * k + 1] * y;
```

## Instead
```cuda
const float2 *pairs = reinterpret_cast<const float2 *>(body);
for (int k = 0; k < n; ++k) {
    float2 b = pairs[2 * k];
    sum += b.x * x + b.y * y;
}
```

## Limits
- The same sectors are moved either way: the impact begins at 0.
- Neighbouring elements: only where every launch passes an allocation of known alignment and all lane
  addresses are known, for accesses at most 8 lines apart.
- Narrow elements: only where lanes access consecutive ones; whether sizes are multiples of four is for the
  reader to see.
- Silent where CU101, CU103 or CU104 reports neighbouring elements, for volatile memory, atomics and single
  struct fields. Loads that together are all of a lane's stride (`in[2 * i]`, `in[2 * i + 1]`) are reported
  here, not by CU101.
- One finding for each buffer of a kernel and direction, at the first group.

## Source
004 'Coalescing' (float2 and float4: fewer, wider transactions).
"""

from collections.abc import Iterator

from cudalint.cuda.warp import WARP
from cudalint.rule.findings import Finding
from cudalint.rule.related import elsewhere, repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.rule.vector_runs import WIDEST, vector_runs
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.significance.thresholds import VECTOR_LINES
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.narrow import WORD, by_field, in_pieces, is_narrow
from cudalint.simt.query.pattern import Pattern, classify

RULE = Rule(
    code="CU109",
    name="scalar-vectorizable-access",
    severity=Severity.NOTE,
    summary="a thread accesses neighbouring elements one by one where one vector access suffices",
    guides=("004",),
    speed=True,
    made=False,
)

_KINDS = {4: "float", 8: "double"}  # of a vector, by the bytes of an element


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each buffer with neighbouring accesses of one kind, and one for the narrow ones of the
    kernel.
    """
    yield from _narrow(kernel, accesses, context)
    yield from _pieces(kernel, accesses, context)
    runs: dict[tuple[str, str], list[tuple[Access, ...]]] = {}
    for run in vector_runs(kernel, accesses, context, VECTOR_LINES.value):
        runs.setdefault((run[0].buffer, run[0].operation), []).append(run)
    for several in runs.values():
        joined = tuple(Removed(one, 1 - 1 / len(run), again="soon") for run in several for one in run)
        impact = context.impact(Saving(Basis.LINES, joined=joined), kernel)
        first = min(several, key=lambda run: _place(run[0]))
        yield _finding(first, len(several), kernel.name, impact)


def _narrow(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """A finding for all accesses of one or two bytes per lane."""
    found = [one for one in accesses if one.span.path in context.lines and is_narrow(one)]
    if not found:
        return
    joined = tuple(Removed(one, 1 - one.bytes / WORD) for one in found)
    impact = context.impact(Saving(Basis.LINES, joined=joined), kernel)
    first, *others = sorted(found, key=lambda one: (one.bytes, _place(one)))
    count = WORD // first.bytes
    yield RULE.finding(
        first.span,
        f"narrow global {first.operation}: {first.bytes} byte{'s' if first.bytes > 1 else ''} per lane,"
        f" {WARP * first.bytes} bytes/request",
        notes=(f"a request can move {WARP * WIDEST} bytes: {WIDEST} per lane",),
        help=f"let each thread process {count} consecutive elements and move them in one access of {WORD}"
        f" bytes ({'uchar4' if first.bytes == 1 else 'a pair of 2-byte elements'}), or more in a wider one",
        kernel=kernel.name,
        evidence={"count": count, "bytes": first.bytes, "wide": WORD, "groups": len(found)},
        impact=impact,
        related=repeated(others, lambda one: f"same pattern: {one.operation} of `{one.expression}`"),
        standing=on_access(first),
    )


def _pieces(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """A finding for all records that are moved field by field."""
    own = [one for one in accesses if one.span.path in context.lines]
    whole = [(one, pieces) for one in own if (pieces := in_pieces(one))]
    found = [
        (one, pieces)
        for one, pieces in (*whole, *by_field(own))
        if classify(one) is not Pattern.RECORDS  # CU104 reports those
    ]
    if not found:
        return
    joined = tuple(Removed(one, 1 - 1 / n) for one, n in found)
    impact = context.impact(Saving(Basis.LINES, joined=joined), kernel)
    (first, count), *others = sorted(found, key=lambda pair: _place(pair[0]))
    name, size = first.element.record or ("", 0)
    wide = 1 << (size - 1).bit_length()
    yield RULE.finding(
        first.span,
        f"`{name}` is moved in {count} {first.operation}s of {first.bytes}"
        f" byte{'s' if first.bytes > 1 else ''}: {size} bytes fit no vector {first.operation}",
        notes=(f"{count} requests per element (ideal 1)",),
        help=f"pad the element to {wide} bytes and align it to that, so that one {wide}-byte access moves it",
        kernel=kernel.name,
        evidence={"count": count, "bytes": first.bytes, "wide": wide, "groups": len(found)},
        impact=impact,
        related=repeated(
            (one for one, _ in others), lambda one: f"same pattern: {one.operation} of `{one.expression}`"
        ),
        standing=on_access(first),
    )


def _place(access: Access) -> tuple[str, int, int]:
    return access.span.path, access.span.line, access.span.column


def _finding(run: tuple[Access, ...], groups: int, kernel: str, impact: Impact) -> Finding:
    first, count = min(run, key=_place), len(run)
    wide = count * first.bytes
    name = first.buffer if "+" not in first.buffer else first.expression.partition("[")[0]
    kind = "uint" if first.element.record else _KINDS.get(first.bytes, "uchar")
    kind += str(wide // WORD if first.element.record else count)
    others = (
        (f"{groups - 1} more such group{'s' if groups > 2 else ''} in this kernel",) if groups > 1 else ()
    )
    return RULE.finding(
        first.span,
        f"{count} neighbouring {first.bytes}-byte {first.operation}s in `{name}`: one {wide}-byte"
        f" {first.operation} suffices",
        notes=(
            f"{wide}-byte aligned in every lane; {count} requests per warp (ideal 1)",
            *others,
        ),
        help=f"access `{name}` through a vector type of {wide} bytes, such as {kind}",
        kernel=kernel,
        evidence={"count": count, "bytes": first.bytes, "wide": wide, "groups": groups},
        impact=impact,
        related=elsewhere(
            (other for other in run if other is not first),
            lambda other: f"neighbouring element `{other.expression}`",
        ),
        standing=on_access(first),
    )
