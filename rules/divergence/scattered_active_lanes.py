"""
## What it does
Finds a branch in a loop that fewer and fewer threads take, every second, every fourth and so on, so that a
few lanes of every warp stay at work where a few whole warps could do it: `tid % (2 * stride) == 0` in a sum.

## Why it costs
A warp issues its instructions for one active lane as it does for 32. When 256 threads halve their number by
`tid % (2 * stride) == 0`, 47 warps run the branch in the course of the loop, with 16 lanes active at first
and one at last; neighbouring threads would be 12 warps. The others would skip the branch.

On the GPUs of today most of that hides behind the barriers of the loop, and the remainder itself costs more,
as `2 * stride` changes each time: a sum of 256 values a block takes 0.72 ms on an H200 with `%`, 0.32 ms with
`(tid & (2 * stride - 1)) == 0`, and 0.30 ms by halves. So a condition with `%` or `/` is a warning, and any
other one a note.

## Example
```cuda
for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0)
        sums[tid] += sums[tid + stride];
    __syncthreads();
}
```

## Instead
```cuda
for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride)
        sums[tid] += sums[tid + stride];
    __syncthreads();
}
```
Neighbouring threads take neighbouring elements, so whole warps stop, and no two lanes meet in one bank of
shared memory. (`index = 2 * stride * tid` keeps the threads together as well, but the strided index brings
bank conflicts: 0.39 ms.) From 32 threads on `__shfl_down_sync` needs neither memory nor barrier.

## Limits
Speaks where fewer threads of the block take the branch in each round of a loop, with a barrier of the block
between the rounds, and where the warps that take it, summed over one pass through that loop, are at least
twice as many as would hold the lanes. So it is silent for a sum within each warp or tile of one (its lanes
stand together already, and to fill other warps would take a barrier), for a role that lanes keep (the warp's
leader, the layout of a fragment), where steps are written out without a loop, for branches with an `else`
(CU401), on loaded data, and for a guessed shape of two dimensions.

## Source
003 'Avoiding Branch Divergence' (parallel reduction); 002 'Reduction'; times measured on an H200.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.compaction import scattered
from cudalint.simt.query.pattern import guessed

RULE = Rule(
    code="CU403",
    name="scattered-active-lanes",
    severity=Severity.WARNING,
    summary="a loop leaves fewer and fewer lanes active, scattered over all warps",
    guides=("003",),
)


def check(branch: Branch, context: Context) -> Iterator[Finding]:
    """A finding for a branch that lanes far apart take."""
    if not scattered(branch) or branch.warps is None or branch.crowd is None:
        return
    entered, packed = branch.warps
    fewest, most = branch.crowd
    divides = any(operator in branch.condition for operator in ("%", "/"))
    notes = [f"{most} down to {fewest} of 32 lanes are active in the warps that take it"]
    if divides:
        notes.append(
            "unless the loop is unrolled, dividing by a number that changes costs more than the idle lanes"
        )
    if branch.configuration is not None:
        notes.append(branch.configuration.note())
    yield RULE.finding(
        branch.span,
        f"scattered active lanes: `{branch.condition}` keeps {entered} warps at work where {packed} would do",
        notes=tuple(notes),
        help="let neighbouring threads go on: `tid < stride`, with a stride that is halved",
        kernel=branch.kernel,
        evidence={"warps": entered, "ideal": packed, "most": most, "fewest": fewest},
        severity=Severity.WARNING if divides else Severity.NOTE,
        confidence=Confidence.MEDIUM if guessed(branch.configuration) else Confidence.HIGH,
    )
