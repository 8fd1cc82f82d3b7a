"""The active lanes of an `if` over the iterations of the enclosing loop."""

from typing import Any

import numpy as np
from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.simt.values.lanes import Bools

Counts = np.ndarray[Any, np.dtype[np.int64]]


class ActiveLanes(Struct):
    """The lanes that take an `if` in the first pass through the innermost enclosing loop; rows by sample."""

    loop: object  # identifies the pass
    clock: int  # block barriers executed before the last iteration
    entered: Counts  # warps with a lane that takes the arm, summed over the iterations
    packed: Counts  # the fewest warps that could hold these lanes, summed over the iterations
    lanes: Counts  # in the last iteration
    shrinks: Bools  # each iteration had fewer lanes than the one before
    fewest: int  # active lanes in such a warp
    most: int
    apart: bool = True  # a block barrier lies between any two iterations
    iterations: int = 1

    @property
    def fades(self) -> bool:
        """Whether the active threads of the block become fewer, with a block barrier in each iteration."""
        return self.iterations > 1 and self.apart and bool(self.shrinks[self.sample])

    @property
    def sample(self) -> int:
        """The first block that takes the arm."""
        return int((self.entered > 0).argmax())


def count(
    old: ActiveLanes | None, taking: Bools, per_sample: int, loop: object | None, clock: int
) -> ActiveLanes | None:
    """The counts after one more execution; `taking` has one row per warp."""
    if loop is None or (old is not None and old.loop is not loop):
        return old
    each = np.count_nonzero(taking, axis=1)
    rows = each.reshape(-1, per_sample)
    lanes, entered = rows.sum(axis=1), np.count_nonzero(rows, axis=1)
    packed = -(-lanes // WARP)
    some = each[each > 0]
    fewest, most = int(some.min()), int(some.max())
    if old is None:
        return ActiveLanes(loop, clock, entered, packed, lanes, np.ones(len(lanes), dtype=bool), fewest, most)
    return ActiveLanes(
        loop,
        clock,
        old.entered + entered,
        old.packed + packed,
        lanes,
        old.shrinks & (lanes < old.lanes),
        min(old.fewest, fewest),
        max(old.most, most),
        old.apart and clock > old.clock,
        old.iterations + 1,
    )
