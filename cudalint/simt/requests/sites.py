"""A place of an access or a branch in the source, what was counted there, and what one execution adds."""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.simt.requests.active_lanes import ActiveLanes
from cudalint.simt.requests.patterns import LINE, Form, Patterns
from cudalint.simt.requests.transactions import (
    AtomicKind,
    atomic_wavefronts,
    ideal_atomic_wavefronts,
    ideal_sectors,
    ideal_wavefronts,
    passes_constant,
    sectors,
    wavefronts,
)
from cudalint.simt.values.lanes import Bools
from cudalint.source.span import Span

Integers = np.ndarray[Any, np.dtype[np.int64]]
Way = tuple[Span | None, ...]  # the calls that lead from the kernel to a place

NO_CASE = -1  # of a switch
_FEW = 8  # requests of which at most one has no address, where those with one stand for all


class Turned(Struct, frozen=True):
    """Requests of one execution, were their blocks at each of the places of a sector that blocks begin at:
    sectors a request at the best of them, on average, and at the worst.
    """

    requests: int
    least: float
    mean: float
    most: float


class AccessSite(Struct):
    """One access expression with one operation, as booked on one line (its own, or that of a call that it
    is inlined into). Sums are indexed by sample.
    """

    node: e.Expression
    attributed_to: Span
    space: Space
    operation: Operation
    width: int
    total: np.ndarray
    ideal: np.ndarray
    requests: np.ndarray
    lowest: float = np.inf
    highest: float = 0.0
    lanes: int = 0  # of the fullest request
    lowest_full: float = np.inf  # of requests with as many lanes: without those at the end of the data
    lost: int = 0  # requests without an address
    lost_lanes: int = 0  # of the fullest of them
    active: int = 0
    unknown: str = ""
    doubtful: bool = False
    free: bool = False  # addresses depend on numbers that a valuation chose
    sampled: bool = False  # counted in a loop that was cut short
    several: bool = False  # expressions of a macro that name one array
    strides: set[int | None] = field(default_factory=set)
    breaks: set[tuple[int, int] | None] = field(default_factory=set)
    offsets: set[int] = field(default_factory=set)
    first_offsets: set[int] = field(default_factory=set)  # those of the first block
    buffers: dict[str, int] = field(default_factory=dict)
    elements: set[int] = field(default_factory=set)
    record: tuple[str, int] | None = None
    whole: bool = False  # all of the record
    uniform: bool = True
    worst: tuple[int | None, ...] = ()
    worst_excess: int = -1
    asked: np.ndarray | float = 0.0  # bytes by sample, of the requests that were looked at, once each
    moved: np.ndarray | float = 0.0  # bytes of their sectors
    guessed: bool = False  # how often it is executed hangs on a number that nobody knows
    fullest: tuple[int | None, ...] = ()  # addresses of the first request of the most lanes
    volatile: bool = False
    unaligned: bool = False
    shapes: int = 0
    form: Form | None = None  # of the last request whose pattern was looked at
    rows: set[tuple[int, bool]] = field(default_factory=set)  # warps of it whose strides are known
    executions: int = 0
    row_stride: int | None = None
    grid_strides: tuple[int | None, ...] = ()
    steps: dict[int, int] = field(default_factory=dict)  # bytes from one execution to the next, and how often
    last: dict[Way, tuple[Integers | int, Bools]] = field(default_factory=dict)
    stamp: int = 0  # when it was last executed
    misfit: bool = False  # some numbers tried put it outside the shared memory of a block
    turned: list["Turned"] = field(default_factory=list)  # requests whose blocks begin elsewhere in a sector
    starts: set[int] = field(default_factory=set)  # of requests past a multiple of the lanes' common stride
    passes: np.ndarray | float = 0.0  # requests by sample, with those of iterations that no run made
    patterns: Patterns = field(default_factory=Patterns)
    widened: float = 0.0  # most that it takes as one with its neighbours of other iterations

    @property
    def uncounted(self) -> str:
        """Why it has no number; nothing where all but a few requests have one."""
        return "" if self.lost * _FEW <= self.requests.sum() else self.unknown

    @property
    def most_lanes(self) -> int:
        """Of any request; a full warp where none was seen."""
        return max(self.lanes, self.lost_lanes) or WARP


class Request(Struct, frozen=True):
    """The counted warps of one executed access: arrays of shape (warps, 32) and (warps,). moved: from where
    their form was met first, of shape (warps, 1).
    """

    form: Form
    moved: Integers | int
    lanes: Integers
    on: Bools
    sample: Integers
    done: Integers
    best: Integers


class Sums(Struct, frozen=True):
    """What one executed access adds to its site: arrays of shape (samples,), active lanes in all, the
    transactions of the least and the most costly request, the lanes of the fullest one, and the transactions
    of the least costly with as many.
    """

    done: Integers
    best: Integers
    requests: Integers
    active: int
    least: float
    most: float
    lanes: int
    least_full: float


class Counted(Struct, frozen=True):
    """One executed access as it was counted at a site: how often, and its passes by sample. sums and request
    are None where it was counted no time.
    """

    site: AccessSite
    weight: int
    passes: Integers
    sums: Sums | None = None
    request: Request | None = None

    def bare(self, sign: int = 1) -> "Counted":
        """What it takes to withdraw it, or with -1 to count it again: without the addresses of its lanes."""
        return Counted(self.site, sign * self.weight, sign * self.passes, self.sums)


def add(site: AccessSite, weight: int, sums: Sums) -> None:
    site.total += weight * sums.done
    site.ideal += weight * sums.best
    site.requests += weight * sums.requests
    site.active += weight * sums.active


def transactions(site: AccessSite, lanes: Integers, on: Bools, width: int) -> tuple[Integers, Integers]:
    """Transactions and ideal of each request (row)."""
    match site.space:
        case "shared" if site.operation == "atomic":
            kind = atomic_kind(site.node, width)
            done = atomic_wavefronts(lanes, on, width, kind)
            best = ideal_atomic_wavefronts(lanes, on, width, kind)
        case "shared":
            store = site.operation == "store"
            done, best = wavefronts(lanes, on, width, store), ideal_wavefronts(lanes, on, width, store)
        case "constant":
            done = best = passes_constant(lanes, on, width)
        case _:
            done = sectors(lanes, on, width)
            best = ideal_sectors(done, on, width)
    return done, np.minimum(best, done)


def transactions_once(
    site: AccessSite, lanes: Integers, on: Bools, width: int, block: int
) -> tuple[Integers, Integers]:
    """As `transactions`; warps that only repeat what those of the first block do, whole lines further on, are
    counted with them. block: warps of one.
    """
    blocks, left = divmod(len(lanes), block)
    if blocks < 2 or left or site.space == "constant":
        return transactions(site, lanes, on, width)
    places, active = lanes.reshape(blocks, -1), on.reshape(blocks, -1)
    away = places[:, :1] - places[0, 0]
    if bool((away % LINE).any() or (active != active[0]).any() or (places - away != places[0]).any()):
        return transactions(site, lanes, on, width)
    done, best = transactions(site, lanes[:block], on[:block], width)
    return np.tile(done, blocks), np.tile(best, blocks)


def atomic_kind(node: e.Expression, width: int) -> AtomicKind:
    """How the hardware does a shared-memory atomic call."""
    if not isinstance(node, e.Call):
        return "native"
    name = node.name.rpartition("::")[2].removesuffix("_block").removesuffix("_system")
    if name == "atomicCAS":
        return "compare"
    value = node.arguments[1] if len(node.arguments) > 1 else None
    target = value.type if value is not None else None
    if width > 4 or (isinstance(target, Scalar) and target.kind == "float" and name != "atomicExch"):
        return "loop"
    while isinstance(value, e.Cast):
        value = value.operand
    one = isinstance(value, e.Literal) and value.value == 1
    return "count" if one and name in ("atomicAdd", "atomicSub") else "native"


class BranchSite(Struct):
    node: e.Expression
    attributed_to: Span
    statement: e.Expression | s.Statement
    kind: str
    executed: np.ndarray  # warps, by sample
    split: np.ndarray
    unknown: bool = False
    unknown_uniform: bool = True
    lanes: tuple[bool | None, ...] = ()
    counts: tuple[int, int] | None = None
    ways: tuple[tuple[int, int], ...] = ()  # of the first warp that a switch splits: case, lanes
    trips: tuple[int, int] | None = None
    trip_gap: int = -1
    rounds: tuple[np.ndarray, np.ndarray] | None = None  # lanes' own, and those of their warps, by warp
    came: Bools | None = None  # the lanes that ran a loop
    uncounted: bool = False  # some lanes' trips are not known
    inner_split: bool = False
    crowd: ActiveLanes | None = None
    parted: int = 0  # warps that it split when lanes last took both ways
    free: bool = False  # the condition stands on numbers that a valuation chose
