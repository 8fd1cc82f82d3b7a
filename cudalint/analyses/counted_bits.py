"""Loops that count the set bits of a word, one an iteration: nvcc makes one instruction of each."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.walk import find


def counts_bits(loop: s.Loop) -> bool:
    """Whether the loop runs until a word is zero, and does nothing but clear its lowest bit and count:
    `while (x) { n++; x &= x - 1; }`.
    """
    word = _word(loop.condition)
    steps = [node for part in (loop.step, loop.body) if part is not None for node in _done(part)]
    cleared = [node for node in steps if _clears(node, word)]
    return len(cleared) == 1 and all(node is cleared[0] or _counts(node, word) for node in steps)


def _done(part: s.Statement | e.Expression) -> list[e.Expression | s.Statement]:
    """What is done there, but for the blocks round it."""
    if isinstance(part, s.Block):
        return [node for inner in part.body for node in _done(inner)]
    if isinstance(part, s.Evaluate):
        return [part.expression]
    return [part]


def _word(condition: e.Expression | None) -> int | None:
    """The number of the variable that is compared with zero."""
    match condition:
        case e.Cast(operand=operand):
            return _word(operand)
        case e.Binary(operator="!=", left=left, right=e.Literal(value=0)):
            return _word(left)
        case e.Binary(operator="!=", left=left, right=e.Cast(operand=e.Literal(value=0))):
            return _word(left)
        case e.VariableReference(variable=variable):
            return variable.id
    return None


def _clears(node: e.Expression | s.Statement, word: int | None) -> bool:
    """Whether it is `x &= x - 1` or `x = x & (x - 1)`."""
    if word is None or not isinstance(node, e.Assign) or _word(node.target) != word:
        return False
    named = find(node.value, e.VariableReference)
    ones = find(node.value, e.Literal)
    operators = {part.operator for part in find(node.value, e.Binary)}
    own = all(part.variable.id == word for part in named) and [part.value for part in ones] == [1]
    if node.operator == "&":
        return own and operators == {"-"} and len(named) == 1
    return own and node.operator is None and operators == {"&", "-"} and len(named) == 2


def _counts(node: e.Expression | s.Statement, word: int | None) -> bool:
    """Whether another whole number grows by a number as written."""
    match node:
        case e.Assign(
            target=e.VariableReference(variable=variable, type=Scalar(kind="signed" | "unsigned")),
            value=e.Literal(),
            operator="+" | "-",
        ):
            return variable.id != word
    return False
