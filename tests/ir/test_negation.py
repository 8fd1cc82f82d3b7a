"""The opposite of a condition holds just where the condition does not."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cudalint.ir import expressions as e
from cudalint.ir.negation import negated
from cudalint.ir.types import Scalar
from cudalint.source.span import Span

INT = Scalar("int", "signed", 4)
HERE = Span("k.cu", 1, 1, 1, 1)
COMPARISONS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


def literal(value: int) -> e.Expression:
    return e.Literal(value, INT, HERE)


def binary(operator: Any, left: e.Expression, right: e.Expression) -> e.Expression:
    return e.Binary(operator, left, right, INT, HERE)


numbers = st.integers(-2, 2).map(literal)
leaves = numbers | st.builds(binary, COMPARISONS, numbers, numbers)
conditions = st.recursive(
    leaves,
    lambda below: (
        st.builds(binary, st.sampled_from(["&&", "||"]), below, below)
        | st.builds(lambda operand: e.Unary("!", operand, INT, HERE), below)
    ),
)


def truth(node: e.Expression) -> bool:
    match node:
        case e.Literal(value=value):
            return bool(value)
        case e.Unary(operand=operand):
            return not truth(operand)
        case e.Binary(operator="&&", left=left, right=right):
            return truth(left) and truth(right)
        case e.Binary(operator="||", left=left, right=right):
            return truth(left) or truth(right)
        case e.Binary(operator=operator, left=e.Literal(value=a), right=e.Literal(value=b)):
            return bool(eval(f"({a}) {operator} ({b})"))
    raise AssertionError(node)


@given(conditions)
def test_it_holds_where_the_condition_does_not(condition: e.Expression) -> None:
    assert truth(negated(condition)) is not truth(condition)


@given(conditions)
def test_the_opposite_of_the_opposite_holds_where_the_condition_does(condition: e.Expression) -> None:
    assert truth(negated(negated(condition))) is truth(condition)
