"""How far a run's accesses go: into dynamic shared memory, whose size the launch tells, and beyond the end of
shared arrays and of buffers whose size the host model knows.

Only what is sure counts: lanes that are not in doubt, in runs where no number that nobody knows has a part
in the address, or in a condition that was met before, unless all threads come to the access all the same.
"""

from typing import Self

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.condition_kinds import UNIFORM
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.simt.threads.watchers import AccessEvent, Setting, Watcher
from cudalint.simt.values.memory import Memory

_EACH = 256  # executions of one access that are looked at
_OTHER = 1 << 39  # bytes from the start from which on a lane's pointer is to another object


class Site(Struct):
    """One access to one object."""

    node: e.Expression
    memory: Memory
    operation: Operation
    width: int
    end: int = 0  # of the bytes certainly accessed, from the start of the object
    lane: int = -1  # that accesses these bytes
    inside: bool = False  # some lane certainly stays inside
    beyond: int = -1  # the first lane outside
    start: int = 0  # of that lane's bytes
    used: bool = False  # some lane certainly executes it, under every valuation
    times: int = 0


class Extents(Watcher):
    """The log of one run."""

    sites: dict[tuple[int, Operation, int], Site] = field(default_factory=dict)
    always: frozenset[int] = frozenset()  # expressions that every thread evaluates, by identity

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        return cls(setting.samples, always=setting.always)

    @property
    def everything(self) -> bool:
        return True

    def access(self, event: AccessEvent) -> None:
        memory, operation = event.memory, event.operation
        if event.sampled or not event.counted or not _is_bounded(memory):
            return
        key = id(event.node), operation, memory.number
        site = self.sites.get(key)
        if site is None:
            site = self.sites[key] = Site(event.node, memory, operation, event.width)
        site.times += 1
        if site.times > _EACH:
            return
        used = site.used or not event.tested & UNIFORM
        reaches = not event.free and (not event.tested or id(event.node) in self.always)
        if used == site.used and not reaches:
            return
        lanes = np.flatnonzero(event.sure)
        if not len(lanes):
            return
        site.used = used
        if reaches:
            start = event.offsets(lanes)
            near = np.abs(start) < _OTHER
            if near.any():
                self._reach(site, lanes[near], start[near])

    def _reach(self, site: Site, lanes: np.ndarray, start: np.ndarray) -> None:
        last = int(start.argmax())
        if int(start[last]) + site.width > site.end:
            site.end, site.lane = int(start[last]) + site.width, int(lanes[last])
        size = site.memory.bytes
        if not size:
            return
        outside = start + site.width > size
        if site.memory.space == "shared":
            outside |= start < 0
        site.inside |= not outside.all()
        if outside.any():
            first = int(np.where(outside, start, np.iinfo(np.int64).max).argmin())
            if site.beyond < 0 or int(start[first]) < site.start:
                site.beyond, site.start = int(lanes[first]), int(start[first])


def _is_bounded(memory: Memory) -> bool:
    return memory.space == "shared" or (memory.space == "global" and memory.own and memory.bytes > 0)
