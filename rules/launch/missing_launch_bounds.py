"""
## What it does
Finds larger kernels without `__launch_bounds__` that every launch of the file gives blocks of one known size,
so large that a thread cannot have all the registers that the compiler may use.

## Why it costs
Without the attribute the compiler does not know the size of the block. It may take up to 255 registers for a
thread, but of a block of 512 each can have only 65,536 / 512 = 128: a kernel that grows to 129 is no longer
launched (cudaErrorLaunchOutOfResources), at run time and only there. With the bound the compiler keeps below
128, and a second number says how many blocks are to be resident at a time.

## Example
```cuda
__global__ void solve(double *x, const double *a)  // launched with 512 threads everywhere
```

## Instead
```cuda
__global__ void __launch_bounds__(512) solve(double *x, const double *a)
```

## Limits
Opt-in: most kernels need fewer registers than that, and only the compiler tells how many (`ptxas -v`). Looks
at kernels of 40 operations or more. Blocks of up to 256 threads can have 255 registers each, so that the
bound changes little there and the rule is silent. It is silent too where a block's size is not known, or
differs. The fix is not applied without being asked for: another file may launch the kernel with larger
blocks, and such a launch then fails.

## Source
000 'Register Pressure' and the language's reference on launch bounds. That the compiler takes more than 64
registers without a bound (111), keeps to 64 with a bound of 1,024 and spills, was tried with CUDA 13.0.
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
    summary="a kernel is always launched with one large block size, which the compiler is not told",
    fixes=("unsafe",),
    default=False,
    guides=("000",),
)


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """A finding where one size is enough for all launches of the definition."""
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
        f"missing launch bounds: `{name}` is always launched with {size} threads a block",
        notes=(
            f"a thread of such a block can have {most} registers, but the compiler may use"
            f" {capability.registers_per_thread}: then the launch is refused",
        ),
        help=f"write `__launch_bounds__({size})` before the kernel's name",
        kernel=kernel.name,
        evidence={"threads": size, "registers": most, "launches": len({launch.span for launch in launches})},
        related=(Related(launches[0].span, f"{size} threads here"),),
        fix=_fix(function, name, size, context),
    )


def _launches(function: Function, context: Context) -> list[LaunchFact]:
    """Of every instantiation of the kernel's definition."""
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
    """The attribute written before the name, where the name stands in the source."""
    span = function.span
    if context.text(span) != name:
        return None
    place = Span(span.path, span.line, span.column, span.line, span.column)
    return Fix((Edit(place, f"__launch_bounds__({size}) "),), safe=False)
