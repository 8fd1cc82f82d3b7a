"""Divisions by a square root, which the hardware has as one operation."""

from msgspec import Struct

from cudalint.analyses.device_code import Body
from cudalint.analyses.widened import rounded, same_as_float
from cudalint.cuda.maths import base, floating, pure
from cudalint.ir.expressions import Assign, Binary, Call, Cast, Expression, Literal, VariableReference
from cudalint.ir.types import Type
from cudalint.source.span import Span


class Root(Struct, frozen=True):
    """A division by a square root, or the root of a reciprocal (inside). type: what it is done in. one: the
    numerator is 1, and the whole is the root's reciprocal.
    """

    node: Binary | Assign | Call
    call: Call
    type: Type
    one: bool
    inside: Expression | None = None

    @property
    def span(self) -> Span:
        return self.node.span


def reciprocal_root(node: Expression, body: Body) -> Root | None:
    """The expression as a division by a square root, done in float or in double."""
    match node:
        case Binary(operator="/", left=left, right=right) if floating(node.type):
            return _quotient(node, left, right, body)
        case Assign(operator="/", target=target, value=value) if floating(target.type):
            call = _root(value)
            return (
                Root(node, call, call.type, False) if call is not None and call.type == target.type else None
            )
        case Call(arguments=(Binary(operator="/", left=left, right=right),)) if pure(node) and _is_root(node):
            if body.constant(left) == 1 and body.constant(right) is None:
                return Root(node, node, node.type, True, right)
    return None


def _quotient(node: Binary, left: Expression, right: Expression, body: Body) -> Root | None:
    call, above = _root(right) or _held(right, body), body.constant(left)
    if call is None:
        return None
    if call.type == node.type:
        return Root(node, call, node.type, above == 1)
    # A double literal over a float root: the compiler divides in float where the result is rounded at once.
    if isinstance(left, Literal) and above is not None and same_as_float(above) and rounded(node, body):
        return Root(node, call, call.type, above == 1)
    return None


def _root(node: Expression) -> Call | None:
    """The call of a square root of something that is not constant."""
    if isinstance(node, Cast) and node.implicit:
        node = node.operand
    return node if isinstance(node, Call) and pure(node) and _is_root(node) else None


def _held(node: Expression, body: Body) -> Call | None:
    """The root that a variable holds which is only divided by."""
    if isinstance(node, Cast) and node.implicit:
        node = node.operand
    if not isinstance(node, VariableReference) or node.variable.id not in body.once:
        return None
    uses = [use for use in body.of(VariableReference) if use.variable.id == node.variable.id]
    if not all(_is_divisor(use, body) for use in uses):
        return None
    return _root(body.once[node.variable.id])


def _is_divisor(use: VariableReference, body: Body) -> bool:
    above = body.parent(use)
    return isinstance(above, Binary) and above.operator == "/" and above.right is use


def _is_root(call: Call) -> bool:
    return base(call.name) == "sqrt" and len(call.arguments) == 1
