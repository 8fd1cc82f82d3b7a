"""
## What it does
Finds two threads of a block that touch the same bytes of shared memory, one of them writing, with no
barrier between: a read of what another thread has not surely written yet, a write over what another thread
may still have to read (also from one loop iteration to the next), or two writes of different threads. Names
two such threads.

## Why it costs
Warps of a block run in any order. Without `__syncthreads()` between write and read the result depends on
timing: it may be right on one GPU and wrong on the next, or wrong once in a thousand runs.

## Example
```cuda
tile[threadIdx.x] = in[i];
out[i] = tile[blockDim.x - 1 - threadIdx.x];  // thread 0 reads what thread 255 writes
```

## Instead
```cuda
tile[threadIdx.x] = in[i];
__syncthreads();
out[i] = tile[blockDim.x - 1 - threadIdx.x];
```
In a loop that fills and uses a tile, two barriers are needed: one after filling it, one before the next
fill. The same holds for a function that ends by reading its scratch array and is called again.

## Limits
Silent for atomics, for a loop that polls what atomics change, for threads that have waited for a lock or a
flag, for writes that end with the same value and that nobody reads between, for accesses to different members
of one struct, and for a read and a write within one warp (CU304). An access under a condition on data that
nobody knows counts against one that is surely made: a warning then, which names the condition. Two accesses
under such conditions are not compared. A place that data decides counts against accesses that go over the
whole array, or over the part behind the same pointer, as a warning. Where no usual size leads a thread to an
access, numbers that the conditions round it ask for are tried (small ones, the one compared with): a warning,
which names them. Where no launch, launch bounds or assumption gives the block's shape, it is the one that the
shared arrays are made for (`tile[threadIdx.y][threadIdx.x]`); where they do not tell, only a race counts that
every one of several quite different one-dimensional blocks shows: a tile that fits the shape the author had
in mind looks like a race under any other. One finding for each array and kind of race in a kernel, and for
all arrays that one barrier mends; the other places stand with it. The fix inserts the barriers. It is not
safe, and told only where linting the changed file shows that the race is gone, nothing new is there and all
threads come to the barriers; a plain check leaves this trial out.

## Source
000 section 9.2 (shared memory in matrix multiplication); 001 'Thread synchronization'.
"""

from collections.abc import Iterator

from cudalint.fixing.barrier_placement import proposal, told_together
from cudalint.rule.findings import Finding
from cudalint.rule.race_witness import OWN_ELEMENTS, as_scratch, comes_round, finding, grouped, polls
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch import configuration

RULE = Rule(
    code="CU301",
    name="shared-memory-race",
    severity=Severity.ERROR,
    summary="two threads touch one shared address with no barrier between",
    fixes=("unsafe",),
    guides=("000 9.2", "001"),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array, kind and direction of race between threads of the kernel; one for all that
    one barrier mends.
    """
    groups = list(grouped(race for race in races if _speaks(race, kernel)))
    for group in told_together(groups, kernel, context):
        fix = proposal(group, kernel, context, "__syncthreads();")
        yield finding(RULE, group, "with no barrier between", _help(group), fix)


def _speaks(race: Race, kernel: KernelFacts) -> bool:
    """Whether the race is one in shared memory that crosses warps, or one instruction's."""
    if race.space != "shared" or race.in_step:
        return False
    return _shape_matters_not(race) and not polls(race, kernel)


def _shape_matters_not(race: Race) -> bool:
    """Whether the shape was given, or no usual shape makes the kernel right."""
    if race.configuration is None:
        return True
    _, rows, layers = race.configuration.block
    line = rows == layers == 1
    match race.configuration.origin:
        case "usual shape":
            return line and (race.certain or race.data_dependent)
        case "launch bounds" | configuration.CHOSEN_BOUNDS:
            return line  # the bounds hold the number of threads; how they stand in rows is a guess
        case _:
            return True


def _help(races: list[Race]) -> str:
    race = races[0]
    if any(as_scratch(each) for each in races):
        return OWN_ELEMENTS
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    if comes_round(race):
        return (
            "put a `__syncthreads()` after the last use, at the end of the loop's body or before the function"
            " is called again"
        )
    return "put a `__syncthreads()` between the two, where every thread of the block reaches it"
