"""What another layout does to the bank conflicts of an access, and what the compiler may merge it into.

All is asked of the worst request that the runs have seen of an access.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.requests import bank_conflicts
from cudalint.simt.requests.bank_conflicts import WIDEST, Request
from cudalint.simt.requests.transactions import BANK_BYTES


class Merged(Struct, frozen=True):
    """A wide access that the compiler may make of the neighbouring elements that each lane uses."""

    bytes: int  # per lane
    wavefronts: int
    ideal: int


def worst_ways(access: Access) -> int:
    """How many ways the conflict of the worst request has; 0 where that is not known."""
    request = _plain(access)
    if request is None:
        return 0
    served, ideal = bank_conflicts.counted(request)
    return round(served / max(1, ideal))


def groups(access: Access) -> int:
    """How many groups of lanes of the worst request are served one after the other."""
    return bank_conflicts.groups(_request(access))


def spacing(access: Access) -> int | None:
    """The fewest extra bytes between neighbouring lanes that remove the conflict; None where the lanes are
    not evenly spaced, or nothing helps.
    """
    request = _plain(access)
    if request is None or not access.layout.lane_stride:
        return None
    return bank_conflicts.spacing(request, access.layout.lane_stride)


def padding(access: Access, accesses: Iterable[Access], pitch: int, element: int) -> int | None:
    """Elements to add to each row of the access's array that remove the conflict and leave the kernel's
    accesses to the array with fewer wavefronts than now; None where there is no such number.
    """
    same = (other for other in accesses if other.space == "shared" and other.buffer == access.buffer)
    return bank_conflicts.padding(_request(access), map(_request, same), pitch, element)


def merged(access: Access, accesses: Iterable[Access]) -> Iterator[Merged]:
    """The wide accesses that the compiler may make of it, the widest first: it merges the 2 or 4 neighbouring
    elements that each lane uses (seen in the SASS of nvcc 13 for sm_90, and in its counters).
    """
    request = _plain(access)
    for width in (4 * access.bytes, 2 * access.bytes):
        if request is None or width > WIDEST:
            continue
        aligned = len({at % width for at in request.lanes if at is not None}) == 1
        if aligned and _uses_all(access, accesses, width):
            yield Merged(width, *bank_conflicts.counted(bank_conflicts.widened(request, width)))


def rows_meet(access: Access) -> bool:
    """Whether lanes of one row of threads have no conflict, only different rows of a warp."""
    if not access.layout.lane_stride:
        return False
    stride, unit = abs(access.layout.lane_stride), max(access.bytes, BANK_BYTES)
    return stride <= unit or (stride % unit == 0 and stride // unit % 2 == 1)


def _request(access: Access) -> Request:
    """The worst request; an atomic counts as a load."""
    lanes = access.lanes.worst if len(access.lanes.worst) == WARP else ()
    return Request(lanes, access.bytes, access.operation == "store")


def _plain(access: Access) -> Request | None:
    """The worst request of a load or a store; None where its lanes are not known."""
    request = _request(access)
    return request if request.lanes and access.operation != "atomic" else None


def _uses_all(access: Access, accesses: Iterable[Access], width: int) -> bool:
    """Whether each lane uses all elements of so many bytes, in a loop or in several accesses."""
    if 0 < abs(access.layout.step_stride or 0) <= access.bytes:
        return True
    if abs(access.layout.lane_stride or 0) != width:
        return False  # the model merges what is adjacent in the source
    like = (access.buffer, access.operation, access.layout.lane_stride, access.bytes)
    starts = {
        other.lanes.worst[0] % width
        for other in accesses
        if (other.buffer, other.operation, other.layout.lane_stride, other.bytes) == like
        and other.lanes.worst
        and other.lanes.worst[0] is not None
    }
    return starts == set(range(0, width, access.bytes))
