"""
## What it does
Finds launches of fewer blocks than the device has multiprocessors.

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
- Reported only for known grids. The multiprocessors are those of the configured `device`, else of the usual
  device of `--arch` (H200 for sm_90).
- How much more blocks give is between nothing (a kernel of a few microseconds, iterations that need each
  other's results) and the idle share of the device, with its empty warps where a loop can be shared out. A
  short step that finishes what another kernel began is reported as well.
- Kernels in other streams may use the idle multiprocessors.

## Source
000 'Thread and Block Heuristics' (more blocks than multiprocessors); 001, where a first kernel runs on one
thread and then on many blocks; 004 'Parameterize your application'.
"""

from collections.abc import Iterator

from cudalint.analyses.serial import serial
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, plural, threads
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import more_multiprocessors
from cudalint.simt.facts.branches.branch import Branch

RULE = Rule(
    code="CU504",
    name="underfilled-grid",
    severity=Severity.WARNING,
    summary="fewer blocks than the device has multiprocessors",
    guides=("000", "001", "004"),
    speed=True,
)

_DEFAULT = ("default", "per-thread")  # streams of which no other kernel runs at the same time


def check(launch: LaunchFact, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """A finding for a grid that leaves multiprocessors idle."""
    count, size, device = blocks(launch), threads(launch), context.target
    available = device.multiprocessors
    if not launch.reached or count is None or not 0 < count < available:
        return
    if size is not None and size > limits(context.arch).max_threads_per_block:
        return
    kernel = context.unit.functions.get(launch.key or "")
    trips = _trips(launch, branches, kernel)
    alone = launch.stream in _DEFAULT
    shared_out = _shared_out(kernel, trips)
    most = limits(context.arch).max_warps_per_sm
    warps = min(most, -(-size // WARP)) if size is not None else most
    change = more_multiprocessors(count / available, shared_out, alone, warps / most)
    yield RULE.finding(
        launch.span,
        f"underfilled grid: {plural(count, 'block')} for {available} multiprocessors",
        notes=(
            f"{available - count} of {available} multiprocessors ({1 - count / available:.0%}) are idle"
            f" ({device.name})",
            *((f"each thread runs a loop of {trips:,} iterations",) if trips > 1 else ()),
            *((f"the others hold {warps} of {most} warps each",) if shared_out > 1 and warps < most else ()),
            *(() if alone else ("kernels in other streams may use them",)),
        ),
        help=_help(kernel, trips),
        kernel=launch.name,
        evidence={"blocks": count, "multiprocessors": available, "threads": size, "iterations": trips},
        impact=context.launch_impact(change, launch),
    )


def _help(kernel: Function | None, trips: int) -> str:
    """What fits a kernel that has its own way to share the work out."""
    body = walk(kernel.body) if kernel is not None and kernel.body is not None else ()
    asked = {part.name for part in body if isinstance(part, e.Builtin)}
    if "gridDim" in asked:
        return "launch more blocks: the kernel's loops step by the size of the grid"
    if "blockIdx" not in asked:
        return "distribute the work over more blocks: index with blockIdx.x * blockDim.x + threadIdx.x"
    if trips > 1:
        return "let more blocks share the iterations of a thread's loop"
    return "launch smaller blocks, or give each thread less to do"


def _trips(launch: LaunchFact, branches: tuple[Branch, ...], kernel: Function | None) -> int:
    """Iterations of the kernel's longest loop of those with a known number; 1 without one."""
    known = (
        branch.loop.trips[0]
        for branch in branches
        if kernel is not None and branch.kind == "loop" and branch.kernel == kernel.name
        if branch.configuration is not None and branch.configuration.block == launch.block
        if branch.loop.trips is not None and not branch.loop.chosen
    )
    return max((1, *known))


def _shared_out(kernel: Function | None, trips: int) -> int:
    """Iterations that other threads can take over: none where each needs the result of the one before."""
    return 1 if kernel is None or serial(kernel) else trips
