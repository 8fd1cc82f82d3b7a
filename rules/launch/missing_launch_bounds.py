"""
## What it does
Finds larger kernels without `__launch_bounds__` that the file always launches with one known block size, so
large that a thread cannot have all the registers that the compiler may use.

## Why it costs
Without the attribute the compiler does not know the block size. It may use up to 255 registers per thread,
but in a block of 512 each thread can have only 65,536 / 512 = 128: a kernel that grows to 129 fails to launch
(cudaErrorLaunchOutOfResources), which shows only at run time. With the bound the compiler stays within 128; a
second number gives the minimum number of resident blocks.

## Example
```cuda
__global__ void solve(double *x, const double *a)  // launched with 512 threads everywhere
```

## Instead
```cuda
__global__ void __launch_bounds__(512) solve(double *x, const double *a)
```

## Limits
- Opt-in: most kernels need fewer registers, and only the compiler knows how many (`ptxas -v` prints them).
- Reported only for kernels of 40 operations or more, whose block size is known and the same in all launches.
- Not reported for blocks of up to 256 threads, where each can have 255 registers.
- The fix is unsafe: another file may launch the kernel with larger blocks, and that launch then fails.

## Source
000 'Register Pressure' and the language's reference on launch bounds. That the compiler uses 111 registers
without a bound, and keeps to 64 and spills with a bound of 1,024, was tried with CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import threads
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import LARGE_KERNEL
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span

RULE = Rule(
    code="CU508",
    name="missing-launch-bounds",
    severity=Severity.NOTE,
    summary="a kernel is always launched with one large block size, but has no `__launch_bounds__`",
    fixes=("unsafe",),
    default=False,
    guides=("000",),
    made=False,
)


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """A finding where all launches of the definition have one block size."""
    function = kernel.function
    launches = _launches(function, context)
    sizes = {threads(launch) for launch in launches}
    size = next(iter(sizes), None)
    if function.launch_bounds or len(sizes) != 1 or size is None:
        return
    capability = limits(context.arch)
    most = capability.registers_per_block // max(size, 1)
    if size > capability.max_threads_per_block or most >= capability.registers_per_thread:
        return
    if _operations(function, context) < LARGE_KERNEL.value:
        return
    name = function.name.partition("<")[0]
    yield RULE.finding(
        function.span,
        f"missing launch bounds: `{name}` is always launched with {size} threads per block",
        notes=(
            f"a thread of such a block can have {most} registers, but the compiler may use"
            f" {capability.registers_per_thread}, and then the launch fails",
        ),
        help=f"write `__launch_bounds__({size})` before the kernel's name",
        kernel=kernel.name,
        evidence={"threads": size, "registers": most, "launches": len({launch.span for launch in launches})},
        related=(Related(launches[0].span, f"launched with {size} threads per block here"),),
        fix=_fix(function, name, size, context),
    )


def _launches(function: Function, context: Context) -> list[LaunchFact]:
    """The launches of every instantiation of the kernel's definition."""
    keys = {
        key
        for key in context.unit.kernels
        if key in context.unit.functions and context.unit.functions[key].span == function.span
    }
    return [launch for launch in context.host.launches if launch.key in keys]


def _operations(function: Function, context: Context) -> int:
    return sum(
        isinstance(node, e.Binary | e.Call | e.Index | e.Assign)
        for current in reachable(context.unit, function)
        if current.body is not None
        for node in walk(current.body)
    )


def _fix(function: Function, name: str, size: int, context: Context) -> Fix | None:
    """The fix that writes the attribute before the name, where the source has the name itself."""
    span = function.span
    if context.text(span) != name:
        return None
    place = Span(span.path, span.line, span.column, span.line, span.column)
    return Fix((Edit(place, f"__launch_bounds__({size}) "),), safe=False)
