"""Grids that are a quotient: `n / 256` leaves a rest of n out, `(n + 255) / 256` covers it, and so does one
more block where a rest is left (`n / 256 + (n % 256 != 0)`).
"""

from typing import Literal

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, equal, same
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find, walk

_CEILINGS = ("ceil", "ceilf")


class Quotient(Struct, frozen=True):
    """An extent of a grid (axis 0, 1 or 2) that is `count` divided by the block's extent, rounded down or up.

    per: that extent, as a number where it is known; division: as it is written; lossy_ceil: as the ceiling of
    a quotient of integers, which is rounded down before; one_less: `(count - 1)` is divided, and nothing
    added; asks: what the host asks for the rest with, to round it up, by identity.
    """

    axis: int
    direction: Literal["down", "up"]
    count: e.Expression
    division: e.Binary
    per: int | None
    lossy_ceil: bool = False
    one_less: bool = False
    asks: frozenset[int] = frozenset()


class _Raised(Struct, frozen=True):
    """A quotient, and one more where a rest is left. asks: as of a `Quotient`."""

    division: e.Binary
    asks: frozenset[int] = frozenset()


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
    raised = None if lossy else _one_less_and_one(node, known) or _raised(node, known)
    if raised is not None:
        return _up(axis, raised, known)
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


def _up(axis: int, raised: _Raised, known: Definitions) -> Quotient:
    division = raised.division
    plus, _ = _terms(known.resolve(division.left))
    count = plus[0] if not raised.asks else division.left
    per = known.constant(division.right)
    return Quotient(axis, "up", known.resolve(count), division, per, asks=raised.asks)


def _one_less_and_one(node: e.Expression, known: Definitions) -> _Raised | None:
    """`(n - 1) / b + 1`."""
    for division, other in _sums(node, known):
        plus, minus = _terms(known.resolve(division.left))
        if len(plus) == len(minus) == 1 and known.constant(minus[0]) == 1 and known.constant(other) == 1:
            return _Raised(division)
    return None


def _raised(node: e.Expression, known: Definitions) -> _Raised | None:
    """`n / b + (n % b != 0)`, `n % b ? n / b + 1 : n / b`, or a variable that counts up for a rest."""
    match node:
        case e.Binary():
            for division, other in _sums(node, known):
                asked = _added(known.resolve(other), division, known)
                if asked is not None:
                    return _Raised(division, _nodes(asked))
        case e.Conditional(condition=condition, then=then, otherwise=otherwise):
            for more, less, rest in ((then, otherwise, True), (otherwise, then, False)):
                for division, other in _sums(known.resolve(more), known):
                    one_more = known.constant(other) == 1 and _is_same(known.resolve(less), division, known)
                    if one_more and _left(condition, division, known) is rest:
                        return _Raised(division, _nodes(condition))
        case e.VariableReference(variable=variable):
            return _counted_up(variable, known)
    return None


def _sums(node: e.Expression, known: Definitions) -> list[tuple[e.Binary, e.Expression]]:
    """A sum as a quotient and the other term."""
    while isinstance(node, e.Cast):
        node = node.operand
    if not isinstance(node, e.Binary) or node.operator != "+":
        return []
    found = []
    for one, other in ((node.left, node.right), (node.right, node.left)):
        division = known.resolve(one)
        if isinstance(division, e.Binary) and _is_division(division):
            found.append((division, other))
    return found


def _added(node: e.Expression, division: e.Binary, known: Definitions) -> e.Expression | None:
    """What asks for the rest, where a term is 1 if there is one and else 0."""
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.Conditional):
        numbers = known.constant(node.then), known.constant(node.otherwise)
        left = _left(node.condition, division, known)
        return node.condition if (left, numbers) in ((True, (1, 0)), (False, (0, 1))) else None
    asks = isinstance(node, e.Binary) and node.operator != "%" and _left(node, division, known)
    return node if asks else None


def _left(node: e.Expression, division: e.Binary, known: Definitions) -> bool | None:
    """Whether a condition says that the division leaves a rest, or that it leaves none; None: neither."""
    match node:
        case e.Cast(operand=operand):
            return _left(operand, division, known)
        case e.Unary(operator="!", operand=operand):
            found = _left(operand, division, known)
            return None if found is None else not found
        case e.Binary(operator="%", left=left, right=right):
            pairs = ((left, division.left), (right, division.right))
            return True if all(_is_same(known.resolve(a), b, known) for a, b in pairs) else None
        case e.Binary(operator="!=" | "==" | ">" as operator, left=left, right=right):
            if known.constant(right) != 0 or not _left(left, division, known):
                return None
            return operator != "=="
    return None


def _is_same(node: e.Expression, other: e.Expression, known: Definitions) -> bool:
    return equal(node, other) or equal(node, known.resolve(other))


def _counted_up(variable: e.Variable, known: Definitions) -> _Raised | None:
    """A variable that is set to a quotient once, and gets one more in a branch that is for a rest alone."""
    values, body = known.values.get(variable.id, []), known.function.body
    division = known.resolve(values[0]) if len(values) == 1 else None
    if not isinstance(division, e.Binary) or not _is_division(division) or body is None:
        return None
    changes = [node for node in find(body, e.Assign, e.AddressOf) if _is_of(node, variable)]
    more = [node for node in changes if not _sets(node)]
    if len(more) != 1 or not isinstance(more[0], e.Assign) or more[0].operator != "+":
        return None
    change = more[0]
    for branch in find(body, s.If):
        left = _left(branch.condition, division, known)
        then = branch.then if left else branch.otherwise
        if left is not None and _only(then) is change and known.constant(change.value) == 1:
            return _Raised(division, _nodes(branch.condition) | {id(branch)})
    return None


def _is_of(node: e.Expression, variable: e.Variable) -> bool:
    place = node.target if isinstance(node, e.Assign) else node
    return any(part.variable == variable for part in find(place, e.VariableReference))


def _sets(node: e.Expression) -> bool:
    return isinstance(node, e.Assign) and node.operator is None


def _only(node: s.Statement | None) -> e.Expression | None:
    """The expression that a statement is, by itself or alone in a block."""
    while isinstance(node, s.Block) and len(node.body) == 1:
        node = node.body[0]
    return node.expression if isinstance(node, s.Evaluate) else None


def _nodes(node: e.Expression) -> frozenset[int]:
    return frozenset(id(part) for part in walk(node))


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
