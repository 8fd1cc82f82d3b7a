"""
## What it does
Finds launches of fewer blocks than the device has multiprocessors, and of so few that a multiprocessor has at
most a quarter of the warps that it holds, where each thread runs a long loop over memory.

## Why it costs
A block runs on one multiprocessor from start to end. A launch of one block uses one of the 132
multiprocessors of an H100 SXM, less than one percent of the device; one of 51 blocks leaves 81 of them idle.

With few warps on each, too few bytes are on the way from memory. Blocks of 128 threads on an H100, 64 million
floats in a loop that steps by the size of the grid, and columns of 4,096 floats in blocks of 64:

| warps per multiprocessor | sum of floats | of `float4` | floats copied | columns |
|---|---|---|---|---|
| 4 | .475 ms | .148 ms | .567 ms | .169 ms |
| 8 | .249 ms | .105 ms | .344 ms | .110 ms |
| 16 | .142 ms | .092 ms | .243 ms | .093 ms |
| 64 | .094 ms | .091 ms | .199 ms | .094 ms |

A million floats, which L2 holds, take .007 ms with 8 warps or with 64.

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
- Where the text bounds the grid (`min(blocks, 16)`), it is that at most. Where the command line decides, it
  is that of the run that the Makefile has, else, for kernels with a loop, of one without words, if all that a
  launch makes are so small. Where nobody knows it, kernels whose threads run a long loop that more blocks
  could share are reported once each, with the condition.
- The multiprocessors are those of the configured `device`, else of the usual device of `--arch` (H200 for
  sm_90).
- How much more blocks give is between nothing (a kernel of a few microseconds, iterations that need each
  other's results) and the idle share of the device, with its empty warps where a loop can be shared out. A
  short step that finishes what another kernel began is reported as well.
- Kernels in other streams may use the idle multiprocessors.
- Few warps: the grid, the block and the iterations of the loop have to be known; silent for loops whose
  iterations need each other's results, that the compiler unrolls whole, and with barriers. Registers, which
  nobody knows before compilation, may leave room for no more warps. The impact begins at 0, and is nothing
  where the bytes of so few warps suffice.

## Source
000 'Thread and Block Heuristics' (more blocks than multiprocessors); 001, where a first kernel runs on one
thread and then on many blocks; 004 'Parameterize your application'.
"""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from cudalint.analyses.grid_stride import has_grid_stride
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.serial import serial
from cudalint.analyses.static_shared import sized_by_library, static_shared
from cudalint.analyses.waiting_loops import waiting_loops
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import occupancy
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import blocks, plural, threads
from cudalint.host.walks import run_of
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import more_in_flight, more_multiprocessors
from cudalint.simt.facts.branches.branch import Branch, LoopTrips
from cudalint.simt.query.pattern import number
from cudalint.source.span import Span

RULE = Rule(
    code="CU504",
    name="underfilled-grid",
    severity=Severity.WARNING,
    summary="fewer blocks than the device has multiprocessors, or few of their warps",
    guides=("000", "001", "004"),
    speed=True,
)

_LONG = 16  # iterations
_THIN = 0.25  # of the warps that a multiprocessor holds, registers aside
_NAME = 40  # characters
_ALL, _FEW = 0.99, 0.01  # shares of the threads that are told as all of them, and as no number
_DEFAULT = ("default", "per-thread")  # streams of which no other kernel runs at the same time


def check(host: HostFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """A finding for each grid that leaves multiprocessors idle."""
    for launch in host.launches:
        if launch.reached and _is_small(launch, context):
            yield _finding(launch, branches, "", context)
        elif launch.reached and _is_thin(launch, context):
            yield from _thin(launch, branches, "", context)
    for launch in _as_run(host, _is_small, context):
        yield _finding(launch, branches, run_of(host), context)
    for launch in _as_run(host, _is_thin, context):
        yield from _thin(launch, branches, run_of(host), context)
    for launch in _unknown(host):
        loop = _long_loop(launch, branches, context)
        if loop is not None:
            yield _conditional(launch, loop, context)


def _unknown(host: HostFacts) -> Iterable[LaunchFact]:
    """Of each kernel the first launch with a grid that nobody knows, nor a run of the program."""
    as_run = {launch.span for launch in host.defaults if _count(launch) is not None}
    found: dict[str, LaunchFact] = {}
    for launch in host.launches:
        if launch.reached and launch.key and _count(launch) is None and launch.span not in as_run:
            found.setdefault(launch.key, launch)
    return found.values()


def _as_run(
    host: HostFacts, asked: Callable[[LaunchFact, Context], bool], context: Context
) -> Iterator[LaunchFact]:
    """Where only the program as it is run tells the grid, the largest of each place, if all are as asked.
    Without the run of a Makefile, of kernels with a loop alone: others have as many threads as data wants.
    """
    told = {launch.span for launch in host.launches if _count(launch) is not None or not launch.reached}
    places: dict[Span, list[LaunchFact]] = {}
    for launch in host.defaults:
        if launch.reached and launch.span not in told and (host.run or _loops(launch, context.unit)):
            places.setdefault(launch.span, []).append(launch)
    for made in places.values():
        if all(asked(launch, context) for launch in made):
            yield max(made, key=lambda launch: blocks(launch) or 0)


def _loops(launch: LaunchFact, unit: Unit) -> bool:
    """Whether the kernel or what it calls has a loop that more blocks could share."""
    kernel = unit.functions.get(launch.key or "")
    bodies = [called.body for called in reachable(unit, kernel)] if kernel is not None else []
    return any(isinstance(part, s.Loop) for body in bodies if body is not None for part in walk(body))


def _is_small(launch: LaunchFact, context: Context) -> bool:
    """Whether the grid is known and leaves multiprocessors idle, of a block that can be launched."""
    count, size = _count(launch), threads(launch)
    possible = size is None or size <= limits(context.arch).max_threads_per_block
    return count is not None and 0 < count < context.target.multiprocessors and possible


def _is_thin(launch: LaunchFact, context: Context) -> bool:
    """Whether the grid gives every multiprocessor a block, but few of the warps that it holds."""
    count = blocks(launch)
    if count is None or count < context.target.multiprocessors:
        return False
    held, room = _warps(launch, context)
    return 0 < held <= _THIN * room


def _warps(launch: LaunchFact, context: Context) -> tuple[float, int]:
    """(those that the grid gives a multiprocessor, those that it holds, registers aside); 0 of both where
    they are not known.
    """
    kernel, size, count = context.unit.functions.get(launch.key or ""), threads(launch), blocks(launch)
    dynamic = launch.dynamic_shared_bytes
    if kernel is None or size is None or count is None or dynamic is None or size < 1:
        return 0.0, 0
    if sized_by_library(context.unit, kernel):
        return 0.0, 0
    shared = sum(array.type.bytes for array in static_shared(context.unit, kernel)) + dynamic
    room = occupancy(context.arch, size, shared_bytes=shared).warps
    return count * -(-size // WARP) / context.target.multiprocessors, room


def _count(launch: LaunchFact) -> int | None:
    """Blocks, at most where only that is known."""
    return launch.most_blocks if launch.most_blocks is not None else blocks(launch)


def _finding(launch: LaunchFact, branches: tuple[Branch, ...], run: str, context: Context) -> Finding:
    """run: whose sizes these are, where they are of one run only."""
    count, size, device = _count(launch) or 0, threads(launch), context.target
    available = device.multiprocessors
    kernel = context.unit.functions.get(launch.key or "")
    loop = _longest(launch, branches, kernel)
    trips = max(1, loop.trips[0]) if loop is not None and loop.trips is not None else 1
    alone = launch.stream in _DEFAULT
    shared_out = _shared_out(kernel, trips)
    room = limits(context.arch).max_warps_per_sm
    warps = min(room, -(-size // WARP)) if size is not None else room
    change = more_multiprocessors(count / available, shared_out, alone, warps / room)
    most, least = ("at most ", "at least ") if launch.most_blocks is not None else ("", "")
    return RULE.finding(
        launch.span,
        f"underfilled grid: {most}{plural(count, 'block')} for {available} multiprocessors",
        notes=(
            f"{least}{available - count} of {available} multiprocessors ({1 - count / available:.0%})"
            f" are idle ({device.name})",
            *((f"{_who(loop)} a loop of {trips:,} iterations",) if loop is not None and trips > 1 else ()),
            *((f"the others hold {warps} of {room} warps each",) if shared_out > 1 and warps < room else ()),
            *(() if alone else ("kernels in other streams may use them",)),
            *((f"sizes of {run}",) if run else ()),
        ),
        help=_help(context.unit, kernel, trips),
        kernel=launch.name,
        evidence={"blocks": count, "multiprocessors": available, "threads": size, "iterations": trips},
        impact=context.launch_impact(change, launch),
        confidence=Confidence.MEDIUM if run else None,
    )


def _thin(launch: LaunchFact, branches: tuple[Branch, ...], run: str, context: Context) -> Iterator[Finding]:
    """Of a grid of few warps whose threads run a long loop that others could share. run: whose sizes these
    are, where they are of one run only.
    """
    kernel = context.unit.functions.get(launch.key or "")
    loops = waiting_loops(context.unit, kernel) if kernel is not None else ()
    conditions = {loop.condition.span for loop in loops if loop.condition is not None}
    loop = _longest(launch, tuple(one for one in branches if one.span in conditions), kernel)
    trips = loop.trips[0] if loop is not None and loop.trips is not None else 1
    if loop is None or trips < _LONG or _shared_out(kernel, trips) == 1:
        return
    count, size, device = blocks(launch) or 0, threads(launch), context.target
    held, room = _warps(launch, context)
    alone = launch.stream in _DEFAULT
    yield RULE.finding(
        launch.span,
        f"underfilled grid: {plural(count, 'block')} of {size} threads fill {number(held)} of {room} warps"
        " per multiprocessor",
        notes=(
            f"{device.multiprocessors} multiprocessors ({device.name}), whose loads few other warps hide",
            f"{_who(loop)} a loop of {trips:,} iterations",
            *(() if alone else ("kernels in other streams may fill the rest",)),
            *((f"sizes of {run}",) if run else ()),
        ),
        help=_help(context.unit, kernel, trips),
        kernel=launch.name,
        evidence={
            "blocks": count,
            "multiprocessors": device.multiprocessors,
            "threads": size,
            "iterations": trips,
            "warps": held,
        },
        impact=context.launch_impact(more_in_flight(held / room, trips), launch),
        confidence=Confidence.MEDIUM if run else None,
    )


def _long_loop(launch: LaunchFact, branches: tuple[Branch, ...], context: Context) -> LoopTrips | None:
    """A loop that is long with the sizes tried, and that more blocks could share."""
    kernel = context.unit.functions.get(launch.key or "")
    if kernel is None or serial(kernel) or has_grid_stride(context.unit, kernel):
        return None
    long = (
        branch.loop
        for branch in branches
        if branch.kind == "loop" and branch.kernel == kernel.name
        if branch.loop.trips is not None and branch.loop.trips[0] >= _LONG
    )
    return next(long, None)


def _who(loop: LoopTrips) -> str:
    """The threads that run a loop, and the verb."""
    if loop.threads is None:
        return "threads run"
    if loop.threads >= _ALL:
        return "each thread runs"
    return f"{loop.threads:.0%} of the threads run" if loop.threads >= _FEW else "a few threads run"


def _conditional(launch: LaunchFact, loop: LoopTrips, context: Context) -> Finding:
    """Of a grid that nobody knows."""
    available = context.target.multiprocessors
    change = more_multiprocessors(1 / available, 1, launch.stream in _DEFAULT)
    grid = context.code(launch.expression.grid.span)
    named = f"`{grid}`" if 0 < len(grid) <= _NAME else "the grid"
    return RULE.finding(
        launch.span,
        f"possibly underfilled grid: {named} may be fewer than {available} blocks",
        notes=(
            f"{_who(loop)} a long loop",
            f"with fewer blocks, some of the {available} multiprocessors are idle ({context.target.name})",
        ),
        help="let more blocks share the iterations of a thread's loop where the sizes are small",
        kernel=launch.name,
        evidence={"blocks": None, "multiprocessors": available},
        impact=replace(context.launch_impact(change, launch), low=0.0),
        condition=f"{named} has fewer than {available} blocks",
        confidence=Confidence.MEDIUM,
    )


def _help(unit: Unit, kernel: Function | None, trips: int) -> str:
    """What fits a kernel that has its own way to share the work out."""
    if kernel is not None and has_grid_stride(unit, kernel):
        return "launch more blocks: the kernel's loops step by the size of the grid"
    body = walk(kernel.body) if kernel is not None and kernel.body is not None else ()
    if not any(isinstance(part, e.Builtin) and part.name == "blockIdx" for part in body):
        return "distribute the work over more blocks: index with blockIdx.x * blockDim.x + threadIdx.x"
    if trips > 1:
        return "let more blocks share the iterations of a thread's loop"
    return "launch smaller blocks, or give each thread less to do"


def _longest(launch: LaunchFact, branches: tuple[Branch, ...], kernel: Function | None) -> LoopTrips | None:
    """The kernel's longest loop of those with a known number of iterations; None without one."""
    known = (
        branch.loop
        for branch in branches
        if kernel is not None and branch.kind == "loop" and branch.kernel == kernel.name
        if branch.configuration is not None and branch.configuration.block == launch.block
        if branch.loop.trips is not None and not branch.loop.chosen
    )
    return max(known, key=lambda loop: loop.trips[0] if loop.trips is not None else 0, default=None)


def _shared_out(kernel: Function | None, trips: int) -> int:
    """Iterations that other threads can take over: none where each needs the result of the one before."""
    return 1 if kernel is None or serial(kernel) else trips
