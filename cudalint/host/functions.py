"""User functions run inline: parameters bound, the body executed, the returns merged."""

from cudalint.host.machine import Frame, LoopFrame, Machine
from cudalint.host.memory import EMPTY, LOST
from cudalint.host.statements import execute
from cudalint.host.stored import write
from cudalint.host.values import UNKNOWN, Address, Aggregate, Value, candidates, convert
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.source.span import Span


def run_function(
    m: Machine,
    function: Function,
    values: tuple[Value, ...],
    places: tuple[Value, ...],
    this: Value | None,
    site: Span,
) -> Value:
    """The value of a call. Missing values (an entry point's parameters) are unknown."""
    if not m.discovering:
        m.visited.add(function.key)
    for index, variable in enumerate(function.parameters):
        value = values[index] if index < len(values) else UNKNOWN
        place = places[index] if index < len(places) else UNKNOWN
        enter(m, variable, value, place)
    if function.this is not None:
        enter(m, function.this, this if this is not None else UNKNOWN, UNKNOWN)
    frame = Frame(function, site, this)
    loops: list[LoopFrame] = []
    m.frames.append(frame)
    loops, m.loops = m.loops, loops
    try:
        if function.body is not None:
            execute(m, function.body)
    finally:
        m.frames.pop()
        m.loops = loops
    if frame.returned is not None:
        m.state = m.merge(m.state, frame.returned)
    return frame.value if frame.value is not None else UNKNOWN


def enter(m: Machine, variable: e.Variable, value: Value, place: Value) -> None:
    """A parameter comes to life: a reference is bound, anything else holds a copy."""
    m.state.bindings.pop(variable.id, None)
    if isinstance(variable.type, t.Reference):
        if not candidates(place):
            target = variable.type.target
            number = m.variable(variable)
            m.state.objects[number] = LOST if isinstance(target, t.Record) else EMPTY
            place = Address(number, 0)
            write(m, place, convert(value, target), target)
        m.state.bindings[variable.id] = place
        return
    number = m.variable(variable)
    m.state.objects[number] = EMPTY
    if isinstance(variable.type, t.Record) and not isinstance(value, Aggregate):
        value = Aggregate((), UNKNOWN)
    write(m, Address(number, 0), convert(value, variable.type), variable.type)
