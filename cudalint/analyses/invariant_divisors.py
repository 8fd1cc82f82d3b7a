"""Divisions by a value that all threads of a launch have alike, or by a constant: its reciprocal, computed
once, makes them multiplications.
"""

from math import frexp

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.launch_constants import kernels_of
from cudalint.analyses.launch_invariants import Source, sources
from cudalint.cuda.maths import floating
from cudalint.ir.expressions import Binary, Cast, Expression, Literal


def invariant_divisors(body: Body, code: DeviceCode) -> list[Binary]:
    """The divisions of a function in double precision whose divisor depends on arguments of the launch alone,
    in every kernel that comes to them.
    """
    divisions = [
        node
        for node in body.of(Binary)
        if node.operator == "/" and floating(node.type, 8) and not body.is_constant(node.right)
    ]
    kernels = kernels_of(code.unit, body.function) if divisions else ()
    known = [sources(code.unit, kernel) for kernel in kernels]
    alike = (node for node in divisions if all(one.of(node.right) is Source.ARGUMENT for one in known))
    return list(alike) if known else []


def constant_divisors(body: Body) -> list[Binary]:
    """The divisions by a number that the compiler knows, of values that it does not know. A power of two is
    left out: its reciprocal is exact, and the compiler multiplies by it. So are floats that the constant
    makes double: the constant is what is wrong there.
    """
    return [
        node
        for node in body.of(Binary)
        if node.operator == "/"
        and floating(node.type)
        and node.type.bytes in (4, 8)
        and not body.is_constant(node.left)
        if _is_inexact(body.constant(node.right)) and not _is_widened(node.left)
    ]


def _is_inexact(number: float | None) -> bool:
    """Whether it has a reciprocal that binary numbers round."""
    return number is not None and number != 0 and abs(frexp(number)[0]) != 0.5


def _is_widened(node: Expression) -> bool:
    """Whether it is a float taken as a double, or computed from such alone and numbers."""
    match node:
        case Cast(operand=operand, type=type):
            return floating(type, 8) and floating(operand.type, 4)
        case Binary(left=left, right=right):
            sides = [side for side in (left, right) if not isinstance(side, Literal)]
            return bool(sides) and all(_is_widened(side) for side in sides)
    return False
