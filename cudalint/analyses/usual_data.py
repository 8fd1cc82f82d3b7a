"""Conditions on loaded data that hold for nearly all of it, or for whole rows of threads alike: a divisor
that is not zero, a number that is one, a place inside of a range, a pointer that is aligned, no error.
"""

from collections.abc import Iterator

from cudalint.cuda.maths import floating
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.walk import Node, children

_NUMBER_TESTS = frozenset("isnan isinf isfinite __isnan __isnanf __isinf __isinff __finite __finitef".split())
_OF_ERRORS = frozenset("printf vprintf __trap __assert_fail __assertfail assert abort".split())
_UPWARD, _DOWNWARD = ("<", "<="), (">", ">=")


def usual(condition: e.Expression) -> bool:
    """Whether the condition is such a test, or joins several of one kind."""
    if all(map(_is_aligned, _leaves(condition, ("&&", "||")))):
        return True
    if all(map(_is_not_zero, _leaves(condition, ("&&", "||")))):
        return True
    if all(map(_is_number_test, _leaves(condition, ("&&", "||")))):
        return True
    return _in_range(list(_leaves(condition, ("&&",))))


def tells_of_an_error(way: Node | None) -> bool:
    """Whether a way through a kernel prints or ends it, whatever is tested further on it: no data that is
    right goes there.
    """
    if way is None or isinstance(way, s.If | s.Loop | s.Switch | e.Conditional):
        return False
    if isinstance(way, e.Call) and way.name in _OF_ERRORS:
        return True
    return any(tells_of_an_error(part) for part in children(way))


def _leaves(node: e.Expression, operators: tuple[str, ...]) -> Iterator[e.Expression]:
    match node:
        case e.Binary(operator=operator, left=left, right=right) if operator in operators:
            yield from _leaves(left, operators)
            yield from _leaves(right, operators)
        case e.Cast(operand=operand) if isinstance(operand, e.Binary):
            yield from _leaves(operand, operators)
        case _:
            yield node


def _is_aligned(node: e.Expression) -> bool:
    """`(uintptr_t)p % 16 == 0`, and the like with `&` and without the comparison."""
    match node:
        case e.Unary(operator="!", operand=operand) | e.Cast(operand=operand):
            return _is_aligned(operand)
        case e.Binary(operator="==" | "!=", left=left, right=right):
            return _is_zero(right) and _is_aligned(left)
        case e.Binary(operator="%" | "&", left=left):
            return _is_address(left)
        case _:
            return False


def _is_address(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
        if isinstance(node.type, Pointer):
            return True
    return False


def _is_not_zero(node: e.Expression) -> bool:
    """`x != 0` of a float: where nothing may be divided by it."""
    match node:
        case e.Binary(operator="!=", left=left, right=right):
            return _is_zero(right) and any(floating(left.type, size) for size in (4, 8))
        case _:
            return False


def _is_number_test(node: e.Expression) -> bool:
    """Whether a float is a number at all: `isnan(x)`, `!isfinite(x)`, `x != x`."""
    match node:
        case e.Unary(operator="!", operand=operand) | e.Cast(operand=operand):
            return _is_number_test(operand)
        case e.Binary(operator="==" | "!=", left=left, right=right) if _is_zero(right):
            return _is_number_test(left)
        case e.Binary(operator="==" | "!=", left=left, right=right):
            return any(floating(left.type, size) for size in (4, 8)) and render(left) == render(right)
        case e.Call(name=name):
            return name.removeprefix("__builtin_") in _NUMBER_TESTS
    return False


def _is_zero(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Literal) and node.value == 0


def _in_range(leaves: list[e.Expression]) -> bool:
    """Whether all are comparisons, and each number is held against something below and something above."""
    above: set[str] = set()
    below: set[str] = set()
    for leaf in leaves:
        match leaf:
            case e.Binary(operator=operator, left=left, right=right) if operator in (*_UPWARD, *_DOWNWARD):
                smaller, larger = (left, right) if operator in _UPWARD else (right, left)
                below.add(render(smaller))
                above.add(render(larger))
            case _:
                return False
    return len(below & above) * 2 == len(leaves) > 0
