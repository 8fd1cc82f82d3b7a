"""A branch of the source, as all runs together show it."""

from typing import Literal

from msgspec import Struct

from cudalint.simt.launch.configuration import Configuration
from cudalint.source.span import NOWHERE, Span


class Branch(Struct, frozen=True):
    """An if, switch, loop, conditional or short-circuit; or one that only the machine code has: the loop that
    an emulated atomic tries again in, and the way round for operands that a division's fast way leaves out.

    divergence: 'divergent' when warps split by known lane values (1% of them or more), 'uniform' when
    (nearly) none does, 'data-dependent' when the condition varies with loaded data. divergent_warps: share of
    the executed warps that split, 0..1. boundary: only a warp at the edge of the grid, or only for odd sizes,
    splits. then_cost / else_cost: operations in each arm, by the model's count of executed expression nodes
    in one pass. trips: (fewest, most) iterations among lanes of the worst warp, for loops; idle: the share of
    the rounds of all warps that lanes wait for others, None where some lane's iterations are not known;
    waiting: the share of the warps in which they wait for an eighth of the rounds or more, None where that
    differs between the blocks that were run and others were not; threads: the share of the threads that come
    to the loop.
    split: (lanes taking it, lanes not) of the worst warp; ways: for a switch, operations and lanes of each
    case that lanes of such a warp take, a jump past all of them included. warps: for an `if` that fewer
    threads of the block take in each round of the loop right round it, with a barrier of the block between
    the rounds, (warps with a lane that takes it, the fewest warps that hold as many lanes), summed over one
    pass through that loop; crowd: (fewest, most) lanes of such a warp. chosen: the condition stands on
    numbers that nobody knows, so that trips are those of the numbers tried.
    """

    span: Span  # of the condition
    statement: Span
    kind: Literal["if", "loop", "switch", "conditional", "logical", "retry", "slow path"]
    divergence: Literal["divergent", "uniform", "data-dependent", "unknown"]
    divergent_warps: float | None
    condition: str
    kernel: str
    boundary: bool = False
    then_cost: int = 0
    else_cost: int = 0
    trips: tuple[int, int] | None = None
    idle: float | None = None
    waiting: float | None = None
    threads: float | None = None
    split: tuple[int, int] | None = None
    lanes: tuple[bool | None, ...] = ()
    configuration: Configuration | None = None
    ways: tuple[tuple[int, int], ...] = ()
    guarded: tuple[int, int] = (0, 0)  # as then_cost and else_cost, without the address of a single store
    attributed_to: Span = NOWHERE  # as of an access
    forced: bool = False  # only a run came to it that was sent there, or whose data is made up
    chosen: bool = False
    warps: tuple[int, int] | None = None
    crowd: tuple[int, int] | None = None

    @property
    def own(self) -> bool:
        """Whether it is attributed to its own place, and some run came to it by itself."""
        return self.attributed_to in (self.span, NOWHERE) and not self.forced
