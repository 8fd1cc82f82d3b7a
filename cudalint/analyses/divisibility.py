"""What a condition says of divisibility: that no rest is left of one number when another divides it."""

from collections.abc import Iterator

from cudalint.ir import expressions as e

Division = tuple[
    e.Expression, e.Expression, bool
]  # a number, what divides it, whether that is a mask and 1 less


def divisions(condition: e.Expression, outcome: bool) -> Iterator[Division]:
    """The divisions without a rest that follow from a condition that is true, or false."""
    match condition:
        case e.Cast(operand=operand):
            yield from divisions(operand, outcome)
        case e.Unary(operator="!", operand=operand):
            yield from divisions(operand, not outcome)
        case e.Binary(operator="&&" | "||" as operator, left=left, right=right) if (
            operator == "&&"
        ) is outcome:
            yield from divisions(left, outcome)
            yield from divisions(right, outcome)
        case e.Binary(operator="==" | "!=" as operator, left=left, right=right) if (
            operator == "=="
        ) is outcome:
            for one, other in ((left, right), (right, left)):
                if _is_zero(other):
                    yield from _rest(one)
                else:
                    yield from _whole(one, other)
        case e.Binary(operator=">", left=left, right=right) if not outcome and _is_zero(right):
            yield from _rest(left)
        case e.Binary(operator="%" | "&") if not outcome:
            yield from _rest(condition)


def _rest(node: e.Expression) -> Iterator[Division]:
    """The node is zero: `x % k`, or `x & (k - 1)` for a power of two."""
    match bare(node):
        case e.Binary(operator="%" | "&" as operator, left=left, right=right):
            yield bare(left), bare(right), operator == "&"


def _whole(product: e.Expression, number: e.Expression) -> Iterator[Division]:
    """`x / k * k` is x."""
    match bare(product):
        case e.Binary(operator="*", left=left, right=right):
            for quotient, by in ((bare(left), bare(right)), (bare(right), bare(left))):
                match quotient:
                    case e.Binary(operator="/", left=divided) if _same(bare(divided), bare(number)):
                        yield bare(number), by, False


def _same(one: e.Expression, other: e.Expression) -> bool:
    match one, other:
        case e.VariableReference(variable=a), e.VariableReference(variable=b):
            return a is b
    return False


def _is_zero(node: e.Expression) -> bool:
    match bare(node):
        case e.Literal(value=int(value)):
            return value == 0
    return False


def bare(node: e.Expression) -> e.Expression:
    """Without conversions."""
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def factors(node: e.Expression) -> Iterator[e.Expression]:
    """What a product is made of, without conversions; of anything else, itself."""
    node = bare(node)
    if isinstance(node, e.Binary) and node.operator == "*":
        yield from factors(node.left)
        yield from factors(node.right)
    else:
        yield node
