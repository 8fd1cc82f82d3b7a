"""What atomic additions return when the threads come to them one after the other, lowest first: one of the
orders that the hardware may choose, so that places taken twice in it are races.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.dropped_results import dropped_results
from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, kept
from cudalint.simt.values.lanes import BY_BLOCK, CHOSEN, Bools, Value, wrap
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples, free_value

_SIGNS = {"atomicAdd": 1, "atomicInc": 1, "atomicSub": -1, "atomicDec": -1}
_STEPS = ("atomicInc", "atomicDec")  # by one, whatever the bound


def taken(unit: Unit, function: Function) -> bool:
    """Whether the kernel or a function it calls uses what an atomic addition returns."""
    return any(_taken(one.body) for one in reachable(unit, function) if one.body is not None)


@kept
def _taken(body: s.Block) -> bool:
    dropped = dropped_results(body)
    return any(_name(node) in _SIGNS and id(node) not in dropped for node in find(body, e.Call))


def _name(node: e.Call) -> str:
    return node.name.removesuffix("_block").removesuffix("_system")


class Tickets(Struct):
    """How far each counter has come in this run, by who counts with it (a sample or a valuation) and its
    address.
    """

    samples: Samples
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def take(
        self, node: e.Call, memory: Memory, address: Value, amount: Value | None, mask: Bools, type: Type
    ) -> Value | None:
        """What each lane gets back; None where those that count together have several counters, or the amount
        is not known.
        """
        sign = _SIGNS.get(_name(node))
        if _name(node) in _STEPS:
            amount = Value(1)
        if sign is None or address.known is not True or amount is None or amount.known is not True:
            return None
        share = self._sharers(memory)
        counters = _counters(share, np.broadcast_to(np.asarray(address.data), mask.shape), mask)
        if counters is None:
            return None
        added = np.where(mask, np.broadcast_to(np.asarray(amount.data), mask.shape), 0).astype(np.int64)
        before = np.cumsum(added) - added
        starts = np.r_[True, share[1:] != share[:-1]]
        first = np.maximum.accumulate(np.where(starts, np.arange(len(share)), 0))
        so_far = np.zeros(int(share[-1]) + 1, dtype=np.int64)
        for counter in counters:
            so_far[counter[0]] = self.counts.get(counter, 0)
        own = before - before[first] + so_far[share]
        for sharer, place in counters:
            self.counts[sharer, place] = int(so_far[sharer] + added[share == sharer].sum())
        base = free_value(self.samples, memory.number * 5, type)
        free = CHOSEN | (BY_BLOCK if memory.space == "shared" else 0)
        return Value(wrap(base.data + sign * own, type), True, free)

    def _sharers(self, memory: Memory) -> np.ndarray:
        """By lane, a number for those that count with one word: a block's, or all of a valuation."""
        return self.samples.sample if memory.space == "shared" else self.samples.valuation


def _counters(share: np.ndarray, places: np.ndarray, mask: Bools) -> list[tuple[int, int]] | None:
    """Who counts, with the address of their word; None where some have several words."""
    found = np.unique(np.column_stack((share[mask], places[mask])), axis=0)
    counters = [(int(sharer), int(place)) for sharer, place in found]
    return counters if len({sharer for sharer, _ in counters}) == len(counters) else None
