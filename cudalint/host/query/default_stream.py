"""Work on the legacy default stream that keeps two other streams from overlapping, or itself from overlapping
with one.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from cudalint.host.facts import HostCall
from cudalint.host.graph import DEFAULT, finished, order
from cudalint.host.walks import QUEUED, along, footprint, goes_through_streams, is_one_of_each, unrolled

_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


class Serialised(Struct, frozen=True):
    """Work on the default stream, and what waits: it for the work before it, the work after it for it."""

    call: HostCall
    before: HostCall | None = None
    after: HostCall | None = None


def serialising(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Serialised]:
    """Work on the default stream, each with the work before and after that it serialises."""
    calls = [call for call in unrolled(walk) if not call.captured][:_MOST_CALLS]
    suspects = [i for i, call in enumerate(calls) if _is_queued(call) and call.stream == DEFAULT]
    streams = [i for i, call in enumerate(calls) if _on_blocking(call, kinds)]
    if not suspects or not streams:
        return
    graph = order(calls, kinds)
    done = {i: finished(graph, i) for i in (*suspects, *streams)}
    for index in suspects:
        beside = [i for i in streams if along(calls[i], calls[index])]
        pending = [i for i in beside if i < index and i not in done[index]]
        later = [i for i in beside if i > index and index not in done[i]]
        pair = _serialised(calls, index, pending, later)
        if pair is not None:
            yield Serialised(calls[index], calls[pair[0]], calls[pair[1]])
        elif _takes_time(calls[index]):
            other = _apart(calls, index, pending, later, done)
            if other is not None:
                sides = (calls[other], None) if other < index else (None, calls[other])
                yield Serialised(calls[index], *sides)


def _is_queued(call: HostCall) -> bool:
    return call.kind in QUEUED and not call.blocking


def _on_blocking(call: HostCall, kinds: dict[str, str]) -> bool:
    """Whether a call queues work on a stream that waits for the default one."""
    return _is_queued(call) and kinds.get(call.stream) == "blocking"


def _serialised(
    calls: list[HostCall], index: int, pending: list[int], later: list[int]
) -> tuple[int, int] | None:
    """Work before and after on two streams that the call serialises, unless that may be intended."""
    call = calls[index]
    for level in range(len(call.loops), 0, -1):
        before = [i for i in pending if calls[i].loops[:level] == call.loops[:level]]
        after = [i for i in later if calls[i].loops[:level] == call.loops[:level]]
        others = [calls[i] for i in (*before, *after)]
        through = goes_through_streams(call, others, level) or is_one_of_each(calls, call, others, level)
        if before and after and through:
            pairs = [(i, j) for i in reversed(before) for j in after if calls[i].stream != calls[j].stream]
            return pairs[0] if pairs else (before[-1], after[0])
    for i in reversed(pending):
        for j in later:
            if calls[i].stream != calls[j].stream and _is_free(calls, i, index, j):
                return i, j
    return None


def _takes_time(call: HostCall) -> bool:
    return call.kind in ("launch", "library") or call.direction in ("HtoD", "DtoH")


def _apart(
    calls: list[HostCall],
    index: int,
    pending: list[int],
    later: list[int],
    done: Mapping[int, frozenset[int]],
) -> int | None:
    """Independent work of one stream that the call waits for, or that waits for it, where the call could run
    on another stream: on that of what it works on, or on any because nothing needs the default one's order.
    """
    call = calls[index]
    needed = [i for i in pending if not _are_apart(calls, i, index)]
    unordered: bool | None = None
    for i in (*reversed(pending), *later):
        stream, own = calls[i].stream, footprint(call) or frozenset()
        if not _takes_time(calls[i]) or not _are_apart(calls, i, index):
            continue
        if i < index and any(calls[j].stream == stream for j in needed):
            continue
        if i > index and any(
            calls[j].stream == stream and not _are_apart(calls, index, j) for j in later if j < i
        ):
            continue
        feeding = any(calls[j].stream != stream and own & (footprint(calls[j]) or own) for j in needed)
        if not feeding and unordered is None:
            unordered = _orders_nothing(calls, index, done)
        if feeding or unordered:
            return i
    return None


def _are_apart(calls: list[HostCall], one: int, other: int) -> bool:
    return not _depends(calls[min(one, other) : max(one, other) + 1])


def _orders_nothing(calls: list[HostCall], index: int, done: Mapping[int, frozenset[int]]) -> bool:
    """Whether between the host's waits before and after a call no work of the default stream depends on work
    of another, nor the other way round. done: for all work of both, what is done when the host comes to it.
    """
    near = [i for i in sorted(done) if (i not in done[index] if i < index else index not in done[i])]
    used = {i: footprint(calls[i]) for i in near}
    for first, second in combinations(near, 2):
        one, other = used[first], used[second]
        across = (calls[first].stream == DEFAULT) != (calls[second].stream == DEFAULT)
        if across and first not in done[second] and (one is None or other is None or one & other):
            return False
    return True


def _is_free(calls: list[HostCall], before: int, index: int, after: int) -> bool:
    """Whether three calls are independent of each other, including through work queued in between."""
    pairs = ((before, index), (index, after), (before, after))
    return not any(_depends(calls[start : end + 1]) for start, end in pairs)


def _depends(calls: list[HostCall]) -> bool:
    """Whether the last call may depend on the first one, erring towards yes: they share a buffer, or work in
    between that is ordered behind the first one shares buffers with both.
    """
    footprints, met, streams = footprint(calls[0]), False, {calls[0].stream}
    for call in calls[1:]:
        if call.unseen or call.kind in ("event-wait", "other"):
            return True
        own = footprint(call) if _is_queued(call) else frozenset()
        if own is None or not footprints:
            return True
        met = bool(own & footprints)
        if met and (call.stream in streams or DEFAULT in (call.stream, *streams)):
            footprints |= own
            streams.add(call.stream)
    return met
