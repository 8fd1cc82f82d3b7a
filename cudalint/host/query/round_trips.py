"""Copies to the device of data that another copy has just brought from it, unchanged by the host."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.host.facts import HostCall, HostFacts, Place, Use
from cudalint.host.walks import along, unrolled, walks


class RoundTrip(Struct, frozen=True):
    """A copy to the host and one back, with no change of the data between. moved: the host has copied it into
    another buffer meanwhile; read: it has read it.
    """

    down: HostCall
    up: HostCall
    moved: HostCall | None = None
    read: bool = False


def round_trips(host: HostFacts) -> Iterator[RoundTrip]:
    uses: dict[tuple[str, int], list[Use]] = {}
    for use in host.uses:
        uses.setdefault((use.function, use.order), []).append(use)
    for calls in walks(host):
        yield from _of_walk(calls, uses)


class _Fetched(Struct, frozen=True):
    """What a buffer of the host holds: what a copy has brought, where that stands now."""

    down: HostCall
    place: Place | None
    bytes: int | None
    moved: HostCall | None = None
    read: bool = False


def _of_walk(calls: tuple[HostCall, ...], uses: dict[tuple[str, int], list[Use]]) -> Iterator[RoundTrip]:
    fetched: dict[int, _Fetched] = {}  # by the host's buffer
    last = -1
    for call in unrolled(calls):
        touched = uses.get((call.function, call.order), [])
        if call.order != last + 1:  # the start of a loop's body comes after its end
            ends = uses.get((call.function, last + 1), [])
            touched = touched + [use for use in ends if use.loops[:1] == call.loops[:1]]
        last = call.order
        for use in touched:
            if use.write:
                fetched.pop(use.buffer, None)
            elif use.buffer in fetched and not _is_own(use, call):
                fetched[use.buffer] = replace(fetched[use.buffer], read=True)
        if call.unseen or call.name == "cudaSetDevice":
            fetched.clear()
        elif call.kind == "copy" and not call.captured:
            back = fetched.get(call.source.id) if call.source is not None else None
            if call.direction == "HtoD" and back is not None and _is_trip(back, call):
                yield RoundTrip(back.down, call, back.moved, back.read)
            _note(call, fetched)
        elif call.kind == "host-work" and call.source is not None and call.destination is not None:
            _move(call, fetched)
        else:
            for number in (
                *call.arguments,
                *(b.id for b in (call.source, call.destination) if b is not None),
            ):
                fetched.pop(number, None)


def _is_own(use: Use, call: HostCall) -> bool:
    """Whether a use is that of a copy between buffers of the host, of what it copies."""
    moves = call.kind == "host-work" and call.source is not None
    return moves and not use.write and call.source is not None and use.buffer == call.source.id


def _move(call: HostCall, fetched: dict[int, _Fetched]) -> None:
    """The host copies what one buffer holds into another one."""
    assert call.source is not None and call.destination is not None
    held = fetched.get(call.source.id)
    fetched.pop(call.destination.id, None)
    if held is not None and along(held.down, call) and _holds(held, call.source_place):
        fetched[call.destination.id] = _Fetched(
            held.down, call.destination_place, call.bytes, call, held.read
        )


def _note(call: HostCall, fetched: dict[int, _Fetched]) -> None:
    """What a copy changes of what the host's buffers hold."""
    if call.direction == "DtoH" and call.destination is not None:
        fetched[call.destination.id] = _Fetched(call, call.destination_place, call.bytes)
    elif call.direction not in ("HtoD", "DtoH", "DtoD"):
        fetched.clear()


def _is_trip(held: _Fetched, up: HostCall) -> bool:
    """Whether a copy surely takes what the other one has brought."""
    last = held.moved if held.moved is not None else held.down
    if not along(last, up) or None in (held.down.source, up.destination):
        return False
    if held.down.loops[: len(up.loops)] != up.loops:
        return False  # a loop takes other data in its later iterations
    more = held.bytes is not None and up.bytes is not None and up.bytes > held.bytes
    return not more and _holds(held, up.source_place)


def _holds(whole: _Fetched, part: Place | None) -> bool:
    """Whether a place is known to be in what was brought."""
    if whole.place is None or part is None or whole.place.offset is None or part.offset is None:
        return False
    if whole.place.offset == part.offset:
        return True
    size = whole.bytes
    return size is not None and whole.place.offset <= part.offset < whole.place.offset + size
