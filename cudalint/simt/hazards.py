"""What a run did to memory that threads share, in the order of its instructions: the log that conflicts.py
looks for races in.

An interval of a block ends at a barrier, one of a warp at `__syncwarp()` too, one of the grid at a barrier of
the grid. Each is numbered, by world or by warp.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.source import Span
from cudalint.simt.conflicts import Conflict, Covering, Event, Round, between_blocks, covering, within_blocks
from cudalint.simt.facts import Operation, Space
from cudalint.simt.lanes import BY_BLOCK, Bools, Value
from cudalint.simt.memory import Memory
from cudalint.simt.state import Aggregate, Result
from cudalint.simt.watchers import Touch, Watcher
from cudalint.simt.whole_records import Parts
from cudalint.simt.worlds import WARP, Worlds

_LANES = 8_000_000  # addresses of a run that are looked at
_EACH = 128  # executions of one access between two barriers of every block, likewise
_SHARED_BYTES = 1 << 18  # offsets beyond are wrong ones, where nothing tells an array's size
_GLOBAL_BYTES = 1 << 39
_MOST_WIDTH = 256  # bytes of one access; a whole array passed on is not followed
# Why a value has no number, where lanes surely have different ones.
_DIFFERENT = frozenset(("loaded data", "result of an atomic", "uninitialised or lost local value"))


class Hazards(Struct):
    """lockstep: the threads of a warp run in step, so that only one instruction's writes can clash there."""

    worlds: Worlds
    enabled: bool = True
    lockstep: bool = False
    block_axes: set[str] = field(default_factory=set)  # of blockIdx that the kernel reads
    watchers: tuple[Watcher, ...] = ()
    covering: Covering | None = None  # accesses that went over a whole shared array, in a run that asks
    reached: dict[tuple[Span, str], set[int]] | None = None  # worlds by access, in a run that asks
    outside: set[int] | None = None  # valuations that lead out of a shared array, in a run that asks
    conflicts: list[Conflict] = field(default_factory=list)
    interval: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # by world
    warp_interval: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # by warp
    grid_interval: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # by world
    rounds: list[Round] = field(default_factory=list)  # of the loops that are running
    _shared: list[Event] = field(default_factory=list)  # since every block came to a barrier
    _global: list[Event] = field(default_factory=list)
    _last: dict[tuple[int, str], Event] = field(default_factory=dict)  # by node and operation
    _made: dict[tuple[int, str], tuple[int, Bools]] = field(default_factory=dict)  # and when, and by whom
    _times: dict[tuple[int, str], int] = field(default_factory=dict)  # in the log, likewise
    _waiting: Bools | None = None
    _ordered: bool = False  # blocks are, by what was waited for
    _lanes: int = 0
    _events: int = 0

    def __post_init__(self) -> None:
        self.interval = np.zeros(self.worlds.count, dtype=np.int64)
        self.grid_interval = np.zeros(self.worlds.count, dtype=np.int64)
        self.warp_interval = np.zeros(self.worlds.lanes // WARP, dtype=np.int64)

    # --- what orders threads ---

    def barrier(self, mask: Bools, node: e.Expression | s.Opaque | None = None, sure: bool = True) -> None:
        """A block barrier: worlds in which any thread reached it begin a new interval. sure: no lane of the
        mask is in doubt.
        """
        for watcher in self.watchers:
            watcher.barrier(node, mask, sure)
        reached = mask.reshape(self.worlds.count, -1).any(axis=1)
        self.interval = self.interval + reached
        if self._waiting is not None:  # the barrier hands on to the block what one thread has waited for
            self._ordered, self._waiting = True, None
        if reached.all():
            self._settle_shared()

    def grid_barrier(self, mask: Bools) -> None:
        """A barrier of the whole grid (a cooperative launch): a block barrier that orders blocks too."""
        self.grid_interval = self.grid_interval + mask.reshape(self.worlds.count, -1).any(axis=1)
        self.barrier(mask)

    def warp_barrier(self, mask: Bools) -> None:
        """`__syncwarp()` and its kin: orders the threads of each warp that has an active lane."""
        self.warp_interval = self.warp_interval + mask.reshape(-1, WARP).any(axis=1)

    def waited(self, mask: Bools) -> None:
        """These threads have waited for a word of memory that others change (a lock, a flag): what orders
        them with those is not known. What they do up to the block's next barrier is not compared, nor what
        blocks do after it with what other blocks do.
        """
        self.unseen()
        self._waiting = mask if self._waiting is None else self._waiting | mask

    def maybe_barrier(self) -> None:
        """Something unseen that may hold a barrier: nothing before it is compared with what comes after."""
        self.interval = self.interval + 1
        self.grid_interval = self.grid_interval + 1
        self.warp_interval = self.warp_interval + 1
        self._settle_shared()

    # --- what only watchers need ---

    def fence(self) -> None:
        for watcher in self.watchers:
            watcher.fence()

    def timed(self) -> None:
        for watcher in self.watchers:
            watcher.timed()

    def unseen(self) -> None:
        """Code that nobody sees into, or whose threads wait for each other by what they write."""
        for watcher in self.watchers:
            watcher.unseen()

    def lost(self, operation: Operation, space: Space | None, memory: Memory | None) -> None:
        """An access at an unknown place; where not even the space or the object is known, None."""
        for watcher in self.watchers if self.enabled else ():
            watcher.lost(operation, space, memory)

    # --- accesses ---

    def access(
        self,
        node: e.Expression,
        memory: Memory,
        operation: Operation,
        addresses: np.ndarray | int,
        width: int,
        mask: Bools,
        doubt: Bools | None = None,
        value: Result | None = None,
        origin: np.ndarray | int | None = None,
        free: int = 0,
        under: e.Expression | None = None,
        collective: bool = False,
        sure_only: bool = False,
        parts: Parts | None = None,
    ) -> None:
        """Log one executed access of `width` bytes a lane.

        doubt: lanes of the mask that may not make it, under the condition `under`. value: what a store
        writes; origin: the address it was loaded from (lanes that copy one and the same place write one
        value). free: where numbers in the address come from, see lanes.py. collective: threads make it
        together, and which of a warp's lanes does which part is not known. sure_only: no race is looked for
        among lanes in doubt. parts: of what is accessed, those that count; None for all of it.
        """
        if not self.enabled or memory.space not in ("shared", "global"):
            return
        if self.watchers:
            touch = Touch(node, memory, operation, addresses, width, mask, doubt, free)
            for watcher in self.watchers:
                watcher.access(touch)
        if self.outside is not None and memory.space == "shared":
            self.outside |= self._leaving(memory, addresses, mask if doubt is None else mask & ~doubt)
        if width > _MOST_WIDTH:
            return
        if memory.read_only and operation == "load":
            return
        if sure_only and doubt is not None:
            mask = mask & ~doubt
        if self._waiting is not None:
            mask = mask & ~self._waiting
        if self._lanes > _LANES or not mask.any():
            return
        self._lanes += len(mask)
        if self.reached is not None:
            here = np.flatnonzero(mask.reshape(self.worlds.count, -1).any(axis=1))
            self.reached.setdefault((node.span, operation), set()).update(here.tolist())
        self._events += 1
        free |= BY_BLOCK if self._ordered else 0
        log = self._shared if memory.space == "shared" else self._global
        known, differs = _written(value) if operation == "store" else (None, False)
        made, by = self._made.get((id(node), operation), (0, mask))
        previous = made if made and (by is mask or bool((by & mask).any())) else 0
        self._made[id(node), operation] = self._events, mask
        event = Event(
            self._events, node, memory, operation, addresses, width, mask, doubt, under, known, differs,
            value.free if isinstance(value, Value) else 0, origin, free, tuple(self.rounds), self.interval,
            self.warp_interval, self.grid_interval, collective, previous, parts,
        )  # fmt: skip
        key = id(node), operation
        before = self._last.get(key)
        if (before is None or not _again(before, event)) and self._times.get(key, 0) < _EACH:
            self._times[key] = self._times.get(key, 0) + 1
            self._last[key] = event
            log.append(event)

    def _leaving(self, memory: Memory, addresses: np.ndarray | int, mask: Bools) -> set[int]:
        """The valuations under which lanes of the mask are outside of an object."""
        offset = addresses - memory.base
        leaving = mask & ((offset < 0) | (offset >= (memory.bytes or _SHARED_BYTES)))
        return set(self.worlds.valuation[leaving].tolist())

    def enter_loop(self, span: Span) -> None:
        self.rounds.append(Round(span, 0, self._events, self._events))
        for watcher in self.watchers:
            watcher.enter_loop()

    def next_round(self) -> None:
        last = self.rounds[-1]
        self.rounds[-1] = Round(last.loop, last.number + 1, last.entered, self._events)

    def leave_loop(self, cut: bool) -> None:
        """cut: before its end."""
        self.rounds.pop()
        for watcher in self.watchers:
            watcher.leave_loop(cut)

    # --- what follows ---

    def settle(self) -> None:
        """The run has ended: find the conflicts of what is still open."""
        self._settle_shared()
        grouped: dict[int, list[Event]] = {}
        for event in self._global:
            grouped.setdefault(event.memory.number, []).append(event)
        for events in grouped.values():
            if any(event.operation != "load" for event in events):
                most = events[0].memory.bytes or _GLOBAL_BYTES
                self.conflicts += within_blocks(events, self.worlds, most, self.lockstep)
                self.conflicts += between_blocks(events, self.worlds, most, self._block_numbers())
        self._global.clear()

    def _settle_shared(self) -> None:
        grouped: dict[int, list[Event]] = {}
        for event in self._shared:
            grouped.setdefault(event.memory.number, []).append(event)
            self._times.pop((id(event.node), event.operation), None)
        for events in grouped.values():
            if any(event.operation != "load" for event in events):
                most = events[0].memory.bytes or _SHARED_BYTES
                self.conflicts += within_blocks(events, self.worlds, most, self.lockstep)
                if self.covering is not None:
                    self.covering |= covering(events, self.worlds)
        self._shared.clear()

    def _block_numbers(self) -> np.ndarray:
        """A number for each world's block; blocks that differ only on an axis the kernel never reads, of a
        grid that nobody knows, have one number: the grid may well have one block there.
        """
        axes = ["xyz".index(axis) for axis in sorted(self.block_axes)]
        axes += [at for at in range(3) if self.worlds.known_grid[at] and at not in axes]
        seen: dict[tuple[int, ...], int] = {}
        numbers = [seen.setdefault(tuple(b[at] for at in axes), len(seen)) for b in self.worlds.blocks]
        return np.tile(np.array(numbers, dtype=np.int64), self.worlds.valuations)


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
