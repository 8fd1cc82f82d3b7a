"""What a pointer may be that a host function chooses: by `?:`, or by an assignment under a condition."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.source.span import Span

_DEPTH = 3  # variables in each other


class Choice(Struct, frozen=True):
    """One of several values. condition: what holds then, as text; about: what that asks for."""

    value: e.Expression
    condition: str
    about: frozenset[str]


def choices(function: Function, node: e.Expression, before: Span) -> list[Choice]:
    """The values that an expression may have at a place, where a condition chooses; none where it has one."""
    found = list(_choices(function, node, before, "", frozenset(), _DEPTH))
    return found if len(found) > 1 else []


def steady(function: Function, node: e.Expression) -> bool:
    """Whether nothing in the function gives the variables of an expression another value."""
    own = {part.variable.id for part in walk(node) if isinstance(part, e.VariableReference)}
    text = render(node)
    for part in walk(function.body) if function.body is not None else ():
        match part:
            case e.Assign(target=target) | e.AddressOf(operand=target):
                bare = uncast(target)
                if isinstance(bare, e.VariableReference) and bare.variable.id in own:
                    return False
                if render(bare) == text:
                    return False
            case e.Call(name="swap", arguments=arguments) if any(render(one) == text for one in arguments):
                return False
    return True


def asked_round(function: Function, place: Span) -> frozenset[str]:
    """What the conditions round a place of a function ask for, as text."""
    found: set[str] = set()
    for node in walk(function.body) if function.body is not None else ():
        if isinstance(node, s.If | s.Switch | s.Loop) and node.span.contains(place):
            condition = node.subject if isinstance(node, s.Switch) else node.condition
            found |= _about(condition) if condition is not None else set()
    return frozenset(found)


def _choices(
    function: Function, node: e.Expression, before: Span, holds: str, about: frozenset[str], depth: int
) -> Iterator[Choice]:
    node = uncast(node)
    if isinstance(node, e.Conditional):
        text, asked = render(node.condition), about | _about(node.condition)
        yield from _choices(function, node.then, before, f"`{text}` holds", asked, depth)
        yield from _choices(function, node.otherwise, before, f"`{text}` does not hold", asked, depth)
    elif isinstance(node, e.VariableReference) and depth and node.variable.storage == "local":
        values = list(_values(function, node.variable, before))
        for value, arm in values:
            text, asked = (holds, about) if arm is None else (arm.text, about | _about(arm.condition))
            yield from _choices(function, value, before, text, asked, depth - 1)
        if not values:
            yield Choice(node, holds, about)
    else:
        yield Choice(node, holds, about)


class _Arm(Struct, frozen=True):
    condition: e.Expression
    taken: bool

    @property
    def text(self) -> str:
        return f"`{render(self.condition)}` {'holds' if self.taken else 'does not hold'}"


def _values(function: Function, variable: e.Variable, before: Span) -> list[tuple[e.Expression, _Arm | None]]:
    """What it may still hold of what it is given before a place, each with the `if` right round it."""
    arms = _arms(function)
    found: list[tuple[e.Expression, _Arm | None]] = []
    for node in walk(function.body) if function.body is not None else ():
        match node:
            case s.Declare(variable=declared, initial=initial) if declared.id == variable.id and initial:
                found = [(initial, None)]
            case e.Assign(target=e.VariableReference(variable=target), value=value, operator=None) if (
                target.id == variable.id and (node.span.line, node.span.column) < (before.line, before.column)
            ):
                arm = arms.get(id(node))
                found = [*(found if arm is not None else ()), (value, arm)]
    return found


def _arms(function: Function) -> dict[int, _Arm]:
    """The arm right round each assignment that stands in one, by its identity."""
    arms: dict[int, _Arm] = {}
    for node in walk(function.body) if function.body is not None else ():
        if isinstance(node, s.If):
            for taken, arm in ((True, node.then), (False, node.otherwise)):
                inside = walk(arm) if arm is not None else ()
                arms |= {
                    id(part): _Arm(node.condition, taken) for part in inside if isinstance(part, e.Assign)
                }
    return arms


def _about(condition: e.Expression) -> frozenset[str]:
    """The variables and members that a condition asks for."""
    return frozenset(
        render(part) for part in walk(condition) if isinstance(part, e.VariableReference | e.Member)
    )
