"""Which elements of shared memory are read that no thread of the block has written, in one run.

A read is judged at the next barrier: until then another thread may write the element. What something unseen
may have written is never suspected.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts import Operation, Space
from cudalint.simt.lanes import Bools
from cudalint.simt.memory import Memory
from cudalint.simt.watchers import Touch, Watcher, granule
from cudalint.simt.worlds import Worlds

_MOST = 1 << 18  # bytes of one object
_EACH = 64  # times that one access is looked at
_NOBODY, _SEVERAL = -1, -2


class Read(Struct):
    """A place in the source that reads shared memory. executed, empty: by world, whether threads surely came
    to it, and read what nobody had written. written: elements that somebody had by then.
    """

    node: e.Expression
    memory: Memory
    operation: Operation
    executed: Bools
    empty: Bools
    lane: int = -1
    byte: int = 0
    written: int = 0
    times: int = 0


class _Pending(Struct):
    read: Read
    lane: np.ndarray
    place: np.ndarray  # of the first granule
    count: int
    written: int


class Initialised(Watcher):
    """The watcher of one run. dynamic: bytes of dynamic shared memory. forgiven: objects, by number, that
    something unknown may have written.
    """

    worlds: Worlds
    dynamic: int | None = None
    reads: dict[tuple[int, str, int], Read] = field(default_factory=dict)
    unknown: bool = False
    forgiven: set[int] = field(default_factory=set)
    _writers: dict[int, np.ndarray] = field(default_factory=dict)  # lane by world and granule
    _full: set[int] = field(default_factory=set)
    _pending: list[_Pending] = field(default_factory=list)
    _updates: list[Touch] = field(default_factory=list)  # atomics since the last barrier
    _loops: list[set[int]] = field(default_factory=list)  # objects written in the loops that are running

    def access(self, touch: Touch) -> None:
        memory = touch.memory
        if memory.space != "shared" or self.unknown or memory.number in self.forgiven:
            return
        if touch.operation != "load":
            for inside in self._loops:
                inside.add(memory.number)
        if memory.number in self._full:
            return
        size = memory.bytes or self.dynamic or 0
        if not 0 < size <= _MOST or (touch.free and touch.operation != "load"):
            self.forgiven.add(memory.number)
            return
        if memory.number not in self._writers:
            shape = (self.worlds.count, -(-size // granule(memory)))
            self._writers[memory.number] = np.full(shape, _NOBODY, dtype=np.int32)
        if touch.operation == "atomic" and not _overwrites(touch.node):
            self._read(touch)
            self._updates.append(touch)
        elif touch.operation == "load":
            self._read(touch)
        else:
            self._write(touch)

    def _read(self, touch: Touch) -> None:
        key = id(touch.node), touch.operation, touch.memory.number
        none = np.zeros(self.worlds.count, dtype=bool)
        read = self.reads.setdefault(key, Read(touch.node, touch.memory, touch.operation, none, none.copy()))
        read.times += 1
        if read.times > _EACH:
            return
        sure = touch.mask if touch.doubt is None else touch.mask & ~touch.doubt
        read.executed |= sure.reshape(self.worlds.count, -1).any(axis=1)
        if touch.free:
            return
        lane, place, count = self._granules(touch, np.flatnonzero(sure))
        table = self._writers[touch.memory.number]
        empty = _empty(table, self.worlds.world[lane], place, count, None)
        if empty.any():
            first = int(self.worlds.world[lane[empty][0]])
            written = int(np.count_nonzero(table[first] != _NOBODY))
            self._pending.append(_Pending(read, lane[empty], place[empty], count, written))

    def _write(self, touch: Touch) -> None:
        table = self._writers[touch.memory.number]
        lane, place, count = self._granules(touch, np.flatnonzero(touch.mask))
        world = self.worlds.world[lane]
        for piece in range(count):
            at = place + piece
            old = table[world, at]
            table[world, at] = np.where((old == _NOBODY) | (old == lane), lane, _SEVERAL)
            several = table[world, at] != lane
            table[world[several], at[several]] = _SEVERAL
        if (table != _NOBODY).all() and not self._pending:
            self._full.add(touch.memory.number)

    def _granules(self, touch: Touch, lane: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """(the lanes whose access is inside the object, its first granule, how many granules)."""
        size = granule(touch.memory)
        offset = touch.offsets(lane)
        most = touch.memory.bytes or self.dynamic or 0
        inside = (offset >= 0) & (offset + touch.width <= most)
        return lane[inside], offset[inside] // size, -(-touch.width // size)

    def lost(self, operation: Operation, space: Space | None, memory: Memory | None) -> None:
        if operation == "load" or space == "global":
            return
        if memory is None:
            self.unknown = True
        else:
            self.forgiven.add(memory.number)

    def barrier(self, node: e.Expression | s.Opaque | None, mask: Bools, sure: bool) -> None:
        if sure and mask.reshape(self.worlds.count, -1).any(axis=1).all():
            self.close()

    def unseen(self) -> None:
        self.unknown = True

    def enter_loop(self) -> None:
        self._loops.append(set())

    def leave_loop(self, cut: bool) -> None:
        inside = self._loops.pop()
        if cut:
            self.forgiven |= inside

    def close(self) -> None:
        """Nobody will write any more before what is read now: judge the reads since the last barrier."""
        for pending in self._pending:
            if pending.read.operation == "atomic":
                self._judge(pending)
        for touch in self._updates:
            if touch.memory.number not in self._full:
                self._write(touch)
        for pending in self._pending:
            if pending.read.operation == "load":
                self._judge(pending)
        self._pending, self._updates = [], []

    def _judge(self, pending: _Pending) -> None:
        read = pending.read
        table = self._writers[read.memory.number]
        world = self.worlds.world[pending.lane]
        empty = _empty(table, world, pending.place, pending.count, pending.lane)
        if not empty.any():
            return
        if read.lane < 0:
            size = granule(read.memory)
            read.lane = int(pending.lane[empty][0])
            read.byte = int(pending.place[empty][0]) * size
            read.written = pending.written * size // max(read.memory.element, size)
        read.empty[world[empty]] = True


def _empty(
    table: np.ndarray, world: np.ndarray, place: np.ndarray, count: int, own: np.ndarray | None
) -> Bools:
    """Which accesses touch only what nobody has written; own: lanes whose own writes do not count."""
    empty = np.ones(len(place), dtype=bool)
    for piece in range(count):
        writer = table[world, place + piece]
        empty &= (writer == _NOBODY) if own is None else (writer == _NOBODY) | (writer == own)
    return empty


def _overwrites(node: e.Expression) -> bool:
    """Whether an atomic does not use what it finds."""
    return isinstance(node, e.Call) and "xch" in node.name
