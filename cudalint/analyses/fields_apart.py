"""A loop in which the fields of a thread's own objects are variables where it gives them values: of a local
`walk`, `walk.at = next[walk.at]` says no more than `at = next[at]` does.
"""

from typing import Any

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Array, Pointer, Record
from cudalint.ir.walk import Node, find, rebuilt

_Field = tuple[int, ...]  # the variable's id, and the offsets of the members on the way


def fields_apart(loop: s.Loop) -> s.Loop:
    """The loop, itself where it changes no field."""
    variables: dict[_Field, e.Variable] = {}
    for node in find(loop, e.Assign):
        if isinstance(node.target, e.Member):
            field = _field(node.target)
            if field is not None and field not in variables:
                variables[field] = _variable(node.target, field, -1 - len(variables))
    found: s.Loop = _apart(loop, variables) if variables else loop
    return found


def _field(node: e.Expression) -> _Field | None:
    """The field of a local object or a parameter that an lvalue is; None for a whole record or array."""
    if isinstance(node.type, Array | Record):
        return None
    offsets: list[int] = []
    while isinstance(node, e.Member):
        offsets.append(node.offset)
        node = node.base
    if not isinstance(node, e.VariableReference) or node.variable.storage not in ("local", "parameter"):
        return None
    return (node.variable.id, *reversed(offsets)) if offsets else None


def _variable(member: e.Member, field: _Field, number: int) -> e.Variable:
    """One that stands for the field. That a member is `__restrict__` promises nothing to the compiler."""
    kind = replace(member.type, restrict=False) if isinstance(member.type, Pointer) else member.type
    return e.Variable(number, render(member), kind, "local", member.span)


def _apart(node: Node, variables: dict[_Field, e.Variable]) -> Any:
    if isinstance(node, e.Member):
        field = _field(node)
        if field is not None and field in variables:
            return e.VariableReference(variables[field], node.type, node.span)
    return rebuilt(node, lambda part: _apart(part, variables))
