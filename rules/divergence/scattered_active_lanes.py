"""
## What it does
Finds a branch in a loop that fewer threads take in each iteration, every second, every fourth and so on, so
that a few lanes of every warp stay active where a few whole warps suffice: `tid % (2 * stride) == 0` in a
reduction. Also finds a long arm outside of loops that the same scattered lanes of every warp take: the first
of each group of 8 threads solves what the group has summed.

## Why it costs
A warp issues an instruction for one active lane as it does for 32. When 256 threads halve their number by
`tid % (2 * stride) == 0`, 47 warps execute the branch over the whole loop, with 16 active lanes at first and
one at the end; with neighbouring threads active it would be 12 warps, and the others would skip the branch.

On current GPUs the barriers of the loop hide most of that, and `%` itself costs more, as `2 * stride` changes
in each iteration: summing 256 values per block takes 0.72 ms on an H200 with `%`, 0.32 ms with
`(tid & (2 * stride - 1)) == 0`, and 0.30 ms with sequential addressing. The impact counts
the idle lanes and the division.

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
With sequential addressing whole warps become inactive, and the accesses to shared memory have no bank
conflicts. (`index = 2 * stride * tid` keeps the active threads together as well, but its strided index causes
bank conflicts: 0.39 ms.) For the last 32 elements `__shfl_down_sync` needs no shared memory and no barrier.
For the leaders of groups, pass each group's value through shared memory, and let neighbouring threads go on:
```cuda
if (threadIdx.x % 8 == 0) sums[threadIdx.x / 8] = sum;
__syncthreads();
if (threadIdx.x < blockDim.x / 8) out[first + threadIdx.x] = solve(sums[threadIdx.x]);
```

## Limits
- Reported only where fewer threads of the block take the branch in each iteration, with a block barrier
  between iterations, and at least twice as many warps execute it as would hold the active lanes.
- Lanes with a fixed role are reported where two to eight of each warp, not next to each other, execute 64
  operations of the source or more, outside of loops or in a loop of their own, and without votes, shuffles or
  barriers among them.
- Not reported: reductions within each warp or a tile of one, the leader of a warp, steps written out without
  a loop, branches with an `else` (CU401), loaded data, guessed two-dimensional block shapes.

## Source
003 'Avoiding Branch Divergence' (parallel reduction); 002 'Reduction'; times measured on an H200.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.compaction import scattered
from cudalint.significance.divergence import of_branches, of_scattered
from cudalint.significance.sparse_arms import SparseArm, sparse_arm
from cudalint.simt.facts.branches.branch import Branch, Fading
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU403",
    name="scattered-active-lanes",
    severity=Severity.WARNING,
    summary="few lanes of every warp take a long branch, or fewer in each iteration of a loop",
    guides=("003",),
    speed=True,
)


def check(kernel: KernelFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """A finding for each branch that a few lanes of every warp take."""
    for branch in branches:
        if branch.fading is not None and scattered(branch):
            yield _fading(branch, branch.fading, kernel, context)
        elif branch.own and (few := sparse_arm(branch, kernel, context.unit)) is not None:
            yield _sparse(branch, few, kernel, context)


def _sparse(branch: Branch, few: SparseArm, kernel: KernelFacts, context: Context) -> Finding:
    return RULE.finding(
        branch.span,
        f"scattered active lanes: {few.warps} warps execute the long arm of `{branch.condition}`, whose lanes"
        f" fit in {few.packed}",
        notes=(
            f"{few.lanes} of 32 lanes are active in each warp, for about {branch.cost.then} operations of the"
            " source",
        ),
        help=("share the iterations of its loop among the idle lanes, or " if few.loops else "")
        + "pass what the arm needs through shared memory, and let neighbouring threads execute it after a"
        " barrier",
        kernel=branch.kernel,
        evidence={"warps": few.warps, "ideal": few.packed, "most": few.lanes, "fewest": few.lanes},
        impact=context.impact(of_branches((branch,), kernel, context.unit), kernel),
        standing=on_shape(branch.configuration),
    )


def _fading(branch: Branch, fading: Fading, kernel: KernelFacts, context: Context) -> Finding:
    divides = any(operator in branch.condition for operator in ("%", "/"))
    notes = [f"{fading.most} down to {fading.fewest} of 32 lanes are active in the warps that execute it"]
    if divides:
        notes.append(
            "unless the loop is unrolled, the division by a changing number costs more than the idle lanes"
        )
    return RULE.finding(
        branch.span,
        f"scattered active lanes: {fading.warps} warps issue for `{branch.condition}`"
        f" where {fading.packed} suffice",
        notes=tuple(notes),
        help="use sequential addressing: halve the stride, keep `tid < stride` active",
        kernel=branch.kernel,
        evidence={
            "warps": fading.warps,
            "ideal": fading.packed,
            "most": fading.most,
            "fewest": fading.fewest,
        },
        impact=context.impact(of_scattered(branch, kernel, context.unit), kernel),
        standing=on_shape(branch.configuration),
    )
