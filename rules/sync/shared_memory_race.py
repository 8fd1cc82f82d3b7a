"""
## What it does
Finds two threads of a block that access the same bytes of shared memory, at least one of them writing, with
no barrier in between: a read of what another thread may not have written yet, a write over what another
thread may still have to read (also from one loop iteration to the next), or two writes by different threads.
Names two such threads.

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
A loop that fills and uses a tile needs two barriers: one after filling it, one before the next fill. So does
a function that ends by reading its scratch array and is called again.

## Limits
- Not reported: atomics and loops that poll them, threads ordered by a lock or a flag, writes of equal values,
  writes by the thread whose interval holds a common number, members of one struct, one warp (CU304).
- Data-dependent conditions and addresses make it a warning that names the data; an update of one word by many
  threads remains an error.
- If no sampled size reaches an access, sizes from its conditions are tried: a warning that names them.
- Without a known block shape, one that fits the shared arrays is used, else several one-dimensional ones must
  agree.
- The fix is offered only where linting the changed file shows that it works; not by `check` alone.

## Source
000 section 9.2 (shared memory in matrix multiplication); 001 'Thread synchronization'.
"""

from collections.abc import Iterator

from cudalint.fixing.barrier_placement import merged_by_barrier, proposal
from cudalint.rule.findings import Finding
from cudalint.rule.race_witness import OWN_ELEMENTS, finding, grouped, is_polling, is_scratch, runs_again
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin

RULE = Rule(
    code="CU301",
    name="shared-memory-race",
    severity=Severity.ERROR,
    summary="two threads access one shared address with no barrier in between, one of them writing",
    fixes=("unsafe",),
    guides=("000 9.2", "001"),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding per array, kind and direction of race; one for all races that the same barrier fixes."""
    groups = list(grouped(race for race in races if _is_reported(race, kernel)))
    for group in merged_by_barrier(groups, kernel, context):
        fix = proposal(group, kernel, context, "__syncthreads();")
        yield finding(RULE, group, "with no barrier in between", _help(group), fix)


def _is_reported(race: Race, kernel: KernelFacts) -> bool:
    """Whether it is a race in shared memory between warps, or within one instruction."""
    if race.space != "shared" or race.in_step:
        return False
    return _independent_of_guesses(race) and not is_polling(race, kernel)


def _independent_of_guesses(race: Race) -> bool:
    """Whether the shape is the program's own, or the race occurs under all shapes tried."""
    if race.configuration is None:
        return True
    _, rows, layers = race.configuration.block
    line = rows == layers == 1
    match race.configuration.origin:
        case Origin.USUAL:
            return line and (race.certain or race.data_dependent)
        case Origin.BOUNDS | Origin.CHOSEN_BOUNDS:
            return line  # the bounds give the number of threads, not the rows and columns
        case _:
            return True


def _help(races: list[Race]) -> str:
    race = races[0]
    if any(is_scratch(each) for each in races):
        return OWN_ELEMENTS
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    if runs_again(race):
        return (
            "put a `__syncthreads()` after the last use: at the end of the loop body, or before the function"
            " is called again"
        )
    return "put a `__syncthreads()` between the two accesses, where every thread of the block reaches it"
