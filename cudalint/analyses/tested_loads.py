"""Loads that serve conditions alone: flags and marks, of which a thread only wants to know how they stand."""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import is_memory, reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk


@once
def tested_loads(unit: Unit, function: Function) -> frozenset[int]:
    """Such loads, by identity, in a kernel and what it calls."""
    found: set[int] = set()
    for current in reachable(unit, function):
        if current.body is not None:
            found |= set(_in_conditions(current.body))
    return frozenset(found)


def _in_conditions(body: Node) -> Iterator[int]:
    tested: dict[int, int] = {}  # uses of variables in conditions
    used: dict[int, int] = {}
    values: dict[int, list[e.Expression]] = {}
    for node in walk(body):
        match node:
            case e.VariableReference(variable=variable):
                used[variable.id] = used.get(variable.id, 0) + 1
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                values.setdefault(variable.id, []).append(initial)
        for operand in _operands(condition) if (condition := _condition(node)) is not None else ():
            if isinstance(operand, e.VariableReference) and not is_memory(operand):
                tested[operand.variable.id] = tested.get(operand.variable.id, 0) + 1
            else:
                yield id(operand)
    for variable_id, times in tested.items():
        if used.get(variable_id) == times:
            for value in values.get(variable_id, ()):
                yield from (id(operand) for operand in _operands(value))


def _condition(node: Node) -> e.Expression | None:
    match node:
        case s.If(condition=condition) | s.Loop(condition=condition) | e.Conditional(condition=condition):
            return condition
    return None


def _operands(node: e.Expression) -> Iterator[e.Expression]:
    """What is compared and joined in a condition."""
    match node:
        case e.Binary(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)
        case e.Unary(operand=operand) | e.Cast(operand=operand):
            yield from _operands(operand)
        case _:
            yield node
