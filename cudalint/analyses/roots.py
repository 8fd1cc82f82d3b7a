"""Divisions by a square root or a length, whose reciprocal the device library has as one function."""

from msgspec import Struct

from cudalint.analyses.device_code import Body
from cudalint.analyses.widened import COMPARISONS, rounded, same_as_float
from cudalint.cuda.maths import base, floating, pure
from cudalint.ir.expressions import Assign, Binary, Call, Cast, Expression, Literal, VariableReference
from cudalint.ir.statements import Return
from cudalint.ir.types import Type
from cudalint.ir.walk import Node
from cudalint.source.span import Span

# By the function without its `f`: what computes its reciprocal.
RECIPROCALS = {"sqrt": "rsqrt", "hypot": "rhypot", "norm3d": "rnorm3d", "norm4d": "rnorm4d"}

_DEPTH = 3  # functions in each other that return a root


class Root(Struct, frozen=True):
    """A division by a square root, or the root of a reciprocal (inside). call: what gives the root here: the
    function of the library, or one of the project that returns what that gives; root: that of the library.
    type: what it is done in. one: the numerator is 1, and the whole is the root's reciprocal.
    """

    node: Binary | Assign | Call
    call: Call
    root: Call
    type: Type
    one: bool
    inside: Expression | None = None

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def helper(self) -> str:
        """The function of the project that returns the root; '' where it is called at the place."""
        return "" if self.call is self.root else self.call.name


_Found = tuple[Call, Call]  # the call here, and that of the library


def reciprocal_root(node: Expression, body: Body) -> Root | None:
    """The expression as a division by a root, done in float or in double."""
    match node:
        case Binary(operator="/", left=left, right=right) if floating(node.type):
            return _quotient(node, left, right, body)
        case Assign(operator="/", target=target, value=value) if floating(target.type):
            found = _given(value, body)
            return Root(node, *found, target.type, False) if found and found[0].type == target.type else None
        case Call(arguments=(Binary(operator="/", left=left, right=right),)) if _of_library(node) == "sqrt":
            if body.constant(left) == 1 and body.constant(right) is None:
                return Root(node, node, node, node.type, True, right)
    return None


def _quotient(node: Binary, left: Expression, right: Expression, body: Body) -> Root | None:
    found, above = _given(right, body), body.constant(left)
    if found is None:
        return None
    call = found[0]
    if call.type == node.type:
        return Root(node, *found, node.type, above == 1)
    # A double literal over a float root: the compiler divides in float where the result is rounded at once.
    if isinstance(left, Literal) and above is not None and same_as_float(above) and rounded(node, body):
        return Root(node, *found, call.type, above == 1)
    return None


def _given(node: Expression, body: Body) -> _Found | None:
    """The root that the expression is, or that a variable holds which is only divided by."""
    if isinstance(node, Cast) and node.implicit:
        node = node.operand
    found = _root(node, body)
    if found or not isinstance(node, VariableReference) or node.variable.id not in body.once:
        return found
    uses = [use for use in body.of(VariableReference) if use.variable.id == node.variable.id]
    return _root(body.once[node.variable.id], body) if all(only_divides(use, body) for use in uses) else None


def _root(node: Expression, body: Body, depth: int = _DEPTH) -> _Found | None:
    """A call that gives a root of something that is not constant."""
    if isinstance(node, Cast) and node.implicit:
        node = node.operand
    if not isinstance(node, Call):
        return None
    if _of_library(node):
        return node, node
    helper = body.callees.get(node.key or "")
    results = helper.of(Return) if helper is not None and depth else []
    if helper is None or len(results) != 1 or results[0].value is None:
        return None
    value = results[0].value
    if isinstance(value, VariableReference):
        value = helper.once.get(value.variable.id, value)
    found = _root(value, helper, depth - 1)
    return (node, found[1]) if found is not None and found[0].type == node.type else None


def only_divides(use: Expression, body: Body) -> bool:
    """Whether the root is the divisor there, or compared to a constant, which its square may be as well."""
    below: Node = use
    for above in body.ancestors(use):
        match above:
            case Cast():
                below = above
            case Binary(operator="/", right=right):
                return right is below
            case Assign(operator="/", value=value):
                return value is below
            case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                return body.constant(right if left is below else left) is not None
            case _:
                return False
    return False


def _of_library(node: Call) -> str:
    """The library's function that takes the root, without its `f`; else ''."""
    name = base(node.name)
    return name if pure(node) and name in RECIPROCALS else ""
