"""How long a block's work takes: the clocks that each part of a multiprocessor is busy, and the longest of
them (the roofline model of Williams, Waterman and Patterson, Communications of the ACM 52, 2009).

What the source does not say (what caches hold, how many instructions the compiler makes, how far loads
overlap) is taken once in favour of what is asked about and once against it: an `Assumed` is one of these
ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.cuda.warp import WARP
from cudalint.gpu.functions import Instructions
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.throughput import DRAM_PIECE, Throughput
from cudalint.significance.used_sectors import UNUSED, Use
from cudalint.simt.facts.workload import Numbers, Traffic, Workload
from cudalint.simt.requests.transactions import SECTOR

_L1 = 128  # bytes of hits a clock; measured by experiments/cache.cu
_PORT = 64  # bytes a clock that one multiprocessor loads while few others do; likewise
_INTEGER_QUEUE = 0.4  # of the time of a float addition on one address; measured, see CU116
_FILLED = 2.0  # times: device memory reads a sector, too, before a part of it is written; measured
_MERGED, _APART = (
    100,
    256,
)  # sectors of a warp's stores to one piece of memory: so few L1 merges, so many never
_PARTIAL = (
    14  # bytes of sectors a clock that are written in part; all three measured by experiments/records.cu
)
_RETRIED = 12.0  # clocks of an addition in shared memory, by a loop that retries, at most; likewise

Shared = Literal[
    "grid", "block", "multiprocessor"
]  # what waits for one queue: all blocks, one, or those on it


class Unit(StrEnum):
    """A part of a multiprocessor, or of what serves it, that work keeps busy."""

    MEMORY = "sectors"
    L1 = "L1 wavefronts"
    SHARED = "shared wavefronts"
    CONSTANT = "constant passes"
    ISSUE = "issue slots"
    DOUBLE = "FP64"
    SPECIAL = "special functions"
    QUEUE = "one address"
    START = "starts of blocks"
    LATENCY = "latency"


Clocks = dict[Unit, Numbers]


class Left(Struct, frozen=True):
    """The part of the clocks that counts: of units that are busy, and of what warps wait for loads and for
    their own instructions.
    """

    busy: Mapping[Unit, float] = {}
    waits: float = 1.0


UNCHANGED = Left()


class Assumed(Struct, frozen=True):
    """What is taken for granted where nobody knows. favourable: own work is taken for much and all other
    work for little; else the opposite. overlap: all parts work at the same time; else one after the other.
    load, store: clocks that a multiprocessor waits for a sector; again, merged: the same for one that another
    request has loaded, or stores besides; filled: by how much a sector takes longer of which only a part is
    ever written; compiled: machine instructions for each one counted in the source; issued: clocks from one
    instruction of a warp to the next that needs it; first: clocks of the first load of a warp, further: of
    each one after it; rounds: loads that are made equally often wait together; queued: where few bytes are
    asked for at a time, what memory takes and what warps wait for it add up as squares do; started: clocks of
    a launch itself, start: of each block.
    """

    favourable: bool
    overlap: bool
    load: float
    store: float
    again: float
    merged: float
    filled: float
    compiled: float
    issued: float
    first: float
    further: float
    rounds: bool
    started: float
    start: float
    queued: bool = False


def assumed(work: Workload, rates: Throughput, favourable: bool, saves: frozenset[Unit]) -> Assumed:
    """One end of what is not known, for a saving of clocks of these parts. In its favour everything that it
    saves takes long, all other work is short, and all parts overlap; against it the opposite, one part after
    the other.
    """
    slow = favourable == (Unit.MEMORY in saves)
    load = _at(rates, rates.dram if slow else rates.l2_loads, work)
    store = _at(rates, min(rates.dram, rates.l2_stores) if slow else rates.l2_stores, work)
    again = load if slow else SECTOR / _L1
    if favourable and not slow:  # L1 holds what is loaded
        load = again
    compiled = 1.5 if favourable == (Unit.ISSUE in saves) else 0.5
    launch, start = rates.clock * rates.launch, rates.clock * rates.block
    first, further, issued = 700.0, 200.0, 4.0
    if favourable:
        first, further = (700.0, 700.0) if Unit.LATENCY in saves else (300.0, 10.0)
        issued, launch, start = 1.0, launch / 4, 0.0
    elif Unit.LATENCY in saves:  # loads overlap anyway
        first, further = 300.0, 10.0
    return Assumed(
        favourable=favourable,
        overlap=favourable,
        load=load,
        store=store,
        again=again,
        merged=max(store, SECTOR / _PARTIAL),
        filled=_FILLED if slow else 1.0,
        compiled=compiled,
        issued=issued,
        first=first,
        further=further,
        rounds=False,
        started=launch,
        start=start,
    )


def caught(work: Workload, rates: Throughput) -> Assumed:
    """The end against a saving of sectors where caches catch all that other requests use and device memory
    moves the rest, each byte once, while all parts work at the same time.
    """
    against = assumed(work, rates, False, frozenset((Unit.MEMORY,)))
    moved = _at(rates, rates.dram, work)
    waits = rates.clock * rates.turn
    return replace(against, overlap=True, load=moved, store=moved, again=0.0, first=waits, rounds=True)


def in_flight(work: Workload, rates: Throughput, each: Literal["iteration", "thread"]) -> list[Assumed]:
    """The ends for a saving of waits by more bytes in flight: all parts overlap, or what is computed adds to
    what is waited for. Loads come from device memory after its latency without load; where each thread loads
    once, also after what its warp takes under load, its start and its stores included.

    sqrt((latency / bytes in flight)^2 + (1 / bandwidth)^2) is within a tenth of what sums of 512 MiB took on
    an H200 with 1, 2, 4 and 8 KiB in flight on a multiprocessor (experiments/in_flight.cu).
    """
    once = each == "thread"
    caught_all = caught(work, rates)
    base = replace(caught_all, queued=True, start=0.0 if once else caught_all.start)
    found: list[Assumed] = []
    for turn in (rates.idle_turn, rates.turn) if once else (rates.idle_turn,):
        wait = rates.clock * turn
        overlapped = replace(base, first=wait, further=wait)
        found += [overlapped, replace(overlapped, overlap=False, compiled=1.5)]
    return found


def slow_memory(work: Workload, rates: Throughput) -> Assumed:
    """Everything comes from device memory, other work takes little time, and all overlaps."""
    return assumed(work, rates, True, frozenset((Unit.MEMORY,)))


def fast_memory(work: Workload, rates: Throughput) -> Assumed:
    """Caches hold whatever they can, other work takes long, and nothing overlaps."""
    return assumed(work, rates, False, frozenset((Unit.MEMORY,)))


def _at(rates: Throughput, bandwidth: float, work: Workload) -> float:
    """Clocks of a multiprocessor for one sector at so many bytes a second of the whole device, which those
    share that have a block.
    """
    busy = 1.0 if work.blocks is None else min(1.0, work.blocks / rates.multiprocessors)
    each = rates.multiprocessors * rates.clock * busy / bandwidth
    return SECTOR * max(1 / _PORT, each)


def nothing(work: Workload) -> Numbers:
    """0 for each size."""
    return np.zeros(work.sizes)


def total(parts: Iterable[Mapping[Unit, Numbers]]) -> Clocks:
    """The sum of several clocks."""
    found: Clocks = {}
    for part in parts:
        for unit, clocks in part.items():
            found[unit] = found[unit] + clocks if unit in found else clocks
    return found


def moved(
    one: Traffic, assumed: Assumed, requests: Numbers, transactions: Numbers, lines: float, used: Use = UNUSED
) -> Clocks:
    """Of so many requests of an access, each of so many transactions and lines. used: by
    whom the bytes of its sectors are used.
    """
    match one.space:
        case "shared":
            return {Unit.SHARED: requests * transactions}
        case "constant":
            return {Unit.CONSTANT: requests * transactions * 2.0}
        case _:
            sectors = _sectors(one, assumed, transactions, used)
            return {Unit.MEMORY: requests * sectors, Unit.L1: requests * lines}


def _sectors(one: Traffic, assumed: Assumed, sectors: Numbers, used: Use) -> Numbers:
    """Clocks of the sectors of one request: of those that hold nothing but what it asks for, when all that
    the kernel uses of them is asked for at once, and of the others.
    """
    piece = DRAM_PIECE / SECTOR if used.alone else 1.0
    own = np.minimum(sectors * piece, one.ideal / used.share) if used.share else sectors
    others = np.maximum(0.0, sectors - own)
    if one.operation == "load":
        fetched = piece if assumed.again == assumed.load else 1.0  # by device memory
        return np.asarray(own * assumed.load + others * assumed.again * fetched)
    partly = one.operation == "store" and 0.0 < used.share < 1.0
    filled = np.where(partly & (sectors > one.ideal), assumed.filled, 1.0)
    return np.asarray(own * assumed.store * filled + others * assumed.merged * _apart(one, assumed, used))


def _apart(one: Traffic, assumed: Assumed, used: Use) -> float:
    """The part (0..1) of stores to one sector that leave L1 one by one."""
    if one.operation != "store" or assumed.favourable:
        return 1.0
    return min(1.0, max(0.0, (used.sectors - _MERGED) / (_APART - _MERGED)))


def issued(executions: Numbers, each: Instructions, assumed: Assumed, rates: Throughput) -> Clocks:
    """Of instructions that warps execute so often."""
    return issued_together([(executions, each)], assumed, rates)


def issued_together(
    statements: Sequence[tuple[Numbers, Instructions]], assumed: Assumed, rates: Throughput
) -> Clocks:
    """Of several statements: how often warps execute each, and its instructions."""
    if not statements:
        return {}
    times = np.array([executions for executions, _ in statements])
    rows = np.array([(each.all, each.double, each.special) for _, each in statements], dtype=float)
    clocks = rows * (assumed.compiled, WARP, WARP) / (rates.issue, rates.doubles, rates.specials)
    parts = (Unit.ISSUE, Unit.DOUBLE, Unit.SPECIAL)
    return {  # summed one after the other: what is added in another order is rounded in another way
        unit: np.cumsum(times * clocks[:, at, None], axis=0)[-1] for at, unit in enumerate(parts)
    }


def queued(
    operations: Numbers, within: Shared, work: Workload, assumed: Assumed, rates: Throughput
) -> Clocks:
    """Of atomic operations of a block on one address, one after the other. Those on integers take less time
    than those measured.
    """
    each = rates.collision * rates.clock * (1.0 if assumed.favourable else _INTEGER_QUEUE)
    busy = rates.multiprocessors if work.blocks is None else min(rates.multiprocessors, work.blocks)
    clocks = {
        "grid": each * busy,
        "block": each / resident(work, rates),
        "multiprocessor": _RETRIED if assumed.favourable else 1.0,
    }
    return {Unit.QUEUE: operations * clocks[within]}


def resident(work: Workload, rates: Throughput) -> int:
    """Blocks on a multiprocessor at a time, registers aside: as many as fit, or as the grid has."""
    held = occupancy(rates.capability.arch, work.threads, 0, work.shared_bytes or 0).blocks
    if work.blocks is None:
        return max(1, held)
    return max(1, min(held, -(-work.blocks // rates.multiprocessors)))


def time(
    clocks: Clocks, work: Workload, assumed: Assumed, rates: Throughput, left: Left = UNCHANGED
) -> Numbers:
    """Clocks of as many blocks as run at a time on a multiprocessor, by size, with their part of the launch
    where its grid is known: of the busiest part where all parts overlap, else of one after the other.
    """
    found = parts(clocks, work, assumed, rates, left)
    if assumed.queued:
        found[Unit.MEMORY] = np.hypot(found[Unit.MEMORY], found.pop(Unit.LATENCY))
    each = list(found.values())
    longest = np.maximum.reduce(each) if assumed.overlap else np.sum(each, axis=0)
    return np.asarray(longest + launch(work, assumed, rates))


def parts(
    clocks: Clocks, work: Workload, assumed: Assumed, rates: Throughput, left: Left = UNCHANGED
) -> Clocks:
    """Clocks that each unit is busy with as many blocks as run at a time on a multiprocessor; of latency
    those that a warp waits for its loads and for its own instructions.
    """
    blocks = resident(work, rates)
    found: Clocks = {
        unit: clocks.get(unit, nothing(work)) * (blocks * left.busy.get(unit, 1.0))
        for unit in Unit
        if unit is not Unit.LATENCY
    }
    found[Unit.START] = found[Unit.START] + blocks * assumed.start
    chain = clocks.get(Unit.ISSUE, nothing(work)) * (rates.issue * assumed.issued / max(1, work.warps))
    waiting = left.waits * clocks.get(Unit.LATENCY, nothing(work)), left.waits * chain
    found[Unit.LATENCY] = np.maximum(*waiting) if assumed.favourable or assumed.overlap else np.add(*waiting)
    return found


def launch(work: Workload, assumed: Assumed, rates: Throughput) -> float:
    """Clocks of the launch that fall to as many blocks as run at a time; 0 where its grid is not known."""
    if work.blocks is None:
        return 0.0
    turns = max(1.0, work.blocks / (resident(work, rates) * rates.multiprocessors))
    return assumed.started / turns
