"""A block: each thread runs to its next barrier or warp operation in turn."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from tools.interpreter.library import meet
from tools.interpreter.memory import PRIVATE, Memory
from tools.interpreter.program import Program
from tools.interpreter.stop import stop

Shape = tuple[int, int, int]
Event = tuple[int, int, Any] | None  # (site, address, what was written); None: the warp waited for each other
WARP = 32
_STACK = 1 << 12
_MOST_EVENTS = 3_000_000


@dataclass(slots=True, eq=False)
class Thread:
    """One thread. x, y, z: its place in the block; b..: the block's; d..: threads of it; g..: blocks.

    waiting: what it stopped for, None once it has ended. log: what others could see of it since the barrier.
    """

    x: int
    y: int
    z: int
    bx: int
    by: int
    bz: int
    dx: int
    dy: int
    dz: int
    gx: int
    gy: int
    gz: int
    rank: int
    memory: Memory
    sp: int
    log: list[Event] = field(default_factory=list)
    body: Generator[Any, Any, None] | None = None
    waiting: tuple[Any, ...] | None = None
    answer: Any = None

    def frame(self, size: int) -> int:
        """Room for the variables of a function."""
        fp = self.sp
        self.sp = fp + -(-size // 16) * 16
        if self.sp & 0xFFFFFFFF > len(self.memory.bytes[fp >> 32]):
            self.memory.bytes[fp >> 32].extend(bytes(2 * size + _STACK))
        return fp

    def step(self) -> None:
        """Run to the next stop."""
        assert self.body is not None
        try:
            self.waiting = self.body.send(self.answer)
        except StopIteration:
            self.waiting = None
        self.answer = None


@dataclass(frozen=True)
class Interval:
    """What the threads did between two barriers. closed: the numbers of the barriers it ended with; partial:
    those of them at which not all threads of the block waited.
    """

    logs: tuple[tuple[int, list[Event]], ...]
    closed: frozenset[int]
    partial: frozenset[int] = frozenset()


def run_block(
    program: Program, key: str, arguments: list[Any], block: Shape, grid: Shape, at: Shape
) -> Iterator[Interval]:
    """The intervals of one block, one after the other."""
    function = program.names[program.function(key)]
    program.memory.clear_shared()
    threads = [
        _thread(program.memory, rank, block, grid, at) for rank in range(block[0] * block[1] * block[2])
    ]
    for thread in threads:
        thread.body = function(thread, *arguments)
    warps = [threads[n : n + WARP] for n in range(0, len(threads), WARP)]
    ready, events = threads, 0
    while ready:
        for warp in warps:
            _advance([thread for thread in warp if ready is threads or thread.waiting is not None], warp)
        ready = [thread for thread in threads if thread.waiting is not None]
        events += sum(len(thread.log) for thread in threads)
        logs = tuple((thread.rank, thread.log) for thread in threads if thread.log)
        closed = frozenset(thread.waiting[1] for thread in ready if thread.waiting)
        whole = len(ready) == len(threads) and len(closed) == 1
        yield Interval(logs, closed, frozenset() if whole else closed)
        if events > _MOST_EVENTS:
            stop("too long")
        for thread in threads:
            thread.log = []
        _release(ready)


def _thread(memory: Memory, rank: int, block: Shape, grid: Shape, at: Shape) -> Thread:
    x, y, z = rank % block[0], rank // block[0] % block[1], rank // (block[0] * block[1])
    number = (PRIVATE << 1) + rank
    memory.bytes[number] = bytearray(_STACK)
    return Thread(x, y, z, *at, *block, *grid, rank, memory, number << 32)


def _advance(ready: list[Thread], warp: list[Thread]) -> None:
    """Run threads of a warp until each waits for the block or has ended."""
    while ready:
        for thread in ready:
            thread.step()
        ready = _met(warp)


def _met(warp: list[Thread]) -> list[Thread]:
    """Threads whose warp operation can be done, with its answers; none where nobody waits for one."""
    places: dict[int, list[Thread]] = {}
    for thread in warp:
        if thread.waiting is not None and thread.waiting[0] == "warp":
            places.setdefault(thread.waiting[1], []).append(thread)
    if not places:
        return []
    ended = sum(1 << thread.rank % WARP for thread in warp if thread.waiting is None)
    complete = [group for group in places.values() if _whole(group, ended)]
    group = (complete or list(places.values()))[0]
    by_mask: dict[Any, dict[int, Any]] = {}
    for thread in group:
        assert thread.waiting is not None
        mask = thread.waiting[3]
        by_mask.setdefault(mask, {})[thread.rank % WARP] = thread.waiting[4]
    for thread in group:
        assert thread.waiting is not None
        lanes = by_mask[thread.waiting[3]]
        thread.answer = meet(thread.waiting[2], lanes)[thread.rank % WARP] if lanes else 0
        thread.log.append(None)
    return group


def _whole(group: list[Thread], ended: int) -> bool:
    """Whether all that the operation names are there."""
    here = ended | sum(1 << thread.rank % WARP for thread in group)
    return all(t.waiting is not None and not ((t.waiting[3] or 0) & ~here) for t in group)


def _release(waiting: list[Thread]) -> None:
    """Let the block go on."""
    values = [thread.waiting[3] for thread in waiting if thread.waiting is not None]
    for thread in waiting:
        assert thread.waiting is not None
        match thread.waiting[2]:
            case "__syncthreads_or":
                thread.answer = int(any(values))
            case "__syncthreads_and":
                thread.answer = int(all(values))
            case "__syncthreads_count":
                thread.answer = sum(bool(value) for value in values)
