"""Loops that count: how often they iterate, and which of them the compiler unrolls."""

from typing import Any

import numpy as np
from msgspec import Struct

from cudalint.analyses.instructions import cost
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.walk import Node, children, walk

_EAGER = (e.Literal, e.VariableReference, e.Builtin, e.Unary, e.Binary, e.Cast)
_REGISTERS = ("local", "parameter", "global")  # storage whose reads touch no memory


def harmless(node: e.Expression) -> bool:
    """Whether evaluating the expression touches no memory but registers and changes nothing."""
    return all(
        isinstance(part, _EAGER)
        and not (isinstance(part, e.VariableReference) and part.variable.storage not in _REGISTERS)
        for part in walk(node)
    )


_UNROLLED = 32  # iterations that the compiler unrolls unasked
ASSUMED_TRIPS = 32  # iterations that a loop counts for which does not say how many it makes


def unrolled(node: s.Loop) -> bool:
    """Whether the compiler writes out the iterations: the source says how many, and few or it is asked to."""
    if node.unroll == 1:
        return False
    count = constant_trips(node)
    return count is not None and (count <= _UNROLLED or node.unroll == 0)


def partly_unrolled(node: s.Loop) -> bool:
    """Whether the compiler may write out some iterations side by side and go round with those: of innermost
    loops that are too long to be unrolled whole.
    """
    if node.unroll == 1 or unrolled(node) or constant_trips(node) is None:
        return False
    return not any(isinstance(part, s.Loop) for part in walk(node.body))


def constant_trips(node: s.Loop, fold: bool = False) -> int | None:
    """How often a loop goes round whose counter the source gives all numbers of. fold: also as sums and
    products of literals; the compiler folds them, but which of such loops it unrolls in part is not known.
    """
    found = counter(node)
    if found is None:
        return None
    first = _first_value(node, found.variable)
    bound, step = _constant(found.bound, fold), _constant(found.step, fold)
    if first is None or bound is None or not step:
        return None
    count = remaining_iterations(found.operator, first, bound, found.sign * step)
    return int(count) if count is not None else None


def written_out(node: Node) -> int:
    """Operations of a statement whose loops are written out as far as their length is known, else once."""
    if isinstance(node, s.Loop):
        return (constant_trips(node) or 1) * written_out(node.body)
    if any(isinstance(inner, s.Loop) for inner in walk(node)):
        return sum(map(written_out, children(node)))
    return cost(node)


def _first_value(node: s.Loop, variable: e.VariableReference) -> int | None:
    match node.initial:
        case s.Declare(variable=first, initial=value) if value is not None:
            given = first
        case s.Evaluate(
            expression=e.Assign(target=e.VariableReference(variable=first), operator=None, value=value)
        ):
            given = first
        case _:
            return None
    return _constant(value) if given.id == variable.variable.id else None


def _constant(node: e.Expression, fold: bool = False) -> int | None:
    """The number of an integer literal, also below casts and a sign. fold: and of arithmetic with such."""
    match node:
        case e.Literal(value=bool() | int() as value):
            return int(value)
        case e.Cast(operand=operand):
            return _constant(operand, fold)
        case e.Unary(operator="-", operand=operand):
            inner = _constant(operand, fold)
            return -inner if inner is not None else None
        case e.Binary(left=left, operator="+" | "-" | "*" as sign, right=right) if fold:
            one, two = _constant(left, fold), _constant(right, fold)
            if one is None or two is None:
                return None
            return one + two if sign == "+" else one - two if sign == "-" else one * two
        case _:
            return None


class Counter(Struct, frozen=True):
    """`for (...; variable operator bound; variable += sign * step)` that nothing else in the loop changes."""

    variable: e.VariableReference
    operator: str
    bound: e.Expression
    step: e.Expression
    sign: int


def counter(node: s.Loop) -> Counter | None:
    condition, step = node.condition, node.step
    if not isinstance(condition, e.Binary) or not isinstance(step, e.Assign):
        return None
    variable = _bare(condition.left)
    if not isinstance(variable, e.VariableReference) or step.operator not in ("+", "-"):
        return None
    if not isinstance(step.target, e.VariableReference) or step.target.variable.id != variable.variable.id:
        return None
    if condition.operator not in ("<", "<=", ">", ">=", "!=") or not _is_integer(variable):
        return None
    if not (harmless(condition.right) and harmless(step.value)) or _disturbed(node, condition, step):
        return None
    sign = 1 if step.operator == "+" else -1
    return Counter(variable, condition.operator, condition.right, step.value, sign)


def _is_integer(variable: e.VariableReference) -> bool:
    return isinstance(variable.type, Scalar) and variable.type.kind in ("signed", "unsigned")


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _disturbed(node: s.Loop, condition: e.Binary, step: e.Assign) -> bool:
    """Whether the body may leave early or change what the count stands on."""
    used = {
        part.variable.id
        for root in (condition, step.value)
        for part in walk(root)
        if isinstance(part, e.VariableReference)
    }
    for part in walk(node.body):
        if isinstance(part, s.Break | s.Return | s.Opaque):
            return True
        if isinstance(part, e.Assign | e.AddressOf):
            changed = _bare(part.target if isinstance(part, e.Assign) else part.operand)
            if isinstance(changed, e.VariableReference) and changed.variable.id in used:
                return True
    return False


def remaining_iterations(operator: str, value: Any, bound: Any, step: Any) -> Any | None:
    """Iterations still to come where the condition holds; None where they do not end by counting.

    value, bound and step are integers or vectors over the lanes.
    """
    gap = np.asarray(bound, dtype=np.int64) - np.asarray(value, dtype=np.int64)
    step = np.asarray(step, dtype=np.int64)
    if operator in (">", ">="):
        gap, step = -gap, -step
    if not (step > 0).all():
        return None
    if operator == "!=":
        return gap // step if bool((gap % step == 0).all()) and bool((gap >= 0).all()) else None
    if operator in ("<=", ">="):
        gap = gap + 1
    return np.maximum(0, -(-gap // step))
