"""Data that blocks hand to each other by a flag or a counter in global memory, with no fence between.

The writer stores data and then updates a word; the reader looks at the word and then loads the data. Without
a fence between the two steps of the writer the update may be seen before the data. The reader is known by one
of two signs: it loads where a condition on the update's result lets it ('I am the last one'), or after a loop
that waits for the word. Blocks that hand on from one to the next wait and load before they write themselves:
what the code does last, another block has done first. Where tickets tell a block its place in such a chain, a
further run hands them out in order.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.cuda.effects import CACHED_LOADS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.spin_loops import waiting_loops
from cudalint.simt.interpret.tickets import taken
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.threads.global_log import GlobalLog, LoggedAccess, Meeting, meet, thread_of, valuations_of
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_MOST_CHECKS = 400  # pairs of accesses that are compared in a run


class UnfencedPublish(Struct, frozen=True):
    """Data that a block writes and publishes to other blocks by a flag or counter, with no fence between."""

    write: Span
    written: str
    writer: Thread
    flag: Span
    flagged: str
    read: Span
    loaded: str
    reader: Thread
    how: Literal["last", "wait"]  # the reader was the last to update the word, or waited for it
    index: str
    kernel: str
    certain: bool
    configuration: Configuration


def _conclude(kernel: KernelRuns) -> tuple[tuple[UnfencedPublish, ...]]:
    """One fact for each place that data is written at."""
    found: dict[Span, UnfencedPublish] = {}
    unit, function = kernel.unit, kernel.function
    for run in (*kernel.runs, *_with_tickets(kernel)):
        flags = [t for t in run.seen(GlobalLog).touches if _is_flag(t)]
        if not flags or len(run.machine.state.samples.blocks) < 2:
            continue
        loops = waiting_loops(unit, function)
        waited = {span for loop in loops for span in loop.reads}
        for touches in run.seen(GlobalLog).by_memory():
            data = [t for t in touches if t.node.span not in waited]
            for write, read, met in _crossing(run.machine.state.samples, data):
                publish = _handed(unit, function, run, waited, flags, write, read, met)
                if publish is not None:
                    found.setdefault(publish.write, publish)
    return (tuple(found.values()),)


def _with_tickets(kernel: KernelRuns) -> Iterator[Run]:
    """A run with numbers that atomics hand out in order, where blocks wait and such numbers are used."""
    unit, function = kernel.unit, kernel.function
    if kernel.runs and taken(unit, function) and waiting_loops(unit, function):
        mode = RunMode(tickets=True, remembering=True, uncounted=True)
        yield run_plan(unit, function, kernel.runs[0].plan, kernel.options, mode, (GlobalLog,))


def _is_flag(touch: LoggedAccess) -> bool:
    """Whether it is an update of a word that other blocks may look at, without an order of its own."""
    name = touch.node.name if isinstance(touch.node, e.Call) else ""
    if touch.operation == "atomic":
        return name.startswith("atomic") and not name.endswith("_block")
    return touch.operation == "store" and touch.volatile


def _crossing(
    samples: Samples, touches: list[LoggedAccess]
) -> Iterator[tuple[LoggedAccess, LoggedAccess, Meeting]]:
    """Stores and loads of the same bytes by another block, with the pairs of lanes."""
    plain = [t for t in touches if t.operation != "atomic" and not t.chance]
    writes = [t for t in plain if t.operation == "store"]
    reads = [t for t in plain if t.operation == "load" and _is_plain(t.node)]
    checks = 0
    for write in writes:
        for read in reads:
            if checks >= _MOST_CHECKS:
                continue
            checks += 1
            met = meet(samples, write, read, sure=False)
            across = samples.sample[met.first] != samples.sample[met.second]
            if across.any():
                yield write, read, Meeting(met.first[across], met.second[across], met.byte[across])


def _is_plain(node: Node) -> bool:
    """Whether a load orders nothing: an expression, or `__ldcg()` and its kin, which only name a cache."""
    return not isinstance(node, e.Call) or node.name in CACHED_LOADS


def _handed(
    unit: Unit,
    function: Function,
    run: Run,
    waited: set[Span],
    flags: list[LoggedAccess],
    write: LoggedAccess,
    read: LoggedAccess,
    met: Meeting,
) -> UnfencedPublish | None:
    """The word by which the data goes from the writer to the reader unfenced, if there is one."""
    samples = run.machine.state.samples
    writer, reader = int(met.first[0]), int(met.second[0])
    for flag in flags:
        if flag.memory is write.memory or not write.order < flag.order:
            continue
        if read.order < flag.order and not _waits_for(run, waited, flag, read, writer, reader):
            continue
        if not _follows(samples, write, flag, writer) or _ordered(run, write, flag, read, writer, reader):
            continue
        how = _how(unit, function, run, waited, flag, read)
        if how is not None:
            both = valuations_of(samples, write.mask) & valuations_of(samples, read.mask)
            shown = np.zeros(samples.lanes, dtype=bool)
            shown[met.first] = True
            element = write.memory.element or write.width
            return UnfencedPublish(
                write=write.node.span,
                written=render(write.node),
                writer=thread_of(samples, writer),
                flag=flag.node.span,
                flagged=render(flag.node),
                read=read.node.span,
                loaded=render(read.node),
                reader=thread_of(samples, reader),
                how=how,  # type: ignore[arg-type]
                index=f"{write.memory.name}[{int(met.byte[0]) // element}]",
                kernel=function.name,
                certain=bool((valuations_of(samples, shown) | ~both).all()),
                configuration=run.plan.configuration,
            )
    return None


def _follows(samples: Samples, write: LoggedAccess, flag: LoggedAccess, writer: int) -> bool:
    """Whether the writer's block updates the word after the write: the writer itself, or after a barrier."""
    sample = samples.sample[writer]
    mine = flag.mask & (samples.sample == sample)
    return bool(mine[writer] or (mine.any() and write.interval[sample] != flag.interval[sample]))


def _ordered(
    run: Run, write: LoggedAccess, flag: LoggedAccess, read: LoggedAccess, writer: int, reader: int
) -> bool:
    """Whether the writer's block has a fence between the write and the update, or the grid a barrier."""
    samples = run.machine.state.samples
    here, there = samples.sample[writer], samples.sample[reader]
    if write.grid[here] != flag.grid[here] or write.grid[there] != read.grid[there]:
        return True
    return any(
        write.order < order < flag.order and bool((lanes & (samples.sample == here)).any())
        for order, lanes in run.seen(GlobalLog).fences
    )


def _waits_for(
    run: Run, waited: set[Span], flag: LoggedAccess, read: LoggedAccess, writer: int, reader: int
) -> bool:
    """Whether the reader's block has waited, before the read, for the word that the writer's updates."""
    samples = run.machine.state.samples
    updated = _addresses(samples, flag, writer)
    return any(
        not updated.isdisjoint(_addresses(samples, touch, reader))
        for touch in run.seen(GlobalLog).touches
        if touch.memory is flag.memory and touch.order < read.order and touch.node.span in waited
    )


def _addresses(samples: Samples, touch: LoggedAccess, lane: int) -> set[int]:
    """Those that the lane's block accesses."""
    mine = touch.mask & (samples.sample == samples.sample[lane])
    return set(np.broadcast_to(np.asarray(touch.addresses), mine.shape)[mine].tolist())


def _how(
    unit: Unit, function: Function, run: Run, waited: set[Span], flag: LoggedAccess, read: LoggedAccess
) -> str | None:
    """The sign by which the reader knows that the data is there."""
    for touch in run.seen(GlobalLog).touches:
        if touch.memory is flag.memory and touch.order < read.order and touch.node.span in waited:
            return "wait"
    return "last" if _depends(unit, function, flag.node, read.node) else None


# --- what a result decides ---


def _depends(unit: Unit, function: Function, cause: e.Expression, read: e.Expression) -> bool:
    """Whether a condition on the result of a call decides that the read is made."""
    functions = [f for f in reachable(unit, function) if f.body is not None]
    tainted, returning = _tainted(functions, cause)
    for current in functions:
        for body in _decided(current, cause, tainted, returning):
            if _holds(unit, body, read, set()):
                return True
    return False


def _tainted(functions: list[Function], cause: e.Expression) -> tuple[set[int], set[str]]:
    """The variables that the result of a call comes to, and the functions that return it."""
    tainted: set[int] = set()
    returning: set[str] = set()
    size = -1
    while size != len(tainted) + len(returning):
        size = len(tainted) + len(returning)
        for function in functions:
            assert function.body is not None
            for node in find(function.body, e.Assign, s.Declare, s.Return):
                match node:
                    case e.Assign(target=target, value=value) if _carries(value, cause, tainted, returning):
                        root = root_of(target)
                        if root is not None:
                            tainted.add(root.id)
                    case s.Declare(variable=variable, initial=initial) if initial is not None:
                        if _carries(initial, cause, tainted, returning):
                            tainted.add(variable.id)
                    case s.Return(value=value) if value is not None:
                        if _carries(value, cause, tainted, returning):
                            returning.add(function.key)
    return tainted, returning


def _carries(node: Node, cause: e.Expression, tainted: set[int], returning: set[str]) -> bool:
    """Whether an expression holds the result of the call."""
    return any(
        part is cause
        or (isinstance(part, e.VariableReference) and part.variable.id in tainted)
        or (isinstance(part, e.Call) and part.key in returning)
        for part in walk(node)
    )


def _decided(
    function: Function, cause: e.Expression, tainted: set[int], returning: set[str]
) -> Iterator[Node]:
    """What runs only as a condition on the result says: the arms of an `if`, and what follows one that leaves
    the function.
    """
    for node in find(function.body, s.If, s.Block):
        match node:
            case s.If(condition=condition) if _carries(condition, cause, tainted, returning):
                yield node.then
                if node.otherwise is not None:
                    yield node.otherwise
            case s.Block(body=body):
                for at, part in enumerate(body):
                    if not isinstance(part, s.If) or not _leaves(part.then):
                        continue
                    if _carries(part.condition, cause, tainted, returning):
                        yield from body[at + 1 :]


def _leaves(node: s.Statement) -> bool:
    last = node.body[-1] if isinstance(node, s.Block) and node.body else node
    return isinstance(last, s.Return)


def _holds(unit: Unit, body: Node, read: e.Expression, seen: set[str]) -> bool:
    """Whether the read is made in a part of the program, or in what that calls."""
    for node in walk(body):
        if node is read:
            return True
        if isinstance(node, e.Call) and node.key is not None and node.key not in seen:
            seen.add(node.key)
            called = unit.functions.get(node.key)
            if called is not None and called.body is not None and _holds(unit, called.body, read, seen):
                return True
    return False


FACT = Fact(of=(UnfencedPublish,), conclude=_conclude, watch=(GlobalLog,))
