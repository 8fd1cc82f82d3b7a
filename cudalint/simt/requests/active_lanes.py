"""The lanes that take an `if` from one round of the loop round it to the next."""

from typing import Any

import numpy as np
from msgspec import Struct

from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.samples import WARP

Counts = np.ndarray[Any, np.dtype[np.int64]]


class Crowd(Struct):
    """One pass through the innermost loop round an `if`, the first one; rows are indexed by sample.

    loop: what stands for the pass. clock: barriers of the block executed by the last time. entered: warps
    with a lane that takes the arm, packed: the fewest warps that hold as many, both summed over the rounds.
    lanes: of the last round. shrinks: in each round fewer lanes than before took it. apart: a barrier of the
    block lies between any two rounds. fewest, most: lanes of such a warp.
    """

    loop: object
    clock: int
    entered: Counts
    packed: Counts
    lanes: Counts
    shrinks: Bools
    fewest: int
    most: int
    apart: bool = True
    rounds: int = 1

    @property
    def fades(self) -> bool:
        """Whether the threads of a block that take the arm become fewer, and all of it waits each time."""
        return self.rounds > 1 and self.apart and bool(self.shrinks[self.sample])

    @property
    def sample(self) -> int:
        """The first block that takes the arm."""
        return int((self.entered > 0).argmax())


def count(old: Crowd | None, taking: Bools, per_world: int, loop: object | None, clock: int) -> Crowd | None:
    """The crowd after one more execution; `taking` has a row a warp, some of them with a lane."""
    if loop is None or (old is not None and old.loop is not loop):
        return old
    each = np.count_nonzero(taking, axis=1)
    rows = each.reshape(-1, per_world)
    lanes, entered = rows.sum(axis=1), np.count_nonzero(rows, axis=1)
    packed = -(-lanes // WARP)
    some = each[each > 0]
    fewest, most = int(some.min()), int(some.max())
    if old is None:
        return Crowd(loop, clock, entered, packed, lanes, np.ones(len(lanes), dtype=bool), fewest, most)
    return Crowd(
        loop,
        clock,
        old.entered + entered,
        old.packed + packed,
        lanes,
        old.shrinks & (lanes < old.lanes),
        min(old.fewest, fewest),
        max(old.most, most),
        old.apart and clock > old.clock,
        old.rounds + 1,
    )
