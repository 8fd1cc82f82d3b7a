"""
## What it does
Finds two or four accesses of one thread to neighbouring elements of global memory that one access of a vector
type could make: `a[4 * k]` to `a[4 * k + 3]`, where the allocation and the index make them aligned.

## Why it costs
Each access is an instruction, a request and its latency. The compiler joins neighbouring accesses only where
it knows the alignment, which a plain pointer parameter does not tell. One load of a float4 takes the place of
four: the same sectors, a quarter of the requests.

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
Opt-in: how much it gains depends on what else the kernel waits for. Speaks where every launch passes an
allocation of its own, so that the alignment is known, and where all lanes' addresses are, for accesses at
most 8 lines apart. One finding for each buffer of a kernel, at the first group. Silent where CU101, CU103 or
CU104 speaks of the same accesses (their help names the vector type too), for volatile memory, atomics, and
fields of structs, whose type tells the alignment already.

## Source
004 'Coalescing' (float2 and float4: fewer, wider transactions).
"""

from collections.abc import Iterator

from cudalint.host.facts import Argument
from cudalint.rule.access_notes import confidence
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import VECTOR_LINES
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import Pattern, classify, never_run, standing

RULE = Rule(
    code="CU109",
    name="scalar-vectorizable-access",
    severity=Severity.NOTE,
    summary="a thread accesses neighbouring elements one by one that one vector access could take",
    default=False,
    guides=("004",),
)

_WIDEST = 16
_SPOKEN = (Pattern.STRIDED, Pattern.TRANSPOSED, Pattern.RECORDS)
_Group = tuple[str, str, str, int, int]


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each buffer with neighbouring accesses of one kind."""
    aligned = _aligned(kernel, context)
    groups: dict[_Group, list[Access]] = {}
    for access in accesses:
        if access.buffer in aligned and access.span.path in context.lines and _plain(access):
            key = access.span.path, access.buffer, access.operation, access.bytes, access.requests
            groups.setdefault(key, []).append(access)
    runs: dict[tuple[str, str], list[tuple[Access, ...]]] = {}
    for found in groups.values():
        for run in _runs(found):
            runs.setdefault((run[0].buffer, run[0].operation), []).append(run)
    for several in runs.values():
        yield _finding(min(several, key=lambda run: _place(run[0])), len(several), kernel.name)


def _place(access: Access) -> tuple[str, int, int]:
    return access.span.path, access.span.line, access.span.column


def _aligned(kernel: KernelFacts, context: Context) -> frozenset[str]:
    """Pointer parameters that every launch gives an aligned place of an allocation."""
    rows = [launch.arguments for launch in context.host.launches if launch.key == kernel.function.key]
    if not rows or None in rows:
        return frozenset()
    names = [parameter.name for parameter in kernel.function.parameters]
    return frozenset(
        name
        for at, name in enumerate(names)
        if all(row is not None and at < len(row) and _starts_aligned(row[at]) for row in rows)
    )


def _starts_aligned(argument: Argument) -> bool:
    return argument.buffer is not None and argument.offset is not None and argument.offset % _WIDEST == 0


def _plain(access: Access) -> bool:
    """Whether all is known of an access that is told by no other rule."""
    if access.space != "global" or access.operation == "atomic" or access.volatile or access.record:
        return False
    if access.transactions.certainty != "exact" or access.data_dependent or never_run(access):
        return False
    return bool(access.worst_lanes) and bool(access.requests) and classify(access) not in _SPOKEN


def _runs(accesses: list[Access]) -> Iterator[tuple[Access, ...]]:
    """Two or four accesses side by side whose first one is aligned for all of them in every lane."""
    ordered = sorted(accesses, key=lambda a: next(at for at in a.worst_lanes if at is not None))
    while ordered:
        first = ordered.pop(0)
        for count in (4, 2):
            rest = ordered[: count - 1]
            wide = count * first.bytes
            fits = wide <= _WIDEST and len(rest) == count - 1 and _on_boundary(first, wide)
            fits = fits and _together((first, *rest))
            if fits and all(_beside(first, other, at) for at, other in enumerate(rest, 1)):
                del ordered[: count - 1]
                yield (first, *rest)
                break


def _together(run: tuple[Access, ...]) -> bool:
    """Whether they stand close to each other, as in one straight piece of code."""
    lines = [access.span.line for access in run]
    return max(lines) - min(lines) <= VECTOR_LINES.value


def _on_boundary(access: Access, wide: int) -> bool:
    """Whether every lane of every request seen starts at a multiple of so many bytes."""
    if any(at % wide for at in (*access.offsets, *access.lane_strides)):
        return False
    return all(at is None or at % wide == 0 for at in access.worst_lanes)


def _beside(first: Access, other: Access, count: int) -> bool:
    """Whether every lane's place of the one is so many elements after the other's."""
    pairs = zip(first.worst_lanes, other.worst_lanes, strict=True)
    return all((a is None) == (b is None) and (a is None or b == a + count * first.bytes) for a, b in pairs)


def _finding(run: tuple[Access, ...], groups: int, kernel: str) -> Finding:
    first, count = min(run, key=_place), len(run)
    wide = count * first.bytes
    others = (
        (f"{groups - 1} more such group{'s' if groups > 2 else ''} in this kernel",) if groups > 1 else ()
    )
    return RULE.finding(
        first.span,
        f"{count} {first.operation}s of {first.bytes} bytes side by side in `{first.buffer}`: one of {wide}"
        " bytes would do",
        notes=(
            f"{wide}-byte aligned in every lane; {count} requests a warp, ideal 1",
            *others,
            *standing(first),
        ),
        help=f"access `{first.buffer}` through a vector type of {wide} bytes, such as"
        f" {'float' if first.bytes == 4 else 'double' if first.bytes == 8 else 'uchar'}{count}",
        kernel=kernel,
        evidence={"count": count, "bytes": first.bytes, "wide": wide, "groups": groups},
        related=tuple(
            Related(other.span, f"`{other.expression}` lies beside it") for other in run if other is not first
        ),
        confidence=confidence(first),
    )
