"""Copies to the device of data that another copy has just brought from it, unused by the host."""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts, Place, Use
from cudalint.host.walks import along, unrolled, walks


def round_trips(host: HostFacts) -> Iterator[tuple[HostCall, HostCall]]:
    """(copy to the host, copy back) with no use of the host's buffer between."""
    uses: dict[tuple[str, int], list[Use]] = {}
    for use in host.uses:
        uses.setdefault((use.function, use.order), []).append(use)
    for calls in walks(host):
        yield from _of_walk(calls, uses)


def _of_walk(
    calls: tuple[HostCall, ...], uses: dict[tuple[str, int], list[Use]]
) -> Iterator[tuple[HostCall, HostCall]]:
    fetched: dict[int, HostCall] = {}  # by the host's buffer
    last = -1
    for call in unrolled(calls):
        touched = uses.get((call.function, call.order), [])
        if call.order != last + 1:  # the start of a loop's body comes after its end
            ends = uses.get((call.function, last + 1), [])
            touched = touched + [use for use in ends if use.loops[:1] == call.loops[:1]]
        last = call.order
        for use in touched:
            fetched.pop(use.buffer, None)
        if call.unseen or call.name == "cudaSetDevice":
            fetched.clear()
        elif call.kind == "copy" and not call.captured:
            back = fetched.get(call.source.id) if call.source is not None else None
            if call.direction == "HtoD" and back is not None and _is_trip(back, call):
                yield back, call
            _note(call, fetched)
        else:
            for number in (
                *call.arguments,
                *(b.id for b in (call.source, call.destination) if b is not None),
            ):
                fetched.pop(number, None)


def _note(call: HostCall, fetched: dict[int, HostCall]) -> None:
    """What a copy changes of what the host's buffers hold."""
    if call.direction == "DtoH" and call.destination is not None:
        fetched[call.destination.id] = call
    elif call.direction not in ("HtoD", "DtoH", "DtoD"):
        fetched.clear()


def _is_trip(down: HostCall, up: HostCall) -> bool:
    """Whether a copy surely takes what the other one has brought."""
    if not along(down, up) or None in (down.source, up.destination):
        return False
    return _holds(down.destination_place, down.bytes, up.source_place, up.bytes)


def _holds(whole: Place | None, size: int | None, part: Place | None, bytes_: int | None) -> bool:
    """Whether one range is known to start in the other."""
    if whole is None or part is None or whole.offset is None or part.offset is None:
        return False
    if whole.offset == part.offset:
        return True
    return size is not None and bytes_ is not None and whole.offset <= part.offset < whole.offset + size
