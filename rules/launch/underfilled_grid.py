"""
## What it does
Finds launches of fewer blocks than the device has multiprocessors, where each thread runs a long loop, and
programs whose only launch is a single thread.

## Why it costs
A block runs on one multiprocessor from start to end. A launch of one block uses one of the 132
multiprocessors of an H100 SXM, less than one percent of the device; one of 51 blocks leaves 81 of them idle.

## Example
```cuda
__global__ void add(int n, const float *x, float *y)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] += x[i];
}
add<<<1, 256>>>(1 << 20, x, y);  // one multiprocessor, 4,096 iterations per thread
```

## Instead
```cuda
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += x[i];
add<<<(n + 255) / 256, 256>>>(1 << 20, x, y);
```
Distribute the iterations of each thread's loop over more blocks. A sum needs a second step for the partial
sums, or one atomicAdd per block.

## Limits
- Reported only for known grids on the default stream. The multiprocessors are those of the configured
  `device`, or of the smallest device of `--arch` that cudalint knows.
- A loop counts if its iterations are known and half of the threads run it: at least 32 per thread and 262,144
  over all threads.
- Not reported where the file launches another kernel on a larger or unknown grid, or the same launch with
  other sizes: a small launch may be a step before or after it.
- Not reported for kernels that launch kernels or read the clock, a single thread with a serial recurrence
  (`x = f(x)`), or where the program measures other launches and not this one.

## Source
000 'Thread and Block Heuristics' (more blocks than multiprocessors); 001, where a first kernel runs on one
thread and then on many blocks; 004 'Parameterize your application'.
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.serial import serial
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, plural, threads
from cudalint.host.timing import is_preparation
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, walk
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import LONG_LOOP, LOOP_ITERATIONS, LOOP_THREADS
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU504",
    name="underfilled-grid",
    severity=Severity.WARNING,
    summary="fewer blocks than the device has multiprocessors, with long loops in each thread",
    guides=("000", "001", "004"),
)

_OTHER_WORK = frozenset(("clock", "clock64", "__nanosleep", "printf", "__assert_fail", "globaltimer"))


def check(
    launch: LaunchFact, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """A finding where multiprocessors are idle while threads run long loops."""
    count, size, available = blocks(launch), threads(launch), context.multiprocessors
    kernel = context.unit.functions.get(launch.key or "")
    if not launch.reached or launch.guarded or kernel is None or available is None:
        return
    if count is None or not 0 < count < available or launch.stream not in ("default", "per-thread"):
        return
    trips = _trips(launch, context)
    long = trips >= LONG_LOOP.value and trips * count * (size or 1) >= LOOP_ITERATIONS.value
    single = count == size == 1 and _alone(launch, context)
    if not (long or single) or _has_larger_launch(launch, count, context) or _other_work(context, kernel):
        return
    if count == size == 1 and serial(kernel):
        return
    if not _works_on_data(launch, context) or is_preparation(launch.span, context.host):
        return
    yield RULE.finding(
        launch.span,
        f"underfilled grid: {plural(count, 'block')} for {available} multiprocessors",
        notes=(
            f"at least {available - count} of {available} multiprocessors ({1 - count / available:.0%})"
            f" are idle ({_device(context)})",
            f"each thread runs a loop of {trips:,} iterations" if long else "one thread does all the work",
        ),
        help="distribute the work over more blocks: index with blockIdx.x * blockDim.x + threadIdx.x",
        kernel=launch.name,
        confidence=None if long else Confidence.MEDIUM,
        evidence={"blocks": count, "multiprocessors": available, "threads": size, "iterations": trips},
    )


def _device(context: Context) -> str:
    return context.device.name if context.device else f"the smallest sm_{context.arch} device known"


def _facts(launch: LaunchFact, context: Context) -> KernelFacts | None:
    return next((kernel for kernel in context.kernels if kernel.function.key == launch.key), None)


def _loops(launch: LaunchFact, context: Context) -> list[Branch]:
    kernel = _facts(launch, context)
    loops = (branch for branch in kernel.branches if branch.kind == "loop") if kernel is not None else ()
    return [b for b in loops if b.configuration is not None and b.configuration.block == launch.block]


def _trips(launch: LaunchFact, context: Context) -> int:
    """Iterations of the kernel's longest loop that most threads run, of those with a known number."""
    known = (
        b
        for b in _loops(launch, context)
        if b.loop.trips and not b.loop.chosen and (b.loop.threads or 0) >= LOOP_THREADS.value
    )
    return max((b.loop.trips[0] for b in known if b.loop.trips), default=0)


def _works_on_data(launch: LaunchFact, context: Context) -> bool:
    """Whether the kernel both loads from and writes to global memory, so that it is no mere setup."""
    kernel = _facts(launch, context)
    accesses = kernel.accesses if kernel is not None else ()
    operations = {access.operation for access in accesses if access.space == "global"}
    return "load" in operations and len(operations) > 1


def _alone(launch: LaunchFact, context: Context) -> bool:
    """Whether the file has no other launch, and no data decides how long the kernel runs."""
    counted = all(branch.loop.trips is not None for branch in _loops(launch, context))
    return counted and all(other.span == launch.span for other in context.host.launches)


def _has_larger_launch(launch: LaunchFact, count: int, context: Context) -> bool:
    """Whether the file launches another kernel on a larger grid, or this one with other sizes."""
    for other in context.host.launches:
        total = blocks(other)
        if (other.key != launch.key or other.span == launch.span) and (total is None or total > count):
            return True
    return False


def _other_work(context: Context, kernel: Function) -> bool:
    """Whether the kernel launches kernels, reads the clock, sleeps or prints."""
    return any(
        _is_other_work(node)
        for function in reachable(context.unit, kernel)
        if function.body is not None
        for node in walk(function.body)
    )


def _is_other_work(node: Node) -> bool:
    return isinstance(node, e.Launch) or (isinstance(node, e.Call) and node.name in _OTHER_WORK)
