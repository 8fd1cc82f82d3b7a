"""With what data two threads race: the elements that both take their place from, or the condition that holds
for both.
"""

import numpy as np
from msgspec import Struct

from cudalint.analyses.data_order import behind, element_of
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import accessed, reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.conflicts import Conflict
from cudalint.simt.threads.logged import Event
from cudalint.simt.threads.race_log import RaceLog
from cudalint.simt.values.lanes import DATA


class _Source(Struct, frozen=True):
    """The element that a place was taken from; whole: it is the place."""

    text: str
    whole: bool


def witness(run: Run, found: Conflict) -> str:
    """The data, as a condition; '' where none has a part in it."""
    (a, first), (b, second) = found.first, found.second
    if not a.by_data | b.by_data:
        return ""
    one, other = source_of(run, a, first), source_of(run, b, second)
    if one is not None and other is not None:
        return f"both take the place from `{one.text}`" if one == other else f"`{one.text} == {other.text}`"
    index = found.byte // (found.memory.element or 4)
    for source in (one, other):
        if source is not None:
            return f"`{source.text}` is {index}" if source.whole else f"`{source.text}` leads there"
    under = next((event.under for event in (b, a) if event.under is not None), None)
    return f"`{render(under)}` holds for both" if under is not None else "the data leads both threads there"


def source_of(run: Run, event: Event, lane: int) -> _Source | None:
    """Where the thread loaded what moves its place."""
    if not event.free & DATA:
        return None
    loads = run.seen(RaceLog).loads or {}
    start, own = place_index(event), own_definitions(run, event)
    if own is None:
        return None
    for part in behind(start, own):
        events = [load for load in loads.get(id(part), ()) if load.order < event.order and load.mask[lane]]
        if events:
            offset = int(events[-1].offsets(np.array([lane]))[0])
            text = _named(events[-1].node, offset, events[-1].memory.name)
            return _Source(text, own.resolve(start) is part)
    return None


def place_index(event: Event) -> e.Expression:
    """What moves the place of an access."""
    pointed = accessed(event.node)
    place = element_of(pointed.operand if isinstance(pointed, e.AddressOf) else pointed)
    return place.index if place is not None else pointed


def own_definitions(run: Run, event: Event) -> Definitions | None:
    """Of the function that the access stands in."""
    function = run.machine.state.frames[0].function
    return _by_node(run.machine.unit, function).get(id(event.node))


@once
def _by_node(unit: Unit, function: Function) -> dict[int, Definitions]:
    """The definitions of the function that each expression stands in, of a kernel and what it calls."""
    found: dict[int, Definitions] = {}
    for current in reachable(unit, function):
        if current.body is not None:
            found |= dict.fromkeys(map(id, walk(current.body)), definitions(unit, current))
    return found


def passed(run: Run, parameter: e.Variable) -> tuple[e.Expression, Definitions] | None:
    """What the only call of a function passes for a parameter, and the definitions of who calls."""
    return _passed(run.machine.unit, run.machine.state.frames[0].function).get(parameter.id)


@once
def _passed(unit: Unit, kernel: Function) -> dict[int, tuple[e.Expression, Definitions]]:
    """The same by the numbers of the parameters of all that a kernel calls."""
    calls: dict[str, list[tuple[e.Call, Definitions]]] = {}
    for current in reachable(unit, kernel):
        for node in find(current.body, e.Call):
            if node.key in unit.functions:
                calls.setdefault(node.key, []).append((node, definitions(unit, current)))
    return {
        parameter.id: (argument, own)
        for key, places in calls.items()
        for call, own in places[:1]
        if len(places) == 1
        for parameter, argument in zip(unit.functions[key].parameters, call.arguments, strict=False)
    }


def _named(node: e.Expression, offset: int, array: str) -> str:
    """An element with its number."""
    match node:
        case e.Index(base=e.VariableReference() as base, type=kind) if kind.bytes:
            return f"{render(base)}[{offset // kind.bytes}]"
        case e.Member(base=base, name=name, offset=at):
            return f"{_named(base, offset - at, array)}.{name}"
    return f"{array}[{offset // (node.type.bytes or 1)}]"
