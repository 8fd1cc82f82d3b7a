"""
## What it does
Finds loops in which a block waits for another block of the same grid to change a word of global memory, in a
kernel that is not launched cooperatively.

## Why it costs
Nothing guarantees that the blocks of a grid are resident at the same time, or in which order they start. When
the waiting blocks fill the GPU, the block they wait for never starts and the kernel hangs; on a larger GPU or
with fewer blocks it seems to work.

## Example
```cuda
__global__ void step(volatile int *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd((int *)arrived, 1);
        while (*arrived < gridDim.x) { }  // waits for blocks that may not have started
    }
    __syncthreads();
}
```

## Instead
```cuda
__global__ void step()
{
    cooperative_groups::this_grid().sync();  // and cudaLaunchCooperativeKernel
}
```
Or end the kernel: the next one starts when all blocks are done. To wait for earlier blocks only, number the
blocks by an `atomicAdd` as they start instead of by `blockIdx`: a block then waits only for blocks that
already run.

## Limits
- Not reported for locks: the block that holds one is running and releases it.
- Not reported for a grid of one block, where no launch is visible, or where one is cooperative.
- Not reported where the address of the word depends on a number drawn from a counter, or the loop does other
  work while it waits.

## Source
CUDA C++ Programming Guide, 'Grid Synchronization'; 003 'Synchronization' (blocks of a grid are synchronised
by the end of the kernel).
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.spin_loops import SpinLoop

RULE = Rule(
    code="CU310",
    name="spin-on-other-block",
    severity=Severity.WARNING,
    summary="a loop spins on another block of the grid, which may not have started",
    guides=("003",),
)


def check(kernel: KernelFacts, loops: tuple[SpinLoop, ...], context: Context) -> Iterator[Finding]:
    """One finding for each loop that spins on another block."""
    if not loops or _uses_grid_group(kernel, context):
        return
    launches = [launch for launch in context.host.launches if launch.key == kernel.function.key]
    several_blocks = [launch for launch in launches if _has_other_blocks(launch)]
    if not several_blocks or any(launch.expression.cooperative for launch in launches):
        return
    for loop in loops:
        if loop.span.path in context.lines:
            yield _finding(loop, several_blocks[0])


def _uses_grid_group(kernel: KernelFacts, context: Context) -> bool:
    """Whether the kernel uses the grid group, which needs a cooperative launch."""
    return any(
        node.name == "this_grid"
        for function in reachable(context.unit, kernel.function)
        if function.body is not None
        for node in find(function.body, e.Call)
    )


def _has_other_blocks(launch: LaunchFact) -> bool:
    return launch.grid != (1, 1, 1)


def _finding(loop: SpinLoop, launch: LaunchFact) -> Finding:
    return RULE.finding(
        loop.span,
        "this loop spins on another block, which may not have started",
        notes=(
            f"thread {loop.waiting} of block {loop.waiting.block} reads `{loop.expression}` until another"
            f" block changes it (line {loop.change.line})",
            "blocks start in any order and only as many as fit are resident: spinning blocks keep others out",
            f"launched at {launch.span.path}:{launch.span.line} without cudaLaunchCooperativeKernel",
        ),
        help="use `this_grid().sync()` and a cooperative launch, or split the kernel here",
        kernel=loop.kernel,
        evidence={"buffer": loop.buffer, "change_line": loop.change.line},
        related=(Related(loop.change, "another block changes it here"),),
    )
