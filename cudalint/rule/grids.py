"""Grids of launches, as written or as the program is run, and the loops that their kernels share out."""

from collections.abc import Callable, Iterator

from cudalint.analyses.grid_origin import computed_in_helpers
from cudalint.analyses.grid_stride import has_grid_stride
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.serial import serial
from cudalint.cuda.warp import WARP
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import blocks
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.rule.findings import Related
from cudalint.rule.related import at_spans
from cudalint.simt.facts.branches.branch import Branch, LoopTrips
from cudalint.source.span import Span

ALONE = ("default", "per-thread")  # streams of which no other kernel runs at the same time
LONG = 16  # iterations
_SETTLED = 4  # launches of one shape in a row
_ALL, _FEW = 0.99, 0.01  # shares of the threads that are told as all of them, and as no number


def most_blocks(launch: LaunchFact) -> int | None:
    """Blocks, at most where only that is known."""
    return launch.most_blocks if launch.most_blocks is not None else blocks(launch)


def as_run(
    host: HostFacts,
    asked: Callable[[LaunchFact], bool],
    unit: Unit,
    told_first: Callable[[LaunchFact], float] = lambda launch: blocks(launch) or 0,
) -> Iterator[LaunchFact]:
    """Where only the program as it is run tells the grid, one of each place, if all are as asked: the
    largest, or the one that `told_first` is greatest for. Without the run of a Makefile, of kernels with a
    loop alone: others have as many threads as data wants.
    """
    told = {launch.span for launch in host.launches if most_blocks(launch) is not None or not launch.reached}
    places: dict[Span, list[LaunchFact]] = {}
    for launch in host.defaults:
        if launch.reached and launch.span not in told and (host.run or _loops(launch, unit)):
            places.setdefault(launch.span, []).append(launch)
    for made in map(_settled, places.values()):
        if all(asked(launch) for launch in made):
            yield max(made, key=told_first)


def _settled(made: list[LaunchFact]) -> list[LaunchFact]:
    """The launches of one place; without what stands for the rest of a loop that goes on with one shape."""
    known = [launch for launch in made if most_blocks(launch) is not None]
    shapes = {(launch.grid, launch.block) for launch in known}
    return known if len(shapes) == 1 and len(known) >= _SETTLED else made


def passed_numbers(launch: LaunchFact, kernel: Function) -> dict[tuple[int, int], int]:
    """What the launch passes: numbers of parameters, and of the fields of structs."""
    found: dict[tuple[int, int], int] = {}
    for parameter, argument in zip(kernel.parameters, launch.arguments or (), strict=False):
        parts = ((0, argument), *argument.fields)
        found.update({(parameter.id, at): part.value for at, part in parts if isinstance(part.value, int)})
    return found


def grid_helpers(launch: LaunchFact, unit: Unit) -> tuple[Related, ...]:
    """Where functions of the project compute the grid."""
    function = unit.functions.get(launch.function)
    if function is None or launch.expression.grid is None:
        return ()
    values = computed_in_helpers(unit, function, launch.expression.grid)
    return at_spans(dict.fromkeys(value.span for value in values), "the grid is computed here")


def _loops(launch: LaunchFact, unit: Unit) -> bool:
    """Whether the kernel or what it calls has a loop that more blocks could share."""
    kernel = unit.functions.get(launch.key or "")
    bodies = [called.body for called in reachable(unit, kernel)] if kernel is not None else []
    return any(find(body, s.Loop) for body in bodies if body is not None)


def longest(launch: LaunchFact, branches: tuple[Branch, ...], kernel: Function | None) -> LoopTrips | None:
    """The kernel's longest loop of those with a known number of iterations; None without one."""
    known = (
        branch.loop
        for branch in branches
        if kernel is not None and branch.kind == "loop" and branch.kernel == kernel.name
        if branch.configuration is not None and branch.configuration.block == launch.block
        if branch.loop.trips is not None and not branch.loop.chosen
    )
    return max(known, key=lambda loop: loop.trips[0] if loop.trips is not None else 0, default=None)


def shared_out(kernel: Function | None, trips: int) -> int:
    """Iterations that other threads can take over: none where each needs the result of the one before."""
    return 1 if kernel is None or serial(kernel) else trips


def who(loop: LoopTrips, sizes: bool = True) -> str:
    """The threads that run a loop, and the verb. sizes: their share is known."""
    if loop.threads is None or (not sizes and _FEW <= loop.threads < _ALL):
        return "threads run"
    if loop.threads >= _ALL:
        return "each thread runs"
    return f"{loop.threads:.0%} of the threads run" if loop.threads >= _FEW else "a few threads run"


def more_blocks(unit: Unit, kernel: Function | None, trips: int, size: int | None) -> str:
    """What fits a kernel that has its own way to share the work out. size: threads of a block."""
    if kernel is not None and has_grid_stride(unit, kernel):
        return "launch more blocks: the kernel's loops step by the size of the grid"
    body = walk(kernel.body) if kernel is not None and kernel.body is not None else ()
    if not any(isinstance(part, e.Builtin) and part.name == "blockIdx" for part in body):
        return "distribute the work over more blocks: index with blockIdx.x * blockDim.x + threadIdx.x"
    if trips > 1:
        return "let more blocks share the iterations of a thread's loop"
    if size is not None and size <= WARP:
        return "give each thread less to do, and launch more of them"
    return "launch smaller blocks, or give each thread less to do"
