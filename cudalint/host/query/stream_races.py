"""Pairs of calls on two streams of which one reads what the other writes, with nothing to order them."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from cudalint.analyses.pointees import part_effects
from cudalint.host.facts import Buffer, HostCall, LaunchFact
from cudalint.host.graph import done_before, order
from cudalint.host.handed_pointers import handed_pointers
from cudalint.host.walks import QUEUED, along, unrolled
from cudalint.ir.layout import part_name
from cudalint.ir.unit import Unit

_MOST_CALLS = 300  # of a walk, loops twice; what comes later is not looked at
_ORDERS_NOTHING = ("cudaGetDevice", "cudaFuncSet", "cudaOccupancy", "cudaMemGetInfo", "cudaDeviceGet", "nvtx")


# What launches of a kernel (key) with a block and grid surely touch: (parameter, write, pieces in bytes from
# where its argument points).
Touched = tuple[str, bool, tuple[tuple[int, int], ...]]
Reaches = Mapping[tuple[object, ...], Sequence[Touched]]
NOTHING_KNOWN: Reaches = MappingProxyType({})


class BufferUse(Struct, frozen=True):
    """Bytes of a buffer that queued work reads or writes. Of a kernel, what it surely touches, and the first
    one of its argument; of a copy of unknown size, its first one.
    """

    buffer: Buffer
    start: int
    end: int
    write: bool
    name: str


class StreamRace(Struct, frozen=True):
    """Two calls in the order of their issue, and the use of one byte by each of the two."""

    earlier: HostCall
    later: HostCall
    first: BufferUse
    second: BufferUse

    @property
    def reader(self) -> HostCall:
        return self.later if self.first.write else self.earlier

    @property
    def staged(self) -> bool:
        """Whether one of the two is a copy from pageable memory, which the host may wait for."""
        return "pageable" in (self.earlier.host_space, self.later.host_space)

    @property
    def writer(self) -> HostCall:
        return self.earlier if self.first.write else self.later


class _Work(Struct, frozen=True):
    """Queued work with its position in the walk and the bytes it accesses."""

    position: int
    call: HostCall
    uses: tuple[BufferUse, ...]


def races(
    walk: tuple[HostCall, ...], kinds: dict[str, str], unit: Unit, reaches: Reaches = NOTHING_KNOWN
) -> Iterator[StreamRace]:
    """The races of one walk."""
    calls = [call for call in unrolled(walk) if not call.captured][:_MOST_CALLS]
    parts = _launched_in_parts(calls)
    works = [
        _Work(i, call, uses)
        for i, call in enumerate(calls)
        if _is_on_a_stream(call, kinds) and (uses := tuple(_uses(call, unit, parts, reaches)))
    ]
    if len({work.call.stream for work in works}) < 2:
        return
    graph = order(calls, kinds)
    vague = any(call.kind == "event-record" and not _is_clear(call.event) for call in calls)
    barriers = [i for i, call in enumerate(calls) if _may_order(call, vague)]
    for index, later in enumerate(works):
        suspects = [
            (earlier, pair)
            for earlier in works[:index]
            if earlier.call.stream != later.call.stream and along(earlier.call, later.call)
            if (pair := _conflict(earlier, later)) is not None
            and not any(earlier.position < i < later.position for i in barriers)
        ]
        if suspects:
            done = done_before(graph, later.position)
            for earlier, pair in suspects:
                if earlier.position not in done:
                    yield StreamRace(earlier.call, later.call, *pair)


def _is_on_a_stream(call: HostCall, kinds: dict[str, str]) -> bool:
    """Whether a call queues work on one stream that is surely known and is not ordered by the host, which a
    copy to pageable memory keeps until it is done.
    """
    waits = call.host_space == "pageable" and call.direction != "HtoD"
    if call.kind not in QUEUED or call.blocking or "?" in call.stream or waits:
        return False
    return kinds.get(call.stream) in ("blocking", "non-blocking") or call.stream in ("default", "per-thread")


def _may_order(call: HostCall, vague: bool) -> bool:
    """Whether a call may make streams wait in a way that the graph does not show. vague: an event that is not
    known is recorded, and any wait may be for it.
    """
    if call.kind == "event-wait" or (call.kind == "synchronise" and "Event" in call.name):
        return vague or not _is_clear(call.event) or "?" in call.stream
    if call.kind == "synchronise":
        return call.stream == "unknown" or "?" in call.stream
    return call.unseen or (call.kind in ("other", "library") and not call.name.startswith(_ORDERS_NOTHING))


def _is_clear(name: str) -> bool:
    return bool(name) and "?" not in name


def _launched_in_parts(calls: list[HostCall]) -> set[tuple[str | None, int]]:
    """(kernel, buffer) of kernels that several streams hand one buffer to, with numbers that differ or are
    unknown: each launch may process a part of it.
    """
    found: dict[tuple[str | None, int], set[tuple[str, tuple[int | float | None, ...]]]] = {}
    for call in calls:
        if call.launch is None or call.launch.arguments is None:
            continue
        numbers = tuple(a.value for a in call.launch.arguments if not (a.buffer or a.among))
        for number in call.arguments:
            found.setdefault((call.launch.key, number), set()).add((call.stream, numbers))
    return {key for key, launches in found.items() if _may_be_parts(launches)}


def _may_be_parts(launches: set[tuple[str, tuple[int | float | None, ...]]]) -> bool:
    streams = {stream for stream, _ in launches}
    numbers = {given for _, given in launches}
    several = len(streams) > 1 or any("?" in stream for stream in streams)
    return several and (len(numbers) > 1 or any(None in given for given in numbers))


def _uses(
    call: HostCall, unit: Unit, parts: set[tuple[str | None, int]], reaches: Reaches
) -> Iterator[BufferUse]:
    if call.launch is not None:
        yield from _of_launch(call.launch, unit, parts, reaches)
        return
    for buffer, place, write in (
        (call.source, call.source_place, False),
        (call.destination, call.destination_place, True),
    ):
        size = 1 if call.bytes is None else call.bytes  # one byte is copied in any case
        if buffer is not None and place is not None and place.offset is not None and size:
            yield BufferUse(buffer, place.offset, place.offset + size, write, buffer.name)


def _of_launch(
    launch: LaunchFact, unit: Unit, parts: set[tuple[str | None, int]], reaches: Reaches
) -> Iterator[BufferUse]:
    function = unit.functions.get(launch.key) if launch.key is not None else None
    if function is None or function.body is None or launch.arguments is None:
        return
    read, written = part_effects(function)
    for index, (argument, parameter) in enumerate(zip(launch.arguments, function.parameters, strict=False)):
        for at, _, part in handed_pointers(argument, parameter, unit):
            buffer, offset = part.buffer, part.offset
            if buffer is None or offset is None or (launch.key, buffer.id) in parts:
                continue
            name = f"{parameter.name}{part_name(unit, parameter.type, at)}"
            for found, write in ((read, False), (written, True)):
                if (index, at) in found:
                    yield BufferUse(buffer, offset, offset + 1, write, name)
            for reached, write, pieces in reaches.get((launch.key, launch.block, launch.grid), ()):
                if reached == name:
                    yield from (BufferUse(buffer, offset + a, offset + b, write, name) for a, b in pieces)


def _conflict(earlier: _Work, later: _Work) -> tuple[BufferUse, BufferUse] | None:
    """A byte that one of two writes and the other one reads."""
    for one in earlier.uses:
        for other in later.uses:
            same = one.buffer.id == other.buffer.id and one.write != other.write
            if same and one.start < other.end and other.start < one.end:
                return one, other
    return None
