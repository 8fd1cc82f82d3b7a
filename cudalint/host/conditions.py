"""What a condition that holds, or does not, tells of the numbers in it."""

import math
from collections.abc import Callable

from msgspec.structs import replace

from cudalint.analyses.divisibility import bare, divisions
from cudalint.host.describe import render
from cudalint.host.machine import Machine
from cudalint.host.values import Address, Unknown, Value, divisor, sample_of
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import walk

Look = Callable[[Machine, e.Expression], Value]

_MOST_NUMBERS = 4  # that something is one of: each is tried


def learn(m: Machine, condition: e.Expression, outcome: bool, locate: Look, evaluate: Look) -> None:
    """Enter it into the state: `x == constant` tells what x is, `x % 32 == 0` what divides it. A variable
    that holds the outcome of a comparison tells as much as that.
    """
    for number, by, mask in divisions(condition, outcome):
        _divides(m, number, by, mask, locate, evaluate)
    match condition:
        case e.Cast(operand=operand):
            learn(m, operand, outcome, locate, evaluate)
        case e.Unary(operator="!", operand=operand):
            learn(m, operand, not outcome, locate, evaluate)
        case e.VariableReference(variable=variable) if variable.id in m.outcomes:
            learn(m, m.outcomes[variable.id], outcome, locate, evaluate)
        case e.Binary(operator="&&" | "||" as operator, left=left, right=right) if (
            operator == "&&"
        ) is outcome:
            learn(m, left, outcome, locate, evaluate)
            learn(m, right, outcome, locate, evaluate)
        case e.Binary(operator="&&" | "||"):
            _one_of(m, condition, outcome, (locate, evaluate))
        case e.Binary(operator="==" | "!=" as operator, left=left, right=right) if (
            operator == "=="
        ) is outcome:
            for side, constant in ((bare(left), bare(right)), (bare(right), bare(left))):
                value = constant.value if isinstance(constant, e.Literal) else None
                if isinstance(value, int) and isinstance(side, e.VariableReference) and _is_number(side):
                    learn_equal(m, evaluate(m, side), value)
                    _enter(m, side, value, locate)
        case e.Binary(operator="<" | "<=" | ">" | ">=" as operator, left=left, right=right):
            strict, less = "=" not in operator, ("<" in operator) is outcome
            sides = (left, right) if less else (right, left)
            _bounds(m, "<" if strict is outcome else "<=", *sides, (locate, evaluate))


def _one_of(m: Machine, condition: e.Expression, outcome: bool, look: tuple[Look, Look]) -> None:
    """The numbers that one variable is compared with, of which it is one: `x == 0 || x == 1`, or where
    `x != 0 && x != 1` does not hold.
    """
    locate, evaluate = look
    sides: list[e.VariableReference] = []
    numbers: set[int] = set()
    for part in _alternatives(condition, outcome):
        inner = bare(part)
        if not isinstance(inner, e.Binary) or inner.operator != ("==" if outcome else "!="):
            return
        side, constant = bare(inner.left), bare(inner.right)
        if isinstance(side, e.Literal):
            side, constant = constant, side
        if not isinstance(side, e.VariableReference) or not _is_number(side):
            return
        if not isinstance(constant, e.Literal) or not isinstance(constant.value, int):
            return
        sides.append(side)
        numbers.add(int(constant.value))
    known = evaluate(m, sides[0])
    one = len({side.variable.id for side in sides}) == 1 and len(numbers) <= _MOST_NUMBERS
    if one and isinstance(known, Unknown):
        _enter(m, sides[0], replace(known, among=tuple(sorted(numbers))), locate)


def _alternatives(node: e.Expression, outcome: bool) -> list[e.Expression]:
    """The parts of which one at least has the outcome, where the whole has it."""
    inner = bare(node)
    if isinstance(inner, e.Binary) and inner.operator == ("||" if outcome else "&&"):
        return [*_alternatives(inner.left, outcome), *_alternatives(inner.right, outcome)]
    return [node]


def learn_equal(m: Machine, known: Value, number: int) -> None:
    """What is made of the same is that number, too: a `dim3` of a size that a case names."""
    if isinstance(known, Unknown) and known.form is not None and number > 0:
        m.state.learn(known.form, number)


def _bounds(
    m: Machine, operator: str, left: e.Expression, right: e.Expression, look: tuple[Look, Look]
) -> None:
    """What numbers are at most and at least where `left < right`, or `left <= right`, holds."""
    locate, evaluate = look
    _at_least(m, operator, right, left, look)
    side, limit = bare(left), bare(right)
    if not isinstance(side, e.VariableReference | e.Member) or not _is_number(side):
        return
    if not isinstance(limit, e.Literal | e.VariableReference):
        return
    known, most = evaluate(m, side), evaluate(m, limit)
    if isinstance(known, Unknown) and isinstance(most, int) and not isinstance(most, bool):
        most -= operator == "<"
        if most > 0 and not 0 < known.most <= most:
            _enter(m, side, replace(known, most=most), locate)


def _at_least(
    m: Machine, operator: str, right: e.Expression, left: e.Expression, look: tuple[Look, Look]
) -> None:
    locate, evaluate = look
    side, limit = bare(right), bare(left)
    if not isinstance(side, e.VariableReference) or not _is_number(side) or not isinstance(limit, e.Literal):
        return
    known, fewest = evaluate(m, side), limit.value
    if isinstance(known, Unknown) and isinstance(fewest, int) and not isinstance(fewest, bool):
        fewest += operator == "<"
        if fewest > known.fewest:
            _enter(m, side, replace(known, fewest=fewest), locate)


def note(m: Machine, variable: e.Variable, initial: e.Expression, value: Value) -> None:
    """A variable begins to hold the outcome of a comparison that nobody knows."""
    m.outcomes.pop(variable.id, None)
    if isinstance(value, Unknown) and isinstance(variable.type, t.Scalar) and variable.type.kind == "bool":
        m.outcomes[variable.id] = initial


def _divides(
    m: Machine, number: e.Expression, by: e.Expression, mask: bool, locate: Look, evaluate: Look
) -> None:
    if not isinstance(number, e.VariableReference | e.Member) or not _is_number(number):
        return
    if not isinstance(by, e.Literal | e.VariableReference | e.Binary | e.Member):
        return
    whole = evaluate(m, by)
    known = evaluate(m, number)
    if isinstance(whole, bool) or not isinstance(whole, int) or not isinstance(known, Unknown):
        return
    whole += mask
    if whole > 1 and (not mask or whole & (whole - 1) == 0):
        _enter(m, number, Unknown(math.lcm(divisor(known), whole), form=known.form), locate)


def _is_number(node: e.Expression) -> bool:
    return isinstance(node.type, t.Scalar)


def _enter(m: Machine, node: e.Expression, value: Value, locate: Look) -> None:
    place = locate(m, node)
    if isinstance(place, Address) and place.offset is not None:
        m.state.store(place, value, node.type.bytes)


def takes_the_less(node: e.Conditional) -> bool:
    """Whether it is `a < b ? a : b`."""
    match node.condition:
        case e.Binary(operator="<" | "<=", left=less, right=more):
            pass
        case e.Binary(operator=">" | ">=", left=more, right=less):
            pass
        case _:
            return False
    return (render(node.then), render(node.otherwise)) == (render(less), render(more))


def takes_turns(m: Machine, node: e.Conditional, outcome: Value) -> bool:
    """`i % 2 ? a : b` with the counter of a loop that is run by samples: each iteration has its own."""
    if not m.loop_ids or m.discovering or sample_of(outcome) is None:
        return False
    if not all(isinstance(bare(way), e.VariableReference | e.Member) for way in (node.then, node.otherwise)):
        return False
    parts = list(walk(node.condition))
    used = [part.variable.id for part in parts if isinstance(part, e.VariableReference)]
    divides = any(isinstance(part, e.Binary) and part.operator in ("%", "&") for part in parts)
    return divides and len(used) == 1 and used[0] in m.rounds[m.loop_ids[-1]].changes
