"""Code that constants keep from running, and arithmetic that the compiler does."""

from cudalint.analyses.device_code import Body
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, find


def dead(node: Node, body: Body) -> bool:
    """Whether the node stands in the arm of an `if` that a constant condition never takes."""
    below = node
    for above in body.ancestors(node):
        if isinstance(above, s.If) and below is not above.condition:
            held = body.constant(above.condition)
            if held is not None and (below is above.then) != bool(held):
                return True
        below = above
    return False


def folded(node: e.Binary | e.Assign, body: Body) -> bool:
    """Whether everything the operation takes is a number that the function sets once, before any branch."""
    if isinstance(node, e.Assign):
        return False
    return all(settled(side, body) for side in (node.left, node.right))


def settled(node: e.Expression, body: Body) -> bool:
    """Whether the compiler may know the number, from constants that the function sets before any branch."""
    match node:
        case e.Cast(operand=operand) | e.Unary(operator="-" | "+", operand=operand):
            return settled(operand, body)
        case e.Binary(left=left, right=right):
            return settled(left, body) and settled(right, body)
        case e.VariableReference():
            return body.constant(node) is not None or _set_once(node, body)
        case _:
            return body.constant(node) is not None


def _set_once(node: e.VariableReference, body: Body) -> bool:
    """Whether a local without a start is set once, to a constant, ahead of the place and outside branches."""
    variable = node.variable
    if not any(at.variable.id == variable.id and at.initial is None for at in body.of(s.Declare)):
        return False
    sets: list[e.Assign] = []
    for assign in body.of(e.Assign):
        if any(n.variable.id == variable.id for n in find(assign.target, e.VariableReference)):
            sets.append(assign)
    if any(n.variable.id == variable.id for at in body.of(e.AddressOf) for n in _names(at)) or len(sets) != 1:
        return False
    place = sets[0]
    if place.operator or any(isinstance(at, s.If | s.Loop | s.Switch) for at in body.ancestors(place)):
        return False
    before = (place.span.line, place.span.column) < (node.span.line, node.span.column)
    return before and body.constant(place.value) is not None


def _names(node: Node) -> tuple[e.VariableReference, ...]:
    return find(node, e.VariableReference)
