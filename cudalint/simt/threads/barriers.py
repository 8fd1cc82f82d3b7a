"""Which threads came to each barrier of a block, a cluster or the grid, and what kept the others away."""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import BarrierScope
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP, DATA, Bools
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.state import Exit, Split, State
from cudalint.source.span import Span

Integers = np.ndarray[Any, np.dtype[np.int64]]


class BarrierSite(Struct):
    """One barrier as one chain of calls comes to it. executed, partial: by sample, whether a thread came and
    whether one that had to come as well surely did not. left: how the missing thread went away.
    """

    node: e.Expression | s.Opaque
    scope: BarrierScope
    call: Span | None  # in the kernel
    place: Span  # its own, or the call of a function that does nothing else
    executed: Bools
    partial: Bools
    doubtful: bool = False
    reaching: int = -1  # lanes
    missing: int = -1
    condition: e.Expression | None = None
    left: Exit | None = None
    stamp: int = 0
    by_data: bool = False  # made-up data kept the missing thread away
    by_block: bool = False  # a number that the whole block has loaded did


class Barriers(Struct):
    """The barriers of one run. clock: how many were executed. chance: numbers made up for each warp or block
    decided who leaves a loop or a function.
    """

    samples: Samples
    sites: dict[object, BarrierSite] = field(default_factory=dict)
    clock: int = 0
    chance: bool = False

    def reached(self, node: e.Expression | s.Opaque, state: State, scope: BarrierScope, place: Span) -> None:
        """A barrier executed by the active lanes: all threads of each block that has one there, or all of the
        grid, have to be there.
        """
        site = self._site(node, state, scope, place)
        self.clock += 1
        site.stamp = self.clock
        site.executed |= self._team(site, state.mask).any(axis=1).repeat(self._blocks(site))
        sure = state.mask
        if state.doubtful:
            site.doubtful = True
            sure = state.mask & ~state.doubt
        self._compare(site, sure, self.samples.everyone & ~state.mask, state.splits, state.exits)

    def uneven(
        self, since: int, trips: Integers, mask: Bools, condition: e.Expression, state: State, free: int
    ) -> None:
        """A loop is cut short; each lane still goes round `trips` times and comes to the barriers that were
        executed after `since` each time.
        """
        splits = [*state.splits, Split(condition, mask, free)]
        for site in self.sites.values():
            if site.stamp <= since or not mask.any():
                continue
            each = self._team(site, np.where(mask, trips, -1))
            here = (each == each.max(axis=1, keepdims=True)) & (each > 0)
            absent = (each >= 0) & ~here
            self._compare(site, here.ravel(), absent.ravel(), splits, state.exits)

    def _blocks(self, site: BarrierSite) -> int:
        """How many of the blocks that are run side by side wait for each other."""
        return len(self.samples.blocks) if site.scope == "grid" else 1

    def _team(self, site: BarrierSite, lanes: Any) -> Any:
        """One row for each group of threads that wait for each other."""
        return lanes.reshape(self.samples.count // self._blocks(site), -1)

    def _site(
        self, node: e.Expression | s.Opaque, state: State, scope: BarrierScope, place: Span
    ) -> BarrierSite:
        calls = tuple(frame.call for frame in state.frames[1:])
        key = id(node), calls
        found = self.sites.get(key)
        if found is None:
            none = np.zeros(self.samples.count, dtype=bool)
            found = BarrierSite(node, scope, calls[0] if calls else None, place, none, none.copy())
            self.sites[key] = found
        return found

    def _compare(
        self, site: BarrierSite, here: Bools, absent: Bools, splits: list[Split], exits: list[Exit]
    ) -> None:
        came, missed = self._team(site, here), self._team(site, absent)
        partial = came.any(axis=1) & missed.any(axis=1)
        if not partial.any():
            return
        row = int(partial.argmax())
        start = row * came.shape[1]
        reaching = start + int(came[row].argmax())
        near = missed[row] & (
            self.samples.sample[start : start + came.shape[1]] == self.samples.sample[reaching]
        )
        missing = start + int((near if near.any() else missed[row]).argmax())
        left = next((one for one in reversed(exits) if one.mask[missing]), None)
        split = next((one for one in reversed(splits) if one.mask[missing]), None)
        chosen = BY_WARP | BY_BLOCK if site.scope == "grid" else BY_WARP
        if any(one.free & chosen for one in (*splits, *((left,) if left else ()))):
            site.doubtful = True  # numbers made up for each warp or block part these threads
            return
        site.partial |= partial.repeat(self._blocks(site))
        if site.reaching < 0:
            site.reaching, site.missing, site.left = reaching, missing, left
            site.condition = left.condition if left else split.condition if split else None
            cause = left or split
            site.by_data = cause is not None and bool(cause.free & DATA)
            site.by_block = cause is not None and bool(cause.free & BY_BLOCK)
