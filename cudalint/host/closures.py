"""Closures: what they have captured by the time that they are called."""

import contextlib
from collections.abc import Iterator

from cudalint.host.machine import Machine
from cudalint.host.values import Address, Callee, Value, is_structure
from cudalint.ir import expressions as e
from cudalint.ir import types as t


def make(m: Machine, node: e.Lambda) -> Callee:
    """The closure, with what the names of others stand for now, and copies of pointers and handles."""
    if node.key in m.reach.cuda and not m.discovering and not m.unreached:
        m.closures.setdefault(node.key, m.state.copy())
    captured = ((variable.id, _captured(m, variable, mode)) for variable, mode in node.captures)
    return Callee(node.key, "lambda", tuple((key, value) for key, value in captured if value is not None))


def _captured(m: Machine, variable: e.Variable, mode: str) -> Value | None:
    """What a variable refers to, or the pointer or handle in it; None where it is looked up when needed."""
    if isinstance(variable.type, t.Reference):
        return m.state.bindings.get(variable.id)
    if mode == "reference" or not isinstance(variable.type, t.Pointer):
        return None
    held = m.state.load(Address(m.variable(variable), 0), variable.type.bytes, False)
    return held if is_structure(held) else None


@contextlib.contextmanager
def entered(m: Machine, closure: Callee) -> Iterator[None]:
    """Its variables are what they were as it was made; afterwards they are the caller's again."""
    names, cells = {}, {}
    for key, value in closure.captured:
        variable = m.unit.variables.get(key)
        if variable is None or isinstance(variable.type, t.Reference):
            names[key] = m.state.bindings.get(key)
            m.state.bindings[key] = value
        else:
            place = Address(m.variable(variable), 0)
            cells[place] = m.state.objects.get(place.object)
            m.state.store(place, value, variable.type.bytes)
    yield
    for key, binding in names.items():
        m.state.bindings.pop(key, None)
        if binding is not None:
            m.state.bindings[key] = binding
    for place, contents in cells.items():
        if contents is not None:
            m.state.objects[place.object] = contents
