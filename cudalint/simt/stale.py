"""Loads through the read-only path of what the same kernel writes: its cache does not see the writes."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
from msgspec.structs import replace

from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function
from cudalint.simt.facts import ReadOnlyPath, StaleRead
from cudalint.simt.lanes import Bools
from cudalint.simt.memory import Memory
from cudalint.simt.merge import Run
from cudalint.simt.static import root_of
from cudalint.simt.traffic import Meeting, Touch, meet, thread_of, valuations_of
from cudalint.simt.worlds import Worlds


def stale_reads(
    function: Function, runs: list[Run], launches: tuple[LaunchFact, ...]
) -> tuple[StaleRead, ...]:
    """One fact for each such load that comes, or may come, after a write of the same bytes."""
    found: dict[object, StaleRead] = {}
    for run in runs:
        touches = run.machine.traffic.touches
        writes = [t for t in touches if t.operation != "load" and not t.chance]
        reads = [(t, path) for t in touches if (path := _path(t, function)) is not None] if writes else []
        same = set(_same(function, launches, run)) if reads else set()
        for read, path in reads:
            for write in writes:
                if read.memory is not write.memory:
                    if (read.memory.name, write.memory.name) not in same:
                        continue
                    write = _moved(write, read.memory)
                stale = _stale(run, function, read, path, write)
                old = found.get(read.node.span)
                if stale is not None and (old is None or (stale.certain and not old.certain)):
                    found[read.node.span] = stale
    return tuple(found.values())


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


def _moved(touch: Touch, memory: Memory) -> Touch:
    """The access as one to another object, as far from its start."""
    return replace(touch, memory=memory, addresses=touch.addresses - touch.memory.base + memory.base)


def _path(touch: Touch, function: Function) -> ReadOnlyPath | None:
    """What sends a load down the read-only path."""
    if touch.operation != "load" or touch.chance or touch.volatile:
        return None
    if isinstance(touch.node, e.Call):
        return "__ldg" if touch.node.name == "__ldg" else None
    variable = root_of(touch.node)
    if variable is None or variable not in function.parameters or not isinstance(variable.type, Pointer):
        return None
    return "const __restrict__" if variable.type.const and variable.type.restrict else None


def _stale(run: Run, function: Function, read: Touch, path: ReadOnlyPath, write: Touch) -> StaleRead | None:
    worlds = run.machine.state.worlds
    met = meet(worlds, read, write)
    late = _late(worlds, read, write, met)
    if not late.any():
        return None
    at = int(late.argmax())
    reader, writer = int(met.first[at]), int(met.second[at])
    shown = _marked(worlds, met.first[late])
    both = valuations_of(worlds, read.sure) & valuations_of(worlds, write.sure)
    element = read.memory.element or read.width
    return StaleRead(
        span=read.node.span,
        expression=render(read.node),
        path=path,
        write=write.node.span,
        written=render(write.node),
        reader=thread_of(worlds, reader),
        writer=thread_of(worlds, writer),
        index=f"{read.memory.name}[{int(met.byte[at]) // element}]",
        kernel=function.name,
        certain=bool((valuations_of(worlds, shown) | ~both).all()),
        configuration=run.plan.configuration,
    )


def _late(worlds: Worlds, read: Touch, write: Touch, met: Meeting) -> Bools:
    """The pairs in which nothing makes the read end before the write begins."""
    reader, writer = met.first, met.second
    here, there = worlds.world[reader], worlds.world[writer]
    before = read.order < write.order
    apart = read.grid[here] != write.grid[there]
    block = (here == there) & (read.interval[here] != write.interval[there])
    ordered = (reader == writer) | block | apart
    return np.asarray(~(ordered & before))


def _marked(worlds: Worlds, lanes: np.ndarray) -> Bools:
    marked = np.zeros(worlds.lanes, dtype=bool)
    marked[lanes] = True
    return marked
