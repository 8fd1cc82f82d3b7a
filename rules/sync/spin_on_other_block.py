"""
## What it does
Finds loops in which a block waits for a word of global memory that another block of the same grid changes, in
a kernel that is not launched cooperatively.

## Why it costs
Nothing says that the blocks of a grid run at the same time, or in which order they start. When those that
wait fill the GPU, the one waited for never starts, and the kernel hangs; on a larger GPU or with fewer blocks
it seems to work.

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
Or end the kernel: the next one starts when all blocks are done. To wait for blocks before one's own, number
the blocks by an `atomicAdd` as they start and not by `blockIdx`: a block then waits only for such that run.

## Limits
Silent for locks (whoever holds one runs, and gives it back), for a grid of one block, where no launch is seen
or one is cooperative, for words whose place depends on a number drawn from a counter, and for loops that do
other work while they wait.

## Source
CUDA C++ Programming Guide, 'Grid Synchronization'; 003 'Synchronization' (blocks of a grid are
synchronised by the end of the kernel).
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.spin_loops import SpinLoop

RULE = Rule(
    code="CU310",
    name="spin-on-other-block",
    severity=Severity.WARNING,
    summary="a loop waits for another block of a grid whose blocks need not run at the same time",
    guides=("003",),
)


def check(kernel: KernelFacts, loops: tuple[SpinLoop, ...], context: Context) -> Iterator[Finding]:
    """One finding for each loop that waits for another block."""
    if not loops or _is_of_a_grid(kernel, context):
        return
    launches = [launch for launch in context.host.launches if launch.key == kernel.function.key]
    loose = [launch for launch in launches if _may_not_fit(launch)]
    if not loose or any(launch.expression.cooperative for launch in launches):
        return
    for wait in loops:
        if wait.span.path in context.lines:
            yield _finding(wait, loose[0])


def _is_of_a_grid(kernel: KernelFacts, context: Context) -> bool:
    """Whether the kernel asks for its grid as a group, as only a cooperative launch allows."""
    return any(
        isinstance(node, e.Call) and node.name == "this_grid"
        for function in reachable(context.unit, kernel.function)
        if function.body is not None
        for node in walk(function.body)
    )


def _may_not_fit(launch: LaunchFact) -> bool:
    return launch.grid != (1, 1, 1)


def _finding(wait: SpinLoop, launch: LaunchFact) -> Finding:
    return RULE.finding(
        wait.span,
        "this loop waits for another block, which may not have started",
        notes=(
            f"thread {wait.waiting} of block {wait.waiting.block} reads `{wait.expression}` until another"
            f" block changes it (line {wait.change.line})",
            "blocks of a grid run in any order, and only so many at a time: those that wait keep others out",
            f"launched without cudaLaunchCooperativeKernel at {launch.span.path}:{launch.span.line}",
        ),
        help="launch cooperatively and use `this_grid().sync()`, or split the kernel here",
        kernel=wait.kernel,
        evidence={"buffer": wait.buffer, "change_line": wait.change.line},
        related=(Related(wait.change, "another block changes the word here"),),
    )
