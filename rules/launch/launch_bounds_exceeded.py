"""
## What it does
Finds launches with more threads per block than the kernel's `__launch_bounds__` allows.

## Why it costs
`__launch_bounds__(256)` lets the compiler give each thread as many registers as a block of 256 threads can
have, and records the limit in the kernel. A launch with 512 threads fails (cudaErrorInvalidValue on current
drivers), the kernel does not run, and without a check of cudaGetLastError() the program continues with the
old contents of its buffers.

## Example
```cuda
__global__ void __launch_bounds__(256) scale(float *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f;
}
scale<<<n / 512, 512>>>(a);  // fails
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
One constant keeps the two consistent. For larger blocks raise the bound: the compiler then stays within the
registers that this leaves per thread (65,536 / 512 = 128).

## Limits
- Reported only for known block dimensions (an unknown one counts as 1, the least it can be), and only for
  launches that are reached. Where the command line decides, they are those of a run without words, or of the
  one that a Makefile names; the finding says so.
- Not reported where the same number was compared with an unknown one before, such as the kernel's limit from
  cudaFuncGetAttributes, or for more threads than any block can have (CU503).

## Source
000 'Execution Configuration Optimizations'; the language's reference on launch bounds.
"""

import math
from collections.abc import Iterator

from cudalint.gpu.capabilities import limits
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import spelled
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.launched_sizes import with_run
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU507",
    name="launch-bounds-exceeded",
    severity=Severity.ERROR,
    summary="a launch has more threads per block than `__launch_bounds__` allows",
    guides=("000",),
    made=False,
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding where even the fewest threads that the block can have exceed the bound of the kernel."""
    told = set()
    for launch, run in with_run(host, context.lines):
        found = None if run and launch.span in told else next(_judge(launch, run, context), None)
        if found is not None:
            told.add(launch.span)
            yield found


def _judge(launch: LaunchFact, run: str, context: Context) -> Iterator[Finding]:
    """run: whose sizes these are, where they are of one run only."""
    kernel = context.unit.functions.get(launch.key or "")
    if kernel is None or not kernel.launch_bounds or kernel.launch_bounds[0] <= 0:
        return
    bound = kernel.launch_bounds[0]
    threads = math.prod(n for n in launch.block if n is not None)
    if threads <= bound or threads > limits(context.arch).max_threads_per_block:
        return
    yield RULE.finding(
        launch.span,
        f"launch bounds exceeded: {spelled(launch.block)} threads per block, `{kernel.name}` allows {bound}",
        notes=("the launch fails and the kernel does not run", *((f"sizes of {run}",) if run else ())),
        help=f"launch at most {bound} threads per block, or raise the bound to {threads}",
        kernel=launch.name,
        evidence={"threads": threads, "bound": bound, "block": list(launch.block)},
        confidence=Confidence.MEDIUM if run else None,
        related=(Related(kernel.span, f"`__launch_bounds__({bound})` here"),),
    )
