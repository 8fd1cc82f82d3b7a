"""What another layout in shared memory does to one request of a warp: pure arithmetic on its lanes.

The counts are those of transactions.py; asked here is what they would be if the lanes stood elsewhere.
"""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.simt.requests.transactions import (
    BANK_BYTES,
    BANKS,
    Integers,
    ideal_wavefronts,
    served_together,
    wavefronts,
)
from cudalint.simt.values.lanes import Bools

_MOST_PADDING = 8  # elements per row
WIDEST = 16  # bytes of the widest access


class Request(Struct, frozen=True):
    """One load or store of a warp."""

    lanes: tuple[int | None, ...]  # byte address of each of the 32 lanes, None: inactive; () where not known
    width: int  # bytes per lane
    store: bool = False


def counted(request: Request) -> tuple[int, int]:
    """(wavefronts, ideal) of a request."""
    addresses, active = _rows(request)
    return (
        int(wavefronts(addresses, active, request.width, request.store)[0]),
        int(ideal_wavefronts(addresses, active, request.width, request.store)[0]),
    )


def widened(request: Request, width: int) -> Request:
    """The request if each lane accessed the whole aligned element of so many bytes that it is in."""
    lanes = tuple(None if at is None else at // width * width for at in request.lanes)
    return Request(lanes, width, request.store)


def groups(request: Request) -> int:
    """How many groups of lanes are served one after the other: 1 where all groups of the warp are active, as
    the ideal then counts them.
    """
    if request.width <= BANK_BYTES:
        return 1
    size = served_together(min(request.width, WIDEST))
    served = sum(
        any(at is not None for at in request.lanes[first : first + size]) for first in range(0, WARP, size)
    )
    return served if 0 < served < WARP // size else 1


def spacing(request: Request, stride: int) -> int | None:
    """The fewest extra bytes between neighbouring lanes that remove the conflict of a request whose lanes are
    `stride` bytes apart; None where they are not, or nothing helps.
    """
    places = [(lane, at) for lane, at in enumerate(request.lanes) if at is not None]
    if not places or any(at - places[0][1] != (lane - places[0][0]) * stride for lane, at in places):
        return None
    unit = max(request.width, BANK_BYTES)
    for extra in range(unit, BANKS * BANK_BYTES + 1, unit):
        apart = abs(stride) + extra
        moved = tuple(None if at is None else lane * apart for lane, at in enumerate(request.lanes))
        served, ideal = counted(Request(moved, request.width, request.store))
        if served <= max(1, ideal):
            return extra
    return None


def padding(worst: Request, requests: Iterable[Request], pitch: int, element: int) -> int | None:
    """Elements of `element` bytes to add to each row of `pitch` bytes, so that the worst request has no
    conflict; of several the one with the fewest wavefronts over all `requests` to the array. None where they
    are no fewer than now.
    """
    whole = tuple(requests)
    best, fewest = None, _total(whole, pitch, 0)
    for extra in range(1, _MOST_PADDING + 1):
        if any(extra * element % max(element, request.width) for request in whole):
            continue  # a vector would no longer be aligned
        if padded(worst, pitch, extra * element) != max(1, worst.width // BANK_BYTES):
            continue
        total = _total(whole, pitch, extra * element)
        if total < fewest:
            best, fewest = extra, total
    return best


def padded(request: Request, pitch: int, extra: int) -> int | None:
    """Wavefronts if every row of `pitch` bytes had `extra` more bytes; None where lanes are in no row."""
    addresses, active = _rows(request)
    if not pitch or (addresses < 0).any() or not active.any():
        return None
    moved = addresses + addresses // pitch * extra
    return int(wavefronts(moved, active, request.width, request.store)[0])


def _total(requests: tuple[Request, ...], pitch: int, extra: int) -> int:
    return sum(padded(request, pitch, extra) or 0 for request in requests)


def _rows(request: Request) -> tuple[Integers, Bools]:
    """Addresses and active lanes, each of shape (1, 32)."""
    addresses = np.array([[at or 0 for at in request.lanes]], dtype=np.int64)
    return addresses, np.array([[at is not None for at in request.lanes]])
