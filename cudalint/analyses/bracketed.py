"""Numbers that a condition holds between two others, as `before < k && k <= before + own`."""

from collections.abc import Iterator

from cudalint.analyses.definitions import Definitions, equal
from cudalint.ir import expressions as e


def bracketed(
    condition: e.Expression, own: Definitions
) -> Iterator[tuple[e.Expression, e.Expression, e.Expression]]:
    """(the number below, the number, the number above) of each pair of comparisons that both have to hold."""
    found = list(_comparisons(condition, own))
    for below, number in found:
        for same, above in found:
            if equal(number, same):
                yield below, number, above


def _comparisons(node: e.Expression, own: Definitions) -> Iterator[tuple[e.Expression, e.Expression]]:
    """The smaller and the larger side of the comparisons that all have to hold."""
    match own.resolve(node):
        case e.Cast(operand=operand):
            yield from _comparisons(operand, own)
        case e.Binary(operator="&&", left=left, right=right):
            yield from _comparisons(left, own)
            yield from _comparisons(right, own)
        case e.Binary(operator="<" | "<=", left=left, right=right):
            yield left, right
        case e.Binary(operator=">" | ">=", left=left, right=right):
            yield right, left
