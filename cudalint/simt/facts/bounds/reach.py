"""What the runs of a kernel say together of how far its accesses go."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.pitches import rows_overlap
from cudalint.cuda.spaces import Operation, Space
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.simt.facts.bounds.extents import Extents, Site
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.index_overflows import Overflows, may_reach_far
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import Watch
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_LAUNCHES = 2  # of a kernel, with the sizes that the program has by default
_TRIALS = 2  # blocks that a kernel is tried with


class DynamicReach(Struct, frozen=True):
    """The dynamic shared memory that the kernel certainly accesses under one configuration."""

    span: Span
    expression: str
    bytes: int  # the least size needed; 0 if it depends on unknown numbers
    index: str  # of the last element
    thread: Thread  # that accesses it
    configuration: Configuration
    default: bool = False  # only where the program is run without words on its command line


class Overrun(Struct, frozen=True):
    """An access that certainly exceeds a buffer of known size, in a launch with known arguments, or a shared
    array, in a block of known shape.
    """

    span: Span
    expression: str
    operation: Operation
    kernel: str
    buffer: str
    index: int
    elements: int  # of the buffer
    bytes: int
    thread: Thread  # that exceeds it
    inside: bool  # other threads stay inside
    configuration: Configuration
    space: Space = "global"
    default: bool = False  # only where the program is run without words on its command line
    tried: bool = False  # only with the numbers that were tried for what nobody knows


def dynamic_reaches(runs: Sequence[Run]) -> tuple[DynamicReach, ...]:
    """For each run that surely uses dynamic shared memory, the access that reaches furthest."""
    found = []
    for run in runs:
        dynamic = (site for site in _sites(run, "shared") if not site.memory.bytes)
        sites = [site for site in dynamic if site.used or site.end]
        if sites:
            found.append(_reach(run, max(sites, key=lambda site: site.end)))
    return tuple(found)


def overruns(runs: Sequence[Run], kernel: str) -> tuple[Overrun, ...]:
    """The accesses beyond the ends of buffers, of launches whose grid is known."""
    return tuple(
        _overrun(run, site, kernel)
        for run in runs
        if run.plan.configuration.told_whole
        for site in _sites(run, "global")
        if site.beyond >= 0
    )


def _of_shared_arrays(runs: Sequence[Run], kernel: str) -> tuple[Overrun, ...]:
    """The accesses beyond the ends of shared arrays, in blocks that a launch surely has."""
    return tuple(
        _overrun(run, site, kernel)
        for run in runs
        if run.plan.configuration.origin == Origin.LAUNCH
        for site in _sites(run, "shared")
        if site.beyond >= 0
        and (None not in run.plan.configuration.grid or not any(_thread(run, site.beyond).block))
    )


def _sites(run: Run, space: Space) -> Iterator[Site]:
    for site in run.seen(Extents).sites.values() if not run.failure else ():
        if site.memory.space == space:
            yield site


def _thread(run: Run, lane: int) -> Thread:
    samples = run.machine.state.samples
    return Thread(samples.thread_of(lane), samples.block_of(lane))


def _reach(run: Run, site: Site) -> DynamicReach:
    element = site.memory.element or site.width or 1
    return DynamicReach(
        span=site.node.span,
        expression=render(site.node),
        bytes=site.end,
        index=f"{site.memory.name}[{(site.end - 1) // element}]",
        thread=_thread(run, max(site.lane, 0)),
        configuration=run.plan.configuration,
    )


def _name(site: Site) -> str:
    """Of the buffer; of what a field of a struct points to as it is written."""
    if isinstance(site.node, e.Index) and "." in site.memory.name:
        return render(site.node.base)
    return site.memory.name


def _overrun(run: Run, site: Site, kernel: str) -> Overrun:
    element = site.memory.element or site.width
    return Overrun(
        span=site.node.span,
        expression=render(site.node),
        operation=site.operation,
        kernel=kernel,
        buffer=_name(site),
        index=site.start // element,
        elements=site.memory.bytes // element,
        bytes=site.memory.bytes,
        thread=_thread(run, site.beyond),
        inside=site.inside,
        configuration=run.plan.configuration,
        space=site.memory.space,
    )


def _by_default(kernel: KernelRuns) -> Iterator[DynamicReach]:
    """With the sizes that the program has by default, of a kernel that uses dynamic shared memory."""
    if not any(not site.memory.bytes for run in kernel.runs for site in _sites(run, "shared")):
        return
    launches = [one for one in kernel.defaults if one.reached and one.dynamic_shared_bytes]
    for launch in launches[:_LAUNCHES]:
        plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
        if plan.configuration.origin == Origin.LAUNCH:
            run = kernel.sized(plan, _watching(kernel))
            yield from (replace(reach, default=True) for reach in dynamic_reaches([run]))


def _watching(kernel: KernelRuns) -> Watch:
    """Who looks on with other sizes: also what is asked for later with the same ones."""
    return (Extents, Overflows) if Overflows in kernel.watch and may_reach_far(kernel) else (Extents,)


def _with(
    kernel: KernelRuns, launches: tuple[LaunchFact, ...], fixed: frozenset[str] = frozenset()
) -> tuple[Overrun, ...]:
    """Those of launches whose sizes are open, with sizes that were chosen for them. fixed: the parameters
    that nobody asks about.
    """
    if not launches or all(None not in run.plan.configuration.grid for run in kernel.runs):
        return ()
    if not any(_is_sized(kernel, launch, fixed) for launch in launches):
        return ()
    shapes = plans(kernel.function, launches, kernel.options.assumptions)
    watch = _watching(kernel) if launches is kernel.defaults else (Extents,)
    runs = [kernel.sized(plan, watch) for plan in shapes if plan.configuration.told_whole]
    return overruns(runs, kernel.function.name)


def _exceeding(kernel: KernelRuns) -> tuple[Overrun, ...]:
    """With the sizes that the program has, else with its defaults, else with primes: in launches whose block
    is the program's.
    """
    found = overruns(kernel.runs, kernel.function.name)
    if found:
        return found
    defaults = _with(kernel, kernel.defaults)
    if defaults:
        return tuple(replace(one, default=True) for one in defaults)
    blocks = {run.plan.configuration.block for run in kernel.runs}
    meant = [one for one in kernel.trials if one.block in blocks and not _rows_overlap(kernel, one)]
    trials = {one.block: one for one in sorted(meant, key=_known)}
    fixed = _of_fixed_size(kernel)
    tried = _with(kernel, tuple(trials.values())[:_TRIALS], fixed)
    return tuple(replace(one, tried=True) for one in tried if one.inside and one.buffer not in fixed)


def _is_sized(kernel: KernelRuns, launch: LaunchFact, fixed: frozenset[str]) -> bool:
    """Whether the kernel gets a buffer of known size from a launch, for a parameter that is not fixed, or has
    one of its own.
    """
    passed = zip(kernel.function.parameters, launch.arguments or (), strict=False)
    return _has_variable(kernel.unit, kernel.function) or any(
        one.bytes and (argument.fields or parameter.name not in fixed)
        for parameter, argument in passed
        for one in argument.buffers
    )


@once
def _has_variable(unit: Unit, function: Function) -> bool:
    """Whether the kernel or what it calls names a variable that is no thread's or block's own."""
    return any(
        reference.variable.storage not in ("local", "parameter", "shared", "constant")
        for current in reachable(unit, function)
        for reference in find(current.body, e.VariableReference)
    )


def _of_fixed_size(kernel: KernelRuns) -> frozenset[str]:
    """The parameters to which a launch passes a buffer whose size is known: that it is too small for others
    is no matter of the kernel's guard.
    """
    return frozenset(
        parameter.name
        for launch in kernel.launches
        for parameter, passed in zip(kernel.function.parameters, launch.arguments or (), strict=False)
        if passed.buffer is not None and passed.buffer.bytes is not None
    )


def _rows_overlap(kernel: KernelRuns, launch: LaunchFact) -> bool:
    values = [argument.value for argument in launch.arguments or ()]
    return rows_overlap(kernel.unit, kernel.function, values)


def _known(launch: LaunchFact) -> int:
    """How many buffers it is known to pass, with their sizes."""
    passed = launch.arguments or ()
    return sum(one.buffer is not None and one.buffer.bytes is not None for one in passed)


def _conclude(kernel: KernelRuns) -> tuple[tuple[DynamicReach, ...], tuple[Overrun, ...]]:
    shared = _of_shared_arrays(kernel.runs, kernel.function.name)
    reaches = (*dynamic_reaches(kernel.runs), *_by_default(kernel))
    return reaches, (*shared, *_exceeding(kernel))


FACT = Fact(of=(DynamicReach, Overrun), conclude=_conclude, watch=(Extents,))
