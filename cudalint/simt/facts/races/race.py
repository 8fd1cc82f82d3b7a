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
    """Two threads access the same bytes, at least one writes, and nothing orders them."""

    space: Literal["shared", "global"]
    first: RaceSide
    second: RaceSide
    index: str  # as 'tile[33]'; the name alone if the element depends on unknown numbers
    kind: str  # 'read-write' or 'write-write'
    kernel: str
    certain: bool  # under every valuation, and every configuration that `condition` does not exclude
    condition: str = ""  # that it depends on
    same_warp: bool = False
    back_edge: bool = False  # across iterations of a loop
    called_again: bool = False  # the second access also comes before the first, in another call
    same_block: bool = True
    in_step: bool = False  # same warp, two instructions: ordered if the warp ran in lockstep
    data_dependent: bool = False  # a condition or an address depends on data
    doubtful: bool = False  # it depends on unknown sizes, or on data being different
    volatile: bool = False  # both accesses are
    both_store: bool = False  # both threads store a value of their own
    across_blocks: bool = False  # threads of different blocks race, too
    one_pointer: bool = True  # both accesses use one variable
    witness: str = ""  # the data that it takes, in a run with made-up data
    lost_update: bool = False  # many threads update one word there
    any_shape: bool = False  # the place is the same whatever the shape of the launch is
    configuration: Configuration | None = None
