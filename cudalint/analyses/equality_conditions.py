"""Conditions that pick a case among many: `x == y` holds for few elements, threads or iterations, or nobody
knows for how many.
"""

from cudalint.ir import expressions as e


def equality_of(condition: e.Expression) -> e.Binary | None:
    """The first equality that has to hold for the condition to."""
    match condition:
        case e.Cast(operand=operand):
            return equality_of(operand)
        case e.Binary(operator="&&", left=left, right=right):
            return equality_of(left) or equality_of(right)
        case e.Binary(operator="=="):
            return condition
    return None


def picks(condition: e.Expression) -> bool:
    """Whether an equality has to hold for the condition to."""
    return equality_of(condition) is not None
