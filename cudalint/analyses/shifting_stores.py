"""Stores to arrays that a loop shifts or searches: elements that move to the place next to theirs, and
what is put where the data ends a loop. A compiler takes such an array apart at small sizes only.
"""

from collections.abc import Iterator

from cudalint.analyses.loop_changes import breaks, carried, leaves
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find


@once
def moves_of_elements(unit: Unit, function: Function) -> frozenset[int]:
    """The targets, by identity, of assignments that move an element of an array to another place in it."""
    return frozenset(id(target) for target, value in _element_stores(function.body) if _is_of(value, target))


@once
def exit_stores(unit: Unit, function: Function) -> frozenset[int]:
    """The targets, by identity, of stores at the counter of a loop that data ends there: in an arm that
    leaves it, or right behind it. The compiler makes one store of all the ways out, at a place that only the
    run knows.
    """
    found: set[int] = set()
    for node in find(function.body, s.Loop, s.Block):
        if isinstance(node, s.Loop):
            counters = {variable.id for variable in carried(node)}
            found |= {id(target) for arm in _ways_out(node) for target in _stores_at(arm, counters)}
        elif isinstance(node, s.Block):
            found |= {id(target) for target in _behind_loops(node)}
    return frozenset(found)


def _is_of(value: e.Expression, target: e.Index) -> bool:
    value = uncast(value)
    return isinstance(value, e.Index) and render(value.base) == render(target.base)


def _element_stores(node: s.Statement | None) -> Iterator[tuple[e.Index, e.Expression]]:
    for part in find(node, e.Assign):
        if part.operator is None:
            target = uncast(part.target)
            if isinstance(target, e.Index):
                yield target, part.value


def _stores_at(node: s.Statement, counters: set[int]) -> Iterator[e.Index]:
    for target, _ in _element_stores(node):
        index = uncast(target.index)
        if isinstance(index, e.VariableReference) and index.variable.id in counters:
            yield target


def _ways_out(loop: s.Loop) -> Iterator[s.Statement]:
    """The arms in a loop that end it."""
    for node in find(loop.body, s.If):
        yield from (arm for arm in (node.then, node.otherwise) if arm is not None and leaves(arm))


def _behind_loops(block: s.Block) -> Iterator[e.Index]:
    """Stores of a block's own statements at the counter of a loop before them that may end early."""
    counters: set[int] = set()
    for statement in block.body:
        if isinstance(statement, s.Loop):
            counters |= (
                {variable.id for variable in carried(statement)} if _may_end_early(statement) else set()
            )
        elif isinstance(statement, s.Evaluate):
            yield from _stores_at(statement, counters)


def _may_end_early(loop: s.Loop) -> bool:
    joined = isinstance(loop.condition, e.Binary) and loop.condition.operator == "&&"
    return joined or breaks(loop)
