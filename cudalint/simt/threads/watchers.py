"""What a run tells those that look on: every access to memory that threads share, what orders threads, and
what the model does not see.
"""

from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from msgspec import Struct

from cudalint.analyses.kernel_queries import is_volatile
from cudalint.analyses.whole_records import Parts
from cudalint.cuda.spaces import BarrierScope, Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.state import Result
from cudalint.source.span import Span


class Iteration(Struct, frozen=True):
    """An iteration of a loop, from 1. entered, since: how many accesses there were before the loop, and
    before the iteration.
    """

    loop: Span
    number: int
    entered: int = 0
    since: int = 0


class Moment(Struct, frozen=True, eq=False):
    """When something happens: how many barriers each sample (of the block, of the grid) and each warp have
    come to, and the iterations that are running.
    """

    interval: np.ndarray
    grid_interval: np.ndarray
    warp_interval: np.ndarray
    iterations: tuple[Iteration, ...] = ()


class AccessEvent(Struct, frozen=True, eq=False, dict=True):
    """One executed access of `width` bytes per lane; what follows from it is worked out when first asked."""

    order: int  # its place in the run, from 1
    moment: Moment
    node: e.Expression
    memory: Memory
    operation: Operation
    addresses: np.ndarray | int  # by lane, or of all
    width: int
    mask: Bools
    doubt: Bools | None  # lanes of the mask that may not make it
    under: e.Expression | None = None  # the condition of the doubt, or that data decides
    by_data: int = 0  # DATA and ORDERED, of the conditions before it
    value: Result | None = None  # that a store writes
    origin: np.ndarray | int | None = None  # the address that it was loaded from
    free: int = 0  # where numbers in the address come from, see lanes.py
    tested: int = 0  # kinds of the conditions before it that stand on numbers nobody knows
    counting: bool = False  # a store that counts on from what the place held
    collective: bool = False  # threads make it together, and which lane does which part is not known
    counted: bool = True  # which requests it is is known
    sampled: bool = False  # iterations of the loop round it are left out, for the budget is spent
    sure_only: bool = False  # no race is looked for among lanes in doubt
    parts: Parts | None = None  # of what is accessed, those that count; None for all of it
    way: tuple[Span | None, ...] = ()  # the calls that lead to it, the kernel's first

    @property
    def call(self) -> Span | None:
        """The kernel's call that leads to it."""
        return self.way[0] if self.way else None

    @cached_property
    def sure(self) -> Bools:
        """Lanes that surely make it."""
        return self.mask if self.doubt is None else self.mask & ~self.doubt

    @cached_property
    def each(self) -> np.ndarray:
        """The address of each lane."""
        one = self.addresses
        return one if isinstance(one, np.ndarray) else np.full(self.mask.shape, one, dtype=np.int64)

    @cached_property
    def volatile(self) -> bool:
        return is_volatile(self.node)

    def offsets(self, lane: np.ndarray) -> np.ndarray:
        """Where in the object the lanes' accesses are, in bytes."""
        if isinstance(self.addresses, np.ndarray):
            return np.asarray(self.addresses[lane] - self.memory.base)
        return np.full(lane.shape, self.addresses - self.memory.base)


class ShuffleEvent(Struct, frozen=True, eq=False):
    """One executed shuffle. source: the lane that each takes a value from."""

    node: e.Call
    source: np.ndarray
    mask: Bools  # lanes that surely make it
    way: tuple[Span | None, ...]  # the calls that lead to it, the kernel's first


class ArithmeticEvent(Struct, frozen=True, eq=False):
    """One executed operation on integers. exact: its result without a limit of bits, by lane or for all."""

    node: e.Expression
    exact: np.ndarray | int
    mask: Bools  # lanes whose operands are known
    doubt: Bools | None  # those of them that may not execute it
    tested: int = 0  # kinds of the conditions before it that stand on numbers nobody knows


class BarrierEvent(Struct, frozen=True, eq=False, dict=True):
    """One executed barrier of a block, a cluster or the grid."""

    node: e.Expression | s.Opaque  # Opaque: in inline assembly
    scope: BarrierScope
    place: Span  # its own, or the call of a function that does nothing else
    samples: Samples
    mask: Bools  # lanes that come to it
    sure: bool  # no lane of the mask is in doubt
    tested: int = 0  # kinds of the conditions before it that stand on numbers nobody knows

    @cached_property
    def blocks(self) -> Bools:
        """By sample: whether a thread of the block comes."""
        return np.asarray(self.mask.reshape(self.samples.count, -1).any(axis=1))

    @cached_property
    def everywhere(self) -> bool:
        """Whether every block that was run comes to it."""
        return bool(self.blocks.all())

    @property
    def certain(self) -> bool:
        """Whether all threads come, whatever the numbers are that nobody knows."""
        return self.sure and not self.tested and not bool((self.samples.everyone & ~self.mask).any())


class Setting(Struct, frozen=True):
    """The run that a watcher is to watch."""

    samples: Samples
    dynamic_shared_bytes: int | None = None
    lockstep: bool = False  # the threads of a warp run in step
    block_axes: frozenset[str] = frozenset()  # of blockIdx that the kernel reads
    arbitrary: bool = False  # memory holds made-up data
    checking: bool = False  # races that are known are looked at again
    small: bool = False  # sizes are no more than the threads of a block
    ragged: bool = False  # the blocks are those that a size ends in
    alike: bool = False  # the kernel does not ask which block it is in
    always: frozenset[int] = frozenset()  # expressions that every thread evaluates, by identity


class Watcher(Struct):
    """Told of what happens, in the order of the run; what a watcher does not ask for passes it by."""

    samples: Samples
    in_other_shapes: ClassVar[bool] = False  # where the shape is a guess, runs with others are watched too
    on_untaken_paths: ClassVar[bool] = False  # a run through arms that no run takes is watched too
    in_ragged_blocks: ClassVar[bool] = False  # so is a run of the blocks that sizes end in

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        """The watcher of a run that is about to begin."""
        return cls(setting.samples)

    @property
    def everything(self) -> bool:
        """Whether it is told of accesses, too, that look like races and are none."""
        return False

    def access(self, event: AccessEvent) -> None:
        """An access at known addresses, to memory that threads share."""

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        """An access without an address; where not even the space or the object is known, None."""

    def barrier(self, event: BarrierEvent) -> None:
        """A barrier of the block, or a wider one."""

    def maybe_barrier(self) -> None:
        """Something unseen that may hold a barrier of any kind."""

    def waited(self, mask: Bools) -> None:
        """These threads have waited for a word of memory that others change."""

    def fence(self) -> None:
        """A fence: other threads may go by the order of what is done to global memory."""

    def device_fence(self, mask: Bools) -> None:
        """One that orders these threads' accesses for the whole device."""

    def timed(self) -> None:
        """The clock is read."""

    def unseen(self) -> None:
        """Code that nobody sees into; it may access anything and wait for anyone."""

    def shuffled(self, event: ShuffleEvent) -> None:
        """A shuffle whose lanes are known."""

    def enter_loop(self, node: s.Loop) -> None:
        """A loop begins."""

    def leave_loop(self, cut: bool) -> None:
        """It ends; cut: iterations of it were left out."""

    def skip_iterations(self, rounds: np.ndarray) -> None:
        """The innermost loop is about to be left: so many iterations, by lane, would follow the last one that
        was run.
        """

    def arithmetic(self, event: ArithmeticEvent) -> None:
        """Integer arithmetic of 32 bits that becomes an index, in numbers that are all known; told where a
        launch gives the whole shape.
        """

    def close(self) -> None:
        """The run ends."""


Watch = tuple[type[Watcher], ...]


def granule(memory: Memory) -> int:
    """Bytes that the accesses to an object are told apart by: of its elements, at most a word."""
    return 4 if memory.element % 4 == 0 else 2 if memory.element % 2 == 0 else 1
