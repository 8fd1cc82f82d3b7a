"""Grids that are a quotient: `n / 256` leaves a rest of n out, `(n + 255) / 256` covers it."""

from typing import Literal

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, same
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_CEILINGS = ("ceil", "ceilf")


class Quotient(Struct, frozen=True):
    """An extent of a grid (axis 0, 1 or 2) that is `count` divided by the block's extent, rounded down or up.

    per: that extent, as a number where it is known; division: as it is written; lossy_ceil: as the ceiling of
    a quotient of integers, which is rounded down before; one_less: `(count - 1)` is divided, and nothing
    added.
    """

    axis: int
    direction: Literal["down", "up"]
    count: e.Expression
    division: e.Binary
    per: int | None
    lossy_ceil: bool = False
    one_less: bool = False


def quotients(launch: LaunchFact, known: Definitions) -> list[Quotient]:
    """The quotients of a launch's grid, where the divisor is the block's extent on the same axis."""
    found = []
    grid, block = known.axes(launch.expression.grid), known.axes(launch.expression.block)
    for axis, extent in enumerate(grid):
        written = _quotient(axis, extent, known) if extent is not None else None
        if written is not None and _is_extent(written, launch, block[axis], known):
            found.append(written)
    return found


def _is_extent(
    quotient: Quotient, launch: LaunchFact, extent: e.Expression | None, known: Definitions
) -> bool:
    """Whether the divisor is the number of threads on the axis."""
    if quotient.per is not None and launch.block[quotient.axis] is not None:
        return quotient.per == launch.block[quotient.axis] and quotient.per > 1
    return extent is not None and same(known.resolve(quotient.division.right), known.resolve(extent))


def _quotient(axis: int, extent: e.Expression, known: Definitions) -> Quotient | None:
    node = known.resolve(extent)
    lossy = False
    while isinstance(node, e.Cast):
        node = known.resolve(node.operand)
    if isinstance(node, e.Call) and node.name in _CEILINGS and len(node.arguments) == 1:
        node, lossy = node.arguments[0], True
        while isinstance(node, e.Cast):
            node = known.resolve(node.operand)
    if not _is_division(node):
        return None
    assert isinstance(node, e.Binary)
    per = known.constant(node.right)
    count = known.resolve(node.left)
    plus, minus = _terms(count)
    if len(plus) == 1 and not minus:
        return Quotient(axis, "down", count, node, per, lossy)
    whole = _rounded_up(plus, minus, node.right, per, known)
    if whole is None and len(plus) == len(minus) == 1 and known.constant(minus[0]) == 1 and not lossy:
        return Quotient(axis, "down", known.resolve(plus[0]), node, per, one_less=True)
    return Quotient(axis, "up", whole, node, per) if whole is not None and not lossy else None


def _is_division(node: e.Expression) -> bool:
    return (
        isinstance(node, e.Binary)
        and node.operator == "/"
        and isinstance(node.type, t.Scalar)
        and node.type.kind in ("signed", "unsigned")
    )


def _rounded_up(
    plus: list[e.Expression],
    minus: list[e.Expression],
    divisor: e.Expression,
    per: int | None,
    known: Definitions,
) -> e.Expression | None:
    """n of `n + divisor - 1`, in any order of the three."""
    numbers = [known.constant(term) for term in plus]
    rest = sum(number for number in numbers if number is not None)
    rest -= sum(known.constant(term) or 0 for term in minus)
    open_terms = [term for term, number in zip(plus, numbers, strict=True) if number is None]
    if per is not None:
        return known.resolve(open_terms[0]) if len(open_terms) == 1 and rest == per - 1 else None
    others = [term for term in open_terms if not same(known.resolve(term), known.resolve(divisor))]
    return known.resolve(others[0]) if len(others) == 1 == len(open_terms) - 1 and rest == -1 else None


def _terms(node: e.Expression) -> tuple[list[e.Expression], list[e.Expression]]:
    """What is added and what is subtracted."""
    match node:
        case e.Cast(operand=operand, implicit=True):
            return _terms(operand)
        case e.Binary(operator="+" | "-" as operator, left=left, right=right):
            plus, minus = _terms(left)
            more, less = _terms(right)
            return (plus + more, minus + less) if operator == "+" else (plus + less, minus + more)
    return [node], []
