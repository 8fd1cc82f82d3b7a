"""Brace lists that a function is handed as a std::initializer_list: where the elements are, and how many."""

from cudalint.host.machine import Machine
from cudalint.host.values import NOTHING, Aggregate, Value
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function

_LIST = "std::initializer_list<"


def handed(
    m: Machine, function: Function, arguments: tuple[e.Expression, ...], values: tuple[Value, ...]
) -> tuple[Value, ...]:
    """The values of a call's arguments as the parameters take them."""
    if not any(isinstance(argument, e.InitList) for argument in arguments):
        return values
    found = list(values)
    for at, (parameter, argument) in enumerate(zip(function.parameters, arguments, strict=False)):
        if (
            isinstance(argument, e.InitList)
            and isinstance(argument.type, t.Array)
            and _is_list(parameter.type)
        ):
            elements = m.allocate(argument, "pageable", argument.type.bytes or None, "temporary")
            m.state.store(elements, found[at], argument.type.bytes)
            found[at] = Aggregate(((0, elements), (8, len(argument.elements))), NOTHING)
    return tuple(found)


def _is_list(type_: t.Type) -> bool:
    target = type_.target if isinstance(type_, t.Reference) else type_
    return isinstance(target, t.Record) and target.name.startswith(_LIST)
