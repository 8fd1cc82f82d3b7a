"""Calls: device functions run inline; what the model knows by name (intrinsics.py); everything else is
unknown and says so (unseen.py).
"""

from collections.abc import Callable
from typing import Any, cast

from cudalint.analyses.rejoining import gives_no_place
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Reference
from cudalint.ir.unit import Function
from cudalint.simt.interpret.dispatch import evaluate, execute, place
from cudalint.simt.interpret.function_values import resolved
from cudalint.simt.interpret.library.intrinsics import by_name
from cudalint.simt.interpret.loads_and_stores import read_place, write_place
from cudalint.simt.interpret.lvalues import pointed, temporary
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import fresh
from cudalint.simt.interpret.unseen import from_parts, unseen
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Value, unknown
from cudalint.simt.values.state import MAX_DEPTH, Frame, Place, Result


def call(m: Machine, node: e.Call) -> Result:
    """The result of a call for the active lanes, with its effects."""
    m.state.step()
    node = resolved(m, node)
    function = m.unit.defined(node.key)
    if function is None:
        known = by_name(m, node)
        return known if known is not None else unseen(m, node)
    result = inline(m, node, function)
    if isinstance(function.returns, Reference) and isinstance(result, Value):
        return read_place(m, pointed(m, result), node.type, node)
    return result


def call_place(m: Machine, node: e.Call) -> Place:
    """Where the result of a call lives: what a returned reference names, else a temporary."""
    node = resolved(m, node)
    function = m.unit.defined(node.key)
    if function is None or not isinstance(function.returns, Reference):
        return temporary(m, node)
    result = inline(m, node, function)
    return pointed(m, result) if isinstance(result, Value) else temporary(m, node)


# --- calls into the program ---


def inline(m: Machine, node: e.Call | e.Construct, function: Function, made: Place | None = None) -> Result:
    """Run a device function's body in the caller's mask; a returned reference is an address.

    made: the object under construction.
    """
    state = m.state
    if len(state.frames) >= MAX_DEPTH or sum(f.function.key == function.key for f in state.frames) > 3:
        state.note("recursion deeper than the model follows")
        return unknown("recursion deeper than the model follows")
    bindings = _bind(m, node, function, made)
    saved = {
        v.id: (state.variables.get(v.id), state.bound.get(v.id))
        for v in (*function.parameters, *_this(function))
    }
    _enter(m, bindings)
    frame = Frame(function, state.none(), state.none(), node.span, opening_line(function))
    state.frames.append(frame)
    mask, doubt, any_doubt, left = state.mask, state.doubt, state.any_doubt, len(state.exits)
    tested = state.tested
    try:
        if function.body is not None:
            execute(m, function.body)
    finally:
        state.frames.pop()
        del state.exits[left:]
        state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
        if gives_no_place(m.unit, function):
            state.tested = tested
        for number_, (memory, bound) in saved.items():
            _restore(state.variables, number_, memory)
            _restore(state.bound, number_, bound)
    return frame.value if frame.value is not None else UNKNOWN


def opening_line(function: Function) -> int:
    """The line of the first statement that becomes instructions; 0 when there is none."""
    body: s.Statement | None = function.body
    while isinstance(body, s.Block):
        body = next((part for part in body.body if not _silent(part)), None)
    return body.span.line if body is not None else 0


def _silent(node: s.Statement) -> bool:
    """Whether the statement only brings a variable to life, with a literal at most."""
    return isinstance(node, s.Declare) and (node.initial is None or isinstance(node.initial, e.Literal))


def _restore(table: dict[int, Any], key: int, old: Any) -> None:
    if old is None:
        table.pop(key, None)
    else:
        table[key] = old


def _this(function: Function) -> tuple[e.Variable, ...]:
    return (function.this,) if function.this is not None else ()


Binding = tuple[e.Variable, Result | None, Place | None]


def _bind(m: Machine, node: e.Call | e.Construct, function: Function, made: Place | None) -> list[Binding]:
    """Arguments evaluated in the caller, by parameter."""
    bound: list[Binding] = []
    if function.this is not None:
        if made is None and isinstance(node, e.Call) and node.receiver is not None:
            made = place(m, node.receiver)
        bound.append((function.this, _address(made) if made is not None else unknown("object unknown"), None))
    for parameter, argument in zip(function.parameters, node.arguments, strict=False):
        if isinstance(parameter.type, Reference):
            bound.append((parameter, None, place(m, argument)))
            m.state.written[parameter.id] = argument
        else:
            value = evaluate(m, argument)
            if isinstance(value, Value):
                value = lanes.convert(value, parameter.type)
            bound.append((parameter, value, None))
    return bound


def _address(where: Place) -> Value:
    if where.memory is not None:
        return Value(where.memory.base + where.offset)
    return cast(Value, where.address)


def _enter(m: Machine, bindings: list[Binding]) -> None:
    for variable, value, where in bindings:
        if where is not None:
            m.state.bound[variable.id] = where
            continue
        m.state.bound.pop(variable.id, None)
        memory = fresh(m, variable)
        if value is not None:
            mask, m.state.mask = m.state.mask, m.state.samples.everyone
            write_place(m, Place(memory, 0), value, variable.type, None)  # type: ignore[arg-type]
            m.state.mask = mask


def construct(m: Machine, node: e.Construct) -> Result:
    """An object made by its constructor; without a body, by its fields when the arguments match them."""
    m.state.step()
    function = m.unit.defined(node.key)
    if function is not None:
        memory = m.state.create("object", "local", node.type.bytes)
        where = Place(memory, 0)
        inline(m, node, function, where)
        return read_place(m, where, node.type, node)
    values = [evaluate(m, a) for a in node.arguments]
    return from_parts(m, node.type, values)


EXPRESSIONS: dict[type, Callable[[Machine, Any], Result]] = {e.Call: call, e.Construct: construct}
