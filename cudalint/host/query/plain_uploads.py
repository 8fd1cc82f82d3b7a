"""Copies to the device of memory that holds one value throughout, or that nothing was stored in."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import Held, HostCall, HostFacts, Rounds
from cudalint.host.query.unchanged_uploads import is_written
from cudalint.host.walks import rounds_by_id, walks
from cudalint.ir.unit import Unit
from cudalint.source.span import Span

_CALLS_BACK = ("cudaLaunchHostFunc", "cudaStreamAddCallback", "cuLaunchHostFunc", "cuStreamAddCallback")


class PlainUpload(Struct, frozen=True):
    """A copy to the device, what all of its source holds, and the innermost loop round it that repeats it.
    alike: whether that is the same by all ways of calling that lead to the copy.
    """

    call: HostCall
    held: Held
    loop: Rounds | None
    alike: bool = True


def plain_uploads(host: HostFacts, unit: Unit) -> Iterator[PlainUpload]:
    """Where that holds whenever the copy is made, a kernel may write what it fills, and none was handed its
    source before. What kernels only read stands for data that come from elsewhere, and what none uses may be
    copied to time it.
    """
    rounds = rounds_by_id(host)
    found: dict[Span, list[HostCall]] = {}
    needed: set[Span] = set()
    for calls in walks(host):
        called_back = any(call.name in _CALLS_BACK for call in calls)
        handed: set[int] = set()
        ways: dict[tuple[Span, ...], HostCall] = {}
        for call in calls:
            if call.kind != "copy":
                handed.update(call.arguments)
            elif call.direction == "HtoD":
                first = ways.setdefault((call.span, *call.came_by), call)
                own = call.source is not None and call.source.id not in handed and not call.captured
                if called_back or not own or not _is_like(call, first):
                    needed.add(call.span)
                elif first is call:
                    found.setdefault(call.span, []).append(call)
                    needed.update(() if _is_output(call, calls, unit) else (call.span,))
    for span, copies in found.items():
        held = copies[0].held
        if span not in needed and held is not None:
            alike = all(call.held == held for call in copies)
            yield PlainUpload(copies[0], held, rounds.get(copies[0].loop_id), alike)


def _is_like(call: HostCall, first: HostCall) -> bool:
    """Whether a copy has the same source as the first one of its place. A loop goes through the parts of
    what stands for data.
    """
    known = call.source_place is not None and call.source_place.offset is not None
    same = call.held is not None and call.held == first.held
    return known and same and call.source_place == first.source_place


def _is_output(call: HostCall, calls: tuple[HostCall, ...], unit: Unit) -> bool:
    """Whether a kernel may write what a copy fills."""
    known = call.source is not None and call.destination is not None
    return known and any(is_written(other, call, unit) for other in calls)
