"""Which part of a walk the program measures, by a clock of the host or by events."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cudalint.host.facts import HostCall, HostFacts, Interval
from cudalint.host.libraries import computes
from cudalint.host.walks import walks
from cudalint.source.span import Span

_ASKS = ("cudaEventElapsedTime", "cuEventElapsedTime")


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
    if not any(call.name.startswith(_ASKS) for call in calls):
        return []
    records = [call for call in calls if call.kind == "event-record"]
    return [
        (one.order, other.order)
        for one, other in pairwise(records)
        if one.event != other.event and (one.loops != other.loops or one.iteration == other.iteration)
    ]


def is_preparation(site: Span, host: HostFacts) -> bool:
    """Whether the program measures other launches, or calls of a library that works on the device, at least
    as often as it comes here, and never this one.
    """
    walked = [calls for calls in walks(host) if any(_is_launch(call, site) for call in calls)]
    return bool(walked) and all(_prepares(calls, site, host) for calls in walked)


def _prepares(calls: Sequence[HostCall], site: Span, host: HostFacts) -> bool:
    parts = measured(calls, host.intervals)
    told = [c for c in calls if _works(c) and any(first <= c.order < last for first, last in parts)]
    here = [call for call in calls if _is_launch(call, site)]
    return not any(_is_launch(call, site) for call in told) and all(
        any(other.loops[: call.loop] == call.loops for other in told) for call in here
    )


def _works(call: HostCall) -> bool:
    return call.kind in ("launch", "library") or (call.kind == "other" and computes(call.name))


def _is_launch(call: HostCall, site: Span) -> bool:
    return call.kind == "launch" and call.span == site
