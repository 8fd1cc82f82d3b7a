"""
## What it does
Finds loads, stores and atomics on global memory where neighbouring lanes are more than one element apart, at
a constant stride or at distances that differ, so that a warp touches more 32-byte sectors than its bytes
need.

## Why it costs
Global memory is accessed in sectors of 32 bytes. A warp that reads 32 consecutive floats needs 4 sectors.
With a stride of two floats the same 128 bytes are spread over 8 sectors, and half of the bytes moved are
unused. From a stride of 8 floats on, every lane needs a sector of its own: 32 sectors/request, of which an
eighth is used.

## Example
```cuda
int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
out[i] = in[i];  // 8 sectors/request (ideal 4)
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
out[i] = in[i];
```
Let neighbouring threads access neighbouring elements. Where each thread owns a run of elements, let the
threads of a block read the run together, one element each, or stage it through shared memory. Where every
second element is unused, store the used ones packed.

## Limits
- Silent where addresses depend on loaded data (CU106), and where the stride is computed from arguments of
  unknown value. Where it is such an argument, the condition is that lanes share no sector; where nothing
  names a template argument, what was assumed.
- Silent where the loads of a thread are all of the stride and aligned to it: one vector load (CU109).
- Counts sectors per request, not DRAM traffic: where neighbouring loads or the next iterations use the rest
  of a sector, L1 may serve it, and the low end of the impact says so.

## Source
000 section 9.2 (strided accesses); 002 'Memory Access Patterns'; 004 'Coalescing: Strided Accesses'.
"""

from collections.abc import Iterator

from cudalint.host.shape import plural
from cudalint.rule.findings import Finding
from cudalint.rule.related import same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.rule.vector_runs import fills_stride, vector_runs
from cudalint.settings.severity import Severity
from cudalint.significance.excess import causes
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.significance.thresholds import NEARLY_ALL_USED, VECTOR_LINES
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.fields import VECTOR_BYTES, is_one_vector, used_fields
from cudalint.simt.query.neighbours import CombinedUse, ControlContext, stands, together
from cudalint.simt.query.passed import chosen_stride, far_apart, passed_stride
from cudalint.simt.query.pattern import (
    Pattern,
    Site,
    chosen,
    classify,
    evidence,
    per_request,
    pieces,
    strides,
    useful_share,
)
from cudalint.source.span import Span

RULE = Rule(
    code="CU101",
    name="strided-global-access",
    severity=Severity.WARNING,
    summary="neighbouring lanes access global memory more than one element apart",
    guides=("000 9.2", "002", "004"),
    speed=True,
)

# Elements of a vector type, and the most bytes that one thread moves in one access.
_VECTORS = (2, 4)
_MOST_BYTES = 16


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each stride."""
    runs = vector_runs(kernel, accesses, context, VECTOR_LINES.value)
    whole = {one.span for run in runs if fills_stride(run) for one in run}
    accesses = tuple(access for access in accesses if access.span not in whole)  # CU109 reports these
    loads = [a for a in accesses if a.operation == "load" and classify(a) is Pattern.STRIDED]
    places = stands(context.unit, kernel.function) if loads else {}
    combined = _combined(loads, kernel, places)
    for site in (*causes(accesses, Pattern.STRIDED), *causes(accesses, Pattern.SCATTERED)):
        passed = passed_stride(site.worst, kernel, context.unit)
        unknown = passed is None and chosen_stride(site.worst, kernel)
        if unknown or _is_vector(site.worst, kernel):
            continue
        impact = context.impact(Saving(Basis.SECTORS, excess=site.accesses), kernel)
        yield _finding(site, kernel, combined.get(site.worst.span), impact, passed)


def _combined(
    loads: list[Access], kernel: KernelFacts, places: dict[Span, ControlContext]
) -> dict[Span, CombinedUse]:
    """What loads use together with their neighbours, which find the sectors in the cache."""
    return {
        load.span: use
        for load in loads
        if (use := together(load, kernel.accesses, places)) is not None and use.used > max(load.layout.used)
    }


def _is_vector(access: Access, kernel: KernelFacts) -> bool:
    """Whether the compiler moves the field with its neighbours, so that the numbers are not its own."""
    return access.element.record is not None and is_one_vector(access, used_fields(access, kernel.accesses))


def _finding(
    site: Site, kernel: KernelFacts, use: CombinedUse | None, impact: Impact, passed: str | None
) -> Finding:
    """passed: the argument that is the stride."""
    access = site.worst
    kind = "strided" if strides(access) else _irregular(access)
    return RULE.finding(
        access.span,
        f"{kind} global {site.operation}: {per_request(access, 'sectors')}, {_stride(access, passed)}",
        notes=(f"{useful_share(access)} of the bytes moved are used{_with_others(use)}",),
        help=_help(site, use),
        kernel=kernel.name,
        evidence=evidence(access),
        impact=impact,
        condition=_condition(access, kernel, passed),
        related=same_pattern(site),
        standing=on_access(access),
    )


def _irregular(access: Access) -> str:
    """How far apart lanes without a stride are: in runs that take less than twice the ideal, or anywhere."""
    mean, ideal = access.transactions.per_request or 0.0, access.transactions.ideal or 0.0
    return "scattered" if mean >= 2 * ideal else "fragmented"


def _condition(access: Access, kernel: KernelFacts, passed: str | None) -> str | None:
    """On what is passed, and on the template arguments that were chosen."""
    parts = [None if passed is None else far_apart(access, passed), chosen(kernel.function)]
    return ", ".join(part for part in parts if part is not None) or None


def _with_others(use: CombinedUse | None) -> str:
    """The share that the neighbouring loads bring it to."""
    if use is None:
        return ""
    if not use.others:
        return f", {100 * use.used:.3g}% with the other iterations of the loop"
    return f", {100 * use.used:.3g}% with {plural(use.others, 'neighbouring load')}"


def _help(site: Site, use: CombinedUse | None) -> str:
    """A vector type where one thread uses all elements of its stride; else consecutive elements."""
    access = site.worst
    stride = max(strides(access), default=0)
    if (
        use is not None
        and use.used >= NEARLY_ALL_USED.value
        and stride in VECTOR_BYTES
        and not use.first % stride
    ):
        return f"each thread uses all {stride} bytes of its stride: move them in one access (a vector type)"
    count = (access.layout.lane_stride or 0) // access.bytes
    used = {
        a.expression: a for a in site.accesses if (a.operation, a.buffer) == (access.operation, access.buffer)
    }
    narrow = abs(count) in _VECTORS and abs(count) * access.bytes <= _MOST_BYTES
    if narrow and _fills_vectors(list(used.values()), abs(count) * access.bytes):
        return (
            f"each thread uses {abs(count)} consecutive elements: move them in one access of"
            f" {abs(count) * access.bytes} bytes (a vector type), or let neighbouring threads access"
            " neighbouring elements"
        )
    return "let neighbouring threads access neighbouring elements, or stage the data through shared memory"


def _fills_vectors(accesses: list[Access], width: int) -> bool:
    """Whether the accesses are, for every warp, the elements of vectors that start at multiples of it."""
    starts = [{offset % width for offset in access.layout.offsets} for access in accesses]
    return all(len(start) == 1 for start in starts) and len(set.union(*starts)) * accesses[0].bytes >= width


def _stride(access: Access, passed: str | None) -> str:
    seen = strides(access)
    if not seen:
        return f"lanes access {len(pieces(access))} separate pieces of memory"
    if passed is not None:
        return f"lane stride `{passed}` elements"
    if len(seen) == 1:
        return f"lane stride {seen[0]} bytes"
    return f"lane strides {seen[0]} to {seen[-1]} bytes"
