"""Accesses that cannot be felt, however they are made: beside loops that compute, or that go round nobody
knows how often.
"""

from collections.abc import Mapping

from cudalint.analyses.instructions import instructions_of, own_cost
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import constant_trips
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find
from cudalint.significance.cost import Costs, scales, told_trips


@once
def open_loops(unit: Unit, function: Function) -> bool:
    """Whether the kernel has a loop of a length that only the run knows, round an access to memory."""
    return any(is_open(node) for current in reachable(unit, function) for node in find(current.body, s.Loop))


def is_open(loop: s.Loop) -> bool:
    """Whether a loop is round an access to memory and of a length that only the run knows: not one whose
    counter is halved or doubled, which is short.
    """
    return not constant_trips(loop) and not scales(loop) and bool(find(loop.body, e.Index, e.Dereference))


def outcomputes(
    unit: Unit, function: Function, rounds: Mapping[int, float], sectors: Mapping[int, float], least: float
) -> bool:
    """Whether a thread does `least` operations or more for each of the sectors of L1 that its accesses move,
    in the loops right round them, and in the whole kernel for those that are in none. rounds, sectors: by
    the identity of the loop, 0 for none.
    """
    known = _weighed(unit, function)
    in_loops = sum(part for at, part in sectors.items() if at)
    done = sum(known.get(at, 0.0) * rounds.get(at, 0.0) for at in sectors if at)
    return done >= least * in_loops and known[id(function)] >= least * sectors.get(0, 0.0)


@once
def _weighed(unit: Unit, function: Function) -> dict[int, float]:
    """The same in instructions, as far as those of divisions and of the mathematics library are known; for
    the kernel also those outside of loops.
    """
    costs = Costs(_instructions, told_trips, unit.functions)
    found = _counted(unit, function, costs)
    outside = costs.of_function(function).instructions.high
    return found | {id(function): found[id(function)] + outside}


def _instructions(node: Node) -> float:
    counted = instructions_of(node)
    return max(own_cost(node), counted.all if counted is not None else 0)


def _counted(unit: Unit, function: Function, costs: Costs) -> dict[int, float]:
    found: dict[int, float] = {}
    for current in reachable(unit, function):
        found[id(current)] = costs.of_function(current).looped.high
        for node in find(current.body, s.Loop):
            found[id(node)] = costs.of(node.body).all.low
    return found
