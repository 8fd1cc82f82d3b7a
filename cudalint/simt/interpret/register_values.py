"""Numbers that are in registers: what it takes no load to know."""

from cudalint.ir import expressions as e
from cudalint.ir.types import Reference
from cudalint.ir.walk import Node, walk
from cudalint.simt.interpret.dispatch import number, place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.values.lanes import Value


def register_value(m: Machine, node: e.Expression) -> Value | None:
    """The number of an expression; None where a member, or what a reference stands for, is in memory that
    threads share.
    """
    return number(m, node) if all(_is_private(m, part) for part in walk(node)) else None


def hangs_on_objects(node: e.Expression) -> bool:
    """Whether functions that do not name them may change numbers in the expression."""
    return any(_of_object(part) is not None for part in walk(node))


def _of_object(part: Node) -> e.Expression | None:
    """The part, where it is a member or a reference."""
    match part:
        case e.Member() | e.VariableReference(variable=e.Variable(type=Reference())):
            return part
    return None


def _is_private(m: Machine, part: Node) -> bool:
    held = _of_object(part)
    if held is None:
        return True
    where = place(m, held)
    if where.memory is not None:
        return True
    if where.address is None or where.address.known is not True:
        return False
    objects = objects_of(m, where.address)
    return len(objects) == 1 and objects[0].space == "local"
