"""Conflicts between threads on shared memory, per barrier interval: a shadow of the last reader and writer.

For every world and every granule of shared memory the shadow holds the last writing thread and two reading
threads of different warps, with the access site and the interval number. An access that meets another
warp's in the same interval, one of them a write, is a conflict. Threads of one warp conflict only where one
instruction writes different numbers to one place.
"""

from dataclasses import dataclass, field

import numpy as np

from cudalint.ir import expressions as e
from cudalint.simt.facts import Operation
from cudalint.simt.lanes import Bools
from cudalint.simt.memory import Memory
from cudalint.simt.worlds import WARP, Worlds

_MOST_BYTES = 1 << 18  # larger (wrong) shared offsets are not followed
_EVENTS = 1500  # shared accesses of a run that are compared
_MOST_WIDTH = 64  # bytes of one access; a whole array passed on is not followed
_CELLS = 4_000_000  # entries of a shadow


@dataclass(frozen=True, slots=True)
class Conflict:
    """first and second are (site node, operation, lane); byte is the offset in the object."""

    memory: Memory
    byte: int
    world: int
    first: tuple[e.Expression, Operation, int]
    second: tuple[e.Expression, Operation, int]
    kind: str


@dataclass(slots=True)
class _Shadow:
    """Arrays over (worlds x granules): lane, site number and interval of the last write and of two reads."""

    granules: int
    lane: np.ndarray  # 3 x cells: writer, reader, other reader
    site: np.ndarray
    epoch: np.ndarray


@dataclass(slots=True)
class Hazards:
    worlds: Worlds
    granule: int = 4
    enabled: bool = True
    epoch: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    sites: list[tuple[e.Expression, Operation]] = field(default_factory=list)
    shadows: dict[int, _Shadow] = field(default_factory=dict)
    conflicts: dict[tuple[int, int], list[Conflict]] = field(default_factory=dict)
    worlds_hit: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    set_by_all: set[int] = field(default_factory=set)
    events: int = 0

    def __post_init__(self) -> None:
        self.epoch = np.zeros(self.worlds.count, dtype=np.int64)

    def barrier(self, mask: Bools) -> None:
        """A block barrier: worlds in which any thread reached it begin a new interval."""
        self.epoch += mask.reshape(self.worlds.count, -1).any(axis=1)

    def grid_barrier(self, mask: Bools) -> None:
        """A barrier of the whole grid (a cooperative launch): a block barrier that orders blocks too."""
        self.barrier(mask)

    def warp_barrier(self, mask: Bools) -> None:
        """`__syncwarp()` and its kin: orders the threads of each warp that has an active lane."""

    def waited(self, mask: Bools) -> None:
        """These threads have waited for a word of memory that others change (a lock, a flag): what orders
        them with those is not known, so what they do from here on is not compared.
        """

    def maybe_barrier(self) -> None:
        """Something unseen that may hold a barrier: nothing before it is compared with what comes after."""
        self.epoch += 1

    def _shadow(self, memory: Memory, highest: int) -> _Shadow | None:
        needed = highest // self.granule + 1
        shadow = self.shadows.get(memory.number)
        if shadow is not None and shadow.granules >= needed:
            return shadow
        granules = max(needed, -(-memory.bytes // self.granule), 2 * shadow.granules if shadow else 0)
        cells = granules * self.worlds.count
        if granules * self.granule > _MOST_BYTES or cells > _CELLS:
            self.enabled = False
            return None
        fresh = _Shadow(
            granules,
            np.zeros((3, cells), dtype=np.int32),
            np.zeros((3, cells), dtype=np.int32),
            np.full((3, cells), -1, dtype=np.int64),
        )
        if shadow is not None:
            for new, old in (
                (fresh.lane, shadow.lane),
                (fresh.site, shadow.site),
                (fresh.epoch, shadow.epoch),
            ):
                wide = new.reshape(3, self.worlds.count, granules)
                wide[:, :, : shadow.granules] = old.reshape(3, self.worlds.count, shadow.granules)
        self.shadows[memory.number] = fresh
        return fresh

    def access(
        self,
        node: e.Expression,
        memory: Memory,
        operation: Operation,
        addresses: np.ndarray | int,
        width: int,
        mask: Bools,
        same_value: bool,
        values: np.ndarray | None = None,
        origin: np.ndarray | int | None = None,
        free: bool = False,
    ) -> None:
        """Compare one executed access with what the interval saw, then enter it.

        values: what each lane writes, where that is known. origin: the address it was loaded from; lanes that
        copy one and the same place write one value. free: the addresses depend on numbers that nobody knows;
        such accesses are not compared.
        """
        if free or not self.enabled or self.events >= _EVENTS or width > _MOST_WIDTH:
            return
        self.events += 1
        lane = np.nonzero(mask)[0]
        if not len(lane):
            return
        at = addresses[lane] if isinstance(addresses, np.ndarray) else np.full(len(lane), addresses)
        offset = at - memory.base
        if int(offset.min()) < 0:
            return
        shadow = self._shadow(memory, int(offset.max()) + width - 1)
        if shadow is None:
            return
        world = self.worlds.world[lane]
        site = self._number(node, operation)
        if operation == "store" and same_value and not isinstance(addresses, np.ndarray):
            if np.array_equal(mask, self.worlds.everyone):
                self.set_by_all.add(site)
            else:
                self.set_by_all.discard(site)
        for piece in range(max(1, -(-width // self.granule))):
            cell = world * shadow.granules + (offset + piece * self.granule) // self.granule
            self._enter(shadow, memory, cell, lane, world, site, operation, same_value)
            if operation == "store" and not same_value and len(lane) > 1:
                numbers = None if values is None else values[lane]
                sources = origin[lane] if isinstance(origin, np.ndarray) else origin
                self._within(memory, shadow, cell, lane, site, numbers, sources)

    def _number(self, node: e.Expression, operation: Operation) -> int:
        for number, (known, how) in enumerate(self.sites):
            if known is node and how == operation:
                return number
        self.sites.append((node, operation))
        return len(self.sites) - 1

    def _enter(
        self,
        shadow: _Shadow,
        memory: Memory,
        cell: np.ndarray,
        lane: np.ndarray,
        world: np.ndarray,
        site: int,
        operation: Operation,
        same_value: bool,
    ) -> None:
        now = self.epoch[world]
        warp = lane // WARP
        writes = operation != "load"
        slots = (0, 1, 2) if writes else (0,)
        for slot in slots:
            other = shadow.lane[slot, cell]
            clash = (shadow.epoch[slot, cell] == now) & (other // WARP != warp)
            if not clash.any():
                continue
            earlier = int(shadow.site[slot, cell[clash][0]])
            if self._harmless(slot, earlier, site, operation, same_value):
                continue
            self._report(memory, shadow, slot, cell, lane, other, clash, site)
        if writes:
            self._put(shadow, 0, cell, lane, site, now)
        else:
            stale = shadow.epoch[1, cell] != now
            if stale.any():
                self._put(shadow, 1, cell[stale], lane[stale], site, now[stale])
            differ = (shadow.lane[1, cell] // WARP) != warp
            if differ.any():
                self._put(shadow, 2, cell[differ], lane[differ], site, now[differ])

    def _harmless(self, slot: int, earlier: int, site: int, operation: Operation, same_value: bool) -> bool:
        """Two atomics, two writes of one and the same value by one statement, or reading what every thread,
        the reader too, has just set to one value.
        """
        how = self.sites[earlier][1]
        if operation == "load" and earlier in self.set_by_all:
            return True
        if how == "atomic" and operation == "atomic":
            return True
        return slot == 0 and operation == "store" and earlier == site and same_value

    def _within(
        self,
        memory: Memory,
        shadow: _Shadow,
        cell: np.ndarray,
        lane: np.ndarray,
        site: int,
        values: np.ndarray | None,
        origin: np.ndarray | int | None,
    ) -> None:
        """Write conflicts inside one executed store: between warps, or in a warp by numbers that differ."""
        order = np.argsort(cell, kind="stable")
        sorted_cell, sorted_lane = cell[order], lane[order]
        clash = sorted_lane[1:] // WARP != sorted_lane[:-1] // WARP
        if values is not None:
            clash = values[order][1:] != values[order][:-1]
        clash &= sorted_cell[1:] == sorted_cell[:-1]
        if origin is not None:
            clash &= np.diff(origin[order]) != 0 if isinstance(origin, np.ndarray) else False
        if clash.any():
            at = int(clash.argmax())
            self._add(
                memory,
                shadow,
                int(sorted_cell[at]),
                int(sorted_lane[at]),
                int(sorted_lane[at + 1]),
                site,
                site,
            )
            self.worlds_hit[site, site].update(np.unique(sorted_cell[1:][clash] // shadow.granules).tolist())

    def _put(
        self, shadow: _Shadow, slot: int, cell: np.ndarray, lane: np.ndarray, site: int, now: np.ndarray
    ) -> None:
        shadow.lane[slot, cell] = lane
        shadow.site[slot, cell] = site
        shadow.epoch[slot, cell] = now

    def _report(
        self,
        memory: Memory,
        shadow: _Shadow,
        slot: int,
        cell: np.ndarray,
        lane: np.ndarray,
        other: np.ndarray,
        clash: np.ndarray,
        site: int,
    ) -> None:
        at = int(clash.argmax())
        earlier = int(shadow.site[slot, cell[at]])
        self._add(memory, shadow, int(cell[at]), int(other[at]), int(lane[at]), earlier, site)
        key = (earlier, site)
        hit = self.worlds_hit.setdefault(key, set())
        hit.update(int(w) for w in np.unique(cell[clash] // shadow.granules))

    def _add(
        self, memory: Memory, shadow: _Shadow, cell: int, first: int, second: int, a: int, b: int
    ) -> None:
        world = cell // shadow.granules
        byte = cell % shadow.granules * self.granule
        kind = "read-write" if "load" in (self.sites[a][1], self.sites[b][1]) else "write-write"
        found = self.conflicts.setdefault((a, b), [])
        self.worlds_hit.setdefault((a, b), set()).add(world)
        if len(found) < 4:
            found.append(
                Conflict(memory, byte, world, (*self.sites[a], first), (*self.sites[b], second), kind)
            )
