"""
## What it does
Finds launches of fewer blocks than the device has multiprocessors, or of fewer warps than these have
schedulers.

## Why it costs
A block runs on one multiprocessor from start to end. A launch of one block uses one of the 132
multiprocessors of an H100 SXM, less than one percent of the device; one of 51 blocks leaves 81 of them idle.
Each multiprocessor has four schedulers, which issue instructions of their own warps only: 157 blocks of two
warps leave two in five of them without work.

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
- A bound in the text (`min(blocks, 16)`) counts as the grid. Where the command line decides, the Makefile's
  run counts, else, for kernels with a loop, one without words, if all that a launch makes are so small.
- Where nobody knows the grid, a kernel with a long loop that more blocks could share is reported once, with
  the condition.
- The multiprocessors are those of the configured `device`, else the usual one of `--arch`.
- The impact goes from nothing (short kernels, iterations that need each other's results) to the idle share of
  the device, with its empty warps where a loop can be shared out.
- Kernels in other streams may use the idle multiprocessors.

## Source
000 'Thread and Block Heuristics' (more blocks than multiprocessors); 001, where a first kernel runs on one
thread and then on many blocks; 004 'Parameterize your application'.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cudalint.analyses.grid_stride import has_grid_stride, steps_by_block
from cudalint.analyses.serial import serial
from cudalint.analyses.waiting_loops import waiting_loops
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import SCHEDULERS, limits
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import plural, threads
from cudalint.host.walks import run_of
from cudalint.ir.unit import Function
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.grids import ALONE, LONG, as_run, longest, more_blocks, most_blocks, shared_out, who
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import more_multiprocessors, more_warps_than_schedulers
from cudalint.simt.facts.branches.branch import Branch, LoopTrips

RULE = Rule(
    code="CU504",
    name="underfilled-grid",
    severity=Severity.WARNING,
    summary="fewer blocks than the device has multiprocessors",
    guides=("000", "001", "004"),
    speed=True,
    made=False,
)

_NAME = 40  # characters


def check(host: HostFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """A finding for each grid that leaves multiprocessors idle."""
    for launch in host.launches:
        if launch.reached and _is_small(launch, context):
            yield _finding(launch, branches, "", context)
        elif launch.reached and _has_few_warps(launch, context):
            yield _few_warps(launch, branches, "", context)
    for launch in as_run(host, lambda one: _is_small(one, context), context.unit):
        yield _finding(launch, branches, run_of(host), context)
    for launch in as_run(host, lambda one: _has_few_warps(one, context), context.unit):
        yield _few_warps(launch, branches, run_of(host), context)
    for launch in _unknown(host):
        loop = _long_loop(launch, branches, context)
        if loop is not None:
            yield _conditional(launch, loop, context)


def _unknown(host: HostFacts) -> Iterable[LaunchFact]:
    """Of each kernel the first launch with a grid that nobody knows, nor a run of the program."""
    told = {launch.span for launch in host.defaults if most_blocks(launch) is not None}
    found: dict[str, LaunchFact] = {}
    for launch in host.launches:
        if launch.reached and launch.key and most_blocks(launch) is None and launch.span not in told:
            found.setdefault(launch.key, launch)
    return found.values()


def _is_small(launch: LaunchFact, context: Context) -> bool:
    """Whether the grid is known and leaves multiprocessors idle, of a block that can be launched."""
    count, size = most_blocks(launch), threads(launch)
    possible = size is None or size <= limits(context.arch).max_threads_per_block
    return count is not None and 0 < count < context.target.multiprocessors and possible


def _has_few_warps(launch: LaunchFact, context: Context) -> bool:
    """Whether each multiprocessor has a block, but not each of their schedulers a warp. CU119 tells where
    the threads wait for memory in a loop.
    """
    available = context.target.multiprocessors
    count, kernel = most_blocks(launch), context.unit.functions.get(launch.key or "")
    few = count is not None and count >= available and 0 < _warps(launch) < available * SCHEDULERS
    return few and (kernel is None or not waiting_loops(context.unit, kernel))


def _longest(
    launch: LaunchFact, branches: tuple[Branch, ...], context: Context
) -> tuple[Function | None, LoopTrips | None, int]:
    """The kernel, its longest loop, and the iterations of that: 1 where there is none."""
    kernel = context.unit.functions.get(launch.key or "")
    loop = longest(launch, branches, kernel)
    return kernel, loop, max(1, loop.trips[0]) if loop is not None and loop.trips is not None else 1


def _iterations(loop: LoopTrips | None, trips: int) -> tuple[str, ...]:
    return (f"{who(loop)} a loop of {trips:,} iterations",) if loop is not None and trips > 1 else ()


def _warps(launch: LaunchFact) -> int:
    """Of the whole grid; 0 where nobody knows."""
    return (most_blocks(launch) or 0) * -(-(threads(launch) or 0) // WARP)


def _few_warps(launch: LaunchFact, branches: tuple[Branch, ...], run: str, context: Context) -> Finding:
    """run: whose sizes these are, where they are of one run only."""
    count, size, device = most_blocks(launch) or 0, threads(launch), context.target
    available, warps = device.multiprocessors * SCHEDULERS, _warps(launch)
    kernel, loop, trips = _longest(launch, branches, context)
    change = more_warps_than_schedulers(warps / available, shared_out(kernel, trips))
    most, least = ("at most ", "at least ") if launch.most_blocks is not None else ("", "")
    return RULE.finding(
        launch.span,
        f"underfilled grid: {most}{plural(count, 'block')} of {plural(size or 0, 'thread')} have"
        f" {warps:,} warps for {available} schedulers",
        notes=(
            f"{least}{1 - warps / available:.0%} of the schedulers of {device.multiprocessors}"
            f" multiprocessors have no warp ({device.name})",
            *_iterations(loop, trips),
            *((f"sizes of {run}",) if run else ()),
        ),
        help=more_blocks(context.unit, kernel, trips, size),
        kernel=launch.name,
        evidence={"blocks": count, "warps": warps, "schedulers": available, "iterations": trips},
        impact=context.launch_impact(change, launch),
        confidence=Confidence.MEDIUM if run else None,
    )


def _finding(launch: LaunchFact, branches: tuple[Branch, ...], run: str, context: Context) -> Finding:
    """run: whose sizes these are, where they are of one run only."""
    count, size, device = most_blocks(launch) or 0, threads(launch), context.target
    available = device.multiprocessors
    kernel, loop, trips = _longest(launch, branches, context)
    alone = launch.stream in ALONE
    others = shared_out(kernel, trips)
    room = limits(context.arch).max_warps_per_sm
    warps = min(room, -(-size // WARP)) if size is not None else room
    change = more_multiprocessors(count / available, others, alone, warps / room)
    most, least = ("at most ", "at least ") if launch.most_blocks is not None else ("", "")
    return RULE.finding(
        launch.span,
        f"underfilled grid: {most}{plural(count, 'block')} for {available} multiprocessors",
        notes=(
            f"{least}{available - count} of {available} multiprocessors ({1 - count / available:.0%})"
            f" are idle ({device.name})",
            *_iterations(loop, trips),
            *((f"the others hold {warps} of {room} warps each",) if others > 1 and warps < room else ()),
            *(() if alone else ("kernels in other streams may use them",)),
            *((f"sizes of {run}",) if run else ()),
        ),
        help=more_blocks(context.unit, kernel, trips, size),
        kernel=launch.name,
        evidence={"blocks": count, "multiprocessors": available, "threads": size, "iterations": trips},
        impact=context.launch_impact(change, launch),
        confidence=Confidence.MEDIUM if run else None,
    )


def _long_loop(launch: LaunchFact, branches: tuple[Branch, ...], context: Context) -> LoopTrips | None:
    """A loop that is long with the sizes tried, and that more blocks could share; none that a block shares
    which nobody knows: it may be as large as the size that the loop runs to.
    """
    kernel = context.unit.functions.get(launch.key or "")
    if kernel is None or serial(kernel) or has_grid_stride(context.unit, kernel):
        return None
    open_block = threads(launch) is None
    long = (
        branch.loop
        for branch in branches
        if branch.kind == "loop" and branch.kernel == kernel.name
        if branch.loop.trips is not None and branch.loop.trips[0] >= LONG
        if not (open_block and branch.loop.chosen and steps_by_block(context.unit, kernel, branch.span))
    )
    return next(long, None)


def _conditional(launch: LaunchFact, loop: LoopTrips, context: Context) -> Finding:
    """Of a grid that nobody knows."""
    available = context.target.multiprocessors
    change = more_multiprocessors(1 / available, 1, launch.stream in ALONE)
    grid = context.code(launch.expression.grid.span)
    named = f"`{grid}`" if 0 < len(grid) <= _NAME else "the grid"
    return RULE.finding(
        launch.span,
        f"possibly underfilled grid: {named} may be fewer than {available} blocks",
        notes=(
            f"{who(loop, sizes=False)} a long loop",
            f"with fewer blocks, some of the {available} multiprocessors are idle ({context.target.name})",
        ),
        help="let more blocks share the iterations of a thread's loop where the sizes are small",
        kernel=launch.name,
        evidence={"blocks": None, "multiprocessors": available},
        impact=replace(context.launch_impact(change, launch), low=0.0),
        condition=f"{named} has fewer than {available} blocks",
        confidence=Confidence.MEDIUM,
    )
