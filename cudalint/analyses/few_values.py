"""How many different values an integer expression can have at most, by its own form."""

from cudalint.ir import expressions as e
from cudalint.ir.types import Scalar

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


def few_values(node: e.Expression) -> int | None:
    """At most so many, from 0 or from the least number of the type on; None where the form does not tell."""
    match node:
        case e.Cast(operand=operand):
            known = [many for many in (_of_type(node), few_values(operand)) if many is not None]
            return min(known, default=None)
        case e.Binary(operator=operator) if operator in _COMPARISONS:
            return 2
        case e.Unary(operator="!"):
            return 2
        case e.Conditional(then=then, otherwise=otherwise):
            numbers = [_number(one) for one in (then, otherwise)]
            known = [number for number in numbers if number is not None and number >= 0]
            return max(known) + 1 if len(known) == len(numbers) else None
        case e.Binary(operator="&", left=left, right=right):
            masks = [mask for one in (left, right) if (mask := _number(one)) is not None and mask >= 0]
            return min(masks) + 1 if masks else None
        case e.Binary(operator="%", left=left, right=right) if (divisor := _number(right)) is not None:
            unsigned = isinstance(left.type, Scalar) and left.type.kind == "unsigned"
            return abs(divisor) * (1 if unsigned else 2)
        case _:
            return _of_type(node)


def _of_type(node: e.Expression) -> int | None:
    match node.type:
        case Scalar(kind="bool"):
            return 2
        case Scalar(kind="signed" | "unsigned", bytes=1):
            return 256
        case _:
            return None


def _number(node: e.Expression) -> int | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.value if isinstance(node, e.Literal) and isinstance(node.value, int) else None
