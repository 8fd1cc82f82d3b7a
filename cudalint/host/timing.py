"""Which part of a walk the program measures, by a clock of the host or by events."""

from collections.abc import Iterable
from itertools import pairwise

from cudalint.host.facts import HostCall, Interval

ASKS = ("cudaEventElapsedTime", "cuEventElapsedTime")


def measured(calls: Iterable[HostCall], intervals: Iterable[Interval]) -> list[tuple[int, int]]:
    """(first order, order behind the last) of each part of one walk that lies between two readings."""
    calls = list(calls)
    function = calls[0].function if calls else ""
    clocks = [(i.start, i.stop) for i in intervals if i.function == function]
    return clocks + _between_events(calls)


def _between_events(calls: list[HostCall]) -> list[tuple[int, int]]:
    """From each recorded event to the next one of another name, save where an iteration of a loop ends
    and the next one starts. None where no time between events is asked for: they order work.
    """
    if not any(call.name.startswith(ASKS) for call in calls):
        return []
    records = [call for call in calls if call.kind == "event-record"]
    return [
        (one.order, other.order)
        for one, other in pairwise(records)
        if one.event != other.event and (one.loops != other.loops or one.iteration == other.iteration)
    ]
