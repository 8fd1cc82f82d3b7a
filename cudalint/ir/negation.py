"""The opposite of a condition."""

from msgspec.structs import replace

from cudalint.ir import expressions as e

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}


def negated(node: e.Expression) -> e.Expression:
    """What holds where the condition does not: comparisons turned round, also below `&&` and `||`. A number
    that is no number compares as false, which is not told apart.
    """
    match node:
        case e.Unary(operator="!", operand=operand):
            return operand
        case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
            return replace(node, operator=_OPPOSITE[operator], left=negated(left), right=negated(right))
        case e.Binary(operator=operator) if operator in _OPPOSITE:
            return replace(node, operator=_OPPOSITE[operator])
        case _:
            return e.Unary("!", node, node.type, node.span)
