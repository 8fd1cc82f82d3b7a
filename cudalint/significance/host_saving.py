"""What a fix of host code saves: the time of an iteration of the loop that it is in, with and without, both
simulated under everything that the source does not say (sizes, and how fast kernels are).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.host.durations import Assumptions, Seconds, durations, side_by_side
from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.graph import DEFAULT
from cudalint.host.timeline import SETTLED, Costs, ordered, steady
from cudalint.host.walks import QUEUED, footprint, rounds_by_id, stream_kinds, walks
from cudalint.significance.call_times import HOSTS
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.unknowns import LOW
from cudalint.source.span import Span

_ALLOCATIONS = ("allocate", "free", "stream-create", "stream-destroy")

Change = Callable[[HostCall, int], HostCall | None]
"""What becomes of a call in a repeat of the iterations (counted from 0); None: it is not made."""

_ONCE = frozenset("allocate free stream-create stream-destroy event-create event-destroy host-work".split())
_TURNS = ("#0", "#1")  # streams that the program does not have
_MOST = 300  # calls of a stretch that are looked at
_PLACES = 4  # loops and walks that come to a call, that are looked at
_SIZES = 2  # of one call, that are looked at as they are: a last chunk has another one than the others


def impact(
    host: HostFacts, call: HostCall, change: Change, ends: Iterable[Costs], basis: Basis = Basis.TRANSFERS
) -> Impact:
    """The share of the calls' time that a change saves: of an iteration of the outermost and of the innermost
    loop round the call, where it is in one; else of what is queued between two waits for the device.
    """
    kinds = {**stream_kinds(host), **dict.fromkeys(_TURNS, "non-blocking")}
    alike = _alike(host, call)
    changed = [one for one in alike if change(one, 1) is not one]
    stretches = [stretch for one in changed or alike for stretch in _stretches(host, one)]
    costs = side_by_side(list(ends))
    shares = [_shares(one, change, kinds, costs) for one in stretches]
    if not any(each.size for each in shares):
        return Impact(0.0, 1.0, basis)
    likely = np.concatenate([each[:HOSTS] for each in shares])
    low = 0.0 if any(stretch.open for stretch in stretches) else max(0.0, float(np.quantile(likely, LOW)))
    high = max(0.0, *(float(each.max()) for each in shares))
    return Impact(min(low, high), high, basis)


class _Stretch(Struct, frozen=True):
    """Calls of which a change saves a share. looping: they repeat. open: another loop among them repeats
    some of them nobody knows how often.
    """

    calls: list[HostCall]
    looping: bool
    open: bool = False


def _alike(host: HostFacts, call: HostCall) -> list[HostCall]:
    """The first call at the same place in each loop or walk that comes to it."""
    found: dict[tuple[str, tuple[int, ...]], HostCall] = {(call.function, call.loops[:1]): call}
    for other in host.calls:
        if other.span == call.span and other.kind == call.kind:
            found.setdefault((other.function, other.loops[:1]), other)
    return list(found.values())[:_PLACES]


def _stretches(host: HostFacts, call: HostCall) -> list[_Stretch]:
    """The calls of the iterations that repeat, or what is queued between two waits for the device."""
    walk = [other for other in host.calls if other.function == call.function and not other.captured]
    if not call.loops:
        waits = [other.order for other in walk if other.kind == "synchronise" and not other.stream]
        start = max((order for order in waits if order < call.order), default=-1)
        end = min((order for order in waits if order > call.order), default=len(walk))
        near = [o for o in walk if start < o.order <= end and o.kind not in _ONCE and not o.loops]
        return [_Stretch(near[:_MOST], False)]
    rounds = rounds_by_id(host)
    found = []
    for level in sorted({0, len(call.loops) - 1}):
        inside = [other for other in walk if other.loops[: level + 1] == call.loops[: level + 1]]
        block = _without_changing_sizes(steady(inside, level)[0], inside)
        whole, open_ = _in_full(block, call, level + 1, rounds)
        stretch = _Stretch(whole[:_MOST], True, open_ or len(whole) > _MOST)
        found += [stretch, *_without_what_may_be_rare(host, call, stretch)]
    return found


def _without_what_may_be_rare(host: HostFacts, call: HostCall, stretch: _Stretch) -> list[_Stretch]:
    """The stretch of an iteration that leaves out what stands under conditions of its own, if anything does:
    a report every so many iterations. Of a branch whose arms all have work one is always taken.
    """
    branches = dict(host.branches)
    queued = [other for other in stretch.calls if other.kind in QUEUED]
    met = {number for other in queued for number in other.conditions}
    arms = Counter(branches.get(number, -number) for number in met)
    rare = {number for number in met if arms[branches.get(number, -number)] == 1} - {*call.conditions}
    left = [other for other in stretch.calls if rare.isdisjoint(other.conditions)]
    return [replace(stretch, calls=left)] if len(left) < len(stretch.calls) else []


def _in_full(
    block: Sequence[HostCall], call: HostCall, level: int, rounds: Mapping[int, Rounds]
) -> tuple[list[HostCall], bool]:
    """The calls with those of other loops at a level as often as these run: the model walks a few iterations.
    Also whether nobody knows how often one of them runs.
    """
    found: list[HostCall] = []
    open_ = False
    for number, part in groupby(block, key=lambda one: one.loops[level] if len(one.loops) > level else None):
        calls = list(part)
        found += calls
        loop = rounds.get(number) if number is not None else None
        if loop is None or number in call.loops or not any(one.kind in QUEUED for one in calls):
            continue
        last = [one for one in calls if one.turns[level : level + 1] == calls[-1].turns[level : level + 1]]
        walked = len({one.turns[level : level + 1] for one in calls})
        if loop.count is None:
            open_ = True
        else:
            room = max(0, _MOST - len(found)) // len(last) + 1
            found += last * min(max(0, loop.count - walked), room)
    return found, open_


def _without_changing_sizes(block: Sequence[HostCall], inside: Sequence[HostCall]) -> list[HostCall]:
    """The calls of an iteration; sizes that take several values in the iterations that are run, and may
    take more in others, are not known.
    """
    sizes: dict[tuple[Span, str, tuple[int, ...]], set[int]] = {}
    for call in inside:
        if call.bytes is not None:
            sizes.setdefault((call.span, call.stream, call.loops), set()).add(call.bytes)
    changing = {place for place, values in sizes.items() if len(values) > _SIZES}
    return [
        replace(call, bytes=None, sample=None) if (call.span, call.stream, call.loops) in changing else call
        for call in block
    ]


def _shares(
    stretch: _Stretch,
    change: Change,
    kinds: Mapping[str, str],
    costs: Callable[[HostCall], Assumptions],
) -> Seconds:
    """What is saved of a stretch, at each end; of one that takes no time, nothing."""
    times = SETTLED if stretch.looping else 1
    before = [stretch.calls] * times
    after = [[new for call in stretch.calls if (new := change(call, n)) is not None] for n in range(times)]
    now, then = (durations(repeats, ordered(repeats, kinds), costs) for repeats in (before, after))
    whole, left = np.broadcast_arrays(np.atleast_1d(now), then)
    return np.asarray(1 - np.divide(left, whole, out=np.ones(whole.shape), where=whole != 0))


# --- changes ---


def without(places: Iterable[Span]) -> Change:
    """The calls at these places are not made."""
    gone = frozenset(places)
    return lambda call, _: None if call.span in gone else call


def without_one(gone: HostCall) -> Change:
    """The call at its place is not made where control comes to it by the same calls."""
    return lambda call, _: None if (call.span, call.came_by) == (gone.span, gone.came_by) else call


def without_allocations(places: Iterable[Span]) -> Change:
    """What these places allocate and free is kept; other work of theirs is still done."""
    gone = frozenset(places)
    return lambda call, _: None if call.span in gone and call.kind in _ALLOCATIONS else call


def on_device(places: Iterable[Span]) -> Change:
    """The copies at these places stay on the device."""
    moved = frozenset(places)

    def change(call: HostCall, _: int) -> HostCall | None:
        inside = replace(call, direction="DtoD", source=call.destination, blocking=False)
        return inside if call.span in moved else call

    return change


def pinned(places: Iterable[Span]) -> Change:
    """The host's memory of the copies at these places is pinned."""
    which = frozenset(places)
    return lambda call, _: replace(call, host_space="pinned") if call.span in which else call


def unblocked(places: Iterable[Span]) -> Change:
    """The host does not wait for the calls at these places."""
    which = frozenset(places)
    return lambda call, _: replace(call, blocking=False) if call.span in which else call


def queued(host: HostFacts, place: Span) -> Change:
    """The calls at a place do not block the host, and run on the stream of the next work on their data, or
    of the last one; a wait is for the stream that the same iteration has used before it, else for that one.
    """
    streams: dict[tuple[str, int], str] = {}
    made = {stream.name for stream in host.streams}
    for walk in walks(host):
        for index, call in enumerate(walk):
            if call.span == place:
                near: Sequence[HostCall] = (*walk[index + 1 :], *reversed(walk[:index]))
                if call.kind == "synchronise":
                    here = (call.loops, call.turns)
                    near = (*(o for o in reversed(walk[:index]) if (o.loops, o.turns) == here), *near)
                own = footprint(call)
                known = (
                    other.stream
                    for other in near
                    if other.kind in QUEUED and other.stream in made and _meets(own, footprint(other))
                )
                streams[call.function, call.order] = next(known, _TURNS[0])

    def change(call: HostCall, _: int) -> HostCall | None:
        if call.span != place:
            return call
        stream = streams.get((call.function, call.order), call.stream)
        if call.kind == "synchronise":
            return replace(call, stream=stream)
        return replace(call, blocking=False, stream=stream, host_space="pinned")

    return change


def _meets(one: frozenset[int] | None, other: frozenset[int] | None) -> bool:
    """Whether two calls may use one buffer."""
    return one is None or other is None or not one.isdisjoint(other)


def alternating(call: HostCall) -> Change:
    """The work of the default stream in two streams in turn, without blocking in the loop of a call."""

    def change(other: HostCall, number: int) -> HostCall | None:
        if other.stream != DEFAULT or other.kind not in QUEUED:
            return other
        moved = replace(other, stream=_TURNS[number % len(_TURNS)])
        return replace(moved, blocking=False, host_space="pinned") if other.loops == call.loops else moved

    return change


def threaded(call: HostCall, number: int) -> HostCall | None:
    """Two threads do the iterations in turn, each on a stream of its own and waiting for nothing."""
    if call.kind == "synchronise":
        return None
    if call.kind not in QUEUED:
        return call
    return replace(call, stream=_TURNS[number % len(_TURNS)], blocking=False, host_space="pinned")


def apart(one: HostCall, other: HostCall) -> Change:
    """Two calls run at the same time, on streams of their own."""
    spans = {one.span: _TURNS[0], other.span: _TURNS[1]}

    def change(call: HostCall, _: int) -> HostCall | None:
        return replace(call, blocking=False, stream=spans[call.span]) if call.span in spans else call

    return change
