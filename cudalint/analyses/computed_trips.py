"""Loops that go on until a number with a fraction that each thread computes has come far enough: walks, and
iterations until nothing changes any more. Threads that begin at different numbers end at different times.
"""

from collections.abc import Iterator

from cudalint.analyses.definitions import place
from cudalint.analyses.varying import varying
from cudalint.cuda.maths import floating
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find

_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))


def computed_trips(unit: Unit, kernel: Function, loop: s.Loop) -> bool:
    """Whether such a number decides if there is a further iteration. A counter is none that steps by what the
    loop does not change.
    """
    compared = [part for part in _comparisons(loop) if varying(unit, kernel).varies(part)]
    if not compared:
        return False
    changed = set(_changed(loop))
    computed = set(_computed(loop, changed))
    return any(not computed.isdisjoint(_named(part)) for part in compared)


def _comparisons(loop: s.Loop) -> Iterator[e.Binary]:
    for part in find(loop.condition, e.Binary):
        if part.operator in _COMPARISONS and floating(part.left.type):
            yield part


def _assigned(loop: s.Loop) -> Iterator[e.Assign]:
    for part in (loop.condition, loop.step, loop.body):
        yield from find(part, e.Assign)


def _changed(loop: s.Loop) -> Iterator[int]:
    yield from (node.variable.id for node in find(loop.body, s.Declare))
    for node in _assigned(loop):
        found = place(node.target)
        if found is not None:
            yield found[0].id


def _computed(loop: s.Loop, changed: set[int]) -> Iterator[int]:
    """The variables that get more than a further step of one length."""
    for node in _assigned(loop):
        found = place(node.target)
        if found is None:
            continue
        steps = node.operator in ("+", "-") and changed.isdisjoint(_named(node.value))
        if not steps:
            yield found[0].id


def _named(node: Node) -> set[int]:
    return {part.variable.id for part in find(node, e.VariableReference)}
