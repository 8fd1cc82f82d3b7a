"""Loops whose iterations each wait for loads from global memory and that other threads could share."""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import lvalues, reachable, space_of
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import repeats, unrolled
from cudalint.cuda.effects import WAITING, WARP_BARRIERS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find

_BARRIERS = WAITING | WARP_BARRIERS


@once
def waiting_loops(unit: Unit, kernel: Function) -> tuple[s.Loop, ...]:
    """Those of a kernel and of what it calls that load from global memory in iterations which the compiler
    does not all write out. None in or round which threads wait for each other: an iteration may need what
    others made of the one before.
    """
    bodies = [function.body for function in reachable(unit, kernel)]
    return tuple(loop for body in bodies if body is not None for loop in _loops(unit, body))


def _loops(unit: Unit, node: Node) -> Iterator[s.Loop]:
    """Without those inside of a loop that has a barrier."""
    if isinstance(node, s.Loop):
        executed = _executed(unit, node)
        calls = (part.name for root in executed for part in find(root, e.Call))
        if any(name in _BARRIERS for name in calls):
            return
        if repeats(node) and not unrolled(node) and any(map(_loads, executed)):
            yield node
    for child in children(node):
        yield from _loops(unit, child)


def _executed(unit: Unit, loop: s.Loop) -> list[s.Statement]:
    """The loop and the bodies of what it calls."""
    keys = {part.key for part in find(loop, e.Call) if part.key in unit.functions}
    called = {one.key: one.body for key in keys if key for one in reachable(unit, unit.functions[key])}
    return [loop, *(body for body in called.values() if body is not None)]


def _loads(node: s.Statement) -> bool:
    """Whether it loads from global memory."""
    return any(operation == "load" and space_of(place) == "global" for place, operation in lvalues(node))
