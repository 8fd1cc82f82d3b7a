"""What the host model knows: launches and the ordered CUDA calls with the memory they touch. Plain frozen
data.
"""

from typing import Literal

from msgspec import Struct

from cudalint.host.forms import Form
from cudalint.ir.expressions import Binary, Call, Launch
from cudalint.source.span import Span

MemorySpace = Literal[
    "pageable", "pinned", "write-combined", "mapped", "host", "device", "managed", "unknown"
]  # host: a copy says so, and nobody knows whether it is pinned
PINNED: tuple[MemorySpace, ...] = ("pinned", "write-combined", "mapped", "managed")  # no staged copies


# One iteration, by `loops` and `turns` of its calls, and the function that something is done there in.
Turn = tuple[tuple[int, ...], tuple[int | str, ...], str]


class Buffer(Struct, frozen=True):
    """A memory allocation as the host sees it. id is unique within a unit's host facts; bytes None when
    unknown; form: what they are made of then, as that of a copy.
    """

    id: int
    space: MemorySpace
    bytes: int | None
    name: str
    span: Span | None  # of the allocation
    form: Form | None = None


class Argument(Struct, frozen=True):
    """What a launch passes for one parameter. value: a known integer or float. buffer and offset (bytes): a
    known pointer. fields: known members of a struct passed by value, by byte offset. multiple_of: what is
    known to divide an integer that is otherwise unknown, or a pointer's offset (bytes) that is. values: where
    several launches are put together, what each passes, in one order for all parameters; of one launch, what
    it passes one of. among: of a pointer
    into one of several buffers, which nobody knows, those. whole: `fields` has all pointers of a struct.
    """

    value: int | float | None = None
    buffer: Buffer | None = None
    offset: int | None = None
    multiple_of: int | None = None
    fields: tuple[tuple[int, "Argument"], ...] = ()
    expression: str = ""
    values: tuple[int | float, ...] = ()
    among: tuple[Buffer, ...] = ()
    whole: bool = False

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """What it points into, itself or by a field."""
        own = self.among if self.buffer is None else (self.buffer, *self.among)
        return (*own, *(buffer for _, field in self.fields for buffer in field.buffers))


class LaunchFact(Struct, frozen=True):
    """One launch site as constant propagation sees it. None in grid or block: that extent is not known.

    Several shapes at one site (a loop over block sizes) are several LaunchFacts. stream: 'default',
    'per-thread', 'unknown', or a name for a created stream. reached False: the constants of the program keep
    control from coming here; such a launch is told only for kernels that no other launch reaches. guarded: a
    number of the block or the grid was compared with an unknown one before (with a limit of the device, say);
    size_guarded: the bytes of shared memory were, by themselves or with the static ones. measured: a profile
    tells the grid and the block. limit: the block's extents at most, where the text says that of all;
    most_blocks: blocks of the grid at most, where it says that and not how many they are; as_passed: the
    arguments, by position, that extents of the grid are equal to which nobody knows. made: by a library, of a
    kernel of its own.
    """

    key: str | None
    name: str
    span: Span
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int | None, int | None, int | None]
    dynamic_shared_bytes: int | None
    stream: str
    arguments: tuple[Argument, ...] | None
    expression: Launch
    function: str  # key of the host function it stands in
    block_expression: Span | None = None  # where the block size is written, for fixes
    reached: bool = True
    guarded: bool = False
    size_guarded: bool = False
    measured: bool = False
    limit: tuple[int, int, int] | None = None
    most_blocks: int | None = None
    as_passed: tuple[int | None, int | None, int | None] = (None, None, None)
    made: bool = False


class TextLaunch(Struct, frozen=True):
    """A launch of which only the text of the project tells: the block's extents, or, most, what these are at
    most. by_argument: the template arguments of the kernel, by position, that the extents are; an extent that
    is one may have no number besides. Where all are None, nobody knows the block. template: the template
    arguments that are written as numbers, None for others.
    """

    name: str
    span: Span
    block: tuple[int | None, int | None, int | None]
    most: bool = False
    by_argument: tuple[int | None, int | None, int | None] = (None, None, None)
    template: tuple[int | None, ...] = ()


class Held(Struct, frozen=True):
    """What all of the memory holds that a copy reads: one value; None: nothing was stored in it."""

    value: int | float | None


class HostCall(Struct, frozen=True):
    """One CUDA runtime call, launch or host action in execution order.

    kind: 'copy', 'memset', 'launch', 'library' (work of cuBLAS and the like), 'allocate', 'free',
    'synchronise', 'event-record', 'event-wait', 'event-create', 'event-destroy', 'stream-create',
    'stream-destroy', 'host-work', 'other'. blocking: the host waits for it (a cudaMemset of device memory
    only queues its work). loop: depth, and `loop_id` of the innermost. direction: HtoD, DtoH, DtoD, HtoH or
    ''. host_space: space of the host-side pointer; of an algorithm 'device' where all of its pointers lead
    there. function: key of the function whose body is walked; `order` its position in that walk.
    """

    kind: str
    name: str
    span: Span
    function: str
    order: int
    stream: str
    blocking: bool = False
    bytes: int | None = None
    direction: str = ""
    source: Buffer | None = None
    destination: Buffer | None = None
    host_space: MemorySpace = "unknown"
    host_name: str = ""
    loop: int = 0
    loop_id: int = -1
    expression: Call | Launch | None = None
    launch: LaunchFact | None = None
    conditional: bool = False
    event: str = ""  # name of the event of an event call
    loops: tuple[int, ...] = ()  # ids of all loops around it, outermost first
    iteration: int = -1  # of the innermost loop, when it is unrolled; else -1
    read_at: int | None = None  # order of the first call after the host's next read of the destination
    read_in: tuple[int, ...] = ()  # the loops that this read stands in
    conditions: tuple[int, ...] = ()  # ids of the branches it stands in whose conditions are not known
    captured: bool = False  # recorded into a graph, not executed here
    graph: str = ""  # the graph that it is recorded into, or that it launches
    kernel: str = ""  # key of the kernel whose attribute it sets
    host_offset: int | None = None  # bytes from the start of the host's buffer, where that is known
    source_place: "Place | None" = None  # of a copy, where its pointers point into one buffer
    destination_place: "Place | None" = None  # of a copy or a memset
    arguments: tuple[int, ...] = ()  # ids of the buffers that a launch or an unseen function is handed
    sample: int | None = None  # bytes that it has where they are not known, in the iterations that are run
    as_run: int | None = (
        None  # bytes, where only the command line says them: of the run that a build file has
    )
    form: Form | None = None  # what its bytes are made of, where they are not known
    written: int = 0  # how often the host may have written the source of a copy before
    unseen: bool = False  # code that was not run: it may call CUDA, and wait for the device
    lost: Buffer | None = None  # of an allocation: the one whose only pointer it overwrites, never freed
    rows: "Rows | None" = None  # of a copy, memset or allocation in two dimensions
    turns: tuple[int, ...] = ()  # the iteration of each of `loops`; -1 where it is one of several
    came_by: tuple[Span, ...] = ()  # the calls of functions that lead here, outermost first
    held: Held | None = None  # of a copy to the device, where that is known


class Rows(Struct, frozen=True):
    """The bytes of rows, by what each number is made of: width, of a row; pitches, from one row to the next,
    of the destination and of the source.
    """

    width: Form | None
    pitches: tuple[Form | None, ...] = ()


class Place(Struct, frozen=True):
    """Where in its buffer a pointer points, in bytes from the start. offset None: at an unknown multiple of
    `step` bytes; `near` is where it is in this iteration by the samples of what is not known, if by any.
    """

    offset: int | None
    step: int = 1
    near: int | None = None


class Rounds(Struct, frozen=True):
    """A loop with CUDA calls in it, by the `loop_id` of its calls. span: of the whole statement. count: how
    often its body runs, where that is known; exits: a break or a return may end it sooner. changes: ids of
    the variables that it assigns or takes the address of.
    """

    loop_id: int
    span: Span
    count: int | None = None
    exits: bool = False
    changes: frozenset[int] = frozenset()
    conditions: tuple[int, ...] = ()  # that it stands in, as of a call


class Use(Struct, frozen=True):
    """The host reads or writes memory that a copy has filled before, or hands it to code that may. order: of
    the first call after it in the walk of `function`; buffer: its id.
    """

    function: str
    order: int
    buffer: int
    write: bool
    loops: tuple[int, ...] = ()


class HostOverflow(Struct, frozen=True):
    """A sum or product of known integers in host code that 32 bits do not hold, or a product that is not far
    from it. value: the exact one; run: where the words of the run stand that the numbers are of.
    """

    node: Binary
    value: int
    function: str  # key of the function that is walked
    span: Span
    run: str = ""


class Stream(Struct, frozen=True):
    """A stream as created: kind 'blocking', 'non-blocking', 'legacy-default' or 'per-thread-default'."""

    name: str
    kind: str
    span: Span | None


class HostAccess(Struct, frozen=True):
    """The host itself reads or writes memory that the device can use: what CUDA allocated or registered, and
    variables of the device. `order` is that of the first call after it in the walk of `function`.

    offset: bytes from the start of the buffer, where that is known. handed: the function of the C or C++
    library, or of the project, that does it with a pointer that it is given; '' for an expression. variable:
    the buffer is a variable, and was not allocated. came_by: as of a call.
    """

    span: Span
    function: str
    order: int
    buffer: Buffer
    write: bool
    name: str
    offset: int | None = None
    conditions: tuple[int, ...] = ()
    volatile: bool = False
    handed: str = ""
    variable: bool = False
    came_by: tuple[Span, ...] = ()


class Interval(Struct, frozen=True):
    """The program subtracts two readings of a clock of the host. start, stop: order of the first call after
    each reading in the walk of `function`; clock: the function that was read.
    """

    function: str
    clock: str
    start: int
    stop: int
    start_span: Span
    stop_span: Span


class HostFacts(Struct, frozen=True):
    launches: tuple[LaunchFact, ...]
    calls: tuple[HostCall, ...]
    streams: tuple[Stream, ...]
    functions: tuple[str, ...] = ()
    accesses: tuple[HostAccess, ...] = ()
    intervals: tuple[Interval, ...] = ()
    rounds: tuple[Rounds, ...] = ()
    uses: tuple[Use, ...] = ()
    overflows: tuple[HostOverflow, ...] = ()
    tight: tuple[HostOverflow, ...] = ()  # products of the program as it is run that 32 bits just hold, or
    # do not hold, and that have no fixed value
    defaults: tuple[LaunchFact, ...] = ()  # launches of the program as it is run, else without words
    trials: tuple[LaunchFact, ...] = ()  # launches with numbers that are chosen for those that nobody knows
    parallel: frozenset[str] = frozenset()  # walks that several threads may do at a time
    run: str = ""  # where the words of the run of `defaults` stand, '' without words
    written: tuple[LaunchFact, ...] = ()  # launches in templates that nothing instantiates: kernels by name
    ended: tuple[tuple[int, Turn], ...] = ()  # ids of buffers given back, in which iteration and function
    branches: tuple[tuple[int, int], ...] = ()  # (condition, branch): ids of conditions, and a number that
    # the arms of one branch share
    steps: int = 0  # that the first walks took
    made: tuple[LaunchFact, ...] = ()  # those of libraries, of the kernels that they make

    @property
    def every(self) -> tuple[LaunchFact, ...]:
        """The launches of the program, and those of libraries."""
        return (*self.launches, *self.made) if self.made else self.launches
