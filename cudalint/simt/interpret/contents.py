"""What shared memory holds while a run makes up what lanes load: then every stored number is known, and
scans, ranks and tables in shared memory come out as they would.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from cudalint.ir.types import Scalar, Type
from cudalint.simt.values.lanes import CHOSEN, DATA, Bools, Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples

_MOST = 64 * 1024  # elements of one array in one sample


class _Table(Struct):
    """Numbers of shape (samples, elements) of one type, and which of them are known."""

    type: Scalar
    numbers: NDArray[Any]
    known: Bools
    free: int = 0  # of what was stored


class Contents(Struct):
    """Tables by object; None for an object that is used as several types. inventing: whether numbers are made
    up for what is not known.
    """

    samples: Samples
    inventing: bool = True
    tables: dict[int, _Table | None] = field(default_factory=dict)

    def store(
        self, memory: Memory, addresses: NDArray[np.int64] | int, type: Type, value: Value, mask: Bools
    ) -> None:
        """Lanes of the mask write; of several that write one place, one does."""
        if not isinstance(type, Scalar):
            self.tables[memory.number] = None
            return
        lane = np.nonzero(mask)[0]
        place = self._places(memory, addresses, type, lane)
        table = self._table(memory, type, place)
        if table is None:
            return
        inside = (place >= 0) & (place < table.known.shape[1])
        lane, place = lane[inside], place[inside]
        sample = self.samples.sample[lane]
        table.free |= value.free
        table.numbers[sample, place] = np.broadcast_to(np.asarray(value.data), mask.shape)[lane]
        table.known[sample, place] = np.broadcast_to(np.asarray(value.known), mask.shape)[lane]

    def forget(self, memory: Memory) -> None:
        """Something wrote to the object, nobody knows where or what."""
        table = self.tables.get(memory.number)
        if table is not None:
            table.known[:] = False

    def load(
        self, memory: Memory, addresses: NDArray[np.int64] | int, type: Type, mask: Bools
    ) -> Value | None:
        """What lanes of the mask read; None when nothing of it is known."""
        table = self.tables.get(memory.number)
        if table is None or table.type != type:
            return None
        lane = np.nonzero(mask)[0]
        place = self._places(memory, addresses, table.type, lane)
        inside = (place >= 0) & (place < table.known.shape[1])
        sample, place = self.samples.sample[lane], np.where(inside, place, 0)
        numbers = np.zeros(mask.shape, dtype=table.numbers.dtype)
        known = np.zeros(mask.shape, dtype=bool)
        numbers[lane] = table.numbers[sample, place]
        known[lane] = table.known[sample, place] & inside
        return Value(numbers, known, CHOSEN | (table.free & DATA), "loaded data") if known.any() else None

    def _places(
        self, memory: Memory, addresses: NDArray[np.int64] | int, type: Scalar, lane: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        at = addresses[lane] if isinstance(addresses, np.ndarray) else np.full(len(lane), addresses)
        return np.asarray((at - memory.base) // max(type.bytes, 1), dtype=np.int64)

    def _table(self, memory: Memory, type: Scalar, place: NDArray[np.int64]) -> _Table | None:
        """The object's table, made or grown as needed."""
        if memory.number in self.tables:
            found = self.tables[memory.number]
            if found is None or found.type != type:
                self.tables[memory.number] = None
                return None
        else:
            found = None
        needed = memory.bytes // max(type.bytes, 1) or min(int(place.max(initial=0)) + 1, _MOST)
        if found is not None and found.known.shape[1] >= needed:
            return found
        count = min(needed, _MOST)
        kind = np.float64 if type.kind == "float" else np.int64
        fresh = _Table(
            type, np.zeros((self.samples.count, count), kind), np.zeros((self.samples.count, count), bool)
        )
        if found is not None:
            fresh.free = found.free
            fresh.numbers[:, : found.known.shape[1]] = found.numbers
            fresh.known[:, : found.known.shape[1]] = found.known
        self.tables[memory.number] = fresh
        return fresh
