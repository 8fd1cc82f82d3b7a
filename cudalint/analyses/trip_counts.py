"""Loops that count: how often they iterate, and which of them the compiler unrolls."""

import operator
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, overload

import numpy as np
from msgspec import Struct

from cudalint.analyses.instructions import cost
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import LONG, Pointer, Reference, Scalar, Type
from cudalint.ir.walk import Node, children, find, kept, walk

_EAGER = (e.Literal, e.VariableReference, e.Builtin, e.Unary, e.Binary, e.Cast)
_PLAIN = (e.Literal, e.VariableReference, e.Cast, e.Unary, e.Binary, e.Member)
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_SCALES = {"*": operator.mul, "/": operator.floordiv, "<<": operator.lshift, ">>": operator.rshift}
_MOST_SCALED = 64  # rounds of a counter that is multiplied or divided: as many as it has bits
_OWN = ("local", "parameter")  # storage of a thread's own
_REGISTERS = (*_OWN, "global")  # whose reads touch no memory

_Place = tuple[int | str, ...]  # a variable's number, then the names of members
Constant = Callable[[e.Expression], int | float | None]  # the number that the compiler works out, or None


def harmless(node: e.Expression) -> bool:
    """Whether evaluating the expression touches no memory but registers and changes nothing."""
    return all(map(_in_registers, walk(node)))


def _in_registers(part: Node) -> bool:
    match part:
        case e.VariableReference(variable=variable):
            return variable.storage in _REGISTERS
        case e.Member(base=e.VariableReference(variable=variable)):
            return variable.storage in _OWN and not isinstance(variable.type, Reference)
        case e.Member():
            return True  # what it is a member of is a part of its own
    return isinstance(part, _EAGER)


def _may_be_in_registers(part: Node) -> bool:
    """Whether it is, if the objects of the methods and references are."""
    match part:
        case e.Member(volatile=volatile):
            return not volatile
        case e.Dereference(pointer=e.VariableReference(variable=variable)):
            return variable.name == "this"
        case e.VariableReference(variable=e.Variable(storage=storage, type=Reference())):
            return storage in _OWN
    return _in_registers(part)


_UNROLLED = 32  # iterations that the compiler unrolls unasked
ASSUMED_TRIPS = 32  # iterations that a loop counts for which does not say how many it makes


def unrolled(node: s.Loop) -> bool:
    """Whether the compiler writes out the iterations: the source says how many, and few or it is asked to."""
    if node.unroll == 1:
        return False
    count = constant_trips(node, fold=True)
    return count is not None and (count <= _UNROLLED or node.unroll == 0)


def repeats(node: s.Loop) -> bool:
    """Whether the loop may make a second iteration: not the `do ... while (0)` of a macro."""
    return node.condition is None or _constant(node.condition) != 0


def surely_runs(node: s.Loop) -> bool:
    """Whether the source says that the loop makes an iteration."""
    return node.kind == "do" or bool(constant_trips(node, fold=True))


def partly_unrolled(node: s.Loop) -> bool:
    """Whether the compiler may write out some iterations side by side and go round with those: of innermost
    loops that are too long to be unrolled whole.
    """
    if node.unroll == 1 or unrolled(node) or constant_trips(node) is None:
        return False
    return not find(node.body, s.Loop)


_SIDE_BY_SIDE = (
    4,
    16,
)  # iterations of a loop of unknown length; of a short one of known length; read off SASS


def side_by_side(node: s.Loop) -> int:
    """At most so many iterations are loaded for at once, where nothing keeps the loads behind the stores: as
    nvcc 13 compiles loops of a known length with a short body, or any others.
    """
    return _SIDE_BY_SIDE[partly_unrolled(node)]


def constant_trips(node: s.Loop, fold: bool = False) -> int | None:
    """How often a loop goes round whose counter the source gives all numbers of. fold: also as sums and
    products of literals; the compiler folds them, but which of such loops it unrolls in part is not known.
    """
    found = counter(node)
    if found is None:
        return None
    first = _first_value(node, found.variable, fold)
    bound, step = _constant(found.bound, fold), _constant(found.step, fold)
    if first is None or bound is None or not step:
        return None
    return counted(first, bound, found.operator, found.sign * step, "+")


def written_out(node: Node) -> int:
    """Operations of a statement whose loops are written out as far as their length is known, else once."""
    if isinstance(node, s.Loop):
        return (constant_trips(node) or 1) * written_out(node.body)
    if find(node, s.Loop):
        return sum(map(written_out, children(node)))
    return cost(node)


def _first_value(node: s.Loop, variable: e.VariableReference, fold: bool) -> int | None:
    first = first_of(node)
    return _constant(first[1], fold) if first is not None and first[0].id == variable.variable.id else None


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


def most_trips(node: s.Loop) -> float:
    """How often constants let a loop go round that may leave before its end; infinity where they do not tell.
    What it counts on from, where nobody sees it, is taken for zero.
    """
    condition = node.condition
    if first_of(node) is not None or not isinstance(condition, e.Binary):
        return bounded_trips(node, folded)
    end = folded(condition.right) if condition.operator in ("<", "<=", "!=") else None
    return inf if not end or end < 0 else end


def folded(node: e.Expression) -> int | None:
    """The number that literals make: the compiler folds `2 * 4 - 1`."""
    return _constant(node, fold=True)


class Counter(Struct, frozen=True):
    """`for (...; variable operator bound; variable += sign * step)` that nothing else in the loop changes.
    The bound of `i + 3 < n` is `n - 3`; the step of a pointer is in bytes. Members that it names may be
    changed by the functions that the loop calls, and be in memory.
    """

    variable: e.VariableReference
    operator: str
    bound: e.Expression
    step: e.Expression
    sign: int


@kept
def counter(node: s.Loop) -> Counter | None:
    condition, step = node.condition, node.step
    if not isinstance(condition, e.Binary) or not isinstance(step, e.Assign):
        return None
    variable, bound = _counted_up_to(condition)
    if not isinstance(variable, e.VariableReference) or step.operator not in ("+", "-"):
        return None
    if not isinstance(step.target, e.VariableReference) or step.target.variable.id != variable.variable.id:
        return None
    if condition.operator not in ("<", "<=", ">", ">=", "!=") or not _is_countable(variable):
        return None
    if not all(map(_may_be_in_registers, (*walk(bound), *walk(step.value)))):
        return None
    if _disturbed(node, condition, step):
        return None
    sign = 1 if step.operator == "+" else -1
    return Counter(variable, condition.operator, bound, _in_bytes(step.value, variable.type), sign)


def _counted_up_to(condition: e.Binary) -> tuple[e.Expression, e.Expression]:
    """The counter and its bound: what the condition adds to the counter is taken off the bound."""
    left, bound = uncast(condition.left), condition.right
    match left:
        case e.Binary(operator="+", left=inner, right=more) if harmless(more):
            if isinstance(bound.type, Pointer | Scalar):
                return uncast(inner), e.Binary("-", bound, more, bound.type, bound.span)
    return left, bound


def _in_bytes(step: e.Expression, type: Type) -> e.Expression:
    if not isinstance(type, Pointer):
        return step
    return e.Binary("*", step, e.Literal(type.pointee.bytes, LONG, step.span), LONG, step.span)


def _is_countable(variable: e.VariableReference) -> bool:
    """Whether it is an integer or a pointer."""
    if isinstance(variable.type, Scalar):
        return variable.type.kind in ("signed", "unsigned")
    return isinstance(variable.type, Pointer)


@overload
def uncast(node: e.Expression) -> e.Expression: ...
@overload
def uncast(node: None) -> None: ...
def uncast(node: e.Expression | None) -> e.Expression | None:
    """The expression below its casts."""
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _disturbed(node: s.Loop, condition: e.Binary, step: e.Assign) -> bool:
    """Whether the body may leave early or change what the count stands on."""
    if find(node.body, s.Break, s.Return, s.Opaque):
        return True
    used = {*_places(condition), *_places(step.value)}
    for part in find(node.body, e.Assign, e.AddressOf):
        changed = _place(uncast(part.target if isinstance(part, e.Assign) else part.operand))
        if changed is not None and any(_overlap(changed, other) for other in used):
            return True
    return False


def _places(node: Node) -> Iterator[_Place]:
    """What the expression reads."""
    place = _place(node)
    if place is not None:
        yield place
    else:
        yield from (place for part in children(node) for place in _places(part))


def _place(node: Node) -> _Place | None:
    match node:
        case e.VariableReference(variable=variable):
            return (variable.id,)
        case e.Dereference(pointer=e.VariableReference(variable=variable)) if variable.name == "this":
            return (variable.id, "")
        case e.Member(base=base, name=name):
            owner = _place(base)
            return (*owner, name) if owner is not None else None
    return None


def _overlap(one: _Place, other: _Place) -> bool:
    """Whether they are the same, or one is a part of the other."""
    return all(a == b for a, b in zip(one, other, strict=False))


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


def first_of(loop: s.Loop) -> tuple[e.Variable, e.Expression] | None:
    """The variable that a `for` gives its first number, and that number."""
    start = loop.initial
    while isinstance(start, s.Block) and len(start.body) == 1:
        start = start.body[0]
    match start:
        case s.Declare(variable=variable, initial=value) if value is not None:
            return variable, value
        case s.Evaluate(
            expression=e.Assign(target=e.VariableReference(variable=variable), operator=None, value=value)
        ):
            return variable, value
        case _:
            return None


def bounded_trips(loop: s.Loop, constant: Constant) -> float:
    """About how often a loop iterates between constants, at least once; infinity where they are not."""
    first, condition, step = first_of(loop), loop.condition, loop.step
    if first is None or not isinstance(condition, e.Binary):
        return inf
    start = constant(first[1])
    ends = [held for side in (condition.left, condition.right) if (held := constant(side)) is not None]
    by = constant(step.value) if isinstance(step, e.Assign) and step.operator in ("+", "-") else 1
    if start is None or len(ends) != 1 or not by:
        return inf
    return max(1.0, abs((ends[0] - start) / by))


def constant_counter(loop: s.Loop, constant: Constant) -> int | None:
    """The number of the counter of a `for` that starts and ends at constants."""
    first, condition = first_of(loop), loop.condition
    if first is None or constant(first[1]) is None or not isinstance(condition, e.Binary):
        return None
    ends = (condition.left, condition.right)
    return first[0].id if any(constant(side) is not None for side in ends) else None


def step_of(node: e.Expression | None) -> tuple[e.Variable, str, e.Expression] | None:
    """What a loop's step does to its counter: `i += 2` and `i = i + 2` are (i, +, 2)."""
    step = uncast(node)
    variable = variable_of(step.target) if isinstance(step, e.Assign) else None
    if not isinstance(step, e.Assign) or variable is None:
        return None
    if step.operator is not None:
        return variable, step.operator, step.value
    value = uncast(step.value)
    if isinstance(value, e.Binary) and variable_of(value.left) == variable and is_plain(value.right):
        return variable, value.operator, value.right
    return None


def counted(start: int, limit: int, comparison: str, by: int, change: str) -> int | None:
    """Rounds from a start to a limit; change: what is done to the counter each time."""
    if change in _SCALES:
        return _scaled(start, limit, comparison, by, change)
    if change not in ("+", "-"):
        return None
    if comparison == "!=":
        distance = limit - start
        return distance // by if distance % by == 0 and distance // by >= 0 else None
    if comparison in ("<", "<=") and by > 0:
        return max(0, -(-(limit - start + (comparison == "<=")) // by))
    if comparison in (">", ">=") and by < 0:
        return max(0, -(-(start - limit + (comparison == ">=")) // -by))
    return None


def _scaled(start: int, limit: int, comparison: str, by: int, change: str) -> int | None:
    """Rounds of a counter that grows or shrinks by a factor: so few that they can be gone through."""
    if comparison not in HOLDS or by < 1:
        return None
    value = start
    for number in range(_MOST_SCALED):
        if not HOLDS[comparison](value, limit):
            return number
        value = _SCALES[change](value, by)
    return None


def variable_of(node: e.Expression) -> e.Variable | None:
    """The variable that an expression names, casts aside."""
    bare = uncast(node)
    return bare.variable if isinstance(bare, e.VariableReference) else None


def is_plain(node: e.Expression) -> bool:
    """Whether an expression does nothing but tell a value."""
    return all(isinstance(n, _PLAIN) for n in walk(node))
