"""
## What it does
Finds launches of blocks so small (a warp or less on most devices) that the maximum number of resident blocks
limits the warps of a multiprocessor.

## Why it costs
A multiprocessor holds a limited number of blocks, whatever their size: 32 on sm_90 and sm_100, 24 on sm_89
and sm_120, 16 on sm_75 and sm_86. With blocks of one warp that is 32 of 64 warps on sm_90, and 16 of 48 on
sm_86. Fewer warps are there to execute while others wait for memory, and launching and retiring every block
takes time.

## Example
```cuda
scale<<<1 << 20, 32>>>(data);  // at most 32 of 64 warps per multiprocessor on sm_90
```

## Instead
```cuda
scale<<<n / 256, 256>>>(data);  // 8 blocks of 8 warps: 64
```
128 to 256 threads per block are a good start. Where a block works on one row or one item, let it take
several, one per warp: `item = blockIdx.x * warps + threadIdx.x / 32`.

## Limits
- Reported only for known blocks. How much larger blocks give is between nothing (units that are busy
  all the time) and the missing share of the warps; nothing where the grid is resident at once, and hidden.
- Registers and shared memory may limit the warps further; where shared memory is the tighter limit, it is
  CU506.
- Whether the data allow larger blocks is not known.

## Source
000 'Thread and Block Heuristics'; 004 'Optimizing threads per block'. The limits of blocks are those of the
tables of technical specifications, by `--arch`.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import Limiter, occupancy
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import spelled, threads
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance import launching

RULE = Rule(
    code="CU502",
    name="small-block",
    severity=Severity.NOTE,
    summary="the limit of resident blocks limits occupancy, as blocks are small",
    guides=("000", "004"),
    speed=True,
    made=False,
)


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where the limit of resident blocks keeps a multiprocessor from holding more warps."""
    count = threads(launch)
    if not launch.reached or count is None or not 0 < count <= limits(context.arch).max_threads_per_block:
        return
    kernel = context.unit.functions.get(launch.key or "")
    shared = static_shared_bytes(context.unit, kernel) if kernel is not None else 0
    held = occupancy(context.arch, count, shared_bytes=shared + (launch.dynamic_shared_bytes or 0))
    if Limiter.BLOCKS not in held.limiters or held.warps == held.max_warps:
        return
    subject = "thread per block limits" if count == 1 else "threads per block limit"
    yield RULE.finding(
        launch.span,
        f"small block: {spelled(launch.block)} {subject} a multiprocessor to"
        f" {held.warps} of {held.max_warps} warps",
        notes=(f"an sm_{context.arch} multiprocessor holds {held.blocks} blocks, whatever their size",),
        help=f"use 128 or 256 threads per block, {'one warp' if count > 1 else 'one thread'}"
        " for what a block does now",
        kernel=launch.name,
        evidence={"threads": count, "warps": held.warps, "max_warps": held.max_warps, "blocks": held.blocks},
        impact=context.launch_impact(
            launching.more_warps(held, launch, context.target.multiprocessors), launch
        ),
    )
