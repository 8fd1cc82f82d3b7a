"""What the warp model knows of a kernel after running it. Plain frozen data; rules and `inspect` read it."""

from typing import Literal

from msgspec import Struct

from cudalint.ir.source import NOWHERE, Span
from cudalint.ir.unit import Function

Certainty = Literal["exact", "bounded", "unknown"]
Space = Literal["global", "shared", "constant", "local"]
Operation = Literal["load", "store", "atomic"]
BarrierScope = Literal["block", "cluster", "grid"]
ReadOnlyPath = Literal["__ldg", "const __restrict__"]
FITTED = "fits the shared arrays"  # an origin of a launch shape
CHOSEN_BOUNDS = "launch bounds of template arguments that cudalint chose"  # likewise, of a race's


class Configuration(Struct, frozen=True):
    """A launch shape the kernel was run with. origin: 'launch', 'launch bounds', 'assumption', 'usual shape'
    or FITTED.

    block is in threads; grid None where it is not known. where: the launch's span. unread: the program
    launches the kernel, with blocks of which nobody knows whether they are like this one.
    """

    block: tuple[int, int, int]
    grid: tuple[int | None, int | None, int | None]
    dynamic_shared_bytes: int | None
    stream: str
    origin: str
    where: Span | None
    unread: bool = False

    @property
    def shape(self) -> str:
        """The block, as '256' or '16x16'."""
        x, y, z = self.block
        return f"{x}x{y}x{z}" if z > 1 else f"{x}x{y}" if y > 1 else str(x)

    @property
    def told_by(self) -> str:
        """What tells of the shape, as 'launch at a.cu:7'."""
        return f"{self.origin} at {self.where.path}:{self.where.line}" if self.where else self.origin

    def describe(self) -> str:
        return f"block {self.shape} ({self.told_by})"


class Transactions(Struct, frozen=True):
    """Transactions a request: 32-byte sectors (global, local), wavefronts (shared), passes (constant)."""

    per_request: float | None
    ideal: float | None
    certainty: Certainty
    lower: float | None
    upper: float | None


class Parameter(Struct, frozen=True):
    """What a kernel parameter, or a field of one, held at the start of a run.

    value: the number the launch passes, when it is known. tried: numbers of a free one, one a valuation.
    pointer: the numbers are bytes from the start of `buffer`, which has so many `bytes` (0: not known; buffer
    '': one of its own, as no launch says which). unknown: why there is no number.
    """

    name: str
    value: float | None = None
    tried: tuple[float, ...] = ()
    pointer: bool = False
    buffer: str = ""
    bytes: int = 0
    unknown: str = ""


class Trial(Struct, frozen=True):
    """Means of one access in the run of one configuration: transactions a request and their ideal, one a
    valuation; None for a valuation that did not come to it.
    """

    configuration: Configuration
    per_request: tuple[float | None, ...]
    ideal: tuple[float | None, ...]


class Access(Struct, frozen=True):
    """One memory access of the source under all configurations tried, merged.

    lane_stride: bytes between neighbouring active lanes (x-neighbours) when constant over the warp, else
    None. row_breaks: where the warp spans several rows of threadIdx.y/z: (lanes a row, bytes between rows),
    else None. offset: bytes of the warp's lowest address past a 32-byte sector when the same for all warps,
    else None; offsets: all that were seen. active_lanes: mean of active lanes a request. element: bytes of
    the array's element type; record: name and bytes of the struct whose field is accessed, when it is one.
    pitch_axis: for a varying lane stride that is a row pitch. buffer: name of the parameter or variable whose
    memory it is. unknown: why there is no number. uniform: one address. requests: warp requests seen in the
    runs (a weight, not a count of the real grid). worst_lanes: per-lane byte addresses relative to the buffer
    of the worst request (32 entries, None = inactive). lane_strides: every lane stride seen, when each
    request had a constant one but they differ between requests or valuations (a run-time pitch, a doubling
    stride); () when some request was irregular. row_stride: bytes between threads that are neighbours in
    threadIdx.y; step_stride: bytes between successive executions by one lane in the innermost loop round the
    access; None where not constant or not there. record_align: alignment of `record`. booked: the place whose
    line a profiler counts it on: `span`, or the call that the access is inlined into. trials: the means
    behind `transactions`, one row a configuration. share: the part of the sectors that the kernel asks of
    global and local memory, for shared memory of these and its wavefronts, in the run where it is largest;
    iterations that no run made count, too. walks: whether requests start at different
    places between one lane's and its neighbour's, in a loop by equal steps: along a row. used: (least, most)
    part of the bytes of its sectors that a request asks for, over the numbers tried. sectors: of a launch, at
    most; None where not known. full_lanes: as worst_lanes, of the first request of the most lanes.
    """

    span: Span
    expression: str
    space: Space
    operation: Operation
    bytes: int
    transactions: Transactions
    kernel: str
    buffer: str = ""
    configuration: Configuration | None = None
    lane_stride: int | None = None
    row_breaks: tuple[int, int] | None = None
    offset: int | None = None
    active_lanes: float = 32.0
    element: int = 0
    record: tuple[str, int] | None = None
    uniform: bool = False
    data_dependent: bool = False
    assumed: tuple[str, ...] = ()
    unknown: str = ""
    requests: int = 0
    worst_lanes: tuple[int | None, ...] = ()
    volatile: bool = False
    lane_strides: tuple[int, ...] = ()
    row_stride: int | None = None
    step_stride: int | None = None
    record_align: int = 0
    trials: tuple[Trial, ...] = ()
    booked: Span = NOWHERE
    made_up: bool = False
    offsets: tuple[int, ...] = ()
    share: float = 0.0
    walks: bool = False
    used: tuple[float, float] = (1.0, 1.0)
    sectors: float | None = None
    full_lanes: tuple[int | None, ...] = ()


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
    booked: Span = NOWHERE  # as of an access
    chosen: bool = False
    warps: tuple[int, int] | None = None
    crowd: tuple[int, int] | None = None


class Thread(Struct, frozen=True):
    """A thread of the grid: (x, y, z) in its block, and the block."""

    thread: tuple[int, int, int]
    block: tuple[int, int, int] = (0, 0, 0)

    def __str__(self) -> str:
        x, y, z = self.thread
        return f"({x}, {y}, {z})"


class Barrier(Struct, frozen=True):
    """A `__syncthreads()` or one of its kin, or a barrier of a cluster or the grid (scope). missing: a thread
    that does not reach it while `reaching` does, and `cause`: the condition that keeps it away. returned: by
    then it has left the kernel. call: in the kernel, of the function that holds the barrier. sizes: where it
    is so for some of the numbers tried only, those of them that were met first.
    """

    span: Span
    reached_by: Literal["all", "some", "unknown"]
    kernel: str
    reaching: Thread | None = None
    missing: Thread | None = None
    cause: Span | None = None
    certain: bool = False  # under every valuation
    condition: str = ""
    configuration: Configuration | None = None
    returned: bool = False
    scope: BarrierScope = "block"
    call: Span | None = None
    sizes: str = ""


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


class Reused(Struct, frozen=True):
    """An access that is no request of its own: a register holds its value, or a wider one includes it."""

    span: Span
    expression: str
    space: Space


class WarpFault(Struct, frozen=True):
    """What is wrong with the mask of a warp's call. kind: 'unnamed' (the caller is not in its own mask),
    'absent' (a lane that the mask names is alive and does not come), 'empty' (the caller takes a value from a
    lane that has none to give).

    thread, lane: a caller; other, other_lane: the lane at fault; other None: the block has no such thread.
    left: it has ended before. here: the lanes that come, as a mask. certain: under every valuation; condition
    and cause: what parts the lanes; sizes: numbers of it under which it was seen, as 'n = 4107'.
    """

    kind: Literal["unnamed", "absent", "empty"]
    mask: int
    here: int
    thread: Thread
    lane: int
    other: Thread | None
    other_lane: int
    left: bool
    certain: bool
    condition: str
    cause: Span | None
    sizes: tuple[str, ...]
    configuration: Configuration


class WarpCall(Struct, frozen=True):
    """A vote, shuffle, match or warp barrier. full: all 32 lanes of each warp that has one there surely come
    to it, in every run; partial: in some run a thread of such a warp surely does not. width: of a shuffle,
    where it is a known number.
    """

    span: Span
    name: str
    expression: str
    kernel: str
    full: bool
    partial: bool = False
    width: int | None = None
    fault: WarpFault | None = None


class StaleRead(Struct, frozen=True):
    """A load through the read-only path of bytes that the kernel writes, with nothing that makes the load end
    first. index: e.g. 'data[33]'. certain: under every valuation.
    """

    span: Span
    expression: str
    path: ReadOnlyPath
    write: Span
    written: str
    reader: Thread
    writer: Thread
    index: str
    kernel: str
    certain: bool
    configuration: Configuration


class Handover(Struct, frozen=True):
    """Data that a block writes and hands to others by a word of global memory, with no fence between. how:
    the reader found itself the last to update the word ('last'), or waited for the word ('wait').
    """

    write: Span
    written: str
    writer: Thread
    flag: Span
    flagged: str
    read: Span
    loaded: str
    reader: Thread
    how: Literal["last", "wait"]
    index: str
    kernel: str
    certain: bool
    configuration: Configuration


class Wait(Struct, frozen=True):
    """A loop that ends only when another block has changed a word of global memory. read: where the loop
    reads it; change: where the kernel changes such words; waiting: a thread that waits.
    """

    span: Span
    read: Span
    expression: str
    change: Span
    waiting: Thread
    buffer: str
    kernel: str
    configuration: Configuration


class IdleBarrier(Struct, frozen=True):
    """A barrier of the block across which nothing passes between its threads in any run, or only between
    threads of one warp; all of them may go together. executed: times in one run; before, after: accesses that
    were compared across it, after the last barrier that is needed. index, threads: where two threads of a
    warp meet.
    """

    span: Span
    kernel: str
    passes: Literal["nothing", "warp"]
    executed: int
    before: int
    after: int
    configuration: Configuration
    index: str = ""
    threads: tuple[Thread, ...] = ()


class EmptyRead(Struct, frozen=True):
    """A read of an element of shared memory that no thread of the block has written, in every run that comes
    to it. written, elements: how many of the array some thread had written by then, and how many it has.
    """

    span: Span
    expression: str
    operation: Operation
    kernel: str
    index: str
    reader: Thread
    written: int
    elements: int
    configuration: Configuration


class Reread(Struct, frozen=True):
    """A load in a loop, of memory that the kernel never writes, that several warps of a block make of the
    same bytes in one iteration. times: how often a block loads a byte in one iteration, what the lanes of one
    warp share counted once; warps: of the block that load; bytes: different ones of an iteration. The numbers
    are those of the run with the fewest times.
    """

    span: Span
    buffer: str
    times: float
    warps: int
    bytes: int
    configuration: Configuration


class PrivateArray(Struct, frozen=True):
    """A shared array of which every element is written and read by one thread only, and no thread has two.
    threads: of a block that use it. uses: where.
    """

    span: Span  # of its declaration
    name: str
    kernel: str
    bytes: int
    threads: int
    uses: tuple[Span, ...]
    configuration: Configuration


class HostRead(Struct, frozen=True):
    """A load of host memory that the device reaches over the bus, which asks for the same bytes again. times:
    how often the blocks that were run ask for a byte, at least; what the threads of a block ask for in one
    iteration counts once.
    """

    span: Span
    expression: str
    buffer: str
    times: float
    configuration: Configuration


class DynamicReach(Struct, frozen=True):
    """What a run of one configuration says of the dynamic shared memory that the kernel takes. bytes: the
    least that it surely needs, where the numbers that it hangs on are known, else 0; `index`, `thread`: where
    those bytes end. Without bytes, some thread surely comes to the access.
    """

    span: Span
    expression: str
    bytes: int
    index: str
    thread: Thread
    configuration: Configuration


class Overrun(Struct, frozen=True):
    """An access that surely goes beyond the end of a buffer of known size, in a launch whose numbers are all
    known: by `thread`, at `index`. elements: of the buffer. inside: other threads stay inside it.
    """

    span: Span
    expression: str
    operation: Operation
    kernel: str
    buffer: str
    index: int
    elements: int
    bytes: int
    thread: Thread
    inside: bool
    configuration: Configuration


class Demand(Struct, frozen=True):
    """What a kernel asks of the memory system in one launch, the whole grid. blocks; threads of one.

    requests: of warps to global and local memory; lines: the lines of 128 bytes that those to global memory
    touch, one request's after the other's; the sectors of 32 bytes that loads, stores and atomics move to and
    from global memory, and to local memory; block_load_sectors: those that a block loads, each counted once;
    different_bytes: of device memory that the grid touches, each piece counted once; wavefronts: of shared
    memory; passes: of constant memory; collisions: atomic operations on the address that most of them want.
    instructions: of warps, as the source tells them; of them those in double precision, for the unit of
    special functions, and conversions between float and double; counted: no call is without a known number
    of them. exact: no access is without a number that holds.
    """

    configuration: Configuration
    blocks: float
    threads: int
    requests: float = 0.0
    lines: float = 0.0
    load_sectors: float = 0.0
    store_sectors: float = 0.0
    atomic_sectors: float = 0.0
    local_sectors: float = 0.0
    block_load_sectors: float = 0.0
    different_bytes: float = 0.0
    wavefronts: float = 0.0
    passes: float = 0.0
    collisions: float = 0.0
    instructions: float = 0.0
    doubles: float = 0.0
    specials: float = 0.0
    conversions: float = 0.0
    counted: bool = True
    exact: bool = True


class KernelFacts(Struct, frozen=True):
    """Everything known of one kernel (one instantiation). `modelled`: it ran to its end or its budget, and
    every access in it has a record. `unknowns`: reasons for what has no number, with counts. accesses: one
    a place in the source; booked, booked_branches: besides, one for each line of a call that they are
    inlined into. parameters: what each run started with, in the order of `configurations`; assumptions: those
    that bear on the kernel."""

    name: str
    function: Function
    configurations: tuple[Configuration, ...]
    accesses: tuple[Access, ...]
    branches: tuple[Branch, ...]
    barriers: tuple[Barrier, ...]
    races: tuple[Race, ...]
    unknowns: tuple[tuple[str, int], ...] = ()
    modelled: bool = True
    failure: str = ""
    steps: int = 0
    budget_spent: bool = False
    parameters: tuple[tuple[Parameter, ...], ...] = ()
    assumptions: tuple[str, ...] = ()
    booked: tuple[Access, ...] = ()
    booked_branches: tuple[Branch, ...] = ()
    reused: tuple[Reused, ...] = ()
    warp_calls: tuple[WarpCall, ...] = ()
    stale_reads: tuple[StaleRead, ...] = ()
    handovers: tuple[Handover, ...] = ()
    waits: tuple[Wait, ...] = ()
    idle_barriers: tuple[IdleBarrier, ...] = ()
    empty_reads: tuple[EmptyRead, ...] = ()
    rereads: tuple[Reread, ...] = ()
    private_arrays: tuple[PrivateArray, ...] = ()
    host_reads: tuple[HostRead, ...] = ()
    dynamic_reaches: tuple[DynamicReach, ...] = ()
    overruns: tuple[Overrun, ...] = ()
    demands: tuple[Demand, ...] = ()
