"""Loops over what a division leaves: they go on where a number rounded down to a multiple ends."""

from collections.abc import Iterator
from math import inf

from cudalint.analyses.definitions import Definitions, equal
from cudalint.analyses.trip_counts import first_of, step_of, uncast, variable_of
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find, walk


def remainder_trips(loop: s.Loop, own: Definitions) -> float:
    """The most iterations of `for (i = n / 4 * 4 + k; i < n; i += step)`, or of a loop that takes up what
    `for (...; i + 3 < n; ...)` before it left; infinity of any other. Without a minus, what is added to the
    start is taken for no less than zero, as indices of threads are.
    """
    condition, step = loop.condition, step_of(loop.step)
    if not isinstance(condition, e.Binary) or condition.operator not in ("<", "!="):
        return inf
    variable = variable_of(condition.left)
    if variable is None or step is None or step[0] != variable or step[1] != "+":
        return inf
    left = _left(loop, variable, condition.right, own)
    return inf if left is None else -(-left // _least(step[2], own))


def _left(loop: s.Loop, variable: e.Variable, bound: e.Expression, own: Definitions) -> int | None:
    """The most that is left up to the bound."""
    first = first_of(loop)
    if first is None:
        return _left_by_loop_before(loop, variable, bound, own)
    if first[0] != variable:
        return None
    terms = list(_operands("+", first[1], own))
    if any(not _is_sum_of_indices(term) and _multiple(term, bound, own) is None for term in terms):
        return None
    multiples = [by for term in terms if (by := _multiple(term, bound, own)) is not None]
    return multiples[0] - 1 if len(multiples) == 1 else None


def _left_by_loop_before(
    loop: s.Loop, variable: e.Variable, bound: e.Expression, own: Definitions
) -> int | None:
    """What the loop right before it leaves, which ends where fewer than a whole step is left."""
    for block in find(own.function.body, s.Block):
        for before, after in zip(block.body, block.body[1:], strict=False):
            if after is loop and isinstance(before, s.Loop) and isinstance(before.condition, e.Binary):
                return _margin(before.condition, variable, bound, own)
    return None


def _margin(condition: e.Binary, variable: e.Variable, bound: e.Expression, own: Definitions) -> int | None:
    """3 for `i + 3 < bound`, `i < bound - 3` and `i + 4 <= bound`."""
    if condition.operator not in ("<", "<="):
        return None
    left, right, ahead = uncast(condition.left), uncast(condition.right), 0
    match left:
        case e.Binary(operator="+", left=inner, right=more):
            left, ahead = uncast(inner), own.constant(more) or 0
    match right:
        case e.Binary(operator="-", left=inner, right=less):
            right, ahead = uncast(inner), ahead + (own.constant(less) or 0)
    if variable_of(left) != variable or not _same(right, bound, own) or ahead < 1:
        return None
    return ahead - (condition.operator == "<=")


def _operands(operator: str, node: e.Expression, own: Definitions) -> Iterator[e.Expression]:
    """What a sum adds up or a product multiplies, behind variables that stand for one expression."""
    found = own.resolve(node)
    if isinstance(found, e.Binary) and found.operator == operator:
        yield from _operands(operator, found.left, own)
        yield from _operands(operator, found.right, own)
    else:
        yield found


def _is_sum_of_indices(term: e.Expression) -> bool:
    """Whether nothing is taken away in it."""
    return not any(
        (isinstance(part, e.Binary | e.Unary) and part.operator == "-")
        or (isinstance(part, e.Literal) and isinstance(part.value, int | float) and part.value < 0)
        for part in walk(term)
    )


def _multiple(term: e.Expression, bound: e.Expression, own: Definitions) -> int | None:
    """4 where the term is the bound rounded down to a multiple of 4."""
    match own.resolve(term):
        case e.Binary(operator="*", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                by = own.constant(other)
                if by is not None and by > 0 and by == _divisor(one, bound, own):
                    return by
        case e.Binary(operator="<<", left=left, right=right):
            by = own.constant(right)
            if by is not None and 1 << by == _divisor(left, bound, own):
                return 1 << by
        case e.Binary(operator="-", left=left, right=right) if _same(left, bound, own):
            return _rest(right, bound, own)
        case e.Binary(operator="&", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if _same(one, bound, own):
                    return _mask(other, own)
    return None


def _divisor(node: e.Expression, bound: e.Expression, own: Definitions) -> int | None:
    """4 of `bound / 4` and of `bound >> 2`."""
    match own.resolve(node):
        case e.Binary(operator="/" | ">>" as operator, left=left, right=right) if _same(left, bound, own):
            by = own.constant(right)
            return by if by is None or operator == "/" else 1 << by
    return None


def _rest(node: e.Expression, bound: e.Expression, own: Definitions) -> int | None:
    """4 of `bound % 4` and of `bound & 3`."""
    match own.resolve(node):
        case e.Binary(operator="%" | "&" as operator, left=left, right=right) if _same(left, bound, own):
            by = own.constant(right)
            return by if by is None or operator == "%" else by + 1
    return None


def _mask(node: e.Expression, own: Definitions) -> int | None:
    """4 of `~3` and of `-4`."""
    match own.resolve(node):
        case e.Unary(operator="~", operand=operand):
            held = own.constant(operand)
            return None if held is None or held < 0 else held + 1
    held = own.constant(node)
    return -held if held is not None and held < 0 else None


def _same(one: e.Expression, other: e.Expression, own: Definitions) -> bool:
    return equal(one, other) or equal(own.resolve(one), own.resolve(other))


def _least(step: e.Expression, own: Definitions) -> int:
    """The least that an iteration adds: a warp's worth where it is the size of the block or the grid."""
    held = own.constant(step)
    if held is not None:
        return max(1, held)
    return WARP if any(_is_width(factor) for factor in _operands("*", step, own)) else 1


def _is_width(node: e.Expression) -> bool:
    return isinstance(node, e.Builtin) and node.name == "blockDim" and node.axis == "x"
