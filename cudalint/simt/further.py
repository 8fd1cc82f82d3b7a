"""Barriers that nothing passes across, and reads of shared memory that nobody wrote: what all runs of a
kernel say of them together, with those of other shapes where the shape is a guess.
"""

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.source import Span
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, walk
from cudalint.simt import static
from cudalint.simt.configure import other_shapes
from cudalint.simt.facts import Access, Barrier, EmptyRead, IdleBarrier, KernelFacts, Thread
from cudalint.simt.initialised import Read
from cudalint.simt.kernel_run import ModelOptions, run_plan
from cudalint.simt.loops import constant_trips
from cudalint.simt.merge import Run
from cudalint.simt.redundancy import Meeting, Redundancy, Site, only_waits
from cudalint.simt.worlds import WARP

_GIVEN = ("launch", "assumption")
_UNTAKEN = "a branch that no run took"
_WORTH = 64  # rounds of a loop with a barrier, beside which one before or after it is not felt


class Further(Struct, dict=True):
    """The runs of a kernel; those with other shapes are made when they are asked for."""

    unit: Unit
    function: Function
    runs: list[Run]
    accesses: list[Access]
    options: ModelOptions

    @property
    def given(self) -> bool:
        """Whether the program tells the shapes."""
        return all(done.plan.configuration.origin in _GIVEN for done in self.runs)

    @cached_property
    def others(self) -> list[Run]:
        """Runs with shapes unlike those tried, where those are a guess."""
        if self.given:
            return []
        plans = other_shapes(self.function, self.runs[0].plan)
        return [run_plan(self.unit, self.function, plan, self.options) for plan in plans]

    @cached_property
    def unreached(self) -> list[Access]:
        """Accesses that no run came to."""
        return [
            access
            for access in self.accesses
            if access.unknown == "not reached in any run" or _UNTAKEN in access.assumed
        ]


# --- barriers ---


def idle_barriers(more: Further, barriers: tuple[Barrier, ...]) -> tuple[IdleBarrier, ...]:
    """The barriers that no run needs, where every run tells and every access was seen."""
    if not more.runs or more.unreached or not _idle(more.runs):
        return ()
    chosen = _idle([*more.runs, *more.others])
    all_come = {barrier.span for barrier in barriers if barrier.reached_by == "all"}
    all_come -= {barrier.span for barrier in barriers if barrier.reached_by != "all"}
    found = {span: sites for span, sites in chosen.items() if span in all_come}
    if not _felt(more, set(found)):
        return ()
    return tuple(_barrier(more.runs, span, sites, more.function.name) for span, sites in found.items())


def _felt(more: Further, idle: set[Span]) -> bool:
    """Whether no barrier that is needed stands in loops of very many rounds more than all of these."""
    rounds: dict[Span, int] = {}
    for function in static.reachable(more.unit, more.function):
        if function.body is not None:
            _count(function.body, 1, rounds)
    sites = {span for run in more.runs if run.redundancy for span in _places(run.redundancy)}
    most = max((rounds.get(span, 1) for span in sites - idle), default=0)
    return _WORTH * sum(rounds.get(span, 1) for span in idle) > most


def _places(seen: Redundancy) -> set[Span]:
    return {site.node.span for site in seen.sites.values()}


def _count(node: Node, rounds: int, found: dict[Span, int]) -> None:
    """How often each call is made, as far as the loops round it say how many rounds they make."""
    if isinstance(node, s.Loop):
        rounds *= constant_trips(node, fold=True) or 1
    elif isinstance(node, e.Call):
        found[node.span] = rounds
    for child in children(node):
        _count(child, rounds, found)


def _idle(runs: list[Run]) -> dict[Span, list[tuple[Run, Site]]]:
    """The barriers by place that no thread of another warp needs, in any of the runs."""
    found: dict[Span, list[tuple[Run, Site]]] = {}
    for run in runs:
        seen = run.redundancy
        if seen is None or seen.unknown or run.failure or run.machine.state.spent:
            return {}
        if run.machine.state.worlds.threads <= WARP:
            return {}
        for site in seen.sites.values():
            found.setdefault(site.node.span, []).append((run, site))
    return {span: sites for span, sites in found.items() if all(site.reach != "block" for _, site in sites)}


def _barrier(runs: list[Run], span: Span, sites: list[tuple[Run, Site]], kernel: str) -> IdleBarrier:
    run, site = next(((run, site) for run, site in sites if site.meeting is not None), sites[0])
    first = next(mine for done, mine in sites if done is sites[0][0])
    met = site.meeting
    return IdleBarrier(
        span,
        kernel,
        "nothing" if met is None else "warp",
        sum(mine.executed for done, mine in sites if done is sites[0][0]),
        site.before if met is not None else first.before,
        site.after if met is not None else first.after,
        run.plan.configuration,
        _index(met) if met is not None else "",
        _threads(run, met) if met is not None else (),
    )


def _index(met: Meeting) -> str:
    return f"{met.memory.name}[{met.byte // (met.memory.element or 4)}]"


def _threads(run: Run, met: Meeting) -> tuple[Thread, ...]:
    worlds = run.machine.state.worlds
    return tuple(Thread(worlds.thread_of(lane), worlds.block_of(lane)) for lane in (met.first, met.second))


def in_all_kernels(unit: Unit, facts: dict[str, KernelFacts]) -> tuple[KernelFacts, ...]:
    """The facts; without the barriers of a function that another kernel calls and needs them, and without
    those that guard a device function.
    """
    idle = {key: {barrier.span for barrier in kernel.idle_barriers} for key, kernel in facts.items()}
    if not any(idle.values()):
        return tuple(facts.values())
    calls = {key: _calls(unit, unit.functions[key]) for key in unit.kernels if key in unit.functions}
    needed = {span for key, spans in calls.items() for span in spans - idle.get(key, set())}
    needed |= _guards(unit)
    return tuple(
        replace(
            kernel,
            idle_barriers=tuple(barrier for barrier in kernel.idle_barriers if barrier.span not in needed),
        )
        for kernel in facts.values()
    )


def _guards(unit: Unit) -> set[Span]:
    """The first and the last barrier of every device function: they keep what it does apart from what its
    callers do, also those to come.
    """
    found: set[Span] = set()
    for function in unit.functions.values():
        if function.body is None or function.kernel or function.lambda_:
            continue
        calls = [node for node in walk(function.body) if isinstance(node, e.Call)]
        barriers = [call.span for call in calls if only_waits(call)]
        found |= {*barriers[:1], *barriers[-1:]}
    return found


def _calls(unit: Unit, function: Function) -> set[Span]:
    """The places of all calls in a function and in what it calls."""
    return {
        node.span
        for current in static.reachable(unit, function)
        for node in (walk(current.body) if current.body is not None else ())
        if isinstance(node, e.Call)
    }


# --- reads ---


def empty_reads(more: Further) -> tuple[EmptyRead, ...]:
    """The reads of what nobody wrote, in every run that comes to them."""
    if not more.runs or any(_may_write_shared(access) for access in more.unreached):
        return ()
    found = _empty(more.runs)
    if found and not more.given:
        again = _empty([*more.runs, *more.others])
        found = {span: read for span, read in again.items() if span in found and not read[1].written}
    return tuple(_read(run, read, more.function.name) for run, read in found.values())


def _may_write_shared(access: Access) -> bool:
    return access.operation != "load" and (access.space == "shared" or bool(access.unknown))


def _empty(runs: list[Run]) -> dict[Span, tuple[Run, Read]]:
    """By place, the reads that find nothing in every run that comes to them, as in the first one."""
    found: dict[Span, tuple[Run, Read]] = {}
    wrong: set[Span] = set()
    for run in runs:
        if run.failure or run.machine.state.spent or run.initialised is None or run.initialised.unknown:
            return {}
        for read in run.initialised.reads.values():
            if not read.executed.any():
                continue
            if read.memory.number in run.initialised.forgiven or not _always(run, read):
                wrong.add(read.node.span)
            else:
                found.setdefault(read.node.span, (run, read))
    return {span: found[span] for span in found if span not in wrong}


def _always(run: Run, read: Read) -> bool:
    """Whether the run shows it whatever the numbers that nobody knows are."""
    if not read.empty.any():
        return False
    known = all(p.value is not None or (p.pointer and p.buffer) for p in run.parameters)
    if known and None not in run.plan.configuration.grid:
        return True
    return bool((read.empty | ~read.executed).all())


def _read(run: Run, read: Read, kernel: str) -> EmptyRead:
    worlds = run.machine.state.worlds
    element = read.memory.element or 4
    size = read.memory.bytes or run.plan.configuration.dynamic_shared_bytes or 0
    return EmptyRead(
        span=read.node.span,
        expression=render(read.node),
        operation=read.operation,
        kernel=kernel,
        index=f"{read.memory.name}[{read.byte // element}]",
        reader=Thread(worlds.thread_of(read.lane), worlds.block_of(read.lane)),
        written=read.written,
        elements=size // element,
        configuration=run.plan.configuration,
    )
