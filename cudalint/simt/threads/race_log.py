"""What a run did to memory that threads share, in the order of its instructions: the log that conflicts.py
looks for races in.
"""

from typing import Self

import numpy as np
from msgspec import field

from cudalint.analyses.static_shared import member_array
from cudalint.simt.threads.conflicts import (
    Apart,
    Conflict,
    between_blocks,
    within_blocks,
)
from cudalint.simt.threads.covering import Covering, covering
from cudalint.simt.threads.logged import Event
from cudalint.simt.threads.watchers import AccessEvent, BarrierEvent, Setting, Watcher
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP, DATA, ORDERED, Bools, Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.state import Aggregate, Result
from cudalint.source.span import Span

_LANES = 8_000_000  # addresses of a run that are looked at
_EACH = 128  # executions of one access between two barriers of every block, likewise
_SHARED_BYTES = 1 << 18  # offsets beyond are wrong ones, where nothing tells an array's size
_GLOBAL_BYTES = 1 << 39
_INTERVALS = 64  # whose events are kept
_MOST_WIDTH = 256  # bytes of one access; a whole array passed on is not followed
# Why a value has no number, where lanes surely have different ones.
_DIFFERENT = frozenset(("loaded data", "result of an atomic", "uninitialised or lost local value"))


class RaceLog(Watcher):
    """The accesses of one run that may race, and the conflicts found among them."""

    lockstep: bool = False  # the threads of a warp run in step: only one instruction's writes can clash there
    block_axes: frozenset[str] = frozenset()  # of blockIdx that the kernel reads
    covering: Covering | None = None  # accesses that went over a whole shared array, in a run that asks
    reached: dict[tuple[Span, str], set[int]] | None = None  # samples by access, in a run that asks
    outside: set[int] | None = None  # valuations that lead out of a shared array, in a run that asks
    loads: dict[int, list[AccessEvent]] | None = None  # by node, in a run with made-up data
    alike: bool = False  # the kernel does not ask which block it is in
    meeting: bool = False  # data may lead several threads to store at one place
    picked: set[int] = field(default_factory=set)  # objects that are loaded where data of a block leads
    stored: set[int] = field(default_factory=set)
    conflicts: list[Conflict] = field(default_factory=list)
    _shared: list[Event] = field(default_factory=list)  # since every block came to a barrier
    _global: list[Event] = field(default_factory=list)
    _last: dict[tuple[int, str], Event] = field(default_factory=dict)  # by node and operation
    _made: dict[tuple[int, str], tuple[int, Bools]] = field(default_factory=dict)  # and when, and by whom
    _times: dict[tuple[int, str], int] = field(default_factory=dict)  # in the log, likewise
    _apart: Apart = field(default_factory=dict)  # intervals in which threads do not meet
    _waiting: Bools | None = None
    _ordered: bool = False  # blocks are, by what was waited for
    _lanes: int = 0
    _updates: bool = False  # an atomic told threads apart

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        return cls(
            setting.samples,
            setting.lockstep,
            setting.block_axes,
            covering={} if setting.arbitrary else None,
            loads={} if setting.arbitrary else None,
            reached={} if setting.checking else None,
            outside=set() if setting.small else None,
            alike=setting.alike,
        )

    def barrier(self, event: BarrierEvent) -> None:
        if self._waiting is not None:  # the barrier hands on to the block what one thread has waited for
            self._ordered, self._waiting = True, None
        if event.everywhere:
            self._settle_shared()

    def maybe_barrier(self) -> None:
        self._settle_shared()

    def waited(self, mask: Bools) -> None:
        """What these threads do up to the block's next barrier is not compared, nor what blocks do after it
        with what other blocks do.
        """
        self._waiting = mask if self._waiting is None else self._waiting | mask

    def access(self, event: AccessEvent) -> None:
        """Log the access where it may be one side of a race that is not known yet."""
        mask, doubt, memory, operation = event.mask, event.doubt, event.memory, event.operation
        if self.outside is not None and memory.space == "shared":
            self.outside |= self._leaving(memory, event.addresses, event.sure)
        if event.width > _MOST_WIDTH or (memory.read_only and operation == "load"):
            return
        if event.sure_only and doubt is not None:
            mask = event.sure
        if self._waiting is not None:
            mask = mask & ~self._waiting
        if memory.space == "shared" and (part := member_array(event.node)) is not None:
            mask = mask & _inside(event, part)
        if self._lanes > _LANES or not np.count_nonzero(mask):
            return
        self._lanes += len(mask)
        if self.reached is not None:
            here = np.flatnonzero(mask.reshape(self.samples.count, -1).any(axis=1))
            self.reached.setdefault((event.node.span, operation), set()).update(here.tolist())
        if self.loads is not None and operation == "load":
            self.loads.setdefault(id(event.node), []).append(event)
        self._updates |= operation == "atomic"
        if operation == "store":
            self.stored.add(memory.number)
        elif event.free & (BY_BLOCK | BY_WARP) == BY_BLOCK:
            self.picked.add(memory.number)
        if operation == "store" and not self.meeting:
            self.meeting = bool(event.free & (BY_BLOCK | BY_WARP)) or (
                doubt is not None and _meets(event, mask & doubt & (self.samples.valuation == 0))
            )
        key = id(event.node), operation
        made, by = self._made.get(key, (0, mask))
        previous = made if made and (by is mask or bool(np.count_nonzero(by & mask))) else 0
        self._made[key] = event.order, mask
        logged = self._event(event, mask, previous)
        before = self._last.get(key)
        if (before is None or not _again(before, logged)) and self._times.get(key, 0) < _EACH:
            self._times[key] = self._times.get(key, 0) + 1
            self._last[key] = logged
            (self._shared if memory.space == "shared" else self._global).append(logged)

    def _event(self, event: AccessEvent, mask: Bools, previous: int) -> Event:
        value, now = event.value, event.moment
        known, differs = _written(value) if event.operation == "store" else (None, False)
        free = event.free | (BY_BLOCK if self._ordered else 0)
        return Event(
            event.order, event.node, event.memory, event.operation, event.addresses, event.width, mask,
            event.doubt, event.under, known, differs, value.free if isinstance(value, Value) else 0,
            event.origin, free, now.iterations, now.interval, now.warp_interval, now.grid_interval,
            event.collective, previous, event.parts, event.by_data | event.free & (DATA | ORDERED),
            event.counting,
        )  # fmt: skip

    def _leaving(self, memory: Memory, addresses: np.ndarray | int, mask: Bools) -> set[int]:
        """The valuations under which lanes of the mask are outside of an object."""
        offset = addresses - memory.base
        leaving = mask & ((offset < 0) | (offset >= (memory.bytes or _SHARED_BYTES)))
        return set(self.samples.valuation[leaving].tolist())

    # --- what follows ---

    def close(self) -> None:
        """The run has ended: find the conflicts of what is still open."""
        self._settle_shared()
        grouped: dict[int, list[Event]] = {}
        for event in self._global:
            grouped.setdefault(event.memory.number, []).append(event)
        for events in grouped.values():
            if any(event.operation != "load" for event in events):
                most = events[0].memory.bytes or _GLOBAL_BYTES
                self.conflicts += within_blocks(events, self.samples, most, self.lockstep)
                alike = self.alike and all(event.operation == "store" for event in events)
                self.conflicts += between_blocks(
                    events, self.samples, most, self._block_numbers(), alike and not self._updates
                )
        self._global.clear()
        self._apart.clear()

    def _settle_shared(self) -> None:
        grouped: dict[int, list[Event]] = {}
        for event in self._shared:
            grouped.setdefault(event.memory.number, []).append(event)
            self._times.pop((id(event.node), event.operation), None)
        for events in grouped.values():
            if any(event.operation != "load" for event in events):
                most = events[0].memory.bytes or _SHARED_BYTES
                if len(self._apart) >= _INTERVALS:
                    self._apart.clear()
                self.conflicts += within_blocks(events, self.samples, most, self.lockstep, self._apart)
                if self.covering is not None:
                    self.covering |= covering(events, self.samples)
        self._shared.clear()

    def _block_numbers(self) -> np.ndarray:
        """A number for each sample's block; blocks that differ only on an axis the kernel never reads, of a
        grid that nobody knows, have one number: the grid may well have one block there.
        """
        axes = ["xyz".index(axis) for axis in sorted(self.block_axes)]
        axes += [at for at in range(3) if self.samples.known_grid[at] and at not in axes]
        seen: dict[tuple[int, ...], int] = {}
        numbers = [seen.setdefault(tuple(b[at] for at in axes), len(seen)) for b in self.samples.blocks]
        return np.tile(np.array(numbers, dtype=np.int64), self.samples.valuations)


def _meets(event: AccessEvent, lanes: Bools) -> bool:
    """Whether several of the lanes are at one place."""
    places = event.offsets(np.flatnonzero(lanes))
    return len(places) > 1 and len(different(places)) < len(places)


def _again(before: Event, now: Event) -> bool:
    """Whether an access does once more what it did last time, with no barrier since."""
    return (
        before.interval is now.interval
        and before.warp_interval is now.warp_interval
        and before.mask is now.mask
        and before.doubt is now.doubt
        and before.differs == now.differs
        and np.array_equal(before.addresses, now.addresses)
        and _alike(before.value, now.value)
        and _alike(before.origin, now.origin)
    )


def _alike(before: np.ndarray | float | None, now: np.ndarray | float | None) -> bool:
    if before is None or now is None:
        return before is now
    return np.array_equal(before, now)


def _inside(event: AccessEvent, part: tuple[int, int]) -> Bools | bool:
    """Lanes inside of the member that they name: the numbers tried are not the program's where one is not."""
    offset = event.addresses - event.memory.base
    return (offset >= part[0]) & (offset < part[1])


def _written(value: Result | None) -> tuple[np.ndarray | float | None, bool]:
    """(the numbers that a store writes, where they are known; else whether lanes surely differ)."""
    if isinstance(value, Value):
        if value.known is True:
            return value.data, False
        return None, value.why in _DIFFERENT
    if isinstance(value, Aggregate):
        parts = list(value.parts.values())
        if parts and all(part.is_scalar for part in parts):
            return 0, False  # one value for all
        return None, not parts or any(part.known is False and part.why in _DIFFERENT for part in parts)
    return None, False
