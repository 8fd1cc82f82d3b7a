"""Asynchronous copies of pageable memory, which the driver stages, and the work that they delay."""

from collections.abc import Iterator
from itertools import accumulate, islice, pairwise

from cudalint.host.facts import HostCall
from cudalint.host.graph import DEFAULT, order, released
from cudalint.host.walks import QUEUED, along, unrolled

STAGED = 64 << 10  # bytes: a copy of so many to the device returns at once, from any memory
_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


def delaying(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[tuple[HostCall, HostCall]]:
    """Copies of pageable memory, each with something after it that need not wait for the copy."""
    calls = list(islice(unrolled(walk), _MOST_CALLS))
    graph = order(calls, kinds)
    rounds = _times_back(calls)
    for index, call in enumerate(calls):
        if not is_staged(call) or call.stream == "unknown":
            continue
        issued, started = released(graph, index)
        if call.read_at is not None and not _is_awaited(call, [calls[i] for i in started]):
            continue
        again = _next_from_elsewhere(calls, index)
        for i in range(index + 1, len(calls)):
            other = calls[i]
            if i in issued or not along(other, call):
                continue
            if other.stream == call.stream:
                queued = _rotates(call, other) and rounds[i] > rounds[index] and _is_queued(other, call)
            else:
                queued = i not in started and _is_elsewhere(other, kinds) and _is_queued(other, call)
            filled = i < again and _is_in_the_round(other, call)
            if queued or filled or _is_work_of_the_host(other, call):
                yield call, other
                break


def is_staged(call: HostCall) -> bool:
    """Whether the driver copies by way of a pinned buffer of its own."""
    asynchronous = call.kind == "copy" and not call.blocking and call.direction in ("HtoD", "DtoH")
    return asynchronous and call.host_space == "pageable" and not call.captured


def _times_back(calls: list[HostCall]) -> list[int]:
    """For each call how often the walk went back before it: to the start of a loop that comes twice."""
    back = [int(after.order <= before.order) for before, after in pairwise(calls)]
    return list(accumulate(back, initial=0))


def _is_awaited(call: HostCall, later: list[HostCall]) -> bool:
    """Whether the host waits for a copy before it reads what it brings; else it needs it done."""
    return any(other.blocking and call.order < other.order < (call.read_at or 0) for other in later)


def _is_queued(other: HostCall, call: HostCall) -> bool:
    """Whether a call queues work that could run at the same time: two copies of one direction cannot."""
    same = other.kind == "copy" and other.direction in (call.direction, "")
    return other.kind in QUEUED and not other.captured and not same


def _is_elsewhere(other: HostCall, kinds: dict[str, str]) -> bool:
    return other.stream in kinds or other.stream in (DEFAULT, "per-thread")


def _rotates(call: HostCall, other: HostCall) -> bool:
    """Whether `s[?]` of both is a different stream in every iteration of one loop."""
    return "[?]" in call.stream and bool(call.loops) and call.loops == other.loops


def _is_work_of_the_host(other: HostCall, call: HostCall) -> bool:
    """Whether the host has something to do in every round while a large result travels."""
    large = call.direction == "DtoH" and (call.bytes is None or call.bytes > STAGED)
    return large and bool(call.loops) and other.kind == "host-work" and not other.unseen


def _next_from_elsewhere(calls: list[HostCall], index: int) -> int:
    """Where the loop copies again what the host has in other memory; before the call where it does not."""
    call = calls[index]
    if call.direction != "HtoD" or not call.loops or (call.bytes is not None and call.bytes <= STAGED):
        return -1
    again = (i for i in range(index + 1, len(calls)) if calls[i].span == call.span)
    found = next(again, -1)
    other = calls[found]
    same = found < 0 or other.loops != call.loops or other.source in (None, call.source)
    return -1 if same or call.source is None else found


def _is_in_the_round(other: HostCall, call: HostCall) -> bool:
    """Whether the host does something of its own in every round."""
    return other.kind == "host-work" and not other.unseen and other.loops == call.loops
