"""Worker processes with a time and a memory limit per file.

A crash, a kill or an endless parse of libclang costs one worker and one file; the others go on.
"""

import faulthandler
import gc
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, TypeVar

from msgspec import Struct

Item = TypeVar("Item")
Result = TypeVar("Result")

_POLL = 0.1  # seconds between looks at the workers' clocks and memory
_POLL_PARENT = 1.0  # seconds between looks of a worker at its parent
_RECYCLE = 0.5  # a worker that retains more than this share of the memory limit is replaced
_RECURSION = 20_000
_OBJECTS = 200_000  # new ones before a worker looks for garbage, between two files: most are gone by then
_MOST_OBJECTS = 2_000_000  # the same, within one: little of what its analysis makes is garbage
_FRAMES = 2**18  # words of the first piece of the stack that Python keeps its frames on
_MAPPED = 2**25  # bytes of an array from which on it is mapped for itself
_RETAINED = 2**27  # bytes that stay with the process when they are free
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # what glibc calls the two in mallopt
_SHARED = 6  # items of a kind that wait, from which on a second process takes some
_PATIENCE = 4  # wall-clock limit in units of the CPU limit: a busy machine must not cost a file


class Limits(Struct, frozen=True):
    """Limits of the analysis of one file."""

    seconds: float  # CPU time; _PATIENCE times as much of wall clock
    mebibytes: int  # resident memory of the worker


class _Worker(Struct):
    process: Any
    connection: Connection
    number: int = -1  # of the item in work
    started: float = 0.0
    used: float = 0.0  # CPU seconds of the process before the item
    kin: Hashable = None  # of the items that it was handed last


class Pool(Generic[Item, Result]):
    """Applies `work` to items in up to `jobs` processes; `lost` makes the result of an item whose worker
    crashed, from the reason. lasting: the processes stay for the next run, until `close`. kin: what items
    share that a process has to work out once for all of them; they go to one process unless many wait. None:
    nothing.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        lost: Callable[[Item, str], Result],
        limits: Callable[[Item], Limits],
        jobs: int,
        lasting: bool = False,
        kin: Callable[[Item], Hashable] = lambda _: None,
    ) -> None:
        self._kin = kin
        self._work, self._lost, self._limits, self._jobs = work, lost, limits, max(1, jobs)
        self._lasting = lasting
        self._workers: list[_Worker] = []
        self._context: Any = get_context("fork" if "fork" in get_all_start_methods() else "spawn")

    def run(self, items: Sequence[Item], done: Callable[[], None] = lambda: None) -> list[Result]:
        """The results in the order of the items; `done` is called after each."""
        results: dict[int, Result] = {}
        waiting = list(range(len(items)))[::-1]
        kin = [self._kin(item) for item in items]
        workers = self._workers
        try:
            while len(results) < len(items):
                self._hand_out(items, kin, waiting, workers)
                before = len(results)
                self._collect(items, workers, results)
                self._enforce(items, workers, results)
                for _ in range(len(results) - before):
                    done()
        except BaseException:
            self.close()
            raise
        if not self._lasting:
            self.close()
        return [results[number] for number in range(len(items))]

    def close(self) -> None:
        """End the processes."""
        while self._workers:
            _stop(self._workers.pop())

    def _hand_out(
        self, items: Sequence[Item], kin: Sequence[Hashable], waiting: list[int], workers: list[_Worker]
    ) -> None:
        idle = [worker for worker in workers if worker.number < 0]
        while waiting and (idle or len(workers) < self._jobs):
            worker = idle.pop() if idle else None
            place = _next(kin, waiting, worker, workers)
            if place is None:
                if worker is None:
                    return
                continue
            number = waiting.pop(place)
            if worker is None:
                worker = self._start(self._limits(items[number]))
                workers.append(worker)
            try:
                worker.connection.send(items[number])
            except OSError:  # it died between two files
                workers.remove(worker)
                _stop(worker)
                waiting.append(number)
                continue
            worker.number, worker.started, worker.kin = number, time.monotonic(), kin[number]
            worker.used = cpu_seconds(worker.process.pid) or 0.0

    def _start(self, limits: Limits) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(theirs, self._work, limits.mebibytes, os.getpid()), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _collect(self, items: Sequence[Item], workers: list[_Worker], results: dict[int, Result]) -> None:
        busy = {worker.connection: worker for worker in workers if worker.number >= 0}
        for connection in wait(list(busy), timeout=_POLL):
            worker = busy[connection]  # type: ignore[index]
            number = worker.number
            try:
                kind, value, resident = worker.connection.recv()
            except (EOFError, OSError):
                worker.process.join(1)
                results[number] = self._lost(items[number], _cause(worker.process.exitcode))
                workers.remove(worker)
                _stop(worker)
                continue
            worker.number = -1
            results[number] = value if kind == "result" else self._lost(items[number], value)
            if resident > self._limits(items[number]).mebibytes * _RECYCLE:
                workers.remove(worker)
                _stop(worker)

    def _enforce(self, items: Sequence[Item], workers: list[_Worker], results: dict[int, Result]) -> None:
        now = time.monotonic()
        for worker in [worker for worker in workers if worker.number >= 0]:
            item = items[worker.number]
            limits = self._limits(item)
            reason = None
            if _late(worker, now, limits.seconds):
                reason = f"exceeded {limits.seconds:g} s; raise `time-limit`, or `exclude` it"
            elif resident_mebibytes(worker.process.pid) > limits.mebibytes:
                reason = _hungry(limits.mebibytes)
            if reason is not None and not worker.connection.poll():
                results[worker.number] = self._lost(item, reason)
                workers.remove(worker)
                _stop(worker)


def _next(
    kin: Sequence[Hashable], waiting: Sequence[int], worker: _Worker | None, workers: Sequence[_Worker]
) -> int | None:
    """The place, among those that wait, of the item for a process (None: a new one); None where all that wait
    are few, and of a kind that others are at.
    """
    order = range(len(waiting) - 1, -1, -1)
    if worker is not None and worker.kin is not None:
        own = next((place for place in order if kin[waiting[place]] == worker.kin), None)
        if own is not None:
            return own
    taken = {one.kin for one in workers if one is not worker and one.number >= 0} - {None}
    free = next((place for place in order if kin[waiting[place]] not in taken), None)
    if free is not None:
        return free
    many = Counter(kin[number] for number in waiting)
    return next((place for place in order if many[kin[waiting[place]]] >= _SHARED), None)


def _hungry(mebibytes: int) -> str:
    return f"needs more than {mebibytes} MiB of memory; raise `memory-limit`, or `exclude` it"


def _late(worker: _Worker, now: float, seconds: float) -> bool:
    """Whether the item in work exceeded its time limit; by wall clock alone where CPU time is unknown."""
    wall = now - worker.started
    if wall <= seconds:
        return False
    used = cpu_seconds(worker.process.pid)
    return used is None or used - worker.used > seconds or wall > _PATIENCE * seconds


def cpu_seconds(pid: int) -> float | None:
    """CPU time of a process so far; None where the system does not report it."""
    try:
        # the second field is the program's name, in brackets, and may hold anything
        fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return None


def resident_mebibytes(pid: int) -> float:
    """Resident memory of a process; 0 where the system does not report it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _serve(connection: Connection, work: Callable[[Any], Any], mebibytes: int, parent: int) -> None:
    """A worker's life: item in, result out, until the pipe closes."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(mebibytes)
    _retain_memory()
    _mute()
    gc.freeze()  # what was imported is no garbage, and not looked through to find some
    gc.set_threshold(_MOST_OBJECTS)
    sys.setrecursionlimit(_RECURSION)
    _roomy(_answer_all)(connection, work, mebibytes)


def _answer_all(connection: Connection, work: Callable[[Any], Any], mebibytes: int) -> None:
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = ("result", work(item), resident_mebibytes(os.getpid()))
        except MemoryError:
            answer = ("error", _hungry(mebibytes), 0.0)
        except Exception as error:
            answer = ("error", f"could not be analysed: {type(error).__name__}: {error}", 0.0)
        try:
            connection.send(answer)
        except OSError:
            return
        del item, answer
        if gc.get_count()[0] > _OBJECTS:
            gc.collect()


def _roomy(function: Callable[..., None]) -> Callable[..., None]:
    """The function, with a frame so large that what it calls finds room behind it.

    Python gets its frames a piece of 16 KiB at a time and gives a piece back once it is empty: calls that go
    up and down across the end of a piece would ask the system for memory each time.
    """
    return FunctionType(function.__code__.replace(co_stacksize=_FRAMES), function.__globals__)


def _retain_memory() -> None:
    """Let the C library keep what is freed: arrays of some hundred KiB come and go all the time."""
    try:
        import ctypes

        allocator = ctypes.CDLL(None)
        for option, value in ((_MMAP_THRESHOLD, _MAPPED), (_TRIM_THRESHOLD, _RETAINED)):
            allocator.mallopt(option, value)
    except (ImportError, OSError, AttributeError, TypeError):  # another C library
        return


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: nothing else would stop an endless parse."""
    while os.getppid() == parent:
        time.sleep(_POLL_PARENT)
    os._exit(1)


def _limit_memory(mebibytes: int) -> None:
    """A hard ceiling above the watched one, for an allocation too fast for the watch."""
    try:
        import resource

        ceiling = 2 * mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        return


def _mute() -> None:
    """Silence the standard streams, where libclang and inherited crash handlers write."""
    faulthandler.disable()
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.close(nowhere)


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        try:
            name = signal.Signals(-exit_code).name
        except ValueError:
            name = str(-exit_code)
        return f"crashed its worker process ({name}); `exclude` it, and please report it"
    return f"crashed its worker process (exit status {exit_code}); `exclude` it, and please report it"


def _stop(worker: _Worker) -> None:
    """Kill a worker: its results came through the pipe."""
    worker.connection.close()
    worker.process.kill()
    worker.process.join()
