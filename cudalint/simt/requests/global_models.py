"""Transactions of one warp request to global memory, for the memory model of any compute capability.

All functions take `addresses` of shape (requests, 32) in bytes, `active` of the same shape, and the access
width in bytes; an access is aligned to its width, as CUDA demands. Source: CUDA C Programming Guide 4.2,
appendix "Compute Capabilities", sections "Global Memory" of 1.x, 2.x and 3.0; since 5.0 as in
`cudalint.simt.requests.transactions`.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from msgspec import Struct

from cudalint.gpu.capabilities import GlobalModel
from cudalint.simt.requests.transactions import SECTOR, Integers, distinct, sectors
from cudalint.simt.values.lanes import Bools

LINE = 128
HALF_WARP = 16
_NONE = np.int64(np.iinfo(np.int64).max)
# Bytes of a segment's transaction, by which of its (up to four) sectors are wanted; bit 0 is the lowest.
_SEGMENT_BYTES = np.array([0, 32, 32, 64, 32, *[128] * 3, 32, *[128] * 3, 64, *[128] * 3], dtype=np.int64)


class Traffic(Struct, frozen=True):
    """What each request costs, shape (requests,). transactions: their number; bytes: what they move."""

    transactions: Integers
    bytes: Integers


def traffic(model: GlobalModel, addresses: Integers, active: Bools, width: int) -> Traffic:
    """The transactions of each request under one memory model."""
    return _COUNTERS[model](addresses, active, width)


def _summed(counts: Integers, requests: int) -> Integers:
    """Numbers of parts of a warp, added up to one number a request."""
    return cast(Integers, counts.reshape(requests, -1).sum(axis=1).astype(np.int64))


def ordered_half_warps(addresses: Integers, active: Bools, width: int) -> Traffic:
    """1.0, 1.1: one transaction where lane k of a half-warp has word k of a segment, else one for each lane.

    A segment is 16 words of 4 or 8 bytes, aligned; words of 16 bytes take two of 128 bytes. Other widths
    never coalesce. A transaction for a single lane moves 32 bytes. Lanes that take no part do not disturb
    the order.
    """
    rows, on = addresses.reshape(-1, HALF_WARP), active.reshape(-1, HALF_WARP)
    lanes = on.sum(axis=1)
    base = np.where(on, rows - np.arange(HALF_WARP) * width, _NONE).min(axis=1)
    base = np.where(lanes > 0, base, 0)
    in_order = (~on | (rows == base[:, None] + np.arange(HALF_WARP) * width)).all(axis=1)
    aligned = base % min(HALF_WARP * width, LINE) == 0
    coalesced = in_order & aligned & (lanes > 0) & (width in (4, 8, 16))
    whole = HALF_WARP * width
    transactions = np.where(coalesced, max(1, whole // LINE), lanes)
    moved = np.where(coalesced, whole, lanes * SECTOR)
    return Traffic(_summed(transactions, len(addresses)), _summed(moved, len(addresses)))


def segmented_half_warps(addresses: Integers, active: Bools, width: int) -> Traffic:
    """1.2, 1.3: a transaction for each segment that a half-warp touches, as small as the wanted part allows.

    Segments are 32 bytes for words of 1 byte, 64 for 2 and 128 for more. A segment of which only one half
    is wanted shrinks to that half, down to 32 bytes.
    """
    rows, on = addresses.reshape(-1, HALF_WARP), active.reshape(-1, HALF_WARP)
    wanted = np.sort(np.where(on, rows // SECTOR, _NONE), axis=1)
    row, column = np.nonzero(wanted != _NONE)
    sector = wanted[row, column]
    if not len(sector):
        nothing = np.zeros(len(addresses), dtype=np.int64)
        return Traffic(nothing, nothing)
    in_segment = min(width, 4)
    segment = sector // in_segment
    first = np.ones(len(row), dtype=bool)
    first[1:] = (row[1:] != row[:-1]) | (segment[1:] != segment[:-1])
    start = np.nonzero(first)[0]
    mask = np.bitwise_or.reduceat(np.int64(1) << (sector % in_segment), start)
    transactions = np.bincount(row[start], minlength=len(rows))
    moved = np.bincount(row[start], weights=_SEGMENT_BYTES[mask], minlength=len(rows))
    return Traffic(_summed(transactions, len(addresses)), _summed(moved, len(addresses)))


def _groups(addresses: Integers, active: Bools, width: int) -> tuple[Integers, Bools]:
    """The parts of a warp that 2.x and 3.x serve apart: halves for words of 8 bytes, quarters for 16."""
    lanes = 32 if width <= 4 else 16 if width == 8 else 8
    return addresses.reshape(-1, lanes), active.reshape(-1, lanes)


def cache_lines(addresses: Integers, active: Bools, width: int) -> Traffic:
    """2.x through the L1 cache: lines of 128 bytes."""
    rows, on = _groups(addresses, active, width)
    lines = _summed(distinct(rows // LINE, on), len(addresses))
    return Traffic(lines, lines * LINE)


def l2_segments(addresses: Integers, active: Bools, width: int) -> Traffic:
    """2.x past the L1 cache, and 3.x: segments of 32 bytes."""
    rows, on = _groups(addresses, active, width)
    segments = _summed(distinct(rows // SECTOR, on), len(addresses))
    return Traffic(segments, segments * SECTOR)


def warp_sectors(addresses: Integers, active: Bools, width: int) -> Traffic:
    """Since 5.0: the 32-byte sectors that the warp touches."""
    touched = sectors(addresses, active, width)
    return Traffic(touched, touched * SECTOR)


_COUNTERS: dict[GlobalModel, Callable[[Integers, Bools, int], Traffic]] = {
    GlobalModel.ORDERED_HALF_WARPS: ordered_half_warps,
    GlobalModel.SEGMENTED_HALF_WARPS: segmented_half_warps,
    GlobalModel.CACHE_LINES: cache_lines,
    GlobalModel.L2_SEGMENTS: l2_segments,
    GlobalModel.SECTORS: warp_sectors,
}
