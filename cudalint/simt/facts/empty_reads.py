"""Which elements of shared memory are read that no thread of the block has written, in one run.

A read is judged at the next barrier: until then another thread may write the element. What something unseen
may have written is never suspected.
"""

from collections.abc import Iterator
from typing import ClassVar, Self

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.complete import never_seen
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.launch.ragged import Remainder
from cudalint.simt.threads.watchers import (
    AccessEvent,
    BarrierEvent,
    Setting,
    ShuffleEvent,
    Watcher,
    granule,
)
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_MOST = 1 << 18  # bytes of one object
_EACH = 64  # times that one access is looked at
_STEPS = 16  # shuffles that are followed after a read
_NOBODY, _SEVERAL = -1, -2

Way = tuple[Span | None, ...]  # calls that lead to a place, the kernel's first


class Read(Struct):
    """A place in the source that reads shared memory."""

    node: e.Expression
    memory: Memory
    operation: Operation
    executed: Bools  # by sample: some thread certainly executes it
    empty: Bools  # by sample: and reads bytes that no thread has written
    lane: int = -1
    byte: int = 0
    written: int = 0  # bytes written by then
    times: int = 0
    lanes: Bools | None = (
        None  # that read what nobody has written; in ragged blocks, or what was made of that
    )
    way: Way = ()
    calls: set[Span | None] = field(default_factory=set)  # that lead to where nobody has written
    steps: list[ShuffleEvent] = field(default_factory=list)  # shuffles after the first time, to a barrier
    shuffling: bool = True


class _Pending(Struct):
    read: Read
    lane: np.ndarray
    place: np.ndarray  # of the first granule
    count: int
    written: int
    way: Way
    into: list[AccessEvent] = field(default_factory=list)  # stores to shared memory that may take the value


class _Crowd(Struct, frozen=True, eq=False):
    """The lanes of a mask, and by sample whether there are any."""

    mask: Bools
    lanes: np.ndarray
    executed: Bools


class Initialised(Watcher):
    """The watcher of one run. dynamic: bytes of dynamic shared memory. forgiven: objects, by number, that
    something unknown may have written.
    """

    in_other_shapes: ClassVar[bool] = True
    in_ragged_blocks: ClassVar[bool] = True
    dynamic: int | None = None
    reads: dict[tuple[int, str, int], Read] = field(default_factory=dict)
    unknown: bool = False
    forgiven: set[int] = field(default_factory=set)
    _writers: dict[int, np.ndarray] = field(default_factory=dict)  # lane by sample and granule
    _full: set[int] = field(default_factory=set)
    _pending: list[_Pending] = field(default_factory=list)
    _updates: list[AccessEvent] = field(default_factory=list)  # atomics since the last barrier
    _crowd: _Crowd | None = None  # of the last read
    _loops: list[set[int]] = field(default_factory=list)  # objects written in the loops that are running
    stores: dict[Span, Bools] = field(default_factory=dict)  # to global memory, by lane
    fills: dict[int, dict[Span, None]] = field(default_factory=dict)  # by object, what writes it
    # In ragged blocks only:
    ragged: bool = False
    _since: list[_Pending] = field(default_factory=list)  # reads since the last store or barrier
    _lost: dict[int, Bools] = field(default_factory=dict)  # granules with what was made of such reads

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        return cls(setting.samples, setting.dynamic_shared_bytes, ragged=setting.ragged)

    def access(self, touch: AccessEvent) -> None:
        memory = touch.memory
        if touch.operation != "load":
            self._follow(touch)
        if memory.space != "shared" or self.unknown or memory.number in self.forgiven:
            return
        sets = touch.operation != "load" and not _builds_on(touch.operation, touch.node)
        for inside in self._loops if sets else ():
            inside.add(memory.number)
        if memory.number in self._full and memory.number not in self._lost:
            return
        size = memory.bytes or self.dynamic or 0
        if not 0 < size <= _MOST or (touch.free and sets):
            self.forgiven.add(memory.number)
            return
        if memory.number not in self._writers:
            shape = (self.samples.count, -(-size // granule(memory)))
            self._writers[memory.number] = np.full(shape, _NOBODY, dtype=np.int32)
        if _builds_on(touch.operation, touch.node):
            self._read(touch)
            if not touch.free:
                self._updates.append(touch)
        elif touch.operation == "load":
            self._read(touch)
        else:
            self._write(touch)

    def _follow(self, touch: AccessEvent) -> None:
        """Where values go."""
        if touch.memory.space == "global":
            before = self.stores.get(touch.node.span)
            self.stores[touch.node.span] = touch.sure if before is None else before | touch.sure
        for pending in self._since if touch.memory.space == "shared" else ():
            pending.into.append(touch)
        self._since = []

    def _read(self, touch: AccessEvent) -> None:
        key = id(touch.node), touch.operation, touch.memory.number
        none = np.zeros(self.samples.count, dtype=bool)
        read = self.reads.setdefault(key, Read(touch.node, touch.memory, touch.operation, none, none.copy()))
        read.times += 1
        read.shuffling &= read.times == 1
        read.way = touch.way
        if read.times > _EACH:
            return
        crowd = self._crowd_of(touch.sure)
        read.executed |= crowd.executed
        if touch.free:
            return
        lane, place, count = self._granules(touch, crowd.lanes)
        table = self._writers[touch.memory.number]
        empty = _empty(table, self.samples.sample[lane], place, count, None)
        if empty.any():
            first = int(self.samples.sample[lane[empty][0]])
            written = int(np.count_nonzero(table[first] != _NOBODY))
            self._pending.append(_Pending(read, lane[empty], place[empty], count, written, touch.way))
            if self.ragged:
                self._since.append(self._pending[-1])
        lost = self._lost.get(touch.memory.number)
        if lost is not None:
            self._reaches(read, lane[lost[self.samples.sample[lane], place]])

    def _crowd_of(self, mask: Bools) -> _Crowd:
        """The lanes of a mask: many reads in turn have one mask."""
        if self._crowd is None or self._crowd.mask is not mask:
            executed = np.asarray(mask.reshape(self.samples.count, -1).any(axis=1))
            self._crowd = _Crowd(mask, np.flatnonzero(mask), executed)
        return self._crowd

    def _reaches(self, read: Read, lane: np.ndarray) -> None:
        if read.lanes is None:
            read.lanes = np.zeros(self.samples.lanes, dtype=bool)
        read.lanes[lane] = True

    def _write(self, touch: AccessEvent) -> None:
        self.fills.setdefault(touch.memory.number, {})[touch.node.span] = None
        table = self._writers[touch.memory.number]
        lane, place, count = self._granules(touch, np.flatnonzero(touch.mask))
        sample = self.samples.sample[lane]
        for piece in range(count):
            at = place + piece
            old = table[sample, at]
            table[sample, at] = np.where((old == _NOBODY) | (old == lane), lane, _SEVERAL)
            several = table[sample, at] != lane
            table[sample[several], at[several]] = _SEVERAL
        if (table != _NOBODY).all() and not self._pending:
            self._full.add(touch.memory.number)

    def _granules(self, touch: AccessEvent, lane: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """(the lanes whose access is inside the object, its first granule, how many granules)."""
        size = granule(touch.memory)
        offset = touch.offsets(lane)
        most = touch.memory.bytes or self.dynamic or 0
        inside = (offset >= 0) & (offset <= most - touch.width)
        if not inside.all():
            lane, offset = lane[inside], offset[inside]
        return lane, offset >> (size.bit_length() - 1), -(-touch.width // size)

    def shuffled(self, event: ShuffleEvent) -> None:
        for pending in self._pending:
            if pending.read.shuffling and len(pending.read.steps) < _STEPS:
                pending.read.steps.append(event)

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        if operation == "load" or space == "global" or _builds_on(operation, node):
            return
        if memory is None:
            self.unknown = True
        else:
            self.forgiven.add(memory.number)

    def barrier(self, event: BarrierEvent) -> None:
        if event.sure and event.everywhere:
            self.close()

    def unseen(self) -> None:
        self.unknown = True

    def enter_loop(self, node: s.Loop) -> None:
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
        self._pending, self._updates, self._since = [], [], []

    def _judge(self, pending: _Pending) -> None:
        read = pending.read
        read.shuffling = False
        table = self._writers[read.memory.number]
        sample = self.samples.sample[pending.lane]
        empty = _empty(table, sample, pending.place, pending.count, pending.lane)
        if not empty.any():
            return
        if read.lane < 0:
            size = granule(read.memory)
            read.lane = int(pending.lane[empty][0])
            read.byte = int(pending.place[empty][0]) * size
            read.written = pending.written * size
        read.empty[sample[empty]] = True
        read.calls.update(pending.way)
        self._reaches(read, pending.lane[empty])
        if self.ragged:
            for store in pending.into:
                self._spread(store, pending.lane[empty])

    def _spread(self, store: AccessEvent, lane: np.ndarray) -> None:
        """What these lanes store was made of what nobody has written."""
        table = self._writers.get(store.memory.number)
        if table is None:
            return
        lane, place, _ = self._granules(store, lane[store.sure[lane]])
        lost = self._lost.setdefault(store.memory.number, np.zeros(table.shape, dtype=bool))
        lost[self.samples.sample[lane], place] = True


def _empty(
    table: np.ndarray, sample: np.ndarray, place: np.ndarray, count: int, own: np.ndarray | None
) -> Bools:
    """Which accesses touch only what nobody has written; own: lanes whose own writes do not count."""
    empty = np.ones(len(place), dtype=bool)
    for piece in range(count):
        writer = table[sample, place + piece]
        empty &= (writer == _NOBODY) if own is None else (writer == _NOBODY) | (writer == own)
    return empty


def _builds_on(operation: Operation, node: e.Expression) -> bool:
    """Whether it is an atomic that uses what it finds."""
    return operation == "atomic" and not (isinstance(node, e.Call) and "xch" in node.name)


class Carry(Struct, frozen=True):
    """A shuffle after a read. way: the calls that lead to it from the function of the read; stores: to global
    memory, by lanes that it, and those before, bring what was read to, in every run and for all sizes.
    """

    span: Span
    way: Way
    stores: frozenset[Span]


class EmptyRead(Struct, frozen=True):
    """A read of a shared element that no thread of the block has written, in every run that reaches it.

    stores: to global memory, in every run and for all sizes, by threads that read such an element.
    remainder: of the size that ends in such a block, where only that is so; stores are then also by threads
    that read what was made of it; direct: the element itself.
    """

    span: Span
    expression: str
    operation: Operation
    kernel: str
    index: str
    reader: Thread
    written: int  # elements of the array written by then
    elements: int  # of the array
    configuration: Configuration
    remainder: Remainder | None = None
    stores: frozenset[Span] = frozenset()
    direct: bool = True
    carries: tuple[Carry, ...] = ()  # of those that always find nothing
    calls: frozenset[Span | None] = frozenset()  # that lead to such reads, in this run
    fills: tuple[Span, ...] = ()  # what writes other elements of the array, in this run

    @property
    def array(self) -> str:
        return self.index.partition("[")[0]


def _conclude(kernel: KernelRuns) -> tuple[tuple[EmptyRead, ...]]:
    """The reads of unwritten elements, in every run that reaches them."""
    if not kernel.whole or not kernel.runs or any(_may_write_shared(a) for a in never_seen(kernel)):
        return ((),)
    found = _seen_by_all(kernel.runs)
    if found and not kernel.given:
        again = _seen_by_all([*kernel.runs, *kernel.others])
        found = {span: read for span, read in again.items() if span in found and not read[1].written}
    name = kernel.function.name
    seen = [*kernel.runs, *(kernel.others if found and not kernel.given else ())]
    always = tuple(
        replace(_read(run, read, name), stores=_stores(seen, span), carries=_carries(seen, span))
        for span, (run, read) in found.items()
    )
    ends = [read for read in _at_ends(kernel.ragged, name) if read.span not in found]
    if ends:
        equal = {read.span for read in _at_ends(kernel.equal_ragged, name)}
        ends = [read for read in ends if read.span in equal]
    return ((*always, *ends),)


def _stores(runs: list[Run], span: Span) -> frozenset[Span]:
    """The stores that threads come to which read nothing at the place, in every run and valuation."""
    found: frozenset[Span] | None = None
    for run in runs:
        for read in run.seen(Initialised).reads.values():
            if read.node.span != span or read.lanes is None:
                continue
            made = _stored(run, read.lanes)
            found = made if found is None else found & made
    return found or frozenset()


def _stored(run: Run, lanes: Bools) -> frozenset[Span]:
    """The stores to global memory that some of the lanes come to under every valuation."""
    shape = (run.machine.state.samples.valuations, -1)
    stores = run.seen(Initialised).stores
    return frozenset(
        store for store, mask in stores.items() if (mask & lanes).reshape(shape).any(axis=1).all()
    )


def _carries(runs: list[Run], span: Span) -> tuple[Carry, ...]:
    """The shuffles that follow the read in every run alike, until one does not."""
    every: list[list[Carry]] = []
    for run in runs:
        for read in run.seen(Initialised).reads.values():
            if read.node.span == span and read.lanes is not None:
                every.append(list(_carried(run, read, read.lanes)))
    found = []
    for row in zip(*every, strict=False):
        if len({(one.span, one.way) for one in row}) > 1:
            break
        found.append(replace(row[0], stores=frozenset.intersection(*(one.stores for one in row))))
    return tuple(found)


def _carried(run: Run, read: Read, lost: Bools) -> Iterator[Carry]:
    depth = len(read.way)
    for step in read.steps:
        if step.way[:depth] != read.way:
            return
        lost = lost | (step.mask & lost[step.source])
        yield Carry(step.node.span, step.way[depth:], _stored(run, lost))


def _at_ends(ragged: list[Run], kernel: str) -> Iterator[EmptyRead]:
    """The reads that find nothing in the last block, if that is not full."""
    for run in ragged:
        seen = run.seen(Initialised)
        if run.machine.state.spent or seen.unknown or run.ragged is None:
            continue
        for read in seen.reads.values():
            if read.lanes is None or read.memory.number in seen.forgiven:
                continue
            remainder = run.ragged.of(different(run.machine.state.samples.sample[read.lanes]))
            stores = frozenset(span for span, lanes in seen.stores.items() if (lanes & read.lanes).any())
            direct = bool(read.empty.any())
            if remainder is not None:
                yield replace(_read(run, read, kernel), remainder=remainder, stores=stores, direct=direct)


def _may_write_shared(access: Access) -> bool:
    return access.operation != "load" and (access.space == "shared" or bool(access.basis.unknown))


def _seen_by_all(runs: list[Run]) -> dict[Span, tuple[Run, Read]]:
    """By place, the reads that find nothing in every run that comes to them, as in the first one."""
    found: dict[Span, tuple[Run, Read]] = {}
    wrong: set[Span] = set()
    for run in runs:
        seen = run.seen(Initialised)
        if run.failure or run.machine.state.spent or seen.unknown:
            return {}
        for read in seen.reads.values():
            if not read.executed.any():
                continue
            if read.memory.number in seen.forgiven or not _always(run, read):
                wrong.add(read.node.span)
            else:
                found.setdefault(read.node.span, (run, read))
    return {span: found[span] for span in found if span not in wrong}


def _always(run: Run, read: Read) -> bool:
    """Whether the run shows it under every valuation."""
    if not read.empty.any():
        return False
    known = all(p.value is not None or (p.pointer and p.buffer) for p in run.parameters)
    if known and None not in run.plan.configuration.grid:
        return True
    return bool((read.empty | ~read.executed).all())


def _read(run: Run, read: Read, kernel: str) -> EmptyRead:
    samples = run.machine.state.samples
    element, width = read.memory.element or 4, read.node.type.bytes
    one = read.memory.bytes == element and 0 < width < element  # a struct: its members are the elements
    unit, at = (width, f"byte {read.byte}") if one else (element, f"{read.byte // element}")
    size = read.memory.bytes or run.plan.configuration.dynamic_shared_bytes or 0
    return EmptyRead(
        span=read.node.span,
        expression=render(read.node),
        operation=read.operation,
        kernel=kernel,
        index=f"{read.memory.name}[{at}]",
        reader=Thread(samples.thread_of(read.lane), samples.block_of(read.lane)),
        written=read.written // unit,
        elements=size // unit,
        configuration=run.plan.configuration,
        calls=frozenset(read.calls),
        fills=tuple(run.seen(Initialised).fills.get(read.memory.number, ())),
    )


FACT = Fact(of=(EmptyRead,), conclude=_conclude, watch=(Initialised,))
