"""A branch of the source, as all runs together show it."""

from typing import Literal

from msgspec import Struct

from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.ragged import Remainder
from cudalint.source.span import NOWHERE, Span


class Split(Struct, frozen=True):
    """How warps split at a branch. sides, lanes and ways are of the worst warp; a jump past all cases of a
    switch is one of its ways.
    """

    share: float | None = None  # of the executed warps that split, 0..1
    sides: tuple[int, int] | None = None  # (lanes that take it, lanes that do not)
    lanes: tuple[bool | None, ...] = ()  # which lanes take it
    ways: tuple[tuple[int, int], ...] = ()  # of a switch, per case taken: (operations, lanes)
    boundary: bool = False  # only a warp at the edge of the grid, or only for odd sizes
    remainder: Remainder | None = None  # of the size that a warp splits for, in the block that it ends in


class ArmCost(Struct, frozen=True):
    """Operations in each arm, by the model's count of executed expression nodes in one pass. ways: in each
    case of a switch that has any, the longest first.
    """

    then: int = 0
    otherwise: int = 0
    guarded: tuple[int, int] = (0, 0)  # of both arms where it diverges, without the address of a store
    ways: tuple[int, ...] = ()


class LoopTrips(Struct, frozen=True):
    """How the iterations of a loop differ between lanes; a warp iterates as often as its last lane."""

    trips: tuple[int, int] | None = None  # (fewest, most) iterations among lanes of the worst warp
    idle: float | None = None  # share of all warps' iterations that lanes wait; None: iterations not known
    waiting: float | None = None  # share of warps with an eighth idle or more; None: differs, not all run
    threads: float | None = None  # share of the threads that come to the loop
    chosen: bool = False  # it depends on numbers that nobody knows: trips are those of the numbers tried
    default: bool = False  # it is told of the sizes that the program has by default
    usual: int | None = None  # most iterations with these sizes, where they hang on them


class Fading(Struct, frozen=True):
    """An `if` that fewer threads of the block take in each iteration of the loop right around it, with a
    barrier of the block between iterations. warps and packed are sums over one pass through that loop.
    """

    warps: int  # with a lane that takes it
    packed: int  # the fewest that hold as many lanes
    fewest: int  # lanes that take it, of a warp with one
    most: int


class Branch(Struct, frozen=True):
    """An if, switch, loop, conditional or short-circuit; or one that only the machine code has: the loop that
    an emulated atomic tries again in, and the way round for operands that a division's fast way leaves out.

    divergence: 'divergent' when warps split by known lane values (1% of them or more), 'uniform' when
    (nearly) none does, 'data-dependent' when the condition varies with loaded data.
    """

    span: Span  # of the condition
    statement: Span
    kind: Literal["if", "loop", "switch", "conditional", "logical", "retry", "slow path"]
    divergence: Literal["divergent", "uniform", "data-dependent", "unknown"]
    condition: str
    kernel: str
    configuration: Configuration | None = None
    attributed_to: Span = NOWHERE  # as of an access
    forced: bool = False  # only a run came to it that was sent there, or whose data is made up
    split: Split = Split()
    cost: ArmCost = ArmCost()
    loop: LoopTrips = LoopTrips()
    fading: Fading | None = None

    @property
    def own(self) -> bool:
        """Whether it is attributed to its own place, and some run came to it by itself."""
        return self.attributed_to in (self.span, NOWHERE) and not self.forced
