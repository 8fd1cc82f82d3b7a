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
    attributed_to: Span = NOWHERE
    made_up: bool = False
    offsets: tuple[int, ...] = ()
    share: float = 0.0
    walks: bool = False
    used: tuple[float, float] = (1.0, 1.0)
    sectors: float | None = None
    full_lanes: tuple[int | None, ...] = ()

    @property
    def own(self) -> bool:
        """Whether it is attributed to its own place."""
        return self.attributed_to in (self.span, NOWHERE)


NO_NUMBER = Transactions(None, None, "unknown", None, None)
