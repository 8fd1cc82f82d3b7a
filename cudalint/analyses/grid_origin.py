"""Where host code computes what a launch is given: in the functions that its expressions call."""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_DEEPEST = 3


def computed_in_helpers(
    unit: Unit, function: Function, node: e.Expression, depth: int = 0
) -> Iterator[e.Expression]:
    """The values that functions of the project return for an expression, or put into the member that it
    reads: those that are computed, not handed on.
    """
    if depth > _DEEPEST:
        return
    for part in find(node, e.Member, e.VariableReference, e.Call):
        match part:
            case e.Member(base=base, name=name):
                yield from _of_member(unit, function, base, name, depth)
            case e.VariableReference(variable=variable) if not isinstance(variable.type, t.Record):
                for value in _values(function, variable):
                    yield from computed_in_helpers(unit, function, value, depth + 1)
            case e.Call(key=str() as key):
                helper = unit.functions.get(key)
                for value in _returned(helper):
                    yield from _own(unit, helper, value, depth)


def _own(unit: Unit, helper: Function | None, value: e.Expression, depth: int) -> Iterator[e.Expression]:
    """A value that a helper computes, and what it takes from others."""
    if helper is None:
        return
    if find(value, e.Binary):
        yield value
    yield from computed_in_helpers(unit, helper, value, depth + 1)


def _of_member(
    unit: Unit, function: Function, base: e.Expression, name: str, depth: int
) -> Iterator[e.Expression]:
    """What the function that made an object puts into a member."""
    made = _values(function, base.variable) if isinstance(base, e.VariableReference) else (base,)
    for call in made:
        if not isinstance(call, e.Call | e.Construct):
            continue
        helper = unit.functions.get(call.key or "")
        nodes = walk(helper.body) if helper is not None and helper.body is not None else ()
        for node in nodes:
            if isinstance(node, e.Assign) and isinstance(node.target, e.Member) and node.target.name == name:
                yield from _own(unit, helper, node.value, depth)
        if isinstance(call, e.Call):
            for value in _returned(helper):
                yield from _own(unit, helper, value, depth) if isinstance(value, e.InitList) else ()


def _values(function: Function, variable: e.Variable) -> Iterator[e.Expression]:
    """What a variable is declared with and assigned."""
    for node in find(function.body, s.Declare, e.Assign):
        match node:
            case s.Declare(variable=declared, initial=initial) if initial is not None and (
                declared.id == variable.id
            ):
                yield initial
            case e.Assign(target=e.VariableReference(variable=target), value=value) if (
                target.id == variable.id
            ):
                yield value


def _returned(helper: Function | None) -> Iterator[e.Expression]:
    for node in walk(helper.body) if helper is not None and helper.body is not None else ():
        if isinstance(node, s.Return) and node.value is not None:
            yield node.value
