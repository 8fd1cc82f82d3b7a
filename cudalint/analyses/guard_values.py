"""What the conditions round an access want of the kernel's integer parameters: small numbers where they are
the rather met the smaller a parameter is, as `offset <= threadIdx.x`; the very number that one is compared
with. And whether they read shared memory, which may hold what lets threads through.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.source.span import Span

SMALL = (2, 3)  # so small that a block holds it often, and loops go round
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "=="}

Numbers = dict[int, tuple[int, ...]]  # for parameters, by identity
Guard = tuple[e.Expression, bool]  # a condition, and whether it is to hold


class Wanted(Struct, frozen=True):
    """What leads to accesses. shared: the conditions read shared memory."""

    numbers: Numbers
    shared: bool


def wanted(unit: Unit, function: Function, accesses: frozenset[Span]) -> Wanted:
    """The numbers that conditions round one of the accesses want."""
    if function.body is None or not accesses:
        return Wanted({}, False)
    own = definitions(unit, function)
    numbers: Numbers = {}
    shared = False
    for condition, holds in _guards(function.body, accesses):
        shared |= any(_is_shared(part) for part in walk(condition))
        for comparison in _comparisons(condition, holds, own):
            numbers |= dict.fromkeys(_smaller(comparison, own), SMALL)
            numbers |= _equal(comparison, own)
    return Wanted(numbers, shared)


def _is_shared(node: Node) -> bool:
    return isinstance(node, e.VariableReference) and node.variable.storage == "shared"


def _guards(node: Node, accesses: frozenset[Span]) -> Iterator[Guard]:
    """The conditions that lead to one of the accesses."""
    for part in find(node, s.If, s.Loop):
        match part:
            case s.If(condition=condition, then=then, otherwise=otherwise):
                if _holds(then, accesses):
                    yield condition, True
                elif _leaves(then) or (otherwise is not None and _holds(otherwise, accesses)):
                    yield condition, False
            case s.Loop(condition=condition, body=body) if condition is not None and _holds(body, accesses):
                yield condition, True


def _holds(node: Node, accesses: frozenset[Span]) -> bool:
    return any(part.span in accesses for part in walk(node))


def _leaves(node: Node) -> bool:
    return bool(find(node, s.Return))


def _comparisons(node: e.Expression, holds: bool, own: Definitions) -> Iterator[e.Binary]:
    """The comparisons that a condition is made of, each as it is to hold."""
    match own.resolve(node):
        case e.Cast(operand=operand):
            yield from _comparisons(operand, holds, own)
        case e.Unary(operator="!", operand=operand):
            yield from _comparisons(operand, not holds, own)
        case e.Binary(operator="&&" | "||", left=left, right=right):
            yield from _comparisons(left, holds, own)
            yield from _comparisons(right, holds, own)
        case e.Binary(operator=operator) as found if operator in _OPPOSITE:
            told = operator if holds else _OPPOSITE[operator]
            yield e.Binary(told, found.left, found.right, found.type, found.span)


def _equal(comparison: e.Binary, own: Definitions) -> Numbers:
    """The parameter that is to be one number."""
    left, right = own.resolve(comparison.left), own.resolve(comparison.right)
    match (left, right) if isinstance(right, e.Literal) else (right, left):
        case e.VariableReference(variable=variable), e.Literal(value=int(number)):
            if comparison.operator == "==" and _is_parameter(variable):
                return {variable.id: (number,)}
    return {}


def _smaller(comparison: e.Binary, own: Definitions) -> Iterator[int]:
    """The parameters that a comparison between sizes wants small."""
    sides = {"<": (-1, 1), "<=": (-1, 1), ">": (1, -1), ">=": (1, -1)}.get(comparison.operator)
    for sign, side in zip(sides or (), (comparison.left, comparison.right), strict=False):
        for parameter, direction in _directions(side, sign, own, frozenset()):
            if direction < 0:
                yield parameter


def _directions(
    node: e.Expression, sign: int, own: Definitions, seen: frozenset[int]
) -> Iterator[tuple[int, int]]:
    """(a parameter, whether the expression grows with it or falls)."""
    match node:
        case e.VariableReference(variable=variable) if _is_parameter(variable):
            yield variable.id, sign
        case e.VariableReference(variable=variable) if variable.id not in seen:
            for value in own.values.get(variable.id, ()):
                yield from _directions(value, sign, own, seen | {variable.id})
        case e.Cast(operand=operand) | e.Unary(operator="+", operand=operand):
            yield from _directions(operand, sign, own, seen)
        case e.Unary(operator="-", operand=operand):
            yield from _directions(operand, -sign, own, seen)
        case e.Binary(operator="+" | "*" | "-" | "/" as operator, left=left, right=right):
            yield from _directions(left, sign, own, seen)
            yield from _directions(right, sign if operator in "+*" else -sign, own, seen)
        case e.Conditional(then=then, otherwise=otherwise):
            yield from _directions(then, sign, own, seen)
            yield from _directions(otherwise, sign, own, seen)


def _is_parameter(variable: e.Variable) -> bool:
    kind = variable.type
    return (
        variable.storage == "parameter" and isinstance(kind, Scalar) and kind.kind in ("signed", "unsigned")
    )
