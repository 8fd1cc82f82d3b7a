"""Which functions of device code have arrays of their own."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Field, Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, walk


def with_arrays(unit: Unit) -> frozenset[str]:
    """Keys of the functions of device code that have an array, or call a function that has."""
    having = {key for key, f in unit.functions.items() if (f.kernel or f.device) and _declares(f, unit)}
    if not having:
        return frozenset()
    callers: dict[str, set[str]] = {}
    for key, function in unit.functions.items():
        if (function.kernel or function.device) and function.body is not None:
            for node in walk(function.body):
                if isinstance(node, e.Call) and node.key is not None:
                    callers.setdefault(node.key, set()).add(key)
    waiting = list(having)
    while waiting:
        for caller in callers.get(waiting.pop(), set()) - having:
            having.add(caller)
            waiting.append(caller)
    return frozenset(having)


def _declares(function: Function, unit: Unit) -> bool:
    """Whether the function has an array of its own, or an object with one in it."""
    waiting: list[Node] = [function.body] if function.body is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, s.Declare):
            if is_array(node.variable) or array_fields(node.variable, unit):
                return True
        elif isinstance(node, s.Block | s.If | s.Loop | s.Switch):
            waiting.extend(child for child in children(node) if isinstance(child, _STATEMENTS))
    return False


_STATEMENTS = (s.Block, s.Declare, s.If, s.Loop, s.Switch)


def is_array(variable: e.Variable) -> bool:
    return variable.storage == "local" and isinstance(variable.type, Array) and variable.type.bytes > 0


def array_fields(variable: e.Variable, unit: Unit) -> tuple[Field, ...]:
    """All fields of a thread's own object, if one of them is an array."""
    layout = unit.records.get(variable.type.name) if isinstance(variable.type, Record) else None
    if layout is None or layout.union or variable.storage != "local":
        return ()
    owns = any(isinstance(each.type, Array) and each.type.bytes > 0 for each in layout.fields)
    return layout.fields if owns else ()
