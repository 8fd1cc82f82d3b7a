"""
## What it does
Finds loads, stores and atomics on global memory whose neighbouring lanes are a constant number of elements
apart, more than one, so that a warp touches more 32-byte sectors than its bytes need.

## Why it costs
Global memory moves in sectors of 32 bytes. A warp that reads 32 neighbouring floats needs 4 sectors. With
two elements between lanes the same 128 useful bytes are spread over 8 sectors: half of what is moved is
thrown away. From 8 floats on every lane has a sector of its own, 32 in all, and an eighth of the bandwidth
is left.

## Example
```cuda
int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
out[i] = in[i];  // 8 sectors a request, ideal 4
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
out[i] = in[i];
```
Give neighbouring threads neighbouring elements. When each thread owns a run of elements, let the threads of
a block take the run together, one element each, or stage it through shared memory. When every second
element is unused, store the used ones packed.

## Limits
Speaks only where the stride is the same number for all lanes, or a set of known numbers (a stride that
doubles each iteration). A stride that comes out of loaded data is CU106. Silent where the stride is a number
that is passed and that nothing tells (`a[i * step]`: it may be one), where the template's arguments had to be
chosen, for fields that make one vector (both floats of a float2), and for requests of fewer than 8 lanes (the
rim of a tile). Silent where the sectors above the ideal are less than a tenth of all that the kernel asks for
(a load before a long loop, the work of one block, be it that no launch is seen and no thread asks which block
it is in), and where the kernel takes only a few elements of each row, always the same ones: a rim or a
diagonal of a matrix lies so. Silent, too, where loads that stand side by side, with no loop between them (one
that is unrolled is none), take nine tenths of the bytes in their sectors, or of those from the first lane to
the last, and lanes are no more than four elements apart: the first one fetches the sectors and the others
find them in the first-level cache. Further apart each of these loads asks for so many lines of 128 bytes that
the cache, which serves one a clock, may be what the kernel waits for. So it is for lanes less than 16 bytes
apart where the next rounds of the loop right round the loads use all that lies between the lanes (a window
that slides). Silent where every launch is known and so small that one multiprocessor alone would move all the
sectors while an empty kernel is launched (3 microseconds, some 6,300 sectors of loads; measured on an H200),
or, beside a kernel of the file that goes round nobody knows how often, those that have a block in a tenth of
that time; and where each lane that comes to the access allocates device memory, gives it back, prints or
launches a grid, or does 72 operations in loops for each sector above the ideal that its warp asks for once,
or in each round of the loop round the access for each that it asks for there: beside them the sectors take a
tenth of the time of an H200. Silent for what is accessed once, beside loops over memory that go round nobody
knows how often, and for kernels that the program leaves out of what it measures, while it measures others.
One finding for each stride of a kernel, at the access that wastes most; the other lines stand with it. The
number is of requests, not of DRAM traffic: when the elements between are used soon after, the cache may still
hold the sectors. What the finding says that mending can give is Amdahl's law on the sectors that the kernel
asks for; it is said only where all of them have exact numbers, and none is made more often than another.

## Source
000 section 9.2 (strided accesses); 002 'Memory Access Patterns'; 004 'Coalescing: Strided Accesses'.
"""

from collections.abc import Iterator

from cudalint.host.shape import plural
from cudalint.rule.access_notes import also, confidence
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance import speedup_bound
from cudalint.significance.negligible import negligible
from cudalint.significance.thresholds import COLUMN_PART, COLUMN_ROW, NEARLY_ALL_USED
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.fields import VECTOR_BYTES, is_one_vector, used_fields
from cudalint.simt.query.neighbours import CombinedUse, ControlContext, leaves_none, stands, together
from cudalint.simt.query.pattern import (
    Pattern,
    Site,
    amount,
    causes,
    chosen_size,
    classify,
    evidence,
    more,
    number,
    run_time,
    standing,
    strides,
    tried,
    useful_share,
)
from cudalint.source.span import Span

RULE = Rule(
    code="CU101",
    name="strided-global-access",
    severity=Severity.WARNING,
    summary="neighbouring lanes access global memory more than one element apart",
    guides=("000 9.2", "002", "004"),
)

# Elements of a vector type, and the most bytes that one thread moves in one access.
_VECTORS = (2, 4)
_MOST_BYTES = 16


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each stride."""
    if chosen_size(kernel.function):
        return
    loads = [a for a in accesses if a.operation == "load" and classify(a) is Pattern.STRIDED]
    places = stands(context.unit, kernel.function) if loads else {}
    beside = _beside(loads, kernel, places)
    felt = tuple(a for a in accesses if not _used_up(a, beside) and not _walked(a, kernel, places))
    for site in causes(felt, Pattern.STRIDED):
        silent = _is_vector(site.worst, kernel) or _is_column(site, kernel)
        if not _is_known(site.worst, kernel) or silent:
            continue
        if not negligible(site.accesses, kernel, context.unit, context.host):
            yield _finding(site, kernel, beside.get(site.worst.span), context)


def _beside(
    loads: list[Access], kernel: KernelFacts, places: dict[Span, ControlContext]
) -> dict[Span, CombinedUse]:
    """What loads ask for together with those beside them: these find the sectors in the cache."""
    return {
        load.span: told
        for load in loads
        if (told := together(load, kernel.accesses, places)) is not None and told.used > max(load.used)
    }


def _used_up(access: Access, beside: dict[Span, CombinedUse]) -> bool:
    """Whether nearly all that the load fetches is used at once, or all but what lies in its first and last
    sector beside its lanes.
    """
    told = beside.get(access.span) if access.operation == "load" else None
    return told is not None and max(told.used, told.between) >= NEARLY_ALL_USED.value and _is_near(access)


def _is_near(access: Access) -> bool:
    """Whether the lanes are so near that the first-level cache keeps up with the lines of all loads."""
    return max(strides(access)) <= max(_VECTORS) * access.bytes


def _walked(access: Access, kernel: KernelFacts, places: dict[Span, ControlContext]) -> bool:
    """Whether the next rounds of its loop use what the load fetches, of three lines of 128 bytes or fewer."""
    if access.operation != "load" or classify(access) is not Pattern.STRIDED or not _is_near(access):
        return False
    return max(strides(access)) < _MOST_BYTES and leaves_none(access, kernel.accesses, places)


def _is_column(site: Site, kernel: KernelFacts) -> bool:
    """Whether the kernel takes a few elements of each row, always the same ones: a rim, a diagonal."""
    row = min(strides(site.worst))
    if row < COLUMN_ROW.value:
        return False
    same = [a for a in kernel.accesses if a.buffer == site.worst.buffer and a.space == "global"]
    taken = {access.expression: access.bytes for access in same}
    return not any(access.walks for access in same) and sum(taken.values()) * COLUMN_PART.value < row


def _is_known(access: Access, kernel: KernelFacts) -> bool:
    """Whether neither the stride nor the count is only one of the numbers tried for what nothing tells."""
    seen = strides(access)
    tried = {number for passed in kernel.parameters for one in passed for number in one.tried}
    if run_time(seen) or any({stride, stride / access.bytes} & tried for stride in seen):
        return False
    return access.transactions.certainty == "exact" or access.lane_stride is not None


def _is_vector(access: Access, kernel: KernelFacts) -> bool:
    """Whether the compiler moves the field with its neighbours, so that the numbers are not its own."""
    return access.record is not None and is_one_vector(access, used_fields(access, kernel.accesses))


def _finding(site: Site, kernel: KernelFacts, told: CombinedUse | None, context: Context) -> Finding:
    access = site.worst
    ideal = number(access.transactions.ideal or 0.0)
    gained = speedup_bound.of_sectors(site, kernel, context.unit)
    return RULE.finding(
        access.span,
        f"strided global {site.operation}: {amount(access.transactions)} sectors a request{tried(access)},"
        f" ideal {ideal} ({_stride(access)})",
        notes=(
            f"a warp moves 32-byte sectors: {useful_share(access)} of what a request moves is used"
            f"{_with_others(told)}",
            *speedup_bound.notes(gained),
            *more(site),
            *standing(access),
        ),
        help=_help(site, told),
        kernel=kernel.name,
        evidence={**evidence(access), **speedup_bound.facts(gained)},
        related=also(site),
        confidence=confidence(access),
    )


def _with_others(told: CombinedUse | None) -> str:
    """What the loads beside it make of that."""
    if told is None:
        return ""
    if not told.others:
        return f", {100 * told.used:.3g}% with the other rounds of its loop"
    return f", {100 * told.used:.3g}% with the {plural(told.others, 'load')} beside it"


def _help(site: Site, told: CombinedUse | None) -> str:
    """A vector type, where one thread uses all elements of its stride; else neighbours to neighbours."""
    access = site.worst
    stride = max(strides(access))
    if (
        told is not None
        and told.used >= NEARLY_ALL_USED.value
        and stride in VECTOR_BYTES
        and not told.first % stride
    ):
        return f"one thread uses all of its {stride} bytes: move them in one access (a vector type)"
    count = (access.lane_stride or 0) // access.bytes
    used = {
        a.expression: a for a in site.accesses if (a.operation, a.buffer) == (access.operation, access.buffer)
    }
    narrow = abs(count) in _VECTORS and abs(count) * access.bytes <= _MOST_BYTES
    if narrow and _fills_vectors(list(used.values()), abs(count) * access.bytes):
        return (
            f"one thread uses the {abs(count)} neighbouring elements: move them in one access of"
            f" {abs(count) * access.bytes} bytes (a vector type), or let neighbouring threads take neighbours"
        )
    return "let neighbouring threads access neighbouring elements, or stage the run through shared memory"


def _fills_vectors(accesses: list[Access], width: int) -> bool:
    """Whether the accesses are, for every warp, the elements of vectors that start at multiples of it."""
    starts = [{offset % width for offset in access.offsets} for access in accesses]
    return all(len(start) == 1 for start in starts) and len(set.union(*starts)) * accesses[0].bytes >= width


def _stride(access: Access) -> str:
    seen = strides(access)
    if len(seen) == 1:
        return f"lane stride {seen[0]} bytes"
    return f"lane strides {seen[0]} to {seen[-1]} bytes"
