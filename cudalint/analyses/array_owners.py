"""Which functions of device code have arrays of their own."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Field, Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find


def with_arrays(unit: Unit) -> frozenset[str]:
    """Keys of the functions of device code that have an array, or call a function that has."""
    having = {key for key, f in unit.functions.items() if (f.kernel or f.device) and _declares(f, unit)}
    if not having:
        return frozenset()
    callers: dict[str, set[str]] = {}
    for key, function in unit.functions.items():
        if (function.kernel or function.device) and function.body is not None:
            for node in find(function.body, e.Call):
                if node.key is not None:
                    callers.setdefault(node.key, set()).add(key)
    waiting = list(having)
    while waiting:
        for caller in callers.get(waiting.pop(), set()) - having:
            having.add(caller)
            waiting.append(caller)
    return frozenset(having)


def _declares(function: Function, unit: Unit) -> bool:
    """Whether the function has an array of its own, or an object with one in it."""
    variables = (node.variable for node in find(function.body, s.Declare))
    return any(is_array(variable) or bool(array_fields(variable, unit)) for variable in variables)


def is_array(variable: e.Variable) -> bool:
    """Whether a variable is an array of the thread's own: a static one is the program's."""
    own = variable.storage == "local" and not variable.static
    return own and isinstance(variable.type, Array) and variable.type.bytes > 0


def array_fields(variable: e.Variable, unit: Unit) -> tuple[Field, ...]:
    """All fields of a thread's own object, if one of them is an array."""
    layout = unit.records.get(variable.type.name) if isinstance(variable.type, Record) else None
    if layout is None or layout.union or variable.storage != "local":
        return ()
    owns = any(isinstance(each.type, Array) and each.type.bytes > 0 for each in layout.fields)
    return layout.fields if owns else ()
