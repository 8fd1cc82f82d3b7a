"""How long a block's work takes: the clocks that each part of a multiprocessor is busy, and the longest of
them (the roofline model of Williams, Waterman and Patterson, Communications of the ACM 52, 2009).

What the source does not say (what caches hold, how many instructions the compiler makes, how far loads
overlap) is drawn: an `Assumed` holds what is taken for granted, in each draw or at one end.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.cuda.warp import WARP
from cudalint.gpu.functions import Instructions
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.throughput import DRAM_PIECE, Throughput
from cudalint.significance.unknowns import UNKNOWNS, Amount, between, times
from cudalint.significance.used_sectors import UNUSED, Use
from cudalint.simt.facts.workload import Numbers, Traffic, Workload
from cudalint.simt.requests.transactions import SECTOR

_PORT = 64  # bytes a clock that one multiprocessor loads while few others do; likewise
INTEGER_QUEUE = 0.4  # of the time of a float addition on one address; measured, see CU116
_FILLED = 2.0  # times: device memory reads a sector, too, before a part of it is written; measured
_MERGED, _APART = (24, 72), (100, 256)  # sectors of a warp's stores to one piece of memory: from how many on
# L1 merges some and none, at the least and at the most
_PARTIAL = (
    14  # bytes of sectors a clock that are written in part; all three measured by experiments/records.cu
)
_RETRIED = 12.0  # clocks of an addition in shared memory, by a loop that retries, at most; likewise
_COMPILED = 0.5, 1.5  # machine instructions for each one counted
_ISSUED = 1.0, 4.0  # clocks from one instruction of a warp to the next that needs it
_L1 = 128  # bytes of hits a clock; measured by experiments/cache.cu
_NEAR = 300.0  # clocks of a load that L2 serves; Jia and others, arXiv:1804.06826
_LATENCY = 700.0  # clocks of a load from device memory
_FURTHER = 10.0, 200.0  # clocks of each load after the first one, as far as it overlaps with it
_STARTED = 0.25  # of an empty kernel's time, the least that a launch adds to a longer one
_SHORT = 0.5  # the same of a short one: a profiler shows 1 to 2 us of an empty kernel
_GROUPS = 4  # parts of a warp whose lanes data sends the same way: one of them is enough to go there

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

    busy: Mapping[Unit, Amount] = {}
    waits: float = 1.0


UNCHANGED = Left()


class Assumed(Struct, frozen=True, eq=False):
    """What is taken for granted where nobody knows: numbers, or columns of them, one row for each draw.

    load, store: clocks that a multiprocessor waits for a sector, merged: for one that other requests store,
    too; missed, soon, reloaded: the part of sectors asked for again that L1 has lost meanwhile: by further
    iterations, by the next accesses, by other threads of the block; apart: from the fewest stores to one
    sector that leave L1 one by one (0) to the most (1); filled: by how much a sector takes longer of which
    only a part is ever written; compiled: machine instructions for each one counted; issued: clocks from one
    instruction of a warp to the next that needs it; first: clocks of the first load of a warp, further: of
    each one after it; serial: 0 where all parts work at the same time, 1 where one waits for the other;
    started: clocks of a launch itself, start: of each block; own, others: the part that is done of what data
    may leave out, of a finding's own work and of other work; where: from the fewest transactions that data
    may cause (0) to the most (1), elsewhere: the same of other accesses; length: the same of other ranges.
    queued: where few bytes are asked for at a time, what memory takes and what warps wait for it add up as
    squares do.
    """

    load: Amount
    store: Amount
    missed: Amount
    soon: Amount
    reloaded: Amount
    merged: Amount
    apart: Amount
    filled: Amount
    compiled: Amount
    issued: Amount
    first: Amount
    further: Amount
    serial: Amount
    started: Amount
    start: Amount
    own: Amount
    others: Amount
    where: Amount
    elsewhere: Amount
    length: Amount
    queued: bool = False


def drawn(work: Workload, rates: Throughput) -> Assumed:
    """The draws of all that is not known."""
    u = UNKNOWNS
    load = _at(rates, times(rates.l2_loads, rates.dram, u.far), work)
    store = _at(rates, times(rates.l2_stores, min(rates.dram, rates.l2_stores), u.far), work)
    return Assumed(
        load=load,
        store=store,
        missed=u.missed,
        soon=0.0,
        reloaded=u.missed**2,
        merged=np.maximum(store, SECTOR / _PARTIAL),
        apart=u.apart,
        filled=between(1.0, _FILLED, u.filled),
        compiled=times(*_COMPILED, u.compiled),
        issued=times(*_ISSUED, u.issued),
        first=times(_NEAR, rates.clock * rates.turn, u.far),
        further=times(*_FURTHER, u.further),
        serial=u.serial**2 / 2,
        started=rates.clock * rates.launch * between(_SHORT, 1.0, u.started),
        start=rates.clock * rates.block * u.started,
        own=1 - (1 - u.own) ** _GROUPS,
        others=1 - (1 - u.others) ** _GROUPS,
        where=u.where,
        elsewhere=u.where,
        length=u.where,
    )


def in_flight(work: Workload, rates: Throughput, each: Literal["iteration", "thread"]) -> Assumed:
    """The draws for a saving of waits by more bytes in flight: what is computed overlaps more or less with
    what is waited for. Loads take the latency of L2 to that of device memory without load; where each thread
    loads once, up to what its warp takes under load, its start and its stores included.

    sqrt((latency / bytes in flight)^2 + (1 / bandwidth)^2) is within a tenth of what sums of 512 MiB took on
    an H200 with 1, 2, 4 and 8 KiB in flight on a multiprocessor (experiments/in_flight.cu).
    """
    base, once = drawn(work, rates), each == "thread"
    most = rates.turn if once else rates.idle_turn
    wait = times(_NEAR, rates.clock * most, UNKNOWNS.far)
    return replace(base, queued=True, first=wait, further=wait, start=0.0 if once else base.start)


def waiting(work: Workload, rates: Throughput, each: Literal["iteration", "thread"]) -> list[Assumed]:
    """The ends in favour of a saving of waits by more bytes in flight: all loads come from device memory;
    what is computed overlaps with that, or does not.
    """
    moved, once = bound(work, rates, (Unit.MEMORY,)), each == "thread"
    found: list[Assumed] = []
    for turn in (rates.idle_turn, rates.turn) if once else (rates.idle_turn,):
        wait = rates.clock * turn
        overlapped = replace(moved, queued=True, first=wait, further=wait, issued=_ISSUED[1])
        found += [overlapped, replace(overlapped, serial=1.0, compiled=_COMPILED[1])]
    return found


def bound(work: Workload, rates: Throughput, saves: Container[Unit]) -> Assumed:
    """The end in favour of a saving: what it saves binds the kernel, and takes long; other work is short, and
    all parts overlap. Only where it saves sectors do they come from device memory.
    """
    far, waits = Unit.MEMORY in saves, Unit.LATENCY in saves
    load = _at(rates, rates.dram, work) if far else SECTOR / _L1
    store = _at(rates, min(rates.dram, rates.l2_stores) if far else rates.l2_stores, work)
    return Assumed(
        load=load,
        store=store,
        missed=1.0,
        soon=1.0,
        reloaded=1.0,
        merged=np.maximum(store, SECTOR / _PARTIAL),
        apart=1.0,
        filled=_FILLED if far else 1.0,
        compiled=_COMPILED[Unit.ISSUE in saves],
        issued=_ISSUED[0],
        first=_LATENCY if waits else _NEAR,
        further=_LATENCY if waits else _FURTHER[0],
        serial=0.0,
        started=rates.clock * rates.launch * _STARTED,
        start=0.0,
        own=1.0,
        others=0.0,
        where=1.0,
        elsewhere=0.0,
        length=1.0,
    )


def slow_memory(work: Workload, rates: Throughput) -> Assumed:
    """Everything comes from device memory, other work takes little time, and all overlaps."""
    return bound(work, rates, (Unit.MEMORY,))


def fast_memory(work: Workload, rates: Throughput) -> Assumed:
    """Caches hold whatever they can, other work takes long, and nothing overlaps."""
    return Assumed(
        load=_at(rates, rates.l2_loads, work),
        store=_at(rates, rates.l2_stores, work),
        merged=max(_at(rates, rates.l2_stores, work), SECTOR / _PARTIAL),
        missed=0.0,
        soon=0.0,
        reloaded=0.0,
        apart=0.0,
        filled=1.0,
        compiled=_COMPILED[1],
        issued=_ISSUED[1],
        first=_LATENCY,
        further=_FURTHER[1],
        serial=1.0,
        started=rates.clock * rates.launch,
        start=rates.clock * rates.block,
        own=0.0,
        others=1.0,
        where=0.0,
        elsewhere=1.0,
        length=0.0,
    )


def _at(rates: Throughput, bandwidth: Amount, work: Workload) -> Amount:
    """Clocks of a multiprocessor for one sector at so many bytes a second of the whole device, which those
    share that have a block.
    """
    busy = 1.0 if work.blocks is None else min(1.0, work.blocks / rates.multiprocessors)
    each = rates.multiprocessors * rates.clock * busy / bandwidth
    return SECTOR * np.maximum(1 / _PORT, each)


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
        missed = assumed.missed if used.sectors == math.inf else assumed.soon
        return np.asarray((own + others * missed * piece) * assumed.load)
    partly = one.operation == "store" and 0.0 < used.share < 1.0
    filled = np.where(partly & (sectors > one.ideal), assumed.filled, 1.0)
    return np.asarray(own * assumed.store * filled + others * assumed.merged * unmerged(one, assumed, used))


def unmerged(one: Traffic, assumed: Assumed, used: Use = UNUSED) -> Amount:
    """The part (0..1) of stores to one sector that leave L1 one by one; all of them at the very end."""
    if one.operation != "store":
        return 1.0
    least, most = ((used.sectors - start) / (end - start) for start, end in (_APART, _MERGED))
    low, high = float(np.clip(least, 0, 1)), float(np.clip(most, 0, 1))
    return np.maximum(low + (high - low) * assumed.apart, np.floor(assumed.apart))


def issued(executions: Numbers, each: Instructions, assumed: Assumed, rates: Throughput) -> Clocks:
    """Of instructions that warps execute so often."""
    return executed([np.asarray(executions * one) for one in per_warp(each)], assumed, rates)


def per_warp(one: Instructions) -> tuple[int, int, int]:
    """Of a warp's execution: instructions of the warp, results in double and special ones of lanes."""
    return one.all, one.double * WARP, one.special * WARP


def executed(done: Sequence[Numbers], assumed: Assumed, rates: Throughput) -> Clocks:
    """Of so many of each of `per_warp`."""
    return {
        Unit.ISSUE: done[0] * (assumed.compiled / rates.issue),
        Unit.DOUBLE: done[1] / rates.doubles,
        Unit.SPECIAL: done[2] / rates.specials,
    }


def queued(
    operations: Numbers,
    within: Shared,
    work: Workload,
    assumed: Assumed,
    rates: Throughput,
    joined: bool = False,
) -> Clocks:
    """Of atomic operations of a block on one address, one after the other. Those on integers take less time
    than those measured; joined: they are such, one for each warp.
    """
    most = INTEGER_QUEUE if joined else 1.0
    each = rates.collision * rates.clock * (INTEGER_QUEUE + (most - INTEGER_QUEUE) * assumed.length)
    busy = rates.multiprocessors if work.blocks is None else min(rates.multiprocessors, work.blocks)
    clocks = {
        "grid": each * busy,
        "block": each / resident(work, rates),
        "multiprocessor": _RETRIED**assumed.length,
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
    """Clocks of as many blocks as run at a time on a multiprocessor, by draw and size, with their part of the
    launch where its grid is known.
    """
    found = parts(clocks, work, assumed, rates, left)
    if assumed.queued:
        found[Unit.MEMORY] = np.hypot(found[Unit.MEMORY], found.pop(Unit.LATENCY))
    return np.asarray(_overlapped(list(found.values()), assumed) + launch(work, assumed, rates))


def _overlapped(times: Sequence[Numbers], assumed: Assumed) -> Numbers:
    """What several times take that overlap more or less: from the longest of them to their sum."""
    longest, whole = reduce(np.maximum, times), reduce(np.add, times)
    return np.asarray(longest + (whole - longest) * assumed.serial)


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
    found[Unit.LATENCY] = _overlapped(waiting, assumed)
    return found


def launch(work: Workload, assumed: Assumed, rates: Throughput) -> Amount:
    """Clocks of the launch that fall to as many blocks as run at a time; 0 where its grid is not known."""
    if work.blocks is None:
        return 0.0
    turns = max(1.0, work.blocks / (resident(work, rates) * rates.multiprocessors))
    return assumed.started / turns
