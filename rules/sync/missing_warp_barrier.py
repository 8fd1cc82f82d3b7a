"""
## What it does
Finds two accesses to the same memory by threads of one warp, one of them writing, that nothing orders: no
`__syncwarp()`, no `__syncthreads()` between. Names the two threads. Looks at shared memory, and at global
memory where only threads of one warp meet.

## Why it costs
Up to compute capability 6.x the threads of a warp ran in step, and much code leans on it: the last rounds of
a reduction without barriers, on a `volatile` array. From 7.0 on each thread has its own program counter, and
the compiler and the hardware may let one run ahead of another inside the warp. `volatile` does not change it.

## Example
```cuda
if (t < 32) {
    volatile float *v = partial;
    v[t] += v[t + 16];
    v[t] += v[t + 8];  // reads what another thread of the warp has just written
}
```

## Instead
```cuda
if (t < 32) {
    float x = partial[t];
    for (int offset = 16; offset > 0; offset /= 2) x += __shfl_down_sync(0xffffffffu, x, offset);
}
```
or, keeping the array, `__syncwarp()` between each read and each write.

## Limits
Silent for `--arch` below 70. Votes and shuffles with `_sync` are taken to order the warp's memory, which is
more than they promise. What CU301 or CU303 reports of an array is not told again, nor what the barrier that
CU301 asks for mends too; arrays that one barrier mends are told once. Meetings in global memory that hang on
data are left to CU303. The fix inserts `__syncwarp()` as that of CU301 does its barriers; none parts a read
and a write of one statement.

## Source
003 'Independent thread scheduling'.
"""

from collections.abc import Iterator

from cudalint.fixing.barrier_placement import mended, proposal, told_together
from cudalint.rule.findings import Finding
from cudalint.rule.race_witness import array, finding, grouped, polls, settled_in_warps
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race

RULE = Rule(
    code="CU304",
    name="missing-warp-barrier",
    severity=Severity.ERROR,
    summary="threads of one warp hand on data with no `__syncwarp()` between",
    fixes=("unsafe",),
    guides=("003",),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array that threads of a warp hand on unordered; for all that one barrier mends."""
    wide = [race for race in races if not race.in_step]
    barriers = list(grouped(race for race in wide if race.space == "shared"))
    wider = {array(race) for race in wide}
    narrow = (race for race in races if _speaks(race, kernel) and array(race) not in wider)
    groups = [group for group in grouped(narrow, array) if not mended(group, barriers, kernel, context)]
    for group in told_together(groups, kernel, context):
        yield finding(
            RULE,
            group,
            "with no `__syncwarp()` between",
            "put a `__syncwarp()` between the two, or hand the value on with a shuffle",
            proposal(group, kernel, context, "__syncwarp();"),
        )


def _speaks(race: Race, kernel: KernelFacts) -> bool:
    """Whether the race is one inside a warp, whatever the block's shape."""
    if not race.in_step or polls(race, kernel) or not (race.space == "shared" or settled_in_warps(race)):
        return False
    return race.configuration is None or race.configuration.origin != "usual shape" or race.certain
