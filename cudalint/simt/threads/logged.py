"""One access in the log that races are looked for in."""

import numpy as np
from msgspec import Struct

from cudalint.analyses.whole_records import Parts
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.simt.threads.watchers import Iteration
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory


class Event(Struct, frozen=True, eq=False):
    """One executed access; see RaceLog.access. order: its place in the run, from 1; previous: that of the
    last time that some of its threads made it, or 0. Intervals as they were then. parts: of the bytes, those
    that count; None for all. by_data: the kinds of made-up data (DATA, ORDERED) that decide its place, or who
    is there. counting: a store that counts on from what the place held.
    """

    order: int
    node: e.Expression
    memory: Memory
    operation: Operation
    addresses: np.ndarray | int
    width: int
    mask: Bools
    doubt: Bools | None
    under: e.Expression | None
    value: np.ndarray | float | None
    differs: bool
    value_free: int
    origin: np.ndarray | int | None
    free: int
    rounds: tuple[Iteration, ...]
    interval: np.ndarray
    warp_interval: np.ndarray
    grid_interval: np.ndarray
    collective: bool
    previous: int
    parts: Parts | None = None
    by_data: int = 0
    counting: bool = False


def offsets(event: Event) -> np.ndarray:
    return np.asarray(event.addresses) - event.memory.base


def place_of(event: Event, lane: int) -> int:
    """Where a lane's access is in the object, in bytes."""
    at = event.addresses[lane] if isinstance(event.addresses, np.ndarray) else event.addresses
    return int(at) - event.memory.base


def in_doubt(event: Event, lane: int) -> bool:
    return event.doubt is not None and bool(event.doubt[lane])
