"""
## What it does
Finds per-thread arrays that the compiler keeps in local memory: an index is not a compile-time constant, or
the array is larger than the registers of a thread.

## Why it costs
Registers have no addresses. An array is kept in registers only where every index is a compile-time constant,
in fully unrolled loops. Otherwise it is in local memory, which is device memory with a slot for each thread,
behind the caches: every access is a load or a store. On an H100 a filter with a ring of 16 samples per thread
took 1.87 times as long as one that shifts them through registers. A warp moves 4 sectors/request for a 4-byte
element where all lanes use the same index, and up to 32 where each uses its own; for a double twice as many.
64 floats of 256 threads are 64 KB of an SM's L1 cache per block; what does not fit goes to L2 and beyond.

## Example
```cuda
double history[8];
for (int k = 0; k < n; ++k)
    history[k % 7] += in[k];       // 64 bytes per thread in local memory
```

## Instead
Make the index a constant: give the loop a compile-time trip count and `#pragma unroll`, or shift the elements
instead of the index. Where the index must be dynamic, give each thread a column of shared memory
(`history[k][threadIdx.x]`). A table of constants is rebuilt by every thread: make it `static const` or
`__constant__`.

## Limits
- The impact counts the instructions of the accesses alone, from 0 on: nvcc may generate fewer and wider ones.
  Where a thread waits for its own stores, more is gained.
- Thresholds are those of nvcc 13.0 for sm_90. Silent for int and float arrays that may stay in registers:
  mostly of fewer than 40 elements, or than 3 to 32 where loops store.
- Structs in structs, calls without a body and register spills are not analysed.
- Silent for less than 10% of the local accesses, beside an array with more that is over eight times as large,
  next to ten operations per sector, and where shared memory lacks room for a column per thread (tables
  aside).

## Source
000 'Local memory' and 'Registers' (arrays that use too much register space, lmem of ptxas); 001 'Local
memory'. The thresholds were measured with nvcc 13.0.
"""

from collections.abc import Iterator
from itertools import groupby

from msgspec.structs import replace

from cudalint.analyses.local_arrays import LocalArray, local_arrays
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import limits
from cudalint.gpu.functions import Instructions
from cudalint.gpu.local import WORD, sectors
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.negligible import open_loops, outcomputes
from cudalint.significance.saving import Saving
from cudalint.significance.thresholds import LOCAL_OPERATIONS, LOCAL_RESIDENT, LOCAL_SHARE, LOCAL_SIZE
from cudalint.simt.query.pattern import chosen_size
from cudalint.source.span import Span

RULE = Rule(
    code="CU111",
    name="dynamic-local-array",
    severity=Severity.WARNING,
    summary="a per-thread array is kept in local memory because of a run-time index or its size",
    guides=("000", "001"),
    speed=True,
)

_ACCESS = Instructions(3)  # a load or a store, with its address
_MOST_IN_REGISTERS = 1020  # bytes
_SHORT = 30  # characters of an index that a message quotes


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """One finding per array, over all kernels and instantiations that contain it."""
    arrays: dict[Span, tuple[LocalArray, Function]] = {}
    beside: dict[Span, list[LocalArray]] = {}
    run = [facts.function.key for facts in context.kernels]  # of many instantiations not all are
    for _, group in groupby(local_arrays(unit, run), key=lambda item: item[1].key):
        of_kernel = tuple(group)
        for array, function in of_kernel:
            here = array.variable.span.path in context.lines and not _depends_on_choice(array, function)
            if here and _is_significant(array, [other for other, _ in of_kernel], unit, function):
                arrays.setdefault(array.variable.span, (array, function))
                beside.setdefault(array.variable.span, [other for other, _ in of_kernel])
    most = limits(context.arch).shared_per_block_optin
    for array, function in arrays.values():
        threads = _threads(context, function)
        resident = max(threads or WARP, LOCAL_RESIDENT.value if array.places else 0)
        if array.table or array.bytes * resident <= most:
            saved = tuple((node, _ACCESS) for node in array.accesses)
            impact = context.impact_of(Saving(Basis.ISSUE, instructions=saved))
            others = [one for one in beside[array.variable.span] if one.variable.span not in arrays]
            yield _finding(array, others, function, threads, replace(impact, low=0.0))


def _is_significant(array: LocalArray, neighbours: list[LocalArray], unit: Unit, function: Function) -> bool:
    """Whether the array has a significant share of a thread's accesses to local memory."""
    least = LOCAL_SHARE.value * sum(other.asked for other in neighbours)
    if array.asked < least:
        return False
    if array.bytes * LOCAL_SIZE.value < max(other.bytes for other in neighbours if other.asked >= least):
        return False
    if outcomputes(unit, function, array.rounds, _sectors(array, neighbours), LOCAL_OPERATIONS.value):
        return False
    return array.repeated or not open_loops(unit, function)


def _sectors(array: LocalArray, neighbours: list[LocalArray]) -> dict[int, float]:
    """Sectors that all arrays move in the loops that access one, per thread of a full warp."""
    each, _ = sectors(WORD, WORD, WARP)
    return {at: each * sum(other.moved.get(at, 0.0) for other in neighbours) for at in array.moved}


def _depends_on_choice(array: LocalArray, function: Function) -> bool:
    """Whether the size or the index depends on template arguments that cudalint chose."""
    return function.chosen_number if array.places else chosen_size(function)


def _threads(context: Context, function: Function) -> int | None:
    """Threads per block, where all launches agree."""
    sizes = {
        x * y * z
        for launch in context.host.launches
        if launch.key == function.key
        for x, y, z in (launch.block,)
        if x is not None and y is not None and z is not None
    }
    return next(iter(sizes)) if len(sizes) == 1 else None


def _finding(
    array: LocalArray, others: list[LocalArray], function: Function, threads: int | None, impact: Impact
) -> Finding:
    name, size = array.variable.name, f"{array.bytes:,} bytes per thread"
    if array.places:
        index = f"index `{array.index}`" if len(array.index) <= _SHORT else "its index"
        message = f"`{name}` ({size}) is in local memory: {index} is not a compile-time constant"
    else:
        message = (
            f"`{name}` ({size}) is in local memory: registers hold {_MOST_IN_REGISTERS:,} bytes per thread"
        )
    notes = [_request(array, min(threads or WARP, WARP))]
    if threads is not None:
        notes.append(f"{array.bytes * threads:,} bytes of L1 cache per block of {threads} threads")
    return RULE.finding(
        array.variable.span,
        message,
        notes=tuple(notes),
        help=_help(array),
        kernel=function.name,
        evidence={"bytes": array.bytes, "width": array.width, "places": len(array.places)},
        impact=impact,
        related=(
            *at_spans(array.places, "run-time index"),
            *at_spans((one.variable.span for one in others), "in local memory too, but hardly accessed"),
        ),
        standing=Standing(sure=not function.assumed),
    )


def _request(array: LocalArray, lanes: int) -> str:
    """What an access of so many lanes costs."""
    least, most = sectors(array.width, array.bytes, lanes)
    if most == least:
        return f"{least} sectors/request"
    return f"{least} sectors/request if all lanes use the same index, up to {most} if they differ"


def _help(array: LocalArray) -> str:
    if array.table:
        return "make the table `static const` or `__constant__`: now every thread rebuilds it"
    if not array.places:
        return "process it in parts, distribute it over the threads of a block, or use shared memory"
    if array.bytes > _MOST_IN_REGISTERS:
        return "give each thread a column of shared memory, or process it in parts"
    return "index it with constants in unrolled loops, or give each thread a column of shared memory"
