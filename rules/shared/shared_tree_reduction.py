"""
## What it does
Finds reductions and scans of a block in shared memory that take a round with a barrier for every halving or
doubling of the distance, where warp shuffles need two barriers.

## Why it costs
A tree over 256 threads has eight rounds. In each, all warps wait at a barrier, load a partner's value from
shared memory and store the sum, though in the last five rounds one warp alone has work. A shuffle passes a
value on in registers, without memory or a barrier.

## Example
```cuda
for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
}
```

## Instead
```cuda
float sum = sums[threadIdx.x];
for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
__syncthreads();
```
and the same once more for the warps' sums; or `cub::BlockReduce`, `cub::BlockScan`, and for integers
`__reduce_add_sync`.

## Limits
- Only rounds that combine two elements of one shared array, with one result per round: not sorting networks
  and transforms, which exchange elements.
- Not reported where the distance counts rows of a tile, as lanes of a warp then hold different sums; for
  elements of more than 32 bytes; for fewer than three rounds; before sm_30, which has no shuffles.
- The impact counts barriers and waits of each round; other blocks may hide them.

## Source
003 'Parallel Reduction'; NVIDIA, 'Faster Parallel Reductions on Kepler'.
"""

from collections.abc import Iterator

from cudalint.analyses.shared_trees import SharedTree, shared_trees
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.steps import of_tree
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Configuration

RULE = Rule(
    code="CU208",
    name="shared-tree-reduction",
    severity=Severity.WARNING,
    summary="a reduction or scan takes a barrier per round where warp shuffles need two",
    guides=("003",),
    speed=True,
)

_SHUFFLES = 30  # architecture that has them
_FEW = 3  # rounds


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """A finding for each tree in the source."""
    if context.arch < _SHUFFLES:
        return
    shared = {access.span for access in accesses if access.space == "shared" and access.operation == "store"}
    told = set()
    for tree in shared_trees(context.unit, kernel.function):
        rounds, shape = _rounds(tree, branches)
        stored = tree.declared or not shared.isdisjoint(tree.stores)
        if tree.span in told or not stored or tree.span.path not in context.lines:
            continue
        if rounds is None or rounds >= _FEW:
            told.add(tree.span)
            yield _finding(tree, rounds, shape, kernel, context)


def _rounds(tree: SharedTree, branches: tuple[Branch, ...]) -> tuple[int | None, Configuration | None]:
    """How many there are, where it is known, and the shape that it is known of."""
    if tree.loop is None:
        return len(tree.steps), None
    condition = tree.loop.condition
    counts = [
        (branch.loop.trips[1], branch.configuration)
        for branch in branches
        if branch.kind == "loop" and condition is not None and branch.span == condition.span
        if branch.loop.trips is not None and not branch.loop.chosen
    ]
    return max(counts, key=lambda count: count[0], default=(None, None))


def _finding(
    tree: SharedTree,
    rounds: int | None,
    shape: Configuration | None,
    kernel: KernelFacts,
    context: Context,
) -> Finding:
    count = f"{rounds} rounds" if rounds is not None else "rounds"
    barriers = "a barrier" if tree.barriers == 1 else f"{tree.barriers} barriers"
    return RULE.finding(
        tree.span,
        f"tree over shared memory: `{tree.array}` is combined in {count} with {barriers} each",
        notes=("shuffles within the warps, then over the warps' results, need two barriers in all",),
        help="use __shfl_down_sync (__shfl_up_sync for a scan), cub::BlockReduce or cub::BlockScan",
        kernel=kernel.name,
        evidence={"rounds": rounds, "barriers": tree.barriers},
        impact=context.impact(of_tree(tree, rounds), kernel),
        standing=on_shape(shape),
    )
