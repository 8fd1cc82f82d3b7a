"""Conditions that pick a case among many: `x == y` holds for few elements, threads or iterations, or nobody
knows for how many.
"""

from collections.abc import Iterator

from cudalint.ir import expressions as e


def equalities(condition: e.Expression) -> Iterator[e.Binary]:
    """Those that have to hold for the condition to, in their order."""
    match condition:
        case e.Cast(operand=operand):
            yield from equalities(operand)
        case e.Binary(operator="&&", left=left, right=right):
            yield from equalities(left)
            yield from equalities(right)
        case e.Binary(operator="=="):
            yield condition


def picks(condition: e.Expression) -> bool:
    """Whether an equality has to hold for the condition to."""
    return any(True for _ in equalities(condition))
