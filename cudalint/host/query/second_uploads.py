"""Copies to the device of data that another buffer there holds already."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.unchanged_uploads import may_change
from cudalint.host.walks import along, rounds_by_id, walks
from cudalint.ir.unit import Unit
from cudalint.source.span import Span


class SecondUpload(Struct, frozen=True):
    """A copy to the device, and the one before it that has brought the same bytes to another buffer."""

    call: HostCall
    first: HostCall
    loop: Rounds | None


def second_uploads(host: HostFacts, unit: Unit) -> Iterator[SecondUpload]:
    """Where neither the host's data nor the first buffer changes in between, each time the copy is made."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        found: dict[Span, SecondUpload | None] = {}
        for index, call in enumerate(calls):
            if not _uploads(call):
                continue
            first = _before(calls[:index], call, unit)
            if first is None:
                found[call.span] = None
            elif call.span not in found:
                found[call.span] = SecondUpload(call, first, rounds.get(call.loop_id))
        yield from (upload for upload in found.values() if upload is not None)


def _uploads(call: HostCall) -> bool:
    known = call.kind == "copy" and call.direction == "HtoD" and None not in (call.source, call.destination)
    placed = call.source_place is not None and call.source_place.offset is not None
    return known and placed and call.rows is None and not call.captured


def _before(earlier: tuple[HostCall, ...], call: HostCall, unit: Unit) -> HostCall | None:
    """The last copy of the same bytes to another buffer that is still as it was, of the same iteration."""
    for index in range(len(earlier) - 1, -1, -1):
        first = earlier[index]
        if _uploads(first) and _is_of_the_same(first, call):
            between = earlier[index + 1 :]
            return None if any(may_change(other, first, unit) for other in between) else first
    return None


def _is_of_the_same(first: HostCall, call: HostCall) -> bool:
    """Whether two copies at different places move the same bytes to two buffers."""
    sizes = [(one.bytes, one.form if one.bytes is None else None) for one in (first, call)]
    same = sizes[0] == sizes[1] != (None, None) and first.written == call.written
    there = (first.source, first.source_place, first.loops, first.turns)
    apart = first.destination != call.destination and first.span != call.span and along(first, call)
    return same and apart and there == (call.source, call.source_place, call.loops, call.turns)
