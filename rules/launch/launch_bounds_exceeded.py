"""
## What it does
Finds launches with more threads a block than the kernel's `__launch_bounds__` allows.

## Why it costs
`__launch_bounds__(256)` is a promise: the compiler gives each thread as many registers as 256 of them can
have, and writes the limit into the kernel. A launch with 512 threads is refused (cudaErrorInvalidValue on
current drivers), the kernel does not run, and without a check of cudaGetLastError() the program goes on with
the old contents of its buffers.

## Example
```cuda
__global__ void __launch_bounds__(256) scale(float *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}
scale<<<n / 512, 512>>>(a);  // refused
```

## Instead
```cuda
constexpr int threads = 256;
__global__ void __launch_bounds__(threads) scale(float *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}
scale<<<n / threads, threads>>>(a);
```
One constant for both keeps them together. Where the larger block is wanted, raise the bound: the compiler
then keeps to the registers that it leaves a thread (65,536 / 512 = 128).

## Limits
Speaks only of known block extents (one that is not known counts as 1, the least it can be) and of launches
that control reaches. Silent when the same number was compared with an unknown one before, such as the
kernel's limit as cudaFuncGetAttributes tells it, and for more threads than any block can have (CU503).

## Source
000 'Execution Configuration Optimizations'; the language's reference on launch bounds.
"""

import math
from collections.abc import Iterator

from cudalint.gpu.capabilities import limits
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import spelled
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU507",
    name="launch-bounds-exceeded",
    severity=Severity.ERROR,
    summary="a launch has more threads a block than `__launch_bounds__` allows",
    guides=("000",),
)


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where the least that the block can have is above the kernel's bound."""
    if not launch.reached or launch.guarded or launch.key is None:
        return
    kernel = context.unit.functions.get(launch.key)
    if kernel is None or not kernel.launch_bounds or kernel.launch_bounds[0] <= 0:
        return
    bound = kernel.launch_bounds[0]
    threads = math.prod(n for n in launch.block if n is not None)
    if threads <= bound or threads > limits(context.arch).max_threads_per_block:
        return
    yield RULE.finding(
        launch.span,
        f"launch bounds exceeded: {spelled(launch.block)} threads a block, `{kernel.name}` allows {bound}",
        notes=("the launch is refused, and the kernel does not run",),
        help=f"launch at most {bound} threads a block, or raise the bound to {threads}",
        kernel=launch.name,
        evidence={"threads": threads, "bound": bound, "block": list(launch.block)},
        related=(Related(kernel.span, f"`__launch_bounds__({bound})` here"),),
    )
