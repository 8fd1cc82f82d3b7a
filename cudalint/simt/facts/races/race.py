"""A race between two threads."""

from typing import Literal

from msgspec import Struct

from cudalint.cuda.spaces import Operation
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span


class RaceSide(Struct, frozen=True):
    span: Span
    operation: Operation
    thread: Thread
    expression: str
    iteration: str = ""


class Race(Struct, frozen=True):
    """Two threads touch the same bytes, one writes, nothing orders them. index: e.g. 'tile[33]'; the name
    alone where numbers that nobody knows tell the place.

    certain: it happens under every valuation, and every configuration tried but what `condition` excludes.
    condition: what it stands on otherwise, too.
    same_warp, same_block: both threads are of one; in_step: of one warp, and by two instructions, so that a
    warp in step would do them in order. kind: 'read-write', 'write-write'. back_edge: across loop
    iterations. called_again: the second access was made before the first one, too, by another call.
    data_dependent: one side is made only under a condition on data, or at a place that data tells. doubtful:
    it stands on sizes that nobody knows, or on data being different. volatile: both accesses are.
    both_store: both threads store a value of their own there. across_blocks: threads of different blocks
    meet, too. one_pointer: both go through one variable.
    """

    space: Literal["shared", "global"]
    first: RaceSide
    second: RaceSide
    index: str
    kind: str
    kernel: str
    certain: bool
    condition: str = ""
    same_warp: bool = False
    back_edge: bool = False
    called_again: bool = False
    same_block: bool = True
    in_step: bool = False
    data_dependent: bool = False
    doubtful: bool = False
    volatile: bool = False
    both_store: bool = False
    across_blocks: bool = False
    one_pointer: bool = True
    configuration: Configuration | None = None
