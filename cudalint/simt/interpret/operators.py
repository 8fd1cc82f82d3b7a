"""Unary and binary operators on lane vectors."""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from cudalint.analyses.recomposed import indices_put_together
from cudalint.ir import expressions as e
from cudalint.ir.types import VOID, Pointer, Scalar, Type
from cudalint.simt.interpret import margins
from cudalint.simt.interpret.conditions import logical
from cudalint.simt.interpret.dispatch import evaluate, number
from cudalint.simt.interpret.lvalues import offset_pointer
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.threads.watchers import ArithmeticEvent
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Data, Value
from cudalint.simt.values.samples import free_value
from cudalint.simt.values.state import Result

_DIVISOR = 211  # tells numbers to divide by from those of other things
_ORDER = ("<", "<=", ">", ">=")


def _unary(m: Machine, node: e.Unary) -> Result:
    value = number(m, node.operand)
    match node.operator:
        case "-":
            return lanes.negate(value, node.type)
        case "~":
            return lanes.invert(value, node.type)
        case "!":
            return lanes.logical_not(value)
        case _:
            return value


def _binary(m: Machine, node: e.Binary) -> Result:
    operator = node.operator
    if operator in ("&&", "||"):
        return logical(m, node)
    if operator == ",":
        evaluate(m, node.left)
        return evaluate(m, node.right)
    left, right = number(m, node.left), number(m, node.right)
    if operator in ("<<", ">>") and right.free:
        right = lanes.shift_amount(right, node.type)
    if operator in ("/", "%") and right.free & lanes.CHOSEN and isinstance(node.type, Scalar):
        right = lanes.divisor(right, free_value(m.state.samples, _DIVISOR, node.type))
    if operator in ("+", "-"):
        left_pointer = isinstance(node.left.type, Pointer)
        right_pointer = isinstance(node.right.type, Pointer)
        if left_pointer or right_pointer:
            return _pointer_arithmetic(operator, node, left, right, left_pointer, right_pointer)
    elif operator == "/" and isinstance(node.type, Scalar) and node.type.kind == "float":
        record_slow_path(m, node, node.right, left, right)
    if operator in _ORDER and left.free | right.free:
        margins.note(m.margins, node, left, right)
        if not (_explicit(node.left) or _explicit(node.right)):
            left, right = lanes.compared(left, node.left.type), lanes.compared(right, node.right.type)
    result = lanes.binary(operator, left, right, node.type)
    if operator == "+" and result.known is not True:
        result = _put_together(m, node, result)
    if id(node) in m.indexing:
        note_arithmetic(m, node, operator, left, right)
    return result


def _put_together(m: Machine, node: e.Binary, result: Value) -> Value:
    """A number that is not known but as one that was taken apart: `i / w * w + i % w` is `i`."""
    whole = indices_put_together(m.unit, m.state.frame.function).get(id(node))
    return result if whole is None else number(m, whole)


def note_arithmetic(m: Machine, node: e.Expression, operator: str, left: Value, right: Value) -> None:
    """Tell watchers the exact result, where all numbers that it stands on are known."""
    if left.free | right.free:
        return
    known = lanes.both_known(left.known, right.known)
    whole = Scalar("long", "signed", 8)
    exact = lanes.binary(operator, replace(left, known=True), replace(right, known=True), whole).data
    note_result(m, node, exact, known)


def note_result(m: Machine, node: e.Expression, exact: Data, known: bool | Bools) -> None:
    """The same for a result that is known already."""
    if known is False or isinstance(exact, float) or np.asarray(exact).dtype.kind == "f":
        return
    state = m.state
    mask = state.mask if known is True else state.mask & known
    doubt = state.doubt if state.any_doubt else None
    number = exact if isinstance(exact, np.ndarray) else int(exact)
    m.events.arithmetic(ArithmeticEvent(node, number, mask, doubt, state.tested))


def _explicit(node: e.Expression) -> bool:
    """Whether the source asks for the type, as where `(unsigned)x < (unsigned)n` asks for both bounds."""
    return isinstance(node, e.Cast) and not node.implicit


def record_slow_path(
    m: Machine, node: e.Expression, divisor: e.Expression, left: Value, right: Value
) -> None:
    """The branch of a division round operands that are very large or small. A power of two multiplies
    instead.
    """
    if left.known is True and right.known is True:
        return
    if isinstance(divisor, e.Literal) and abs(math.frexp(cast(float, divisor.value or 0))[0]) == 0.5:
        return
    unsure = m.state.mask & ~np.asarray(lanes.both_known(left.known, right.known))
    m.recorder.branch(node, m.state.attributed_to(node.span), node, "slow path", False, unsure, m.state.mask)


def element_size(type: Type) -> int:
    """Bytes that adding one moves a pointer; 0 where that is not known. `void` counts as one byte (GNU)."""
    if isinstance(type, Pointer):
        return 1 if type.pointee == VOID else type.pointee.bytes
    return 1


def _pointer_arithmetic(
    operator: str, node: e.Binary, left: Value, right: Value, left_pointer: bool, right_pointer: bool
) -> Value:
    if left_pointer and right_pointer:
        gap = lanes.binary("-", left, right, node.type)
        return lanes.binary("/", gap, Value(element_size(node.left.type)), node.type)
    if right_pointer:
        return offset_pointer(right, left, element_size(node.right.type))
    if operator == "-":
        right = lanes.negate(right, Scalar("long", "signed", 8))
    return offset_pointer(left, right, element_size(node.left.type))


EXPRESSIONS: dict[type, Callable[[Machine, Any], Result]] = {e.Unary: _unary, e.Binary: _binary}
