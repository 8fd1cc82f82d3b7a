"""The warps of a mask that have an active lane."""

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.simt.values.lanes import Bools

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Active(Struct, frozen=True, eq=False, dict=True):
    """The live warps of a mask, those with an active lane."""

    mask: Bools
    rows: Integers | None  # their numbers; None where all warps are live
    on: Bools  # shape (live warps, 32)
    sample: Integers  # of each live warp
    requests: Integers  # live warps, by sample
    lanes: int  # active

    @cached_property
    def fullest(self) -> int:
        """Active lanes of the warp that has most."""
        return int(self.on.sum(axis=1).max(initial=0))

    def rows_of(self, addresses: Integers | int) -> Integers:
        """What the lanes of live warps hold, of shape (live warps, 32)."""
        if not isinstance(addresses, np.ndarray):
            return np.full(self.on.shape, addresses, dtype=np.int64)
        lanes = addresses.reshape(-1, WARP)
        return lanes if self.rows is None else lanes[self.rows]


def active(mask: Bools, warps: int) -> Active:
    """The live warps of a mask over samples of so many warps each."""
    on = mask.reshape(-1, WARP)
    live = np.asarray(on.any(axis=1))
    requests = np.count_nonzero(live.reshape(-1, warps), axis=1)
    rows = np.flatnonzero(live)
    everywhere = len(rows) == len(live)
    return Active(
        mask,
        None if everywhere else rows,
        on if everywhere else on[rows],
        rows // warps,
        requests,
        int(np.count_nonzero(mask)),
    )
