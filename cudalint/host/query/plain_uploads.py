"""Copies to the device of memory that holds one value throughout, or that nothing was stored in."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import Held, HostCall, HostFacts, Rounds
from cudalint.host.query.unchanged_uploads import is_written
from cudalint.host.walks import rounds_by_id, walks
from cudalint.ir.unit import Unit
from cudalint.source.span import Span

_CALLS_BACK = ("cudaLaunchHostFunc", "cudaStreamAddCallback", "cuLaunchHostFunc", "cuStreamAddCallback")


_Place = tuple[Span, tuple[Span, ...]]  # of a call, and the calls that lead there


class PlainUpload(Struct, frozen=True):
    """A copy to the device, what all of its source holds, and the innermost loop round it that repeats it."""

    call: HostCall
    held: Held
    loop: Rounds | None


def plain_uploads(host: HostFacts, unit: Unit) -> Iterator[PlainUpload]:
    """Where that holds whenever the copy is made, a kernel may write what it fills, and none was handed its
    source before. What kernels only read stands for data that come from elsewhere, and what none uses may be
    copied to time it.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        if any(call.name in _CALLS_BACK for call in calls):
            continue
        handed: set[int] = set()
        found: dict[_Place, HostCall] = {}
        needed: set[_Place] = set()
        for call in calls:
            if call.kind != "copy":
                handed.update(call.arguments)
            elif call.direction == "HtoD" and call.source is not None:
                place = call.span, call.came_by
                first = found.setdefault(place, call)
                if call.captured or call.source.id in handed or not _is_like(call, first):
                    needed.add(place)
        for place, call in found.items():
            if place not in needed and call.held is not None and _is_output(call, calls, unit):
                yield PlainUpload(call, call.held, rounds.get(call.loop_id))


def _is_like(call: HostCall, first: HostCall) -> bool:
    """Whether a copy has the same source as the first one of its place. A loop goes through the parts of
    what stands for data.
    """
    known = call.source_place is not None and call.source_place.offset is not None
    return known and (call.held, call.source_place) == (first.held, first.source_place)


def _is_output(call: HostCall, calls: tuple[HostCall, ...], unit: Unit) -> bool:
    """Whether a kernel may write what a copy fills."""
    known = call.source is not None and call.destination is not None
    return known and any(is_written(other, call, unit) for other in calls)
