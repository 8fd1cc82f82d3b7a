"""
## What it does
Finds loops whose number of iterations differs between lanes of a warp because it depends on the thread
index.

## Why it costs
A warp stays in a loop until its last lane is done. Lanes that left early are idle meanwhile, so the warp
pays for the longest of its 32 counts.

## Example
```cuda
for (int k = 0; k < threadIdx.x % 32; ++k) {
    sum += row[k];
}
```
Lane 0 needs no iteration and lane 31 needs 31: half of all lane slots are idle.

## Instead
Give the lanes of a warp equal counts: let a warp share one long row (each lane every 32nd element, then a
reduction), or order the work so that neighbouring threads have rows of similar length.

## Limits
Silent when the counts differ by fewer than four iterations (the tail of a grid-stride loop, a short inner
loop), when lanes wait less than an eighth of their rounds, taken over all warps of the grid (in a triangle
`k < i` over a million threads the first warp's lanes have 0 to 31 rounds, the last one's all nearly a
million), when fewer than three quarters of the warps wait so long, when the rounds stand on numbers that
only a run knows, when the rounds of some lane are not known, when only the warp at an edge splits, when the
shape of a two-dimensional block, or a bound that is the size of the grid or block, is a guess, and when the
bound is loaded data.

## Source
003 'Warp Divergence'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import LANES_IDLE, TRIP_DIFFERENCE, WARPS_WAITING
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import guessed, guessed_rows

RULE = Rule(
    code="CU402",
    name="divergent-loop",
    severity=Severity.WARNING,
    summary="lanes of a warp run a loop a different number of times",
    guides=("003",),
)


# Counts from here on stand on a number tried for one that is known at run time only.
_TRIED = 4096


def check(branch: Branch, context: Context) -> Iterator[Finding]:
    """A finding for a loop that keeps lanes of a warp waiting for others."""
    if branch.kind != "loop" or branch.divergence != "divergent" or branch.boundary or branch.trips is None:
        return
    if branch.chosen or guessed_rows(branch.configuration):
        return
    fewest, most = branch.trips
    if most < fewest + TRIP_DIFFERENCE.value or branch.idle is None or branch.idle < LANES_IDLE.value:
        return
    if branch.waiting is None or branch.waiting < WARPS_WAITING.value:
        return
    if guessed(branch.configuration) and any(name in branch.condition for name in ("gridDim", "blockDim")):
        return
    count = str(most) if most < _TRIED else "a run-time number of"
    notes = [
        f"the warp runs {count} iterations; a lane that needs {fewest} waits for the rest",
        f"over all warps, {100 * branch.idle:.0f}% of the rounds of lanes are spent waiting",
    ]
    if branch.configuration is not None:
        notes.append(branch.configuration.note())
    yield RULE.finding(
        branch.span,
        f"divergent loop: lanes of one warp need {fewest} to {count} iterations (`{branch.condition}`)",
        notes=tuple(notes),
        help="give the lanes of a warp equal counts: share one row between them, or order rows by length",
        kernel=branch.kernel,
        evidence={"trips": most, "fewest": fewest, "idle": round(branch.idle, 4)},
        confidence=Confidence.MEDIUM if guessed(branch.configuration) else Confidence.HIGH,
    )
