"""Loads through the read-only path of what the same kernel writes: its cache does not see the writes."""

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import ClassVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.cuda.maths import whole
from cudalint.cuda.spaces import ReadOnlyPath
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.threads.global_log import GlobalLog, LoggedAccess, Meeting, meet, thread_of, valuations_of
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_MOST_EACH = 256  # executions of an access that are kept where loops are run to their end


class StaleRead(Struct, frozen=True):
    """A load through the read-only path of bytes that the kernel writes, not ordered before the write."""

    span: Span
    expression: str
    path: ReadOnlyPath
    write: Span
    written: str
    reader: Thread
    writer: Thread
    index: str  # as 'data[33]'
    kernel: str
    certain: bool  # under every valuation
    configuration: Configuration
    calls: tuple[Span, ...] = ()  # of the kernel's, by which it comes to be
    sizes: tuple[
        str, ...
    ] = ()  # parameters for some values of which it is so, where not for those tried first


class _WholeLog(GlobalLog):
    most_each: ClassVar[int] = _MOST_EACH


def _conclude(kernel: KernelRuns) -> tuple[tuple[StaleRead, ...]]:
    """One fact for each such load that comes, or may come, after a write of the same bytes."""
    found: dict[object, StaleRead] = {}
    for run in kernel.runs:
        same = list(_same(kernel.function, kernel.launches, run))
        shown = list(_in_run(kernel, run, same))
        if not any(stale.certain for stale in shown):
            shown += _in_whole_loops(kernel, run, same)
        for stale in shown:
            old = found.get(stale.span)
            if old is None or (stale.certain and not old.certain):
                found[stale.span] = stale
            elif stale.certain == old.certain:
                found[stale.span] = replace(old, calls=tuple(dict.fromkeys((*old.calls, *stale.calls))))
    if not any(stale.certain for stale in found.values()):
        found |= {stale.span: stale for stale in _for_some_sizes(kernel)}
    return (tuple(found.values()),)


def _in_whole_loops(kernel: KernelRuns, run: Run, same: list[tuple[str, str]]) -> list[StaleRead]:
    """Those of bytes that the first iterations of loops do not write, or do not load."""
    touches = run.seen(GlobalLog).touches
    stored = {touch.memory.name for touch in touches if touch.operation != "load"}
    stored |= {read for read, written in same if written in stored}
    loaded = {touch.memory.name for touch in touches if _path(touch, kernel.function) is not None}
    if not stored & loaded or not _loops(kernel):
        return []
    mode = RunMode(thorough=True, uncounted=True)
    again = run_plan(kernel.unit, kernel.function, run.plan, kernel.options, mode, (_WholeLog,))
    return [] if again.failure or again.machine.state.spent else list(_in_run(kernel, again, same))


def _loops(kernel: KernelRuns) -> bool:
    bodies = (f.body for f in reachable(kernel.unit, kernel.function) if f.body is not None)
    return any(find(body, s.Loop) for body in bodies)


def _for_some_sizes(kernel: KernelRuns) -> Iterator[StaleRead]:
    """Those of parameters that are passed one buffer, with sizes of different scales: where the address of
    the load, or that of the write, depends on none of them.
    """
    for run in kernel.runs:
        same = list(_same(kernel.function, kernel.launches, run))
        names = tuple(p.name for p, held in _sizes(kernel.function, run) if held is None)
        if same and names and _has_way(kernel, same):
            mode = RunMode(checking=True, uncounted=True)
            again = run_plan(kernel.unit, kernel.function, run.plan, kernel.options, mode, (GlobalLog,))
            if not again.failure:
                found = _in_run(kernel, again, same, fixed=True)
                yield from (replace(stale, certain=False, sizes=names) for stale in found)


def _sizes(function: Function, run: Run) -> Iterator[tuple[e.Variable, int | float | None]]:
    """The integer parameters, and what is passed."""
    passed = run.plan.arguments or ()
    for parameter, argument in zip(function.parameters, passed, strict=False):
        if whole(parameter.type):
            yield parameter, argument.value


def _in_run(
    kernel: KernelRuns, run: Run, same: list[tuple[str, str]], fixed: bool = False
) -> Iterator[StaleRead]:
    """same: pairs of parameters that are one buffer. fixed: only where one of the two addresses has no number
    in it that nobody knows.
    """
    touches = run.seen(GlobalLog).touches
    writes = _groups(t for t in touches if t.operation != "load" and not t.chance)
    reads = _groups(t for t in touches if _path(t, kernel.function) is not None) if writes else []
    for read in reads:
        for write in writes:
            if fixed and read[0].free and write[0].free:
                continue
            if read[0].memory is not write[0].memory:
                if (read[0].memory.name, write[0].memory.name) not in same:
                    continue
                write = [_moved(one, read[0].memory) for one in write]
            stale = _stale(run, kernel.function, read, write)
            if stale is not None:
                yield stale


def _groups(touches: Iterable[LoggedAccess]) -> list[list[LoggedAccess]]:
    """Those of one place in the source, by one call, to one object, with addresses of one kind."""
    grouped: dict[object, list[LoggedAccess]] = {}
    for one in touches:
        grouped.setdefault((id(one.node), one.memory.number, one.call, one.free), []).append(one)
    return list(grouped.values())


def _same(function: Function, launches: tuple[LaunchFact, ...], run: Run) -> Iterator[tuple[str, str]]:
    """Pairs of parameters for which one of several launches passes the same buffer, at places that all
    launches agree on: the run has an object of its own for each.
    """
    rows = [
        launch.arguments
        for launch in launches
        if launch.block == run.plan.configuration.block and launch.arguments is not None
    ]
    names = [parameter.name for parameter in function.parameters]
    for row in rows:
        for one, other in permutations(range(min(len(row), len(names))), 2):
            if row[one].buffer is not None and row[one].buffer == row[other].buffer:
                places = {(r[one].offset, r[other].offset) for r in rows if len(r) == len(row)}
                if len(places) == 1 and None not in next(iter(places)):
                    yield names[one], names[other]


def _moved(touch: LoggedAccess, memory: Memory) -> LoggedAccess:
    """The access as one to another object, as far from its start."""
    return replace(touch, memory=memory, addresses=touch.addresses - touch.memory.base + memory.base)


def _path(touch: LoggedAccess, function: Function) -> ReadOnlyPath | None:
    """What sends a load down the read-only path."""
    if touch.operation != "load" or touch.chance or touch.volatile:
        return None
    if isinstance(touch.node, e.Call):
        return "__ldg" if touch.node.name == "__ldg" else None
    variable = root_of(touch.node)
    if variable is None or variable not in function.parameters or not isinstance(variable.type, Pointer):
        return None
    return "const __restrict__" if _is_read_only(variable) else None


def _is_read_only(parameter: e.Variable) -> bool:
    kind = parameter.type
    return isinstance(kind, Pointer) and kind.const and kind.restrict


def _has_way(kernel: KernelRuns, same: list[tuple[str, str]]) -> bool:
    """Whether the code may send loads of one of these parameters down the read-only path."""
    named = {name for pair in same for name in pair}
    if any(p.name in named and _is_read_only(p) for p in kernel.function.parameters):
        return True
    bodies = (f.body for f in reachable(kernel.unit, kernel.function) if f.body is not None)
    return any(n.name == "__ldg" for body in bodies for n in find(body, e.Call))


def _stale(
    run: Run, function: Function, reads: list[LoggedAccess], writes: list[LoggedAccess]
) -> StaleRead | None:
    """Of the executions of a load and of a write, the first two that show it."""
    samples = run.machine.state.samples
    found: StaleRead | None = None
    shown = np.zeros(samples.valuations, dtype=bool)
    both = valuations_of(samples, _sure(reads)) & valuations_of(samples, _sure(writes))
    for read, write in product(_some(reads), writes):
        met = meet(samples, read, write)
        late = _late(samples, read, write, met)
        if late.any():
            found = found or _shown(samples, run, function, read, write, met, int(late.argmax()))
            shown |= valuations_of(samples, _marked(samples, met.first[late]))
            if shown.all():
                break
    return replace(found, certain=bool((shown | ~both).all())) if found is not None else None


def _sure(touches: list[LoggedAccess]) -> Bools:
    """The lanes that surely make one of them."""
    return np.asarray(np.logical_or.reduce([touch.sure for touch in touches]))


def _some(touches: list[LoggedAccess]) -> list[LoggedAccess]:
    """All of a few executions; the first, the one in the middle and the last of many."""
    count = len(touches)
    few = count <= GlobalLog.most_each
    return touches if few else [touches[at] for at in (0, count // 2, count - 1)]


def _shown(
    samples: Samples,
    run: Run,
    function: Function,
    read: LoggedAccess,
    write: LoggedAccess,
    met: Meeting,
    at: int,
) -> StaleRead:
    """What the pair at that place of a meeting shows."""
    path = _path(read, function)
    assert path is not None
    element = read.memory.element or read.width
    return StaleRead(
        span=read.node.span,
        expression=render(read.node),
        path=path,
        write=write.node.span,
        written=render(write.node),
        reader=thread_of(samples, int(met.first[at])),
        writer=thread_of(samples, int(met.second[at])),
        index=f"{read.memory.name}[{int(met.byte[at]) // element}]",
        kernel=function.name,
        certain=False,
        configuration=run.plan.configuration,
        calls=(read.call,) if read.call is not None else (),
    )


def _late(samples: Samples, read: LoggedAccess, write: LoggedAccess, met: Meeting) -> Bools:
    """The pairs in which nothing makes the read end before the write begins."""
    reader, writer = met.first, met.second
    here, there = samples.sample[reader], samples.sample[writer]
    before = read.order < write.order
    apart = read.grid[here] != write.grid[there]
    block = (here == there) & (read.interval[here] != write.interval[there])
    ordered = (reader == writer) | block | apart
    return np.asarray(~(ordered & before))


def _marked(samples: Samples, lanes: np.ndarray) -> Bools:
    marked = np.zeros(samples.lanes, dtype=bool)
    marked[lanes] = True
    return marked


FACT = Fact(of=(StaleRead,), conclude=_conclude, watch=(GlobalLog,))
