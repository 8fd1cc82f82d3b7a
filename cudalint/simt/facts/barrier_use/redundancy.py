"""Which barriers of a block nothing passes across, in one run.

Accesses are kept by the interval between two barriers. An interval is compared with all that came before it
since the last barrier that is needed; if two threads meet there, the barrier between is needed, else the
interval joins what came before. So all barriers that are never needed can go together. Where only threads of
one warp meet, a barrier of the warp stays, and what it orders counts for no other barrier.
"""

from typing import ClassVar, Literal

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.kernel_queries import is_volatile
from cudalint.analyses.loop_changes import changes_slowly
from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts.barrier_use.recurring import Places
from cudalint.simt.threads.watchers import AccessEvent, BarrierEvent, Watcher, granule
from cudalint.simt.values.lanes import COUNTED, Bools
from cudalint.simt.values.memory import Memory, apart
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

Reach = Literal["nothing", "warp", "block"]

_MOST = 4_000_000  # places of accesses that are looked at in one run
_PIECES = 64  # parts of one access
_SPAN = 1 << 36  # keys of one sample
_NOBODY = np.iinfo(np.int64).max
_Key = tuple[int, Span]  # a barrier by identity, and where it stands


class Meeting(Struct, frozen=True):
    """Two lanes that access the same bytes, the first before a barrier and the second after it."""

    memory: Memory
    byte: int
    first: int
    second: int


class _Table(Struct, frozen=True):
    """By place (sample and granule): the first and the last lane that accesses it, and that writes it."""

    key: np.ndarray
    low: np.ndarray
    high: np.ndarray
    first_writer: np.ndarray
    last_writer: np.ndarray

    def joined(self, other: "_Table") -> "_Table":
        return _table(
            *(
                np.concatenate(pair)
                for pair in (
                    (self.key, other.key),
                    (self.low, other.low),
                    (self.high, other.high),
                    (self.first_writer, other.first_writer),
                    (self.last_writer, other.last_writer),
                )
            )
        )


def _table(key: np.ndarray, low: np.ndarray, high: np.ndarray, first: np.ndarray, last: np.ndarray) -> _Table:
    """One row a key."""
    if not len(key):
        return _Table(key, low, high, first, last)
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    return _Table(
        key[starts],
        np.minimum.reduceat(low[order], starts),
        np.maximum.reduceat(high[order], starts),
        np.minimum.reduceat(first[order], starts),
        np.maximum.reduceat(last[order], starts),
    )


class _Touched(Struct):
    """The accesses to one object."""

    memory: Memory
    reads: bool = False
    writes: bool = False
    loose: bool = False  # some at unknown addresses
    touches: list[AccessEvent] = field(default_factory=list)
    table: _Table | None = None

    def is_loose(self) -> bool:
        """Whether some addresses are unknown, or not those of whole elements."""
        if not self.loose and not all(_fits(touch) for touch in self.touches):
            self.loose = True
        return self.loose

    def settled(self, samples: Samples) -> _Table:
        """All places accessed so far."""
        parts = [_places(touch, samples) for touch in self.touches]
        self.touches = []
        none = np.zeros(0, dtype=np.int64)
        columns = zip(*parts, strict=True) if parts else [(none,)] * 5
        fresh = _table(*(np.concatenate(column) for column in columns))
        self.table = fresh if self.table is None else self.table.joined(fresh)
        return self.table

    def join(self, other: "_Touched") -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.loose |= other.loose
        self.touches += other.touches
        if other.table is not None:
            self.table = other.table if self.table is None else self.table.joined(other.table)


def _places(touch: AccessEvent, samples: Samples) -> tuple[np.ndarray, ...]:
    lane = np.flatnonzero(touch.mask)
    size = granule(touch.memory)
    start = touch.offsets(lane) // size + _SPAN * samples.sample[lane]
    count = -(-touch.width // size)
    key = (start[:, None] + np.arange(count)).ravel()
    lane = np.repeat(lane, count)
    writes = touch.operation != "load"
    first = lane if writes else np.full(len(lane), _NOBODY)
    last = lane if writes else np.full(len(lane), -1)
    return key, lane, lane, first, last


class Interval(Struct):
    """The accesses between two barriers."""

    objects: dict[int, _Touched] = field(default_factory=dict)
    lost: set[tuple[Space, bool]] = field(default_factory=set)  # at unknown addresses: (space, writes)
    fenced: bool = False  # other threads may observe the order
    accesses: int = 0

    def join(self, other: "Interval") -> None:
        for touched in other.objects.values():
            self.touched(touched.memory).join(touched)
        self.lost |= other.lost
        self.fenced |= other.fenced
        self.accesses += other.accesses

    def touched(self, memory: Memory) -> _Touched:
        return self.objects.setdefault(memory.number, _Touched(memory))

    def is_empty(self) -> bool:
        return not (self.objects or self.lost or self.fenced)

    def does(self, space: Space, writes: bool) -> bool:
        """Whether anything in the space is accessed; writes: whether it is written."""
        if (space, True) in self.lost or (not writes and (space, False) in self.lost):
            return True
        return any(
            one.memory.space == space and (one.writes or (one.reads and not writes))
            for one in self.objects.values()
        )


def reach(before: Interval, after: Interval, samples: Samples) -> tuple[Reach, Meeting | None]:
    """How far apart threads are that meet across the barrier between two intervals."""
    for one, other in ((before, after), (after, before)):
        if one.fenced and (other.fenced or other.does("global", False)):
            return "block", None
        if any(other.does(space, not writes) for space, writes in one.lost):
            return "block", None
    if _alias(before, after):
        return "block", None
    found: Meeting | None = None
    for number in before.objects.keys() & after.objects.keys():
        one_, other_ = before.objects[number], after.objects[number]
        if not (one_.writes or other_.writes):
            continue
        if one_.is_loose() or other_.is_loose():
            return "block", None
        far, meeting = _meet(one_.memory, one_.settled(samples), other_.settled(samples))
        if far:
            return "block", None
        found = found or meeting
    return ("warp", found) if found else ("nothing", None)


def _alias(before: Interval, after: Interval) -> bool:
    """Whether pointers that may alias are used on either side, at least one of them to write."""
    pairs = [
        (one, other)
        for one in before.objects.values()
        for other in after.objects.values()
        if one.memory is not other.memory and one.memory.space == other.memory.space == "global"
    ]
    return any((one.writes or other.writes) and not apart(one.memory, other.memory) for one, other in pairs)


def _meet(memory: Memory, before: _Table, after: _Table) -> tuple[bool, Meeting | None]:
    """(whether threads of different warps meet, one meeting inside a warp)."""
    _, at, to = np.intersect1d(before.key, after.key, assume_unique=True, return_indices=True)
    found: Meeting | None = None
    for writes, others, turned in ((before, after, False), (after, before, True)):
        mine, theirs = (to, at) if turned else (at, to)
        first, last = writes.first_writer[mine], writes.last_writer[mine]
        low, high = others.low[theirs], others.high[theirs]
        written = last >= 0
        if bool((written & (np.minimum(first, low) // WARP != np.maximum(last, high) // WARP)).any()):
            return True, None
        near = written & ((first != low) | (last != high) | (first != last))
        if near.any() and found is None:
            row = int(near.argmax())
            other = int(high[row] if high[row] != first[row] else low[row])
            writer = int(first[row] if first[row] != other else last[row])
            byte = int(writes.key[mine[row]] % _SPAN) * granule(memory)
            found = Meeting(memory, byte, *((other, writer) if turned else (writer, other)))
    return False, found


class Site(Struct):
    """A barrier of the source, as one place comes to it. doubled: another one followed each time, and nothing
    was done in between.
    """

    node: e.Expression | s.Opaque
    place: Span  # of a function that does nothing else, where it is called
    reach: Reach = "nothing"
    doubled: bool = True
    executed: int = 0
    before: int = 0  # accesses compared across it
    after: int = 0
    meeting: Meeting | None = None


class _Loop(Struct):
    """A loop that is running. waits: its iterations come to barriers; barriers: of the source, those that it
    came to; reads: the objects that it touched, places: of each, see Places; writes: those that it wrote;
    anywhere: those of which it read places that nobody knows; streams: those left out of the others since it
    fills them; busy: it did more than that tells; after_writes: at its end, some of what it read had been
    written since the last barrier that is needed.
    """

    node: s.Loop
    waits: bool = False
    barriers: set[_Key] = field(default_factory=set)
    reads: dict[int, Memory] = field(default_factory=dict)
    places: dict[int, Places] = field(default_factory=dict)
    writes: set[int] = field(default_factory=set)
    anywhere: set[int] = field(default_factory=set)
    streams: set[int] = field(default_factory=set)
    busy: bool = False
    after_writes: bool = False

    def touch(self, event: AccessEvent, round: int) -> None:
        """round: the iteration, from 1."""
        number = event.memory.number
        self.reads[number] = event.memory
        if event.operation != "load":
            self.writes.add(number)
        if self.waits or self.barriers:
            self.places.setdefault(number, Places()).enter(event, round)

    def lost(self, memory: Memory | None, writes: bool) -> None:
        """A load of some place in an object may be of any place in it."""
        if memory is None or writes:
            self.busy = True
            return
        self.reads[memory.number] = memory
        self.anywhere.add(memory.number)

    def leave_out(self, streams: set[int]) -> None:
        """Some iterations are left out: only objects remain whose places they may not have shown. streams:
        those of which no thread has written what another one has.
        """
        self.streams = streams
        self.reads = {number: memory for number, memory in self.reads.items() if number not in streams}
        self.writes -= streams
        if changes_slowly(self.node):
            return
        last = max((seen.last for seen in self.places.values()), default=0)
        steady = {number for number, seen in self.places.items() if seen.recur(last)} - self.anywhere
        self.reads = {number: memory for number, memory in self.reads.items() if number not in steady}
        self.writes -= steady


class Redundancy(Watcher):
    """The watcher of one run. unknown: nothing can be told of any barrier. before, near: what was done since
    the last barrier that is needed, and since the last one that is, if only inside warps. cut: loops some of
    whose iterations are left out.
    """

    in_other_shapes: ClassVar[bool] = True
    sites: dict[_Key, Site] = field(default_factory=dict)
    unknown: bool = False
    _before: Interval = field(default_factory=Interval)
    _near: Interval = field(default_factory=Interval)
    _now: Interval = field(default_factory=Interval)
    _opener: Site | None = None  # the barrier before the current interval
    _loops: list[_Loop] = field(default_factory=list)
    _cut: list[_Loop] = field(default_factory=list)
    _waiting: set[Span] = field(default_factory=set)  # loops that came to barriers
    _blind: bool = False  # something was written at an unknown address
    _last: dict[tuple[int, str], AccessEvent] = field(default_factory=dict)
    _places: int = 0
    _gone: Bools | None = None  # blocks that missed a barrier, by sample
    _loaded: set[int] = field(default_factory=set)  # objects that something was loaded from, atomics included

    def access(self, touch: AccessEvent) -> None:
        touched = self._now.touched(touch.memory)
        for loop, iteration in zip(self._loops, touch.moment.iterations, strict=True):
            loop.touch(touch, iteration.number)
        if touch.operation != "store":
            self._loaded.add(touch.memory.number)
        if touch.operation == "load":
            touched.reads = True
        else:
            touched.writes = True
        if touch.memory.space == "global" and (touch.operation == "atomic" or is_volatile(touch.node)):
            self._now.fenced = True
        if touched.loose or _again(self._last.get((id(touch.node), touch.operation)), touch):
            return
        self._last[id(touch.node), touch.operation] = touch
        self._now.accesses += 1
        self._places += len(touch.mask)
        if touch.free & ~COUNTED or self._places > _MOST:
            touched.loose = True
        else:
            touched.touches.append(touch)

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        writes = operation != "load"
        for loop in self._loops:
            loop.lost(memory, writes)
        self._blind |= writes
        if memory is not None:
            self._loaded.add(memory.number)
            touched = self._now.touched(memory)
            touched.loose = True
            touched.reads |= not writes
            touched.writes |= writes
            return
        for possible in (space,) if space is not None else ("global", "shared"):
            self._now.lost.add((possible, writes))

    def barrier(self, event: BarrierEvent) -> None:
        """Blocks that do not come to one in a loop have left it: none of them may come to a later barrier."""
        back = self._gone is not None and bool((self._gone & event.blocks).any())
        if not event.everywhere and self._loops:
            self._gone = ~event.blocks if self._gone is None else self._gone | ~event.blocks
        everywhere = event.sure and not back and (event.everywhere or bool(self._loops))
        site = None
        if event.scope == "block":
            key = id(event.node), event.place
            site = self.sites.setdefault(key, Site(event.node, event.place))
            site.executed += 1
            for inside in self._loops:
                inside.barriers.add(key)
            if not everywhere or not only_waits(event.node):
                site.reach = "block"
        if everywhere:
            if self._opener is not None and not self._now.is_empty():
                self._opener.doubled = False
            self._end()
            self._opener = site

    def fence(self) -> None:
        self._now.fenced = True
        for loop in self._loops:
            loop.busy = True

    def timed(self) -> None:
        self.unknown = True

    def unseen(self) -> None:
        self.unknown = True

    def enter_loop(self, node: s.Loop) -> None:
        self._loops.append(_Loop(node, waits=node.span in self._waiting))

    def leave_loop(self, cut: bool) -> None:
        inside = self._loops.pop()
        if inside.barriers:
            self._waiting.add(inside.node.span)
        if not cut:
            return
        inside.leave_out({number for number in inside.writes if self._only_fills(number)})
        inside.after_writes = self._written_since(inside.reads)
        self._cut.append(inside)
        for interval in (self._now, self._before, self._near):
            for number in interval.objects.keys() & inside.reads.keys():
                interval.objects[number].loose = True

    def close(self) -> None:
        """The run ends. The iterations of a loop that are left out may touch any part of an object whose
        places do not recur: its barriers are idle only if neither it nor anything that they have to order
        before it writes that; what comes after it was compared with all of the object.
        """
        if self._opener is not None:
            self._opener.doubled = False
        self._end()
        for loop in self._cut:
            blind = self._blind and bool(loop.reads)
            if loop.writes or loop.busy or blind or loop.after_writes or loop.streams & self._loaded:
                for number in loop.barriers:
                    if not self.sites[number].doubled:
                        self.sites[number].reach = "block"

    def _only_fills(self, number: int) -> bool:
        """Whether an object is only written, each place by one thread, since the last barrier that is needed:
        iterations that are left out write other places.
        """
        if number in self._loaded or self._blind:
            return False
        found = _Table(*(np.zeros(0, dtype=np.int64) for _ in range(5)))
        for interval in (self._before, self._near, self._now):
            touched = interval.objects.get(number)
            if touched is None:
                continue
            if touched.is_loose() or touched.memory.space != "global":
                return False
            found = found.joined(touched.settled(self.samples))
        return bool((found.first_writer == found.last_writer).all())

    def _written_since(self, read: dict[int, Memory]) -> bool:
        """Whether one of the objects, or what may be one by another name, was written since the last barrier
        that is needed.
        """
        intervals = (self._before, self._near, self._now)
        written = [one for each in intervals for one in each.objects.values() if one.writes]
        return any((one.space, True) in each.lost for one in read.values() for each in intervals) or any(
            one is other.memory or not apart(one, other.memory)
            for one in read.values()
            for other in written
            if one.space == other.memory.space
        )

    def _end(self) -> None:
        """The current interval ends."""
        opener, before, now = self._opener, self._before, self._now
        if opener is not None and opener.reach != "block":
            opener.before, opener.after = before.accesses, now.accesses
            found, meeting = reach(before, now, self.samples)
            if found == "warp" and self._near is not before:
                found, meeting = reach(self._near, now, self.samples)
            if found != "nothing":
                opener.reach, opener.meeting = found, meeting
        self._now, self._last = Interval(), {}
        if opener is None or opener.reach == "block":
            self._before = self._near = now
            return
        apart = self._near is not before
        before.join(now)
        if opener.reach == "warp":
            self._near = now
        elif apart:
            self._near.join(now)


def only_waits(node: object) -> bool:
    """Whether it is a barrier of the block that does nothing but make threads wait."""
    return isinstance(node, e.Call) and (node.name == "__syncthreads" or node.name in ("sync", "synchronize"))


def _fits(touch: AccessEvent) -> bool:
    """Whether the access is of whole elements inside the object."""
    size = granule(touch.memory)
    if touch.width % size or touch.width > _PIECES * size:
        return False
    offset = touch.offsets(np.flatnonzero(touch.mask))
    if not len(offset):
        return True
    most = touch.memory.bytes or _SPAN
    return not (offset % size).any() and offset.min() >= 0 and offset.max() + touch.width <= most


def _again(before: AccessEvent | None, now: AccessEvent) -> bool:
    """Whether an access does once more what it did last time."""
    return (
        before is not None
        and before.mask is now.mask
        and before.memory is now.memory
        and before.free == now.free
        and before.width == now.width
        and np.array_equal(before.addresses, now.addresses)
    )
