"""What a fix of host code saves: the time of an iteration of the loop that it is in, with and without, both
simulated under everything that the source does not say (sizes, and how fast kernels are).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.graph import DEFAULT
from cudalint.host.timeline import SETTLED, Costs, simulate, steady, window
from cudalint.host.walks import QUEUED, footprint, stream_kinds, walks
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span

Change = Callable[[HostCall, int], HostCall | None]
"""What becomes of a call in a repeat of the iterations (counted from 0); None: it is not made."""

_ONCE = frozenset("allocate free stream-create stream-destroy event-create event-destroy host-work".split())
_TURNS = ("#0", "#1")  # streams that the program does not have
_MOST = 300  # calls of a stretch that are looked at
_SIZES = 2  # of one call, that are looked at as they are: a last chunk has another one than the others


def impact(
    host: HostFacts, call: HostCall, change: Change, ends: Iterable[Costs], basis: Basis = Basis.TRANSFERS
) -> Impact:
    """The share of the calls' time that a change saves: of an iteration of the outermost and of the innermost
    loop round the call, where it is in one; else of what is queued between two waits for the device.
    """
    kinds = {**stream_kinds(host), **dict.fromkeys(_TURNS, "non-blocking")}
    shares = [
        share
        for costs in ends
        for block, looping in _stretches(host, call)
        for share in (_share(block, looping, change, kinds, costs),)
    ]
    low, high = min(shares, default=0.0), max(shares, default=1.0)
    return Impact(max(0.0, low), max(0.0, high), basis)


def _stretches(host: HostFacts, call: HostCall) -> list[tuple[list[HostCall], bool]]:
    """The calls of the iterations that repeat, and whether they do."""
    walk = [other for other in host.calls if other.function == call.function and not other.captured]
    if not call.loops:
        waits = [other.order for other in walk if other.kind == "synchronise" and not other.stream]
        start = max((order for order in waits if order < call.order), default=-1)
        end = min((order for order in waits if order > call.order), default=len(walk))
        near = [o for o in walk if start < o.order <= end and o.kind not in _ONCE and not o.loops]
        return [(near[:_MOST], False)]
    found = []
    for level in sorted({0, len(call.loops) - 1}):
        inside = [other for other in walk if other.loops[: level + 1] == call.loops[: level + 1]]
        found.append((_without_changing_sizes(steady(inside, level)[0][:_MOST], inside), True))
    return found


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


def _share(
    block: Sequence[HostCall], looping: bool, change: Change, kinds: Mapping[str, str], costs: Costs
) -> float:
    times = SETTLED if looping else 1
    before = [block] * times
    after = [[new for call in block if (new := change(call, n)) is not None] for n in range(times)]
    now, then = (_time(repeats, kinds, costs) for repeats in (before, after))
    return 1 - then / now if now else 0.0


def _time(repeats: Sequence[Sequence[HostCall]], kinds: Mapping[str, str], costs: Costs) -> float:
    if not repeats[-1]:
        return 0.0
    start, end = window(repeats, simulate(repeats, kinds, costs))
    return end - start


# --- changes ---


def without(places: Iterable[Span]) -> Change:
    """The calls at these places are not made."""
    gone = frozenset(places)
    return lambda call, _: None if call.span in gone else call


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


def queued(host: HostFacts, place: Span) -> Change:
    """The calls at a place do not block the host, and run on the stream of the next work on their data, or
    of the last one; a wait is for that stream only.
    """
    streams: dict[tuple[str, int], str] = {}
    made = {stream.name for stream in host.streams}
    for walk in walks(host):
        for index, call in enumerate(walk):
            if call.span == place:
                near = (*walk[index + 1 :], *reversed(walk[:index]))
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
