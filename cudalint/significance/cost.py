"""What a place of device code costs: the one count that every question about significance asks.

Each number lies between a low and a high end. How much one node weighs and how often a loop iterates is
given by whom it serves; the counts themselves are in analyses/instructions.py.
"""

from collections.abc import Callable, Mapping
from math import inf

from msgspec import Struct

from cudalint.analyses.trip_counts import ASSUMED_TRIPS, constant_trips
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, children, find
from cudalint.significance.interval import EVER, NOTHING, ONCE, Interval, exactly, total

Weigh = Callable[[Node], float]
Trips = Callable[[s.Loop], Interval]

_SCALING = ("*", "/", "<<", ">>")
_HALVINGS = 5  # iterations of a counter that goes from a warp's width to one, or back, by halves


class Cost(Struct, frozen=True):
    """Of one pass through a place by a warp."""

    instructions: Interval = NOTHING  # outside of loops
    looped: Interval = NOTHING  # instructions in loops
    iterations: Interval = ONCE  # of the loop that the place is; 1 for anything else

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.instructions + other.instructions,
            self.looped + other.looped,
            self.iterations,
        )

    @property
    def all(self) -> Interval:
        """All instructions, in loops and outside of them."""
        return self.instructions + self.looped


class Costs:
    """Counts the instructions of places. bodies: functions by key whose calls cost what their bodies do;
    recursive: what a call of a function inside itself costs.
    """

    def __init__(
        self, weigh: Weigh, trips: Trips, bodies: Mapping[str, Function] | None = None, recursive: float = 0.0
    ) -> None:
        self.weigh = weigh
        self.trips = trips
        self.bodies = bodies or {}
        self.recursive = Cost(exactly(recursive))
        self.known: dict[str, Cost] = {}
        self.told: dict[int, tuple[s.Statement, Cost]] = {}  # of statements that call none of the bodies

    def of_function(self, function: Function) -> Cost:
        """Of one call of it."""
        if function.key not in self.known:
            self.known[function.key] = self.recursive
            if function.body is not None:
                self.known[function.key] = self.of(function.body)
        return self.known[function.key]

    def of(self, node: Node) -> Cost:
        """Of one pass through a statement or an expression."""
        if not isinstance(node, s.Statement):
            return self._of(node)
        if id(node) in self.told:
            return self.told[id(node)][1]
        cost = self._of(node)
        if not any(call.key in self.bodies for call in find(node, e.Call)):
            self.told[id(node)] = node, cost
        return cost

    def _of(self, node: Node) -> Cost:
        below = children(node)
        if not below and not isinstance(node, e.Call):
            return Cost(exactly(float(self.weigh(node))))
        parts = [self.of(child) for child in below]
        if isinstance(node, e.Call) and node.key is not None and node.key in self.bodies:
            parts.append(self.of_function(self.bodies[node.key]))
        own = total((exactly(self.weigh(node)), *(part.instructions for part in parts)))
        looped = total(part.looped for part in parts)
        if not isinstance(node, s.Loop):
            return Cost(own, looped)
        iterations = self.trips(node)
        return Cost(looped=_often(own + looped, iterations), iterations=iterations)


def _often(once: Interval, iterations: Interval) -> Interval:
    """What an endless loop costs has no high end, whatever stands in it."""
    product = once * iterations
    return Interval(product.low, inf) if iterations.high == inf else product


def scales(loop: s.Loop) -> bool:
    """Whether the counter is multiplied or divided in each iteration, so that there are few."""
    return isinstance(loop.step, e.Assign) and loop.step.operator in _SCALING


def told_trips(loop: s.Loop) -> Interval:
    """Iterations as the source gives them; of other loops from 1 to ASSUMED_TRIPS."""
    known = constant_trips(loop)
    if known:
        return exactly(known)
    least = _HALVINGS if scales(loop) else 1
    return Interval(least, max(ASSUMED_TRIPS, least))


def once_each(loop: s.Loop) -> Interval:
    """One iteration of each loop."""
    return ONCE


def endless(loop: s.Loop) -> Interval:
    """As many iterations as one likes."""
    return EVER
