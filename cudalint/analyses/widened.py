"""Floats that became double on the way: what the rules about double arithmetic share."""

import struct

from cudalint.analyses.device_code import Body
from cudalint.cuda.maths import floating, pure, whole
from cudalint.ir.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expression,
    Literal,
    Unary,
)
from cudalint.ir.statements import Declare, Return
from cudalint.ir.types import Scalar
from cudalint.ir.walk import Node

ARITHMETIC = frozenset(("+", "-", "*", "/"))
COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_FLOAT_MAXIMUM = 3.4028234663852886e38


def widened_float(node: Expression) -> bool:
    """Whether the node is double only because a float, or arithmetic of floats, was converted."""
    match node:
        case Cast(operand=operand, implicit=True) if floating(node.type, 8):
            return floating(operand.type, 4)
        case Unary(operator="-" | "+", operand=operand):
            return widened_float(operand)
        case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            if not floating(node.type, 8):
                return False
            sides = (left, right)
            return any(map(widened_float, sides)) and all(
                widened_float(side) or constant(side) for side in sides
            )
        case _:
            return False


def constant(node: Expression) -> bool:
    """Double literals and integers, and arithmetic of them: nothing in it asks for a double."""
    match node:
        case Literal(value=float()):
            return floating(node.type, 8)
        case Cast(operand=operand, implicit=True) if floating(node.type, 8):
            return whole(operand.type)
        case Unary(operator="-" | "+", operand=operand):
            return constant(operand)
        case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            return constant(left) and constant(right)
        case _:
            return False


def plain(node: Expression) -> bool:
    """Whether nothing in the operand asks for a double."""
    return widened_float(node) or constant(node)


def unforced(node: Expression) -> bool:
    """Likewise, but for math functions that run in double on floats and integers, as the one may that is
    looked at: `pow(x, n) - pow(x, m)`.
    """
    match node:
        case Call(arguments=arguments) if pure(node) and floating(node.type, 8):
            return all(floating(one.type, 4) or whole(one.type) or unforced(one) for one in arguments)
        case Unary(operator="-" | "+", operand=operand):
            return unforced(operand)
        case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
            return unforced(left) and unforced(right)
        case _:
            return plain(node)


def end(node: Node, body: Body) -> str:
    """What becomes of the value: 'float', 'decision' (comparison, integer), '' when it stays double."""
    if isinstance(node, Assign):
        return "float"
    if isinstance(node, Binary) and node.operator in COMPARISONS:
        return "decision"
    parent = body.parent(node)
    match parent:
        case Cast(type=Scalar(kind="signed" | "unsigned" | "bool")):
            return "decision"
        case Cast(type=type):
            return "float" if floating(type, 4) else ""
        case Binary():
            # Floats and literals all the way up: the whole chain is float arithmetic.
            other = parent.right if parent.left is node else parent.left
            return end(parent, body) if unforced(other) else ""
        case Unary() | Conditional():
            return end(parent, body)
        case Call(arguments=arguments) if floating(parent.type, 8):
            return end(parent, body) if all(map(unforced, arguments)) else ""
        case Assign(target=target):
            return "float" if floating(target.type, 4) else ""
        case Declare(variable=variable):
            return "float" if floating(variable.type, 4) else ""
        case Return():
            return "float" if floating(body.function.returns, 4) else ""
        case _:
            return ""


def rounded(node: Node, body: Body) -> bool:
    """Whether a float takes the value as it is, with no more double arithmetic on it than a sign."""
    parent = body.parent(node)
    match parent:
        case Cast(type=type):
            return floating(type, 4)
        case Unary(operator="-" | "+"):
            return rounded(parent, body)
        case _:  # a compound assignment is one more operation in double
            return False


def narrowed(node: Binary | Assign, body: Body) -> bool:
    """Whether the compiler keeps the operation in float: it is one, of floats and of numbers that a float
    holds, and its result is rounded, or compared, at once.

    A double has more than twice the digits of a float, so that to round the result twice is to round it once.
    """
    if isinstance(node, Assign):
        return _narrow(node.value, body)
    if not (_narrow(node.left, body) and _narrow(node.right, body)):
        return False
    return node.operator in COMPARISONS or rounded(node, body)


def _narrow(node: Expression, body: Body) -> bool:
    """A float that was converted, or a number that a float holds."""
    if isinstance(node, Cast) and floating(node.operand.type, 4):
        return True
    held = body.constant(node)
    return held is not None and same_as_float(held)


def same_as_float(value: float) -> bool:
    """Whether a float holds the number exactly."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False


def suffixable(literal: Literal) -> bool:
    """Whether `f` may be appended: a floating token without a suffix, outside macros, in range of float."""
    spelling, value = literal.spelling, literal.value
    if literal.in_macro or spelling is None or spelling[-1:].lower() in ("f", "l", ""):
        return False
    return isinstance(value, int | float) and abs(value) <= _FLOAT_MAXIMUM
