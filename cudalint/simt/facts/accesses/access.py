"""An access of the source with its transactions per request, as all runs together show it."""

from msgspec import Struct

from cudalint.cuda.spaces import Certainty, Operation, Space
from cudalint.simt.launch.configuration import Configuration
from cudalint.source.span import NOWHERE, Span


class Transactions(Struct, frozen=True):
    """Transactions a request: 32-byte sectors (global, local), wavefronts (shared), passes (constant)."""

    per_request: float | None
    ideal: float | None
    certainty: Certainty
    lower: float | None
    upper: float | None


class Trial(Struct, frozen=True):
    """Means of one access in the run of one configuration: transactions a request and their ideal, one a
    valuation; None for a valuation that did not come to it.
    """

    configuration: Configuration
    per_request: tuple[float | None, ...]
    ideal: tuple[float | None, ...]


class Layout(Struct, frozen=True):
    """How the addresses of a request lie. Strides and offsets: bytes, None where not constant or not there.

    lane_strides: () when some request was irregular; several where each request had a constant stride but
    they differ between requests or valuations (a run-time pitch, a doubling stride). used: the share of
    its sectors' bytes that a request asks for, over the valuations.
    """

    lane_stride: int | None = None  # between active lanes that are neighbours in threadIdx.x
    lane_strides: tuple[int, ...] = ()  # every one seen
    row_stride: int | None = None  # between threads that are neighbours in threadIdx.y
    grid_strides: tuple[int | None, ...] = ()  # between blocks that are neighbours in x, y and z; () for none
    row_breaks: tuple[int, int] | None = None  # (lanes per row, bytes between rows) of a warp of several rows
    step_stride: int | None = None  # between executions by one lane in the innermost loop around the access
    offset: int | None = None  # of the lowest address past a 32-byte sector, when the same for all warps
    offsets: tuple[int, ...] = ()  # all that were seen
    first_offset: int | None = None  # the same for all warps of the first block
    uniform: bool = False  # one address
    walks: bool = False  # a loop moves by equal steps along a row, between one lane's start and the next's
    used: tuple[float, float] = (1.0, 1.0)  # (least, most), 0..1


class Element(Struct, frozen=True):
    """What the source declares the accessed memory to hold. Sizes are bytes; 0 where not known."""

    bytes: int = 0  # of the array's element type
    record: tuple[str, int] | None = None  # (name, bytes) of the struct whose field is accessed
    whole: bool = False  # the struct itself is: copied, although piece by piece
    alignment: int = 0  # of the record
    volatile: bool = False


class Lanes(Struct, frozen=True):
    """The lanes of a request. worst, full: 32 byte addresses relative to the buffer, None for an inactive
    lane; () where no request was seen.
    """

    active: float = 32.0  # mean per request, of those with an address
    most: int = 32  # of any request, with those without an address
    worst: tuple[int | None, ...] = ()  # of the request with the most excess
    full: tuple[int | None, ...] = ()  # of the first request with the most lanes


class Basis(Struct, frozen=True):
    """What the number of transactions rests on."""

    unknown: str = ""  # why there is no number
    data_dependent: bool = False  # loaded data decides on the address or on whether the access is executed
    made_up: bool = False  # the number is of a run with invented data
    assumed: tuple[str, ...] = ()  # what was assumed to get a number


class Weight(Struct, frozen=True):
    """How much of the kernel's traffic it is.

    share: 0..1, in the run where it is largest; iterations that no run made count, too. For shared memory it
    is the part of sectors and wavefronts.
    """

    requests: int = 0  # of warps, in the runs: not a count of the real grid
    share: float = 0.0  # of the sectors that the kernel asks of global and local memory
    sectors: float | None = None  # of a launch, at most; None where not known


class Access(Struct, frozen=True):
    """One memory access of the source under all configurations tried, merged."""

    span: Span
    expression: str
    space: Space
    operation: Operation
    bytes: int  # per lane
    transactions: Transactions
    kernel: str
    buffer: str = ""  # name of the parameter or variable whose memory it is
    configuration: Configuration | None = None  # of the run with the most transactions
    attributed_to: Span = NOWHERE  # where a profiler counts it: `span`, or the call that it is inlined into
    trials: tuple[Trial, ...] = ()  # the means behind `transactions`, one a configuration
    layout: Layout = Layout()
    element: Element = Element()
    lanes: Lanes = Lanes()
    basis: Basis = Basis()
    weight: Weight = Weight()

    @property
    def own(self) -> bool:
        """Whether it is attributed to its own place."""
        return self.attributed_to in (self.span, NOWHERE)


NO_NUMBER = Transactions(None, None, "unknown", None, None)
