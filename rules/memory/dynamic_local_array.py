"""
## What it does
Finds arrays of a thread that the compiler has to keep in local memory: some index is a number that only the
run knows, or the array is larger than the registers of a thread.

## Why it costs
Registers have no addresses. An array lives in them only where every index is a number when the code is
compiled, in loops that are written out. Otherwise it lies in local memory, which is global memory with a
place for each thread, behind the caches: every access is a load or a store. A warp moves 4 sectors for a word
of each lane where all lanes use one index, and up to 32 where each uses its own; for a double twice as many.
64 floats of 256 threads are 64 KB of a multiprocessor's L1 cache for each block; what does not fit goes to L2
and beyond.

## Example
```cuda
double history[8];
for (int k = 0; k < n; ++k)
    history[k % 7] += in[k];       // 64 bytes a thread in local memory
```

## Instead
Make the index a constant: give the loop a length that the compiler knows and `#pragma unroll`, or shift the
elements instead of the index. Where the index has to be a number of the run, give each thread a column of
shared memory (`history[k][threadIdx.x]`). A table of constants is built anew by every thread: make it `static
const` or `__constant__`.

## Limits
Off unless selected: in the last round of docs/precision.md 15 of 20 findings that it made on code that nobody
wrote for cudalint were worth it. What the arrays cost beside what else a kernel does is told from the source,
and nvcc may make fewer and wider accesses of them.
Says only what nvcc 13.0 did for sm_90 in every case of some 3,000 small kernels that were compiled for this
rule (`ptxas -v`; NVRTC 12.0 and 12.4 gave the same arrays where they were compared). Elements that are not 4
bytes wide (double, char, short, pointers) go to local memory with the first index that the run decides. An
array of floats or integers may stay in registers, where a chain of selections picks the element: outside of
loops up to 80 elements, and in a loop as well where most of the array's accesses have constant indices. So
the rule is silent for such arrays of fewer than 40 elements, though many of them are in local memory too. A
loop without `#pragma unroll` counts as one that stays a loop where its length is a number of the run, or so
large that the compiler writes out no such loop. Accesses whose result nobody uses, which the compiler leaves
out, are counted. Arrays in structs, calls of functions without a body, and variables that are spilled because
too many are alive are not looked at. Silent beside an array in local memory that is more than eight times as
large, for one that gets less than a tenth of a thread's accesses to arrays in local memory (loops of unknown
length count as 32 rounds), and for one that no loop goes round, beside loops of unknown length over memory.
Silent too where a thread does ten or more operations, in the loops right round the accesses, for each sector
that they move where all lanes use one index: L1 serves 4 sectors in the clock that issues 4 instructions.
Silent where nothing better is known: an array that is no table and of which shared memory has no room for a
column a thread, for a block and for 384 threads.

## Source
000 'Local memory' and 'Registers' (arrays that use too much register space, lmem of ptxas); 001 'Local
memory'. The thresholds were measured with nvcc 13.0.
"""

from collections.abc import Iterator
from itertools import groupby

from cudalint.analyses.local_arrays import LocalArray, local_arrays
from cudalint.gpu.capabilities import limits
from cudalint.gpu.local import WORD, sectors
from cudalint.host.shape import plural
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.negligible import open_loops, outcomputes
from cudalint.significance.thresholds import LOCAL_OPERATIONS, LOCAL_RESIDENT, LOCAL_SHARE, LOCAL_SIZE
from cudalint.simt.query.pattern import chosen_number, chosen_size
from cudalint.source.span import Span

RULE = Rule(
    code="CU111",
    name="dynamic-local-array",
    severity=Severity.WARNING,
    summary="an array of a thread is kept in local memory, for an index that only the run knows or its size",
    guides=("000", "001"),
    default=False,
)

_MOST_RELATED = 8
_WARP = 32
_MOST_IN_REGISTERS = 1020  # bytes
_SHORT = 30  # characters of an index that a message quotes


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """One finding for each such array, over all kernels and instantiations that it is in."""
    found: dict[Span, tuple[LocalArray, Function]] = {}
    run = [facts.function.key for facts in context.kernels]  # of many instantiations not all are
    for _, group in groupby(local_arrays(unit, run), key=lambda one: one[1].key):
        of_kernel = tuple(group)
        for array, function in of_kernel:
            here = array.variable.span.path in context.lines and not _stands_on_choice(array, function)
            if here and _felt(array, [other for other, _ in of_kernel], unit, function):
                found.setdefault(array.variable.span, (array, function))
    most = limits(context.arch).shared_per_block_optin
    for array, function in found.values():
        threads = _threads(context, function)
        resident = max(threads or _WARP, LOCAL_RESIDENT.value if array.places else 0)
        if array.table or array.bytes * resident <= most:
            yield _finding(array, function, threads)


def _felt(array: LocalArray, beside: list[LocalArray], unit: Unit, function: Function) -> bool:
    """Whether the array has a part worth a word of what a thread asks of arrays in local memory."""
    if array.bytes * LOCAL_SIZE.value < max(other.bytes for other in beside):
        return False
    if array.asked < LOCAL_SHARE.value * sum(other.asked for other in beside):
        return False
    if outcomputes(unit, function, array.rounds, _sectors(array, beside), LOCAL_OPERATIONS.value):
        return False
    return array.repeated or not open_loops(unit, function)


def _sectors(array: LocalArray, beside: list[LocalArray]) -> dict[int, float]:
    """What all arrays move in the loops that access one, for a thread of a full warp."""
    each, _ = sectors(WORD, WORD, _WARP)
    return {at: each * sum(other.moved.get(at, 0.0) for other in beside) for at in array.moved}


def _stands_on_choice(array: LocalArray, function: Function) -> bool:
    """Whether the size, or what loops make of the index, is that of template arguments that were chosen."""
    return chosen_number(function) if array.places else chosen_size(function)


def _threads(context: Context, function: Function) -> int | None:
    """Threads of a block, where the launches agree."""
    sizes = {
        x * y * z
        for launch in context.host.launches
        if launch.key == function.key
        for x, y, z in (launch.block,)
        if x is not None and y is not None and z is not None
    }
    return next(iter(sizes)) if len(sizes) == 1 else None


def _finding(array: LocalArray, function: Function, threads: int | None) -> Finding:
    name, size = array.variable.name, f"{array.bytes:,} bytes a thread"
    if array.places:
        index = f"`{array.index}`" if len(array.index) <= _SHORT else "an index"
        message = f"`{name}` ({size}) is in local memory: {index} is known at run time only"
    else:
        message = (
            f"`{name}` ({size}) is in local memory: a thread has registers for {_MOST_IN_REGISTERS:,} bytes"
        )
    notes = [_request(array, min(threads or _WARP, _WARP))]
    if threads is not None:
        notes.append(
            f"{array.bytes * threads:,} bytes for a block of {threads} threads, through its L1 cache"
        )
    return RULE.finding(
        array.variable.span,
        message,
        notes=tuple(notes),
        help=_help(array),
        kernel=function.name,
        evidence={"bytes": array.bytes, "width": array.width, "places": len(array.places)},
        related=tuple(Related(span, "indexed at run time") for span in array.places[:_MOST_RELATED]),
        confidence=Confidence.MEDIUM if function.assumed else Confidence.HIGH,
    )


def _request(array: LocalArray, lanes: int) -> str:
    """What a warp of so many lanes moves."""
    least, most = sectors(array.width, array.bytes, lanes)
    if most == least:
        return f"each access of a warp is a request of {plural(least, 'sector')}"
    return (
        f"each access of a warp is a request of {plural(least, 'sector')} where all lanes"
        f" use one index, up to {most} where they differ"
    )


def _help(array: LocalArray) -> str:
    if array.table:
        return "make the table `static const` or `__constant__`: now every thread builds it anew"
    if not array.places:
        return "keep a part of it at a time, share it between the threads of a block, or use shared memory"
    if array.bytes > _MOST_IN_REGISTERS:
        return "give each thread a column of shared memory, or keep a part of it at a time"
    return "index it by constants, in unrolled loops only, or give each thread a column of shared memory"
