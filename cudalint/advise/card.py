"""What `cudalint advise` says, as frozen plain data: docs/advise.schema.json is made from these classes."""

from typing import Literal

from msgspec import Struct, field

from cudalint.rule.findings import FileResult, Profiled

Stage = Literal["assess", "parallelise", "optimise", "deploy"]


class Range(Struct, frozen=True):
    """A number over all sizes tried, and over what is not known of it."""

    low: float
    high: float


class Registers(Struct, frozen=True):
    """What ptxas says: registers per thread of the instantiation with the fewest and with the most, and the
    most bytes that a thread spills (stores and loads).
    """

    least: int
    most: int
    spilled: int


class Residency(Struct, frozen=True):
    """What a multiprocessor holds of a launch at a time. registers: per thread, that this rests on; None
    where they are not known, so that they may allow less. limiters: what allows no block more. waves: how
    often the grid fills the device, and multiprocessors: how many of them get a block; None where the grid is
    not known.
    """

    blocks: int
    warps: int
    max_warps: int
    limiters: tuple[str, ...]
    registers: int | None
    waves: float | None
    multiprocessors: int | None

    @property
    def occupancy(self) -> float:
        """Resident warps of those possible, 0..1."""
        return self.warps / self.max_warps


class UnitTime(Struct, frozen=True):
    """How long a part of a multiprocessor is busy, as a share of the time of the busiest part."""

    unit: str
    share: Range


class Roof(Struct, frozen=True):
    """What takes longest under one of two assumptions about what the source does not say. bound: the busiest
    part, several where sizes decide; units: all that are busy a tenth of that time.
    """

    assumed: Literal["slow memory", "fast memory"]
    bound: tuple[str, ...]
    units: tuple[UnitTime, ...]


class Work(Struct, frozen=True):
    """What a mean thread does. requested: bytes of the sectors of global and local memory that a warp's
    requests take, by thread, before any cache; useful: the part (0..1) of them that threads ask for, None
    where there are none; operations: in floating point; intensity: operations per byte requested, None where
    data decides whether any is; active_lanes: of 32,
    per instruction, where data does not decide; roofs: with slow memory, and with fast.
    """

    requested: Range
    useful: Range | None
    operations: Range
    intensity: Range | None
    active_lanes: Range
    roofs: tuple[Roof, Roof]


class LaunchCard(Struct, frozen=True):
    """One launch shape. origin: where the block comes from; path, line: of the launch, where there is one;
    shared_bytes: per block, None where not known; blocks and threads: of the grid; residency: None where the
    device cannot run such a block.
    """

    instantiation: str
    origin: str
    path: str | None
    line: int | None
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int, int, int]
    shared_bytes: int | None
    blocks: int | None
    threads: int | None
    residency: Residency | None
    work: Work | None

    @property
    def block_threads(self) -> int:
        x, y, z = self.block
        return x * y * z


class AccessCost(Struct, frozen=True):
    """One access. share: of the clocks that all accesses keep memory busy, if nothing is in a cache, None
    where no run came to it; unit: what is counted per request; per_request: the mean, None where there is no
    number and `unknown` says why; bounds: of any request.
    """

    path: str
    line: int
    column: int
    expression: str
    space: str
    operation: str
    bytes: int
    unit: str
    per_request: float | None
    bounds: Range | None
    ideal: float | None
    share: Range | None
    active_lanes: float
    unknown: str | None


class Divergence(Struct, frozen=True):
    """A branch at which warps diverge. warps: the share (0..1) of those that come to it, None where data
    decides; lanes: that take it and that do not, in the worst warp.
    """

    path: str
    line: int
    column: int
    kind: str
    condition: str
    divergence: str
    warps: float | None
    lanes: tuple[int, int] | None


class Gain(Struct, frozen=True):
    """The share (0..1) of the time that a fix saves, at least and at most. of: whose time."""

    low: float
    high: float
    basis: str
    of: str


class Change(Struct, frozen=True):
    """A finding and what fixing it gives. gain: None where it states none; profile: where none is given."""

    stage: Stage
    code: str
    name: str
    severity: str
    path: str
    line: int
    column: int
    kernel: str
    message: str
    help: str
    notes: tuple[str, ...]
    condition: str | None
    gain: Gain | None
    profile: Profiled | None


class Code(Struct, frozen=True):
    """A function that a kernel executes, by its lines; the kernel itself is one."""

    name: str
    path: str
    line: int
    end_line: int

    def holds(self, change: Change) -> bool:
        return change.path == self.path and self.line <= change.line <= self.end_line


class Card(Struct, frozen=True):
    """One kernel of the source with all its instantiations. failure: why it could not be modelled; partial:
    why some of it is unknown; functions: whose code it executes; registers_unknown: why nobody knows the
    registers; changes: the findings in its functions and at its launches; untaken: whether it has code to
    which no run comes by itself.
    """

    kernel: str
    path: str
    line: int
    failure: str | None
    partial: tuple[str, ...]
    launches: tuple[LaunchCard, ...]
    accesses: tuple[AccessCost, ...]
    divergences: tuple[Divergence, ...]
    functions: tuple[Code, ...] = ()
    registers: Registers | None = None
    registers_unknown: str | None = None
    changes: tuple[Change, ...] = ()
    untaken: bool = False


class Advice(Struct, frozen=True):
    """The whole answer. ranked: every finding of the tree, what is wrong first, then the most to gain."""

    version: int
    tool: str
    arch: str
    device: str
    multiprocessors: int
    cards: tuple[Card, ...]
    ranked: tuple[Change, ...]
    files: tuple[FileResult, ...] = field(default=())
