"""
## What it does
Finds two accesses to the same memory by threads of one warp, at least one of them a write, with no
`__syncwarp()` or `__syncthreads()` between them. Names the two threads. Covers shared memory, and volatile
accesses to global memory where only threads of one warp exchange data.

## Why it costs
Up to compute capability 6.x the threads of a warp ran in lockstep, and much code relies on it: the last steps
of a reduction without barriers, on a `volatile` array. From 7.0 on each thread has its own program counter,
and one thread may run ahead of another within the warp. `volatile` does not change that.

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
Or keep the array and call `__syncwarp()` between each read and each write.

## Limits
- Not reported for `--arch` below 70.
- Votes and shuffles with `_sync` are taken to order the memory accesses of the warp, which is more than they
  guarantee.
- Not reported for arrays that CU301 or CU303 reports, or where the barrier that CU301 asks for fixes this
  too.
- Arrays that need the same `__syncwarp()` are one finding.
- Data-dependent addresses in global memory are left to CU303.
- The fix inserts `__syncwarp()` under the same conditions as the fix of CU301; no barrier can separate a read
  and a write in one statement.

## Source
003 'Independent thread scheduling'.
"""

from collections.abc import Iterator

from cudalint.fixing.barrier_placement import fixed_too, merged_by_barrier, proposal
from cudalint.rule.findings import Finding
from cudalint.rule.race_witness import array, finding, grouped, is_polling, is_volatile_in_warp
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin

RULE = Rule(
    code="CU304",
    name="missing-warp-barrier",
    severity=Severity.ERROR,
    summary="threads of one warp exchange data with no `__syncwarp()` in between",
    fixes=("unsafe",),
    guides=("003",),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding per array that threads of a warp exchange data in unordered, or per missing barrier."""
    across_warps = [race for race in races if not race.in_step]
    barriers = list(grouped(race for race in across_warps if race.space == "shared"))
    reported = {array(race) for race in across_warps}
    in_warp = (race for race in races if _is_reported(race, kernel) and array(race) not in reported)
    groups = [group for group in grouped(in_warp, array) if not fixed_too(group, barriers, kernel, context)]
    for group in merged_by_barrier(groups, kernel, context):
        yield finding(
            RULE,
            group,
            "with no `__syncwarp()` in between",
            "put a `__syncwarp()` between the two accesses, or pass the value with a shuffle",
            proposal(group, kernel, context, "__syncwarp();"),
        )


def _is_reported(race: Race, kernel: KernelFacts) -> bool:
    """Whether the race is within a warp and does not depend on a guessed block shape."""
    if (
        not race.in_step
        or race.witness
        or is_polling(race, kernel)
        or not (race.space == "shared" or is_volatile_in_warp(race))
    ):
        return False
    return race.configuration is None or race.configuration.origin != Origin.USUAL or race.certain
