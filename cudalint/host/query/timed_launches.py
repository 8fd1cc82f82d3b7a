"""Launches that a clock misses or counts too much: between two readings where nothing waits for them, and
before the first where they still run.
"""

from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Interval, Rounds
from cudalint.host.waits import may_have_waited, may_wait_for
from cudalint.host.walks import rounds_by_id, walks
from cudalint.ir.unit import Unit

_MOST = 20  # times as many launches that are measured, among which those from before hardly count
_OPEN = 100  # iterations of a loop that nobody knows the length of


class Unwaited(Struct, frozen=True):
    """Two readings of a clock, and the launches between them that may still run at the second one."""

    interval: Interval
    launches: tuple[HostCall, ...]
    includes_others: bool  # others between the readings are waited for


def unwaited_launches(host: HostFacts, unit: Unit) -> Iterator[Unwaited]:
    """The intervals of each walk with launches that nothing waits for."""
    for calls in walks(host) if host.intervals else ():
        intervals = [i for i in host.intervals if i.function == calls[0].function]
        unwaited = [(interval, _pending(calls, interval, unit)) for interval in intervals]
        for interval, launches in unwaited:
            if launches and not _is_compared(interval, unwaited):
                yield Unwaited(interval, tuple(launches), _waits_before(calls, interval, launches[0]))


class Early(Struct, frozen=True):
    """Two readings, and the last launch before the first that may still run then; the second waits for it."""

    interval: Interval
    launch: HostCall


def early_readings(host: HostFacts, unit: Unit) -> Iterator[Early]:
    """Where the launches between the readings are not many more than those that still run at the first, which
    run whenever those do.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host) if host.intervals else ():
        for interval in (one for one in host.intervals if one.function == calls[0].function):
            launches = [c for c in calls if c.kind == "launch" and not c.captured and not _is_empty(c, unit)]
            inside = [c for c in launches if interval.start <= c.order < interval.stop]
            before = [
                c
                for c in launches
                if c.order < interval.start and not may_have_waited(calls, c, interval.start)
            ]
            certain = {condition for c in inside[:1] for condition in c.conditions}
            before = [c for c in before if certain.issuperset(c.conditions)]
            if not before or not inside or not may_have_waited(calls, inside[-1], interval.stop):
                continue
            events = any(c.kind == "event-record" for c in calls[interval.start : interval.stop])
            if not events and _number(inside, rounds, _OPEN) <= _MOST * _number(before, rounds, 1):
                yield Early(interval, before[-1])


def _number(launches: Sequence[HostCall], rounds: dict[int, Rounds], open_: int) -> int:
    """How many launches these are, loops counted. open_: iterations where nobody knows."""
    places = {(call.span, call.came_by, len(call.loops)): call.loops for call in launches}
    counts = ([rounds[n].count if n in rounds else None for n in loops] for loops in places.values())
    return sum(prod(one if one is not None else open_ for one in found) for found in counts)


def _pending(calls: Sequence[HostCall], interval: Interval, unit: Unit) -> list[HostCall]:
    """Launches between the readings that nothing waits for; none if an event is recorded."""
    inside = calls[interval.start : interval.stop]
    if any(call.kind == "event-record" for call in inside):
        return []
    launches = [c for c in inside if c.kind == "launch" and not c.captured and not _is_empty(c, unit)]
    left = [launch for launch in launches if not may_have_waited(calls, launch, interval.stop)]
    return [launch for launch in left if not _waited_in_loop(calls, interval, launch)]


def _waited_in_loop(calls: Sequence[HostCall], interval: Interval, launch: HostCall) -> bool:
    """Whether a launch is in a loop between the readings whose next iteration waits for it."""
    for depth in range(1, launch.loop + 1):
        rounds = [c for c in calls if c.loops[:depth] == launch.loops[:depth]]
        within = interval.start <= rounds[0].order and rounds[-1].order < interval.stop
        site = [c for c in rounds if c.kind == "launch" and c.span == launch.span]
        if within and any(may_wait_for(calls, call, site[0]) for call in rounds):
            return True
    return False


def _is_empty(launch: HostCall, unit: Unit) -> bool:
    """Whether the kernel body is empty: it is launched to time the launch."""
    key = launch.launch.key if launch.launch is not None else None
    function = unit.functions.get(key or "")
    return function is not None and function.body is not None and not function.body.body


def _is_compared(interval: Interval, others: list[tuple[Interval, list[HostCall]]]) -> bool:
    """Whether the same start is compared with a later reading too, after a wait."""
    return any(
        other.start_span == interval.start_span and other.stop > interval.stop and not launches
        for other, launches in others
    )


def _waits_before(calls: Sequence[HostCall], interval: Interval, first: HostCall) -> bool:
    """Whether other launches between the readings are waited for, so that their time is included."""
    others = (c for c in calls[interval.start : first.order] if c.kind == "launch")
    return any(may_have_waited(calls, other, interval.stop) for other in others)
