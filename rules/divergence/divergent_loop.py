"""
## What it does
Finds loops whose number of iterations depends on the thread index and so differs between lanes of a warp.

## Why it costs
A warp stays in a loop until its last lane is done. Lanes that leave early are idle until then, so the warp
pays for the longest of its 32 iteration counts.

## Example
```cuda
for (int k = 0; k < threadIdx.x % 32; ++k) {
    sum += row[k];
}
```
Lane 0 runs no iteration and lane 31 runs 31: half of all lane slots are idle.

## Instead
Give the lanes of a warp equal iteration counts: let a warp share one long row (each lane every 32nd element,
then a reduction), or sort the work so that neighbouring threads have rows of similar length.

## Limits
- Not reported where only a warp at the edge diverges, or counts differ by one (the end of a strided loop).
- In a triangle `k < i` over a million threads the lanes of most warps run nearly equal counts: the impact
  says how much they wait.
- Not reported where a lane's count depends on loaded data (CU404) or a number known only at run time, but for
  those that a program has without words on its command line, or where the rows of the block, or a bound made
  of the grid or block size, are a guess.

## Source
003 'Warp Divergence'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.divergence import of_branches
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import guessed, guessed_rows

RULE = Rule(
    code="CU402",
    name="divergent-loop",
    severity=Severity.WARNING,
    summary="lanes of a warp run different numbers of iterations of a loop",
    guides=("003",),
    speed=True,
)

# Counts from here on come from a number tried for one that is known only at run time.
_TRIED = 4096


def check(kernel: KernelFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """A finding for each loop in which lanes of a warp idle until others are done."""
    for branch in branches:
        if branch.kind == "loop" and branch.divergence == "divergent" and not branch.split.boundary:
            yield from _judge(branch, kernel, context)


def _judge(branch: Branch, kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    loop = branch.loop
    if loop.trips is None or loop.idle is None or loop.chosen or guessed_rows(branch.configuration):
        return
    if guessed(branch.configuration) and any(name in branch.condition for name in ("gridDim", "blockDim")):
        return
    fewest, most = loop.trips
    if most <= fewest + 1:
        return
    count = str(most) if most < _TRIED else "a run-time number of"
    yield RULE.finding(
        branch.span,
        f"divergent loop: lanes of one warp run {fewest} to {count} iterations (`{branch.condition}`)",
        notes=(
            f"the warp executes {count} iterations; a lane that needs {fewest} is idle for the rest",
            f"over all warps, lanes are idle in {100 * loop.idle:.0f}% of the iterations",
        ),
        help="give the lanes of a warp equal iteration counts: share one row, or sort rows by length",
        kernel=branch.kernel,
        evidence={"trips": most, "fewest": fewest, "idle": round(loop.idle, 4)},
        impact=context.impact(of_branches((branch,), kernel, context.unit), kernel),
        condition="with the default sizes of the command line" if loop.default else None,
        standing=on_shape(branch.configuration),
    )
