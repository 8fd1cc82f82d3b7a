"""What blocks of a run ask of L1, L2 and device memory: lines, different sectors, atomics on one place."""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Operation
from cudalint.cuda.warp import WARP
from cudalint.simt.requests.transactions import SECTOR, distinct
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import WIDEST, Samples

LINE = 128  # bytes that one tag of L1 stands for
_OPEN = 1 << 20  # numbers that are kept before they are told apart
_WORLD_BIT = 44  # above the sectors of any object

Integers = np.ndarray[Any, np.dtype[np.int64]]


class _Touched(Struct):
    """Places in one object, each with its sample in one number, and how often each was touched."""

    keys: list[Integers] = field(default_factory=list)
    counts: list[Integers] = field(default_factory=list)
    open: int = 0

    def add(self, keys: Integers) -> None:
        found, counts = np.unique(keys, return_counts=True)
        self.keys.append(found)
        self.counts.append(counts)
        self.open += len(found)
        if self.open > _OPEN:
            keys, counts = self.all()
            self.keys, self.counts, self.open = [keys], [counts], 0

    def all(self) -> tuple[Integers, Integers]:
        """(the places, how often)."""
        if not self.keys:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        found, back = np.unique(np.concatenate(self.keys), return_inverse=True)
        counts = np.bincount(back, weights=np.concatenate(self.counts), minlength=len(found))
        return found, counts.astype(np.int64)

    def of(self, sample: int) -> tuple[Integers, Integers]:
        """Those of one sample."""
        keys, counts = self.all()
        mine = keys >> _WORLD_BIT == sample
        return keys[mine] & ((1 << _WORLD_BIT) - 1), counts[mine]


class Around(Struct, frozen=True):
    """Blocks that are run beside the first one on one axis: those before and after it, where there are."""

    axis: int
    blocks: tuple[int, ...]


class Footprints(Struct):
    """By object, sectors: those that were loaded, and those touched in any way; wanted: addresses of atomics.
    lines: those of 128 bytes that warps asked for, summed over all requests.
    """

    samples: Samples
    loaded: dict[int, _Touched] = field(default_factory=dict)
    touched: dict[int, _Touched] = field(default_factory=dict)
    wanted: dict[int, _Touched] = field(default_factory=dict)
    lines: float = 0.0

    def access(
        self, memory: Memory, operation: Operation, width: int, addresses: Integers | int, mask: Bools
    ) -> None:
        """Note one executed access of `width` bytes a lane at byte addresses."""
        if memory.space != "global":
            return
        each = np.broadcast_to(np.asarray(addresses, dtype=np.int64), mask.shape)
        self.lines += float(distinct((each // LINE).reshape(-1, WARP), mask.reshape(-1, WARP)).sum())
        lane = np.flatnonzero(mask)
        first = each[lane] - memory.base
        sample = self.samples.sample[lane] << _WORLD_BIT
        ends = (first, first + max(width, 1) - 1)
        keys = np.concatenate([sample + end // SECTOR for end in ends])
        self.touched.setdefault(memory.number, _Touched()).add(keys)
        if operation == "load":
            self.loaded.setdefault(memory.number, _Touched()).add(keys)
        if operation == "atomic":
            self.wanted.setdefault(memory.number, _Touched()).add(sample + first)

    def _world(self, block: int) -> int:
        """That of a block under the valuation whose made-up data are spread the widest."""
        valuation = min(WIDEST, self.samples.valuations - 1)
        return valuation * len(self.samples.blocks) + block

    def loads(self) -> int:
        """Sectors that the first block loads, each counted once."""
        return sum(len(touched.of(self._world(0))[0]) for touched in self.loaded.values())

    def different(self, grid: tuple[int, int, int], around: tuple[Around, ...], bytes: int) -> float:
        """Pieces of so many bytes that the grid touches, each counted once.

        What a block has in common with both neighbours on an axis, all blocks there have; what with one of
        them, two blocks share; what with none is its own.
        """
        total = 0.0
        for touched in self.touched.values():
            here = different(touched.of(self._world(0))[0] * SECTOR // bytes)
            times = np.ones(len(here))
            for axis in around:
                shared = np.zeros(len(here))
                for block in axis.blocks:
                    shared += np.isin(here, touched.of(self._world(block))[0] * SECTOR // bytes)
                shared *= 2 / len(axis.blocks)
                times *= np.select([shared == 0, shared == 1], [grid[axis.axis], grid[axis.axis] / 2], 1.0)
            total += float(times.sum())
        return total

    def collisions(self, grid: tuple[int, int, int], around: tuple[Around, ...]) -> float:
        """Atomic operations on the address that most of them want, in the whole grid."""
        most = 0.0
        for wanted in self.wanted.values():
            here, counts = wanted.of(self._world(0))
            times = counts.astype(np.float64)
            for axis in around:
                common = np.isin(here, wanted.of(self._world(axis.blocks[0]))[0])
                times *= np.where(common, grid[axis.axis], 1)
            most = max(most, float(times.max(initial=0.0)))
        return most
