"""What a pointer may be that a host function chooses: by `?:`, or by an assignment under a condition."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.source.span import Span

_DEPTH = 3  # variables in each other


class Choice(Struct, frozen=True):
    """One of several values. condition: what holds then, as text; about: what that asks for."""

    value: e.Expression
    condition: str
    about: frozenset[str]


class _Arm(Struct, frozen=True):
    condition: e.Expression
    taken: bool

    @property
    def text(self) -> str:
        return f"`{render(self.condition)}` {'holds' if self.taken else 'does not hold'}"


class _Given(Struct, frozen=True):
    """What a function gives its variables: by their numbers, in the order of the source, each with the `if`
    right round it; and what it may change, as numbers and as text.
    """

    values: dict[int, list[tuple[s.Declare | e.Assign, e.Expression, _Arm | None]]]
    variables: frozenset[int]
    texts: frozenset[str]


def choices(unit: Unit, function: Function, node: e.Expression, before: Span) -> list[Choice]:
    """The values that an expression may have at a place, where a condition chooses; none where it has one."""
    found = list(_choices(_given(unit, function), node, before, "", frozenset(), _DEPTH))
    return found if len(found) > 1 else []


def steady(unit: Unit, function: Function, node: e.Expression) -> bool:
    """Whether nothing in the function gives the variables of an expression another value."""
    given = _given(unit, function)
    own = {part.variable.id for part in find(node, e.VariableReference)}
    return not own & given.variables and render(node) not in given.texts


@once
def _given(unit: Unit, function: Function) -> _Given:
    arms = _arms(function)
    values: dict[int, list[tuple[s.Declare | e.Assign, e.Expression, _Arm | None]]] = {}
    variables: set[int] = set()
    texts: set[str] = set()
    for node in walk(function.body) if function.body is not None else ():
        match node:
            case s.Declare(variable=declared, initial=initial) if initial:
                values[declared.id] = [(node, initial, None)]
            case e.Assign(target=e.VariableReference(variable=target), value=value, operator=None):
                values.setdefault(target.id, []).append((node, value, arms.get(id(node))))
        match node:
            case e.Assign(target=changed) | e.AddressOf(operand=changed):
                bare = uncast(changed)
                texts.add(render(bare))
                if isinstance(bare, e.VariableReference):
                    variables.add(bare.variable.id)
            case e.Call(name="swap", arguments=arguments):
                texts.update(map(render, arguments))
    return _Given(values, frozenset(variables), frozenset(texts))


def asked_round(function: Function, place: Span) -> frozenset[str]:
    """What the conditions round a place of a function ask for, as text."""
    found: set[str] = set()
    for node in find(function.body, s.If, s.Switch, s.Loop):
        if node.span.contains(place):
            condition = node.subject if isinstance(node, s.Switch) else node.condition
            found |= _about(condition) if condition is not None else set()
    return frozenset(found)


def _choices(
    given: _Given, node: e.Expression, before: Span, holds: str, about: frozenset[str], depth: int
) -> Iterator[Choice]:
    node = uncast(node)
    if isinstance(node, e.Conditional):
        text, asked = render(node.condition), about | _about(node.condition)
        yield from _choices(given, node.then, before, f"`{text}` holds", asked, depth)
        yield from _choices(given, node.otherwise, before, f"`{text}` does not hold", asked, depth)
    elif isinstance(node, e.VariableReference) and depth and node.variable.storage == "local":
        values = _values(given, node.variable, before)
        for value, arm in values:
            text, asked = (holds, about) if arm is None else (arm.text, about | _about(arm.condition))
            yield from _choices(given, value, before, text, asked, depth - 1)
        if not values:
            yield Choice(node, holds, about)
    else:
        yield Choice(node, holds, about)


def _values(given: _Given, variable: e.Variable, before: Span) -> list[tuple[e.Expression, _Arm | None]]:
    """What it may still hold of what it is given before a place, each with the `if` right round it."""
    found: list[tuple[e.Expression, _Arm | None]] = []
    for node, value, arm in given.values.get(variable.id, ()):
        if isinstance(node, s.Declare):
            found = [(value, None)]
        elif (node.span.line, node.span.column) < (before.line, before.column):
            found = [*(found if arm is not None else ()), (value, arm)]
    return found


def _arms(function: Function) -> dict[int, _Arm]:
    """The arm right round each assignment that stands in one, by its identity."""
    arms: dict[int, _Arm] = {}
    for node in find(function.body, s.If):
        for taken, arm in ((True, node.then), (False, node.otherwise)):
            inside = walk(arm) if arm is not None else ()
            arms |= {id(part): _Arm(node.condition, taken) for part in inside if isinstance(part, e.Assign)}
    return arms


def _about(condition: e.Expression) -> frozenset[str]:
    """The variables and members that a condition asks for."""
    return frozenset(render(part) for part in find(condition, e.VariableReference, e.Member))
