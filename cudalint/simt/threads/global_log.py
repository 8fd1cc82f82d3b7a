"""What a run did to global memory, in the order of its instructions, with the fences between: what stale
reads, missing fences and waiting loops are found in.
"""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.simt.threads.watchers import AccessEvent, Watcher
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP, Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_MOST = 1500  # accesses of a run that are kept
_MOST_WIDTH = 64  # bytes of one access
_GRANULE = 4  # bytes that are told apart; fewer where an access is narrower
_CHANCE = BY_WARP | BY_BLOCK


class LoggedAccess(Struct, frozen=True, eq=False):
    """One executed access. order: its place in the run; sure: lanes that surely make it; interval, grid: how
    many barriers each block, and each grid, had come to.
    """

    order: int
    node: e.Expression
    memory: Memory
    operation: Operation
    addresses: np.ndarray | int
    width: int
    mask: Bools
    sure: Bools
    free: int
    volatile: bool
    interval: np.ndarray
    grid: np.ndarray
    call: Span | None  # of the kernel's, that leads to it

    @property
    def chance(self) -> bool:
        """Whether made-up numbers that differ between warps or blocks say where it goes."""
        return bool(self.free & _CHANCE)


class GlobalLog(Watcher):
    """The log of one run. fences: (order, lanes) of fences of the device or the system. most_each: accesses
    of one place in the source, by one call, to one object, that are kept.
    """

    most_each: ClassVar[int] = 12

    touches: list[LoggedAccess] = field(default_factory=list)
    fences: list[tuple[int, Bools]] = field(default_factory=list)
    order: int = 0
    _count: dict[tuple[int, int, Span | None], int] = field(default_factory=dict)

    @property
    def everything(self) -> bool:
        return True

    def access(self, event: AccessEvent) -> None:
        if event.memory.space != "global" or not event.counted:
            return
        self.order += 1
        place = id(event.node), event.memory.number, event.call
        seen = self._count[place] = self._count.get(place, 0) + 1
        if seen > self.most_each or len(self.touches) >= _MOST or not 0 < event.width <= _MOST_WIDTH:
            return
        self.touches.append(
            LoggedAccess(
                self.order, event.node, event.memory, event.operation, event.addresses, event.width,
                event.mask, event.sure, event.free, event.volatile, event.moment.interval,
                event.moment.grid_interval, event.call,
            )
        )  # fmt: skip

    def device_fence(self, mask: Bools) -> None:
        self.order += 1
        self.fences.append((self.order, mask))

    def by_memory(self) -> Iterator[list[LoggedAccess]]:
        """The accesses to each object that some thread writes."""
        grouped: dict[int, list[LoggedAccess]] = {}
        for touch in self.touches:
            grouped.setdefault(touch.memory.number, []).append(touch)
        for touches in grouped.values():
            if any(touch.operation != "load" for touch in touches):
                yield touches


class Meeting(Struct, frozen=True):
    """Lanes of two accesses that touch the same bytes under one valuation: first[i] and second[i], at byte[i]
    of the object.
    """

    first: np.ndarray
    second: np.ndarray
    byte: np.ndarray


def meet(samples: Samples, a: LoggedAccess, b: LoggedAccess, sure: bool = True) -> Meeting:
    """The pairs of lanes that meet, for each place the first and the last lane of either access."""
    granule = min(_GRANULE, a.width, b.width)
    key_a, lane_a = _keys(samples, a, granule, sure)
    key_b, lane_b = _keys(samples, b, granule, sure)
    firsts, seconds, places = [], [], []
    for one, other in ((0, 0), (0, 1), (1, 0), (1, 1)):
        ka, la = _ends(key_a, lane_a, one)
        kb, lb = _ends(key_b, lane_b, other)
        common, at_a, at_b = np.intersect1d(ka, kb, assume_unique=True, return_indices=True)
        firsts.append(la[at_a])
        seconds.append(lb[at_b])
        places.append((common // samples.valuations) * granule)
    return Meeting(np.concatenate(firsts), np.concatenate(seconds), np.concatenate(places))


def _keys(samples: Samples, touch: LoggedAccess, granule: int, sure: bool) -> tuple[np.ndarray, np.ndarray]:
    """(granule and valuation as one number, lane) of every part of an access."""
    lane = np.nonzero(touch.sure if sure else touch.mask)[0]
    at = (
        touch.addresses[lane]
        if isinstance(touch.addresses, np.ndarray)
        else np.full(len(lane), touch.addresses)
    )
    offset = (at - touch.memory.base) // granule
    pieces = max(1, touch.width // granule)
    parts = (offset[:, None] + np.arange(pieces)).ravel()
    lanes = lane.repeat(pieces)
    return parts * samples.valuations + samples.valuation[lanes], lanes


def _ends(keys: np.ndarray, lanes: np.ndarray, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Each key once, with its first or last lane."""
    if last:
        keys, lanes = keys[::-1], lanes[::-1]
    unique, index = np.unique(keys, return_index=True)
    return unique, lanes[index]


def thread_of(samples: Samples, lane: int) -> Thread:
    return Thread(samples.thread_of(lane), samples.block_of(lane))


def valuations_of(samples: Samples, lanes: Bools) -> Bools:
    """The valuations in which any of the lanes is."""
    return np.asarray(lanes.reshape(samples.valuations, -1).any(axis=1))
