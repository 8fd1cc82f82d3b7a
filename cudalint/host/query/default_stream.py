"""Work on the legacy default stream that keeps two other streams from overlapping."""

from collections.abc import Iterator

from cudalint.host.facts import HostCall
from cudalint.host.graph import DEFAULT, finished, order
from cudalint.host.walks import QUEUED, Between, along, footprint, goes_through_streams, unrolled
from cudalint.source.span import Span

_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


def serialising(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Between]:
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
            yield Between(calls[pair[0]], calls[index], calls[pair[1]])


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
        through = goes_through_streams(call, others, level) or _is_one_of_each(calls, call, others, level)
        if before and after and through:
            pairs = [(i, j) for i in reversed(before) for j in after if calls[i].stream != calls[j].stream]
            return pairs[0] if pairs else (before[-1], after[0])
    for i in reversed(pending):
        for j in later:
            if calls[i].stream != calls[j].stream and _is_free(calls, i, index, j):
                return i, j
    return None


def _is_one_of_each(calls: list[HostCall], call: HostCall, others: list[HostCall], level: int) -> bool:
    """Whether a call stands in an inner loop that runs as often as another one of the same iteration, where
    each iteration takes a stream of its own: the parts of one loop are those of the other.
    """
    if len(call.loops) <= level:
        return False
    parts = {one.turns for one in calls if one.span == call.span and one.loops == call.loops}
    streams: dict[tuple[Span, tuple[int, ...]], dict[tuple[int, ...], str]] = {}
    for other in others:
        if len(other.loops) > level:
            streams.setdefault((other.span, other.loops), {})[other.turns] = other.stream
    return any(len(set(one.values())) == len(one) == len(parts) > 1 for one in streams.values())


def _is_free(calls: list[HostCall], before: int, index: int, after: int) -> bool:
    """Whether three calls are independent of each other, including through work queued in between."""
    pairs = ((before, index), (index, after), (before, after))
    return not any(_depends(calls[start : end + 1]) for start, end in pairs)


def _depends(calls: list[HostCall]) -> bool:
    """Whether the last call may depend on the first one, erring towards yes."""
    footprints, met = footprint(calls[0]), False
    for call in calls[1:]:
        if call.unseen or call.kind in ("event-wait", "other"):
            return True
        own = footprint(call) if _is_queued(call) else frozenset()
        if own is None or not footprints:
            return True
        met = bool(own & footprints)
        if met:
            footprints |= own
    return met
