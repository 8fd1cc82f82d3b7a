"""Barriers of a block that no data crosses."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses import kernel_queries
from cudalint.analyses.exchange_of_class import exchanges
from cudalint.analyses.repeated_barriers import repeated_barriers
from cudalint.analyses.trip_counts import constant_trips
from cudalint.analyses.varying import private
from cudalint.analyses.waiting_functions import only_calls
from cudalint.cuda.maths import base
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, walk
from cudalint.simt.facts.accesses.complete import never_seen
from cudalint.simt.facts.accesses.dead_arms import ruled_out
from cudalint.simt.facts.barrier_use.redundancy import Meeting, Redundancy, Site, only_waits
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_DEEPEST = 4  # functions that call each other


class IdleBarrier(Struct, frozen=True):
    """A block barrier that no data crosses in any run, or only within a warp; all of them may be removed
    together. one warp: every launch has blocks of one.
    """

    span: Span
    kernel: str
    passes: Literal["nothing", "warp", "one warp"]
    executed: int  # times in one run
    before: int  # accesses compared across it, since the last barrier that is needed
    after: int
    configuration: Configuration
    index: str = ""  # the element that two threads of a warp share
    threads: tuple[Thread, ...] = ()  # these two
    outweighed: float = 0.0  # executions of the needed barrier that has most, per one of all idle barriers


def _conclude(kernel: KernelRuns) -> tuple[tuple[IdleBarrier, ...]]:
    if kernel.runs and all(_is_one_warp(run) for run in kernel.runs):
        return (_of_one_warp(kernel),)
    found = _idle_barriers(kernel) if kernel.whole and not kernel.of(EmptyRead) else ()
    return (found or _repeated(kernel),)


def _repeated(kernel: KernelRuns) -> tuple[IdleBarrier, ...]:
    """Those right after another one, which the source tells where the runs do not."""
    spans = repeated_barriers(kernel.unit, kernel.function) if kernel.runs else ()
    name = kernel.function.name
    return tuple(
        IdleBarrier(span, name, "nothing", 1, 0, 0, kernel.runs[0].plan.configuration)
        for span in dict.fromkeys(spans)
    )


def _idle_barriers(kernel: KernelRuns) -> tuple[IdleBarrier, ...]:
    """The barriers that no run needs, where every run tells and every access was seen."""
    if not kernel.runs or never_seen(kernel) or _is_one_of_several(kernel) or not _idle(kernel.runs):
        return ()
    barriers = kernel.of(Barrier)
    chosen = _idle([*kernel.runs, *kernel.others])
    all_come = {barrier.place for barrier in barriers if barrier.reached_by == "all"}
    all_come -= {barrier.place for barrier in barriers if barrier.reached_by != "all"}
    found = {span: sites for span, sites in chosen.items() if span in all_come}
    outweighed = _outweighed(kernel, set(found)) if found else 0.0
    return tuple(
        replace(_barrier(kernel.runs, span, sites, kernel.function.name), outweighed=outweighed)
        for span, sites in found.items()
    )


def _is_one_of_several(kernel: KernelRuns) -> bool:
    """Whether template arguments leave arms out, of whose accesses other instances need the barriers."""
    bodies = kernel_queries.reachable(kernel.unit, kernel.function)
    arms = (arm for one in bodies for arm in ruled_out(kernel.unit, one))
    return any(find(arm, e.Index, e.Dereference) for arm in arms)


def _is_one_warp(run: Run) -> bool:
    """Whether a launch says that its blocks are warps."""
    return run.machine.state.samples.threads <= WARP and run.plan.configuration.origin is Origin.LAUNCH


def _of_one_warp(kernel: KernelRuns) -> tuple[IdleBarrier, ...]:
    """All barriers of a kernel that do no more than wait."""
    plain = {
        node.span
        for function in kernel_queries.reachable(kernel.unit, kernel.function)
        for node in find(function.body, e.Call)
        if only_waits(node)
    }
    shape = kernel.runs[0].plan.configuration
    spans = dict.fromkeys(b.span for b in kernel.of(Barrier) if b.scope == "block" and b.span in plain)
    return tuple(IdleBarrier(span, kernel.function.name, "one warp", 1, 0, 0, shape) for span in spans)


def _outweighed(kernel: KernelRuns, idle: set[Span]) -> float:
    """How often the needed barrier that is executed most is executed, per execution of all of these."""
    iterations: dict[Span, int] = {}
    _count(kernel.unit, kernel.function, 1, iterations)
    sites = {span for run in kernel.runs for span in _places(run.seen(Redundancy))}
    most = max((iterations.get(span, 1) for span in sites - idle), default=0)
    return most / sum(iterations.get(span, 1) for span in idle)


def _places(seen: Redundancy) -> set[Span]:
    return {site.place for site in seen.sites.values()}


def _count(unit: Unit, function: Function, times: int, found: dict[Span, int], depth: int = 0) -> None:
    """How often each call is executed, as far as trip counts of the enclosing loops are constant."""
    for node, often in _repeated_calls(function.body, times):
        found[node.span] = found.get(node.span, 0) + often
        called = unit.functions.get(node.key or "")
        if called is not None and called.body is not None and depth < _DEEPEST:
            _count(unit, called, often, found, depth + 1)


def _repeated_calls(node: Node | None, times: int) -> Iterator[tuple[e.Call, int]]:
    if node is None:
        return
    if isinstance(node, s.Loop):
        times *= constant_trips(node, fold=True) or 1
    elif isinstance(node, e.Call):
        yield node, times
    for child in children(node):
        yield from _repeated_calls(child, times)


def _idle(runs: list[Run]) -> dict[Span, list[tuple[Run, Site]]]:
    """The barriers by place that no thread of another warp needs, in any of the runs."""
    found: dict[Span, list[tuple[Run, Site]]] = {}
    for run in runs:
        seen = run.seen(Redundancy)
        if seen.unknown or run.failure or run.machine.state.spent:
            return {}
        if run.machine.state.samples.threads <= WARP:
            return {}
        for site in seen.sites.values():
            found.setdefault(site.place, []).append((run, site))
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
    samples = run.machine.state.samples
    return tuple(Thread(samples.thread_of(lane), samples.block_of(lane)) for lane in (met.first, met.second))


def _settle(unit: Unit, found: dict[str, tuple[IdleBarrier, ...]]) -> dict[str, tuple[IdleBarrier, ...]]:
    """Without the barriers of a function that another kernel calls and needs them, and without those that
    guard a device function. By keys of kernels.
    """
    idle = {key: {barrier.span for barrier in barriers} for key, barriers in found.items()}
    if not any(idle.values()):
        return found
    calls = {key: _calls(unit, unit.functions[key]) for key in unit.kernels if key in unit.functions}
    needed = {span for key, spans in calls.items() for span in spans - idle.get(key, set())}
    guards = _guards(unit)
    return {
        key: tuple(b for b in barriers if b.span not in needed and not _is_guard(b, guards))
        for key, barriers in found.items()
    }


def _is_guard(barrier: IdleBarrier, guards: dict[Span, bool]) -> bool:
    """Whether it is one of the guards; not where it orders the function's own exchange in a warp."""
    return barrier.span in guards and not (barrier.passes == "warp" and guards[barrier.span])


def _guards(unit: Unit) -> dict[Span, bool]:
    """The first and the last barrier of every device function: they keep what it does apart from what its
    callers do, also those to come; one in a loop does so in one of its iterations only, and is none. A
    function that only reads needs no barrier on either side for that. Of each, whether it is there for the
    function's own exchange: the function accesses memory both before and after it, or its class does.
    """
    found: dict[Span, bool] = {}
    for function in unit.functions.values():
        if function.body is None or function.kernel or function.lambda_ or only_calls(unit, function):
            continue
        nodes = list(walk(function.body))
        barriers = [at for at, node in enumerate(nodes) if _waits(unit, node)]
        accesses = [at for at, node in enumerate(nodes) if _is_access(node)]
        repeated = {id(inside) for node in nodes if isinstance(node, s.Loop) for inside in walk(node)}
        if accesses and len(barriers) > 1 and not _may_store(unit, function):
            continue
        for at in (*barriers[:1], *barriers[-1:]):
            if id(nodes[at]) in repeated:
                continue
            inside = bool(accesses) and accesses[0] < at < accesses[-1]
            found[nodes[at].span] = inside or (bool(accesses) and exchanges(unit, function))
    return found


def _waits(unit: Unit, node: Node, depth: int = 0) -> bool:
    """Whether it is a barrier, or calls a function that is one."""
    if not isinstance(node, e.Call) or only_waits(node):
        return isinstance(node, e.Call)
    called = unit.defined(node.key)
    if called is None or called.body is None or depth > _DEEPEST or not only_calls(unit, called):
        return False
    return any(_waits(unit, inner, depth + 1) for inner in walk(called.body))


def _may_store(unit: Unit, function: Function) -> bool:
    """Whether the function or what it calls may store in memory that others see."""
    nodes = [
        node
        for called in kernel_queries.reachable(unit, function)
        for node in (walk(called.body) if called.body is not None else ())
    ]
    if any(isinstance(node, s.Opaque | e.Unknown | e.AddressOf) for node in nodes):
        return True
    calls = [node for node in nodes if isinstance(node, e.Call)]
    if any(call.key is None and not only_waits(call) and not base(call.name) for call in calls):
        return True
    targets = [node.target for node in nodes if isinstance(node, e.Assign)]
    return any(kernel_queries.is_memory(target) or not _is_own(target) for target in targets)


def _is_own(target: e.Expression) -> bool:
    held = private(target)
    return held is not None and not isinstance(held.type, Reference)


def _is_access(node: Node) -> bool:
    return isinstance(node, e.Index | e.Dereference) and kernel_queries.is_memory(node)


def _calls(unit: Unit, function: Function) -> set[Span]:
    """The places of all calls in a function and in what it calls."""
    return {
        node.span
        for current in kernel_queries.reachable(unit, function)
        for node in find(current.body, e.Call)
    }


FACT = Fact(
    of=(IdleBarrier,), conclude=_conclude, needs=(Barrier, EmptyRead), watch=(Redundancy,), settle=_settle
)
