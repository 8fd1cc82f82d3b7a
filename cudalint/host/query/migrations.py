"""Managed buffers that kernels, or those of libraries, access after the host."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from cudalint.host.facts import Buffer, HostAccess, HostCall, HostFacts

_HINTS = ("cudaMemPrefetch", "cudaMemAdvise", "cuMemPrefetch", "cuMemAdvise")  # an attachment moves nothing
_WORK = ("launch", "library")


class Migration(Struct, frozen=True):
    """A host access and the launch, or the call of a library, after it, with the number of changes between
    host and device in all.
    """

    buffer: Buffer
    touch: HostAccess
    launch: HostCall
    changes: int


def migrations(host: HostFacts, calls: tuple[HostCall, ...]) -> Iterator[Migration]:
    """The first launch of a walk that each buffer migrates for, where no call says where it shall be."""
    hinted = {number for call in calls if call.name.startswith(_HINTS) for number in call.arguments}
    touched: dict[int, list[HostAccess]] = {}
    for access in host.accesses:
        if access.function == calls[0].function and access.buffer.space == "managed":
            touched.setdefault(access.buffer.id, []).append(access)
    for number, accesses in touched.items():
        if number not in hinted:
            yield from _of_buffer(accesses, calls)


def _of_buffer(accesses: list[HostAccess], calls: tuple[HostCall, ...]) -> Iterator[Migration]:
    """The first launch that a buffer migrates for."""
    buffer = accesses[0].buffer
    sides: list[HostAccess | HostCall] = []
    events: list[tuple[int, int, HostAccess | HostCall]] = [(a.order, 0, a) for a in accesses]
    events += [(call.order, 1, call) for call in calls if _uses(call, buffer)]
    for _, _, event in sorted(events, key=lambda event: event[:2]):
        if not sides or type(sides[-1]) is not type(event):
            sides.append(event)
    for touch, launch in pairwise(sides):
        if isinstance(touch, HostAccess) and isinstance(launch, HostCall):
            if launch.kind in _WORK:
                yield Migration(buffer, touch, launch, len(sides) - 1)
            return


def _uses(call: HostCall, buffer: Buffer) -> bool:
    """Whether a call makes the device access a buffer."""
    if call.kind in _WORK:
        return buffer.id in call.arguments
    return (
        call.kind in ("copy", "memset") and call.destination is not None and call.destination.id == buffer.id
    )
