"""
## What it does
Finds launches of many blocks of a single warp (32 threads), where the number of blocks that a multiprocessor
holds is what limits its warps.

## Why it costs
A multiprocessor holds a limited number of blocks, whatever their size: 32 on sm_90 and sm_100, 24 on sm_89
and sm_120, 16 on sm_75 and sm_86. With blocks of one warp it then holds 32 of the 64 warps that it has room
for on sm_90, 16 of 48 on sm_86. Fewer warps are there to run while others wait for memory, and every
block is one more to be started and to be ended.

## Example
```cuda
scale<<<1 << 20, 32>>>(data);  // at most 32 of 64 warps a multiprocessor on sm_90
```

## Instead
```cuda
scale<<<n / 256, 256>>>(data);  // 8 blocks of 8 warps: 64
```
Between 128 and 256 threads are a good start; where a block works on one row or one item, let it take
several, a warp each: `item = blockIdx.x * warps + threadIdx.x / 32`.

## Limits
Speaks only of known blocks and grids. Silent where the same place launches larger blocks, or blocks that are
not known (a sweep over block sizes, a block as large as the data); silent too where the grid is so small, or
may be, that every block of it is resident at once anyway: larger blocks would change nothing; where shared
memory lets fewer blocks in than the limit does (CU506 speaks of that); where the program measures other
launches and not this one; and where the block is not a whole warp (CU501), since the advice there is the
same.

## Source
000 'Thread and Block Heuristics'; 004 'Optimizing threads per block'. The limits of blocks are those of the
tables of technical specifications, by `--arch`.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import Limiter, occupancy
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, shapes, spelled, threads
from cudalint.host.timing import is_preparation
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import SMALL_BLOCK

RULE = Rule(
    code="CU502",
    name="small-block",
    severity=Severity.NOTE,
    summary="blocks of one warp: the limit of blocks holds the warps of a multiprocessor down",
    guides=("000", "004"),
)


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where blocks of so few threads are what stops a multiprocessor from holding more warps."""
    count = threads(launch)
    capability = limits(context.arch)
    if not launch.reached or count is None or not 0 < count < SMALL_BLOCK.value or count % capability.warp:
        return
    kernel = context.unit.functions.get(launch.key or "")
    shared = static_shared_bytes(context.unit, kernel) if kernel is not None else 0
    held = occupancy(context.arch, count, shared_bytes=shared + (launch.dynamic_shared_bytes or 0))
    if held.limiters != (Limiter.BLOCKS,) or _all_resident(launch, held.blocks, context):
        return
    sizes = [threads(other) for other in shapes(launch, context.host.launches)]
    if any(size is None or size >= SMALL_BLOCK.value for size in sizes) or is_preparation(
        launch.span, context.host
    ):
        return
    yield RULE.finding(
        launch.span,
        f"small block: {spelled(launch.block)} threads a block, so a multiprocessor holds at most"
        f" {held.warps} of {held.max_warps} warps",
        notes=(f"sm_{context.arch} holds {held.blocks} blocks a multiprocessor, whatever their size",),
        help="use 128 or 256 threads a block, with a warp of its own for what a block does now",
        kernel=launch.name,
        evidence={"threads": count, "warps": held.warps, "max_warps": held.max_warps, "blocks": held.blocks},
    )


def _all_resident(launch: LaunchFact, held: int, context: Context) -> bool:
    """Whether the grid is not known to be so large that the limit is met."""
    total = blocks(launch)
    return total is None or total <= held * (context.multiprocessors or 1)
