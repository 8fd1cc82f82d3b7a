"""How much of the sectors that an access fetches or writes its kernel uses in the end: by this access in
further iterations, and by others that walk the same buffer at the same stride. What is used is served by
caches, or merged by them, wherever it stays there for so long.
"""

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from cudalint.gpu.throughput import DRAM_PIECE
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.fields import moved_bytes
from cudalint.simt.requests.transactions import SECTOR

_MOST = 1 << 10  # bytes of a stride that are looked at one by one


class Use(Struct, frozen=True):
    """share: of the bytes (0..1) that device memory moves for it, that the kernel uses in the end, 0 where
    nobody knows; sectors: that a warp asks for to use them, in straight code, infinite where iterations or
    other warps use the rest; alone: every lane has a piece of device memory for itself.
    """

    share: float = 0.0
    sectors: float = math.inf
    alone: bool = False


UNUSED = Use()


def uses(asked: Sequence[Access], accesses: Iterable[Access]) -> list[Use]:
    """Of each access that is asked about, by all accesses of the same operation to the same buffer whose
    lanes have the same strides; unknown where these are not constant.
    """
    walks: dict[tuple[object, ...], list[Access]] = {_walk(access): [] for access in asked}
    for access in accesses:
        if (walk := _walk(access)) in walks:
            walks[walk].append(access)
    known = {walk: _together(group) for walk, group in walks.items()}
    return [known[_walk(access)] for access in asked]


def _together(group: list[Access]) -> Use:
    """Of accesses that walk alike."""
    stride = _stride(group[0]) if group else None
    if stride is None or stride <= group[0].bytes:
        return UNUSED
    taken = set().union(*(_bytes(other, stride) for other in group))
    if not taken:
        return UNUSED
    unit = next((size for size in (DRAM_PIECE, SECTOR) if stride % size == 0), stride)
    share = min(1.0, len(taken) / (unit * len({byte // unit for byte in taken})))
    return Use(share, sum(map(_sectors, group)), stride >= DRAM_PIECE)


def _sectors(access: Access) -> float:
    """Of all requests of one execution."""
    if _step(access):
        return math.inf
    return (access.transactions.per_request or SECTOR) * moved_bytes(access) / access.bytes


def _stride(access: Access) -> int | None:
    """Bytes from lane to lane; those of a piece or a sector where it is long, or not always the same."""
    found = {abs(one) for one in access.layout.lane_strides}
    if not found:
        return None
    if len(found) == 1 and max(found) <= _MOST:
        return max(found)
    return DRAM_PIECE if min(found) >= DRAM_PIECE else SECTOR if min(found) >= SECTOR else None


def _walk(access: Access) -> tuple[object, ...]:
    return access.buffer, access.operation, access.space, access.layout.lane_strides


def _bytes(access: Access, stride: int) -> set[int]:
    """What it takes of each stride: places from 0 to the stride."""
    start = next((lane for lane in access.lanes.full if lane is not None), None)
    if start is None:
        return set()
    step = _step(access)
    # the places that steps come to, once round
    starts = range(0, stride, math.gcd(step, stride)) if step else range(1)
    return {(start + further + byte) % stride for further in starts for byte in range(moved_bytes(access))}


def _step(access: Access) -> int:
    """Bytes between iterations that go on from one lane's place to the next's; 0 where none do."""
    step = abs(access.layout.step_stride or 0)
    return step if step <= max(map(abs, access.layout.lane_strides)) else 0
