"""Where the size of a launch's dynamic shared memory is computed: what its third argument is made of."""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.source.span import Span

_HOPS = 3  # variables, members and functions in each other
_ARITHMETIC = frozenset(("+", "-", "*", "/", "<<"))

_Made = tuple[e.Expression, Function]  # a value, and the function that it stands in


def size_places(unit: Unit, launch: e.Expression, function: Function | None) -> tuple[Span, ...]:
    """The computations behind the argument of a launch that stands in the function, the nearest first."""
    if not isinstance(launch, e.Launch) or launch.shared is None or function is None:
        return ()
    found: dict[Span, None] = {}
    waiting: list[_Made] = [(launch.shared, function)]
    for _ in range(_HOPS):
        waiting = [one for node, where in waiting for one in _made_of(unit, node, where)]
        computed = (value for value, _ in waiting if any(map(_computes, walk(value))))
        found |= dict.fromkeys(value.span for value in computed)
    return tuple(found)


def _made_of(unit: Unit, node: e.Expression, function: Function) -> Iterator[_Made]:
    """The values of the variables, members and calls in an expression."""
    for part in find(node, e.Call, e.VariableReference, e.Member):
        match part:
            case e.Call(key=key) if (called := unit.defined(key)) is not None and called.body is not None:
                results = (one.value for one in find(called.body, s.Return))
                yield from ((value, called) for value in results if value is not None)
            case e.VariableReference(variable=variable):
                yield from ((value, function) for value in _values(function, variable))
            case e.Member(base=base, name=name):
                yield from (
                    (node.value, other)
                    for other in unit.functions.values()
                    if other.host and other.body is not None
                    for node in find(other.body, e.Assign)
                    if _is_member(node.target, name, base)
                )


def _values(function: Function, variable: e.Variable) -> Iterator[e.Expression]:
    for node in find(function.body, s.Declare, e.Assign):
        match node:
            case s.Declare(variable=declared, initial=initial) if declared.id == variable.id and initial:
                yield initial
            case e.Assign(target=e.VariableReference(variable=target), value=value) if (
                target.id == variable.id
            ):
                yield value


def _is_member(target: e.Expression, name: str, base: e.Expression) -> bool:
    return isinstance(target, e.Member) and target.name == name and target.base.type == base.type


def _computes(node: Node) -> bool:
    return isinstance(node, e.Binary) and node.operator in _ARITHMETIC
