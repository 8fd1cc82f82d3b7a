"""The events of a run, in the order of its instructions: what orders threads is counted here, and everything
is passed on to the watchers.

An interval of a block ends at a barrier, one of a warp at `__syncwarp()` too, one of the grid at a barrier of
the grid. Each is numbered, by sample or by warp.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.cuda.spaces import BarrierScope, Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.threads.watchers import (
    AccessEvent,
    ArithmeticEvent,
    BarrierEvent,
    Iteration,
    Moment,
    ShuffleEvent,
    Watcher,
)
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

_NOTHING = np.zeros(0, dtype=np.int64)
_SHARED = ("shared", "global")  # spaces that threads share


class Events(Struct):
    """The hub of one run."""

    samples: Samples
    watchers: tuple[Watcher, ...] = ()
    racing: bool = True  # accesses may be races; False while those are made that only look so
    moment: Moment = field(default_factory=lambda: Moment(_NOTHING, _NOTHING, _NOTHING))
    count: int = 0  # accesses so far

    def __post_init__(self) -> None:
        none = np.zeros(self.samples.count, dtype=np.int64)
        self.moment = Moment(none, none, np.zeros(self.samples.lanes // WARP, dtype=np.int64))

    # --- what orders threads ---

    def barrier(
        self,
        node: e.Expression | s.Opaque,
        scope: BarrierScope,
        place: Span,
        mask: Bools,
        sure: bool,
        tested: int,
    ) -> None:
        """A barrier: samples in which any thread reached it begin a new interval; one of the grid (a
        cooperative launch) orders blocks too, and so does one of a cluster, as which blocks those are is not
        known. place, sure, tested: as of BarrierEvent.
        """
        event = BarrierEvent(node, scope, place, self.samples, mask, sure, tested)
        if scope != "block":
            self.moment = replace(self.moment, grid_interval=self.moment.grid_interval + event.blocks)
        for watcher in self.watchers:
            watcher.barrier(event)
        self.moment = replace(self.moment, interval=self.moment.interval + event.blocks)

    def warp_barrier(self, mask: Bools) -> None:
        """`__syncwarp()` and its kin: orders the threads of each warp that has an active lane."""
        live = mask.reshape(-1, WARP).any(axis=1)
        self.moment = replace(self.moment, warp_interval=self.moment.warp_interval + live)

    def maybe_barrier(self) -> None:
        """Something unseen that may hold a barrier: nothing before it is compared with what comes after."""
        now = self.moment
        self.moment = Moment(now.interval + 1, now.grid_interval + 1, now.warp_interval + 1, now.iterations)
        for watcher in self.watchers:
            watcher.maybe_barrier()

    def waited(self, mask: Bools) -> None:
        """These threads have waited for a word of memory that others change (a lock, a flag): what orders
        them with those is not known.
        """
        self.unseen()
        for watcher in self.watchers:
            watcher.waited(mask)

    # --- loops ---

    def enter_loop(self, node: s.Loop) -> None:
        entered = Iteration(node.span, 0, self.count, self.count)
        self.moment = replace(self.moment, iterations=(*self.moment.iterations, entered))
        for watcher in self.watchers:
            watcher.enter_loop(node)

    def next_iteration(self) -> None:
        *outer, last = self.moment.iterations
        begun = Iteration(last.loop, last.number + 1, last.entered, self.count)
        self.moment = replace(self.moment, iterations=(*outer, begun))

    def skip_iterations(self, rounds: np.ndarray) -> None:
        for watcher in self.watchers:
            watcher.skip_iterations(rounds)

    def leave_loop(self, cut: bool) -> None:
        """cut: before its end."""
        self.moment = replace(self.moment, iterations=self.moment.iterations[:-1])
        for watcher in self.watchers:
            watcher.leave_loop(cut)

    # --- what is only passed on ---

    def fence(self) -> None:
        for watcher in self.watchers:
            watcher.fence()

    def device_fence(self, mask: Bools) -> None:
        for watcher in self.watchers:
            watcher.device_fence(mask)

    def timed(self) -> None:
        for watcher in self.watchers:
            watcher.timed()

    def unseen(self) -> None:
        """Code that nobody sees into, or whose threads wait for each other by what they write."""
        for watcher in self.watchers:
            watcher.unseen()

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        """An access at an unknown place; where not even the space or the object is known, None."""
        for watcher in self.watchers if self.racing else ():
            watcher.lost(node, operation, space, memory)

    def access(
        self,
        node: e.Expression,
        memory: Memory,
        operation: Operation,
        addresses: np.ndarray | int,
        width: int,
        mask: Bools,
        doubt: Bools | None = None,
        **more: Any,
    ) -> None:
        """One executed access of `width` bytes a lane; `more` are the other fields of AccessEvent."""
        if not self.watchers or memory.space not in _SHARED:
            return
        self.count += 1
        event = AccessEvent(
            self.count, self.moment, node, memory, operation, addresses, width, mask, doubt, **more
        )
        for watcher in self.watchers:
            if self.racing or watcher.everything:
                watcher.access(event)

    def shuffled(self, event: ShuffleEvent) -> None:
        for watcher in self.watchers:
            watcher.shuffled(event)

    def arithmetic(self, event: ArithmeticEvent) -> None:
        for watcher in self.watchers:
            watcher.arithmetic(event)

    def close(self) -> None:
        for watcher in self.watchers:
            watcher.close()
