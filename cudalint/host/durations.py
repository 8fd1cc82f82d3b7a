"""How long the calls of a timeline take under many assumptions at once: the arithmetic of `simulate` on
vectors with a number for each assumption, without what waits for what.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from cudalint.host.facts import HostCall
from cudalint.host.timeline import Cost, Costs, Engine, Ordered, holds_host

Seconds = NDArray[np.float64]  # one for each assumption


class Assumptions(Struct, frozen=True):
    """A call's costs under all of them. engines: where its work occupies each alone, true or false."""

    host: Seconds
    device: Seconds
    engines: Mapping[Engine, NDArray[np.bool_]]


def side_by_side(each: Sequence[Costs]) -> Callable[[HostCall], Assumptions]:
    """The costs under all assumptions; of a call once."""
    known: dict[int, tuple[HostCall, Assumptions]] = {}

    def of(call: HostCall) -> Assumptions:
        found = known.get(id(call))
        if found is None:
            found = known[id(call)] = call, _stacked([costs(call) for costs in each])
        return found[1]

    return of


def _stacked(costs: Sequence[Cost]) -> Assumptions:
    occupied = {cost.engine for cost in costs if cost.engine}
    return Assumptions(
        np.array([cost.host for cost in costs], np.float64),
        np.array([cost.device for cost in costs], np.float64),
        {engine: np.array([cost.engine == engine for cost in costs]) for engine in occupied},
    )


def durations(
    repeats: Sequence[Sequence[HostCall]], order: Ordered, costs: Callable[[HostCall], Assumptions]
) -> Seconds | float:
    """Seconds of the last repeat but one; of a single one, to the end of all its work. 0 of no calls."""
    issues: list[Seconds | float] = []
    ends: list[Seconds] = []
    latest: list[Seconds | float] = [0.0]  # the last end of so many calls
    free: dict[Engine, Seconds | float] = {}
    now: Seconds | float = 0.0
    for i, (call, before) in enumerate(zip(order.calls, order.before, strict=True)):
        if i in order.held:
            now = np.maximum(now, latest[order.held[i]])
        cost = costs(call)
        issues.append(now)
        now = start = now + cost.host
        for j, _ in before:
            start = np.maximum(start, ends[j])
        for engine, occupied in cost.engines.items():
            start = np.maximum(start, np.where(occupied, free.get(engine, 0.0), 0.0))
        end = start + cost.device
        for engine, occupied in cost.engines.items():
            free[engine] = np.where(occupied, end, free.get(engine, 0.0))
        if holds_host(call):
            now = np.maximum(now, end)
        ends.append(end)
        latest.append(np.maximum(latest[-1], end))
    if len(repeats) == 1:
        return np.maximum(latest[-1], now)
    last = len(order.calls) - len(repeats[-1])
    return issues[last] - issues[last - len(repeats[-2])] if repeats[-1] else 0.0
