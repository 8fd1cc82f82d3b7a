"""Conditions that pick a case among many: `x == y` holds for few elements, threads or iterations, or nobody
knows for how many.
"""

from cudalint.ir import expressions as e


def picks(condition: e.Expression) -> bool:
    """Whether an equality has to hold for the condition to."""
    match condition:
        case e.Cast(operand=operand):
            return picks(operand)
        case e.Binary(operator="&&", left=left, right=right):
            return picks(left) or picks(right)
        case e.Binary(operator="=="):
            return True
    return False
