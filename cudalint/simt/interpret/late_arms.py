"""Arms that a loop comes to after many iterations only: `if ((k & 31) == 31)`, `if (++since == 20)`. How far
it has to go on for them, where conditions compare numbers that every iteration changes by a known step.
"""

from typing import Any

import numpy as np
from msgspec import Struct

from cudalint.analyses.locks import leaves
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import step_of, uncast, variable_of
from cudalint.analyses.varying import private
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find, walk
from cudalint.simt.interpret.dispatch import number
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value

_FARTHEST = 128  # iterations that a loop is looked ahead for
_EITHER_WAY = 2  # iterations more, as a number may be changed before it is compared or after


class _Arm(Struct, frozen=True):
    """One side of an `if` in a loop. tests: the parts of its condition that stepped numbers decide, all of
    which have to hold (or one of which must not, for the other side).
    """

    node: s.If
    then: bool
    tests: tuple[e.Expression, ...]


class _Course(Struct, frozen=True):
    """What each iteration of a loop does: steps is by how much it changes a number, given is what it sets a
    variable of its own to, both by the identity of the variable.
    """

    steps: dict[int, tuple[int, e.Expression]]  # sign and step
    given: dict[int, e.Expression]
    arms: tuple[_Arm, ...] = ()  # those that stepped numbers decide


def until_new_arm(m: Machine, node: s.Loop) -> int:
    """After how many more iterations the last arm has been taken that no thread took so far; 0 where there is
    none within _FARTHEST.
    """
    course = _course(m.unit, node)
    new = [arm for arm in course.arms if (id(arm.node), arm.then) not in m.arms]
    return max((_until(m, course, arm) for arm in new), default=0)


def _until(m: Machine, course: _Course, arm: _Arm) -> int:
    ahead = np.ones(_FARTHEST, dtype=bool)
    for test in arm.tests:
        value = _ahead(m, course, test)
        if value is None:
            return 0
        ahead &= np.broadcast_to(np.asarray(lanes.truth(value).data, dtype=bool), ahead.shape)
    taken = ahead if arm.then else ~ahead
    return int(taken.argmax()) + _EITHER_WAY if taken.any() else 0


def _ahead(m: Machine, course: _Course, node: e.Expression) -> Value | None:
    """What the expression will be in the iterations to come; None where that is not known."""
    match node:
        case e.VariableReference(variable=variable) if variable.id in course.steps:
            sign, step = course.steps[variable.id]
            now, by = number(m, node), number(m, step)
            if not (_is_plain(now) and _is_plain(by)):
                return None
            each: Any = by.data
            return Value(now.data + sign * each * np.arange(_FARTHEST))
        case e.VariableReference(variable=variable) if variable.id in course.given:
            value = _ahead(m, course, course.given[variable.id])
            return None if value is None else lanes.convert(value, node.type)
        case e.Assign(target=target):
            return _ahead(m, course, target)
        case e.Cast(operand=operand):
            value = _ahead(m, course, operand)
            return None if value is None else lanes.convert(value, node.type)
        case e.Unary(operator="-" | "~" | "!" | "+" as operator, operand=operand):
            value = _ahead(m, course, operand)
            if value is None or operator == "+":
                return value
            if operator == "!":
                return lanes.logical_not(value)
            return lanes.negate(value, node.type) if operator == "-" else lanes.invert(value, node.type)
        case e.Binary(operator=operator, left=left, right=right) if operator not in ("&&", "||", ","):
            one, other = _ahead(m, course, left), _ahead(m, course, right)
            return None if one is None or other is None else lanes.binary(operator, one, other, node.type)
        case e.Literal() | e.VariableReference():
            value = number(m, node)
            return value if _is_plain(value) else None
        case _:
            return None


def _is_plain(value: Value) -> bool:
    """Whether a number is known, and the same in every thread of every launch that is tried."""
    return value.known is True and value.is_scalar and not value.free


@once
def _course(unit: Unit, node: s.Loop) -> _Course:
    found = [step_of(part) for part in _each_iteration(node)]
    steps = {
        variable.id: (1 if operator == "+" else -1, by)
        for variable, operator, by in filter(None, found)
        if operator in ("+", "-") and whole(variable.type) and isinstance(uncast(by), e.Literal)
    }
    given = {
        part.variable.id: part.initial
        for part in _statements(node)
        if isinstance(part, s.Declare) and part.initial is not None and whole(part.variable.type)
    }
    course = _Course(steps, given)
    inner = find(node.body, s.If) if steps else []
    return _Course(steps, given, tuple(arm for one in inner for arm in _arms(course, node, one)))


def _statements(node: s.Loop) -> tuple[s.Statement, ...]:
    return node.body.body if isinstance(node.body, s.Block) else (node.body,)


def _each_iteration(node: s.Loop) -> list[e.Expression]:
    """The assignments that every iteration makes once."""
    inside: list[e.Expression] = [node.step] if node.step is not None else []
    for part in _statements(node):
        if isinstance(part, s.Evaluate):
            inside.append(part.expression)
        elif isinstance(part, s.If):
            first = _conjuncts(part.condition)[0]
            inside += find(first, e.Assign)
    return inside


def _arms(course: _Course, loop: s.Loop, node: s.If) -> list[_Arm]:
    """The sides of an `if` that touch memory or call something, where the loop's steps decide its condition:
    numbers that nothing else in the loop changes but what the `if` itself does.
    """
    parts = _conjuncts(node.condition)
    tests = tuple(part for part in parts if _names(course, part) & course.steps.keys())
    if not tests or any(_names(course, test) & _changed(loop, node) for test in tests):
        return []
    sides = [_Arm(node, True, tests)] if _does_something(node.then) else []
    other = node.otherwise is not None and _does_something(node.otherwise)
    if len(tests) == len(parts) and (other or leaves(node.then)):
        sides.append(_Arm(node, False, tests))
    return sides


def _conjuncts(condition: e.Expression) -> list[e.Expression]:
    match condition:
        case e.Binary(operator="&&", left=left, right=right):
            return [*_conjuncts(left), *_conjuncts(right)]
        case e.Cast(operand=operand):
            return _conjuncts(operand)
        case _:
            return [condition]


def _names(course: _Course, node: e.Expression) -> set[int]:
    """The variables that an expression stands on, through what each iteration gives its own."""
    found: set[int] = set()
    open_ = [node]
    while open_:
        names = {part.variable.id for part in find(open_.pop(), e.VariableReference)}
        open_ += [course.given[name] for name in names - found if name in course.given]
        found |= names
    return found


def _changed(loop: s.Loop, node: s.If) -> set[int]:
    """The variables that the loop assigns beside its steps, outside of the `if`."""
    apart = {id(part) for part in walk(node)} | {id(step) for step in _each_iteration(loop)}
    assigned: set[int] = set()
    for part in find(loop.body, e.Assign, e.AddressOf):
        if isinstance(part, e.Assign) and id(part) not in apart:
            assigned |= {target.id} if (target := private(part.target)) is not None else set()
        elif isinstance(part, e.AddressOf) and (variable := variable_of(part.operand)) is not None:
            assigned.add(variable.id)
    return assigned


def _does_something(node: s.Statement) -> bool:
    return bool(find(node, e.Call, e.Index, e.Dereference))
