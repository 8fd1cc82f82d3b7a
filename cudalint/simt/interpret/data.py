"""What memory holds in a run with made-up data, and what atomics leave in it: they are done one after the
other, in the order of the threads, so that one thread wins a word and each gets a ticket of its own.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.data_order import UsedData, array_name, element_of
from cudalint.analyses.kernel_queries import root_of
from cudalint.cuda.spaces import DataOrder
from cudalint.ir import expressions as e
from cudalint.ir.types import Scalar, Type
from cudalint.simt.values.data import held, in_order
from cudalint.simt.values.lanes import CHOSEN, DATA, Bools, Value, both_known, known_in, wrap
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples

_MOST = 200_000  # atomics of one run that are followed
_ADDING = {"atomicAdd": 1, "atomicSub": -1, "atomicInc": 1, "atomicDec": -1}


class MadeUpData(Struct):
    """orders: of the arrays that are in some order, by object. words: what atomics left, by the number of the
    valuation (of shared memory: the sample) and the address. compared: numbers that data is compared with.
    """

    samples: Samples
    used: UsedData
    distinct: frozenset[str] = frozenset()  # names of arrays whose numbers are all different
    compared: tuple[Any, ...] = ()
    orders: dict[int, DataOrder | None] = field(default_factory=dict)
    words: dict[tuple[int, int], int] = field(default_factory=dict)
    done: int = 0

    def load(self, memory: Memory, addresses: np.ndarray, type: Type, node: e.Expression) -> Value:
        """What lanes load at addresses of their own."""
        order = self._order(memory, addresses, node)
        inside = addresses >= memory.base
        if order is not None and isinstance(type, Scalar) and type.kind in ("signed", "unsigned"):
            found = in_order((addresses - memory.base) // type.bytes, type, order)
        else:
            found = held(addresses, type, self.compared)
        return Value(found.data, both_known(found.known, inside), found.free, "loaded data")

    def changes(self, memory: Memory, node: e.Expression) -> bool:
        """Whether the kernel writes the memory that is loaded."""
        root = root_of(node)
        return memory.written or (root is not None and root.id in self.used.written)

    def function(self, node: e.Call, operands: list[Value]) -> Value:
        """What a function gives that depends on its operands alone: the same for the same ones."""
        mixed = np.zeros(self.samples.lanes, dtype=np.int64)
        known: bool | Bools = True
        free = 0
        for operand in operands:
            number = np.asarray(operand.data)
            bits = (number * 4096).astype(np.int64) if number.dtype.kind == "f" else number.astype(np.int64)
            mixed = mixed * 31 + bits
            known, free = both_known(known, operand.known), free | operand.free
        found = held(mixed * 8 + sum(map(ord, node.name)), node.type, self.compared)
        return Value(found.data, both_known(known, found.known), found.free | free, f"result of {node.name}")

    def _order(self, memory: Memory, addresses: np.ndarray, node: e.Expression) -> DataOrder | None:
        """The order that the array is in, as the first load of it shows."""
        if memory.number not in self.orders:
            found = element_of(node)
            name = array_name(found.base) if found is not None else ""
            order = self.used.orders.get(name)
            if order is None:
                few = self._one_a_block(addresses)
                order = "distinct" if memory.name in self.distinct else "few" if few else None
            self.orders[memory.number] = order
        return self.orders[memory.number]

    def _one_a_block(self, addresses: np.ndarray) -> bool:
        """Whether the threads of each block load from one address: of so few numbers hardly any are equal."""
        rows = addresses.reshape(self.samples.count, -1)
        return bool((rows == rows[:, :1]).all())

    # --- atomics ---

    def is_count(self, name: str) -> bool:
        """Whether the atomic adds up what the threads bring."""
        return name.removesuffix("_block") in _ADDING

    def atomic(
        self,
        name: str,
        memory: Memory,
        address: Value,
        operands: list[Value],
        mask: Bools,
        type: Type,
        before: Value | None,
    ) -> Value | None:
        """What each lane gets back; None where that is not followed. before: what the words hold, as far as
        that is known.
        """
        name = name.removesuffix("_block").removesuffix("_system")
        if not isinstance(type, Scalar) or type.kind not in ("signed", "unsigned"):
            return None
        if not all(known_in(one, mask) for one in (address, *operands)):
            return None
        lane = np.flatnonzero(mask)
        self.done += len(lane)
        if self.done > _MOST or not operands:
            return None
        places = np.broadcast_to(np.asarray(address.data, dtype=np.int64), mask.shape)
        columns = [np.broadcast_to(np.asarray(one.data), mask.shape)[lane].tolist() for one in operands]
        share = self._share(memory)
        start = self._start(name, memory, places, type)[lane].tolist()
        keys = list(zip(share[lane].tolist(), places[lane].tolist(), strict=True))
        if before is not None:
            known = np.broadcast_to(np.asarray(before.known), mask.shape)[lane].tolist()
            numbers = np.broadcast_to(np.asarray(before.data), mask.shape)[lane].tolist()
            self.words |= {keys[at]: numbers[at] for at, is_known in enumerate(known) if is_known}
        old = []
        for number, key in enumerate(keys):
            now = self.words.get(key, columns[0][number] if name == "atomicCAS" else start[number])
            old.append(now)
            after = _after(name, now, *(int(column[number]) for column in columns))
            if after is None:
                return None
            self.words[key] = after
        result = np.zeros(mask.shape, dtype=np.int64)
        result[lane] = old
        return Value(wrap(result, type), True, CHOSEN | DATA)

    def left(self, memory: Memory, address: Value, mask: Bools) -> Value:
        """What such atomics have left in the words."""
        lane = np.flatnonzero(mask)
        places = np.broadcast_to(np.asarray(address.data, dtype=np.int64), mask.shape)[lane].tolist()
        result = np.zeros(mask.shape, dtype=np.int64)
        keys = zip(self._share(memory)[lane].tolist(), places, strict=True)
        result[lane] = [self.words.get(key, 0) for key in keys]
        return Value(result, True, CHOSEN | DATA)

    def _share(self, memory: Memory) -> np.ndarray:
        """By lane, a number for those that have a word in common."""
        return self.samples.sample if memory.space == "shared" else self.samples.valuation

    def _start(self, name: str, memory: Memory, places: np.ndarray, type: Scalar) -> np.ndarray:
        """What words hold at first: counters count in segments of their own."""
        if name in _ADDING:
            return np.asarray(in_order((places - memory.base) // type.bytes, type, "starts").data)
        return np.asarray(held(places, type, self.compared).data)


def _after(name: str, now: int, first: int, second: int = 0) -> int | None:
    """What an atomic leaves."""
    match name:
        case "atomicAdd" | "atomicSub":
            return now + _ADDING[name] * first
        case "atomicInc" | "atomicDec":
            return now + _ADDING[name]
        case "atomicExch":
            return first
        case "atomicCAS":
            return second if now == first else now
        case "atomicMin":
            return min(now, first)
        case "atomicMax":
            return max(now, first)
        case "atomicAnd":
            return now & first
        case "atomicOr":
            return now | first
        case "atomicXor":
            return now ^ first
    return None
