"""Which pointers in a struct a function uses that it is passed: itself, and the functions it hands it to."""

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_DEEPEST = 4  # calls that a struct is followed through


def pointer_members(unit: Unit, function: Function, index: int, depth: int = 0) -> frozenset[int]:
    """Byte offsets of the members of pointer type that the body names, of a parameter by its position."""
    if function.body is None or index >= len(function.parameters) or depth > _DEEPEST:
        return frozenset()
    parameter = function.parameters[index]
    found: set[int] = set()
    for node in walk(function.body):
        if isinstance(node, e.Member) and isinstance(node.type, t.Pointer):
            root, offset = _root(node)
            if root == parameter.id:
                found.add(offset)
        if isinstance(node, e.Call):
            found |= _through(unit, node, parameter.id, depth)
    return frozenset(found)


def _root(node: e.Expression) -> tuple[int | None, int]:
    """The variable that a chain of members starts from, and how far it goes into it."""
    offset = 0
    while True:
        match node:
            case e.Member(base=base, offset=step):
                node, offset = base, offset + step
            case e.Cast(operand=inner) | e.Dereference(pointer=e.AddressOf(operand=inner)):
                node = inner
            case e.VariableReference(variable=variable):
                return variable.id, offset
            case _:
                return None, offset


def _through(unit: Unit, node: e.Call, parameter: int, depth: int) -> set[int]:
    """What a function that is handed the struct, or a part of it, uses of it."""
    called = unit.functions.get(node.key or "")
    found: set[int] = set()
    if called is None:
        return found
    for index, argument in enumerate(node.arguments):
        root, offset = _root(argument)
        if root == parameter and isinstance(argument.type, t.Record):
            found |= {offset + inner for inner in pointer_members(unit, called, index, depth + 1)}
    return found
