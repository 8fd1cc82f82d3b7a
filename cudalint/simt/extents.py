"""How far a run's accesses go: into dynamic shared memory, whose size the launch tells, and beyond the end of
buffers whose size the host model knows.

Only what is sure counts: lanes that are not in doubt, in runs where no number that nobody knows has a part
in the address, or in a condition that was met before.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.simt.facts import Operation
from cudalint.simt.guards import UNIFORM
from cudalint.simt.lanes import Bools
from cudalint.simt.memory import Memory
from cudalint.simt.worlds import Worlds

_EACH = 256  # executions of one access that are looked at


class Site(Struct):
    """One access to one object. end: of the bytes that it surely reaches, from the object's start, and the
    lane that reaches them; inside: whether some lane surely stays inside. beyond: the first lane outside.
    """

    node: e.Expression
    memory: Memory
    operation: Operation
    width: int
    end: int = 0
    lane: int = -1
    inside: bool = False
    beyond: int = -1
    start: int = 0  # of that lane's bytes
    used: bool = False  # some lane surely comes to it, whatever the numbers are
    times: int = 0


class Extents(Struct):
    """The log of one run."""

    worlds: Worlds
    sites: dict[tuple[int, Operation, int], Site] = field(default_factory=dict)

    def access(
        self,
        node: e.Expression,
        memory: Memory,
        operation: Operation,
        addresses: np.ndarray | int,
        width: int,
        mask: Bools,
        doubt: Bools | None,
        free: int,
        tested: int,
    ) -> None:
        """One executed access. free: what its address stands on; tested: the conditions before it."""
        if not _is_bounded(memory):
            return
        key = id(node), operation, memory.number
        site = self.sites.get(key)
        if site is None:
            site = self.sites[key] = Site(node, memory, operation, width)
        site.times += 1
        if site.times > _EACH:
            return
        lanes = np.flatnonzero(mask if doubt is None else mask & ~doubt)
        if not len(lanes):
            return
        site.used |= not tested & UNIFORM
        if not free and not tested:
            at = addresses[lanes] if isinstance(addresses, np.ndarray) else np.full(len(lanes), addresses)
            self._reach(site, lanes, at - memory.base)

    def _reach(self, site: Site, lanes: np.ndarray, start: np.ndarray) -> None:
        last = int(start.argmax())
        if int(start[last]) + site.width > site.end:
            site.end, site.lane = int(start[last]) + site.width, int(lanes[last])
        size = site.memory.bytes
        if not size:
            return
        outside = start + site.width > size
        site.inside |= not outside.all()
        if outside.any():
            first = int(np.where(outside, start, np.iinfo(np.int64).max).argmin())
            if site.beyond < 0 or int(start[first]) < site.start:
                site.beyond, site.start = int(lanes[first]), int(start[first])


def _is_dynamic(memory: Memory) -> bool:
    return memory.space == "shared" and not memory.bytes


def _is_bounded(memory: Memory) -> bool:
    return _is_dynamic(memory) or (memory.space == "global" and memory.own and memory.bytes > 0)
