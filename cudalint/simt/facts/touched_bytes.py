"""Bytes that a kernel surely reads or writes through its pointer parameters, whatever the data: those of the
blocks that are run.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Operation
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import AccessEvent, Watcher
from cudalint.simt.values.memory import OBJECT_BITS, Memory

_EACH = 4  # executions of one access that are looked at
_MOST = 1 << 18  # lanes whose accesses are kept
_OWN = ("default", "per-thread", "unknown")  # streams that are no other's
_MOST_PIECES = 96  # of one parameter; what is in more pieces is not told


class TouchedBytes(Struct, frozen=True):
    """What the launches of a kernel with one shape all read (or write) through a parameter: pieces from the
    first byte up to the one behind the last, counted from where the pointer points.
    """

    kernel: str  # its key
    block: tuple[int, int, int]
    grid: tuple[int | None, int | None, int | None]
    parameter: str
    write: bool
    pieces: tuple[tuple[int, int], ...]


class _Touches(Watcher):
    """The log of one run: by object and whether it is written, the object, and (starts, width) of each
    access, the valuation above the bits of the start.
    """

    met: dict[tuple[int, bool], tuple[Memory, list[tuple[np.ndarray, int]]]] = field(default_factory=dict)
    times: dict[tuple[int, Operation], int] = field(default_factory=dict)
    lanes: int = 0

    @property
    def everything(self) -> bool:
        return True

    def access(self, event: AccessEvent) -> None:
        memory, key = event.memory, (id(event.node), event.operation)
        if memory.space != "global" or memory.several or event.free or event.tested or not event.counted:
            return
        self.times[key] = times = self.times.get(key, 0) + 1
        if times > _EACH or self.lanes > _MOST:
            return
        lanes = np.flatnonzero(event.sure)
        self.lanes += len(lanes)
        starts = (self.samples.valuation[lanes] << OBJECT_BITS) + event.offsets(lanes)
        for write in (False, True):
            if event.operation in ("atomic", "store" if write else "load"):
                found = self.met.setdefault((memory.number, write), (memory, []))
                found[1].append((starts, event.width))


def _pieces(parts: list[tuple[np.ndarray, int]], valuations: int) -> tuple[tuple[int, int], ...]:
    """The bytes that are touched under every valuation, joined; () where they are in too many pieces."""
    once = [(np.unique(starts), width) for starts, width in parts if len(starts)]
    if not once:
        return ()
    each = np.unique(np.concatenate([starts + at for starts, width in once for at in range(width)]))
    bytes_, counts = np.unique(each & ((1 << OBJECT_BITS) - 1), return_counts=True)
    bytes_ = bytes_[counts == valuations]
    if not len(bytes_):
        return ()
    ends = np.flatnonzero(np.diff(bytes_) > 1)
    first, last = bytes_[np.r_[0, ends + 1]], bytes_[np.r_[ends, len(bytes_) - 1]]
    if len(first) > _MOST_PIECES:
        return ()
    return tuple((int(a), int(b) + 1) for a, b in zip(first, last, strict=True))


def _of(run: Run, key: str) -> Iterator[TouchedBytes]:
    plan = run.plan.configuration
    if run.failure or not plan.told_whole:
        return
    starts = {one.name: one.value for one in run.parameters if one.pointer and one.value is not None}
    for (_, write), (memory, parts) in run.seen(_Touches).met.items():
        start = starts.get(memory.name)
        pieces = _pieces(parts, run.machine.state.samples.valuations) if start is not None else ()
        if pieces and start is not None:
            moved = tuple((a - int(start), b - int(start)) for a, b in pieces)
            yield TouchedBytes(key, plan.block, plan.grid, memory.name, write, moved)


def _conclude(kernel: KernelRuns) -> tuple[tuple[TouchedBytes, ...]]:
    """Only for kernels that work beside others: those that are launched on streams."""
    if all(launch.stream in _OWN for launch in kernel.launches):
        return ((),)
    return (tuple(found for run in kernel.runs for found in _of(run, kernel.function.key)),)


FACT = Fact(of=(TouchedBytes,), conclude=_conclude, watch=(_Touches,))
