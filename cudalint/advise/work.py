"""What a mean thread of a kernel does, and which part of the device that keeps busy longest."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from cudalint.advise.card import Range, Roof, UnitTime, Work
from cudalint.analyses.executed_with import homes
from cudalint.analyses.float_operations import float_operations
from cudalint.cuda.warp import WARP
from cudalint.gpu.throughput import Throughput
from cudalint.ir.unit import Unit
from cudalint.significance import roofline, saving
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.significance.statement_costs import costs
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Numbers, Traffic, Workload
from cudalint.simt.requests.transactions import SECTOR

_MENTIONED = 0.1  # of the time of the busiest unit
LAUNCH = "launch overhead"

Key = tuple[object, ...]


def key(one: Access | Traffic) -> Key:
    """What an access and its traffic have in common."""
    return one.span, one.operation, one.space


def work(done: Workload, kernel: KernelFacts, unit: Unit, rates: Throughput) -> Work:
    """Of one launch shape."""
    least, most, useful = _bytes(done, kernel)
    operations = _operations(done, kernel, unit)
    return Work(
        requested=_range(least / done.threads, most / done.threads),
        useful=useful,
        operations=_range(*(part / done.threads for part in operations)),
        intensity=_intensity(operations, (least, most)),
        active_lanes=_active(done, kernel, unit),
        roofs=(
            _roof("slow memory", roofline.slow_memory, done, kernel, unit, rates),
            _roof("fast memory", roofline.fast_memory, done, kernel, unit, rates),
        ),
    )


def _range(least: Numbers, most: Numbers) -> Range:
    return Range(float(least.min()), float(most.max()))


def _intensity(operations: tuple[Numbers, Numbers], bytes: tuple[Numbers, Numbers]) -> Range | None:
    """At each size the fewest operations with the most bytes, and the most with the fewest; None where some
    size requests nothing for certain.
    """
    least, most = bytes
    return _range(operations[0] / most, operations[1] / least) if (least > 0).all() else None


def _bytes(done: Workload, kernel: KernelFacts) -> tuple[Numbers, Numbers, Range | None]:
    """Of a block: bytes of sectors at least, where what data decides on is left out, and at most, by size;
    the part of them that threads ask for, None where there are none.
    """
    accesses = {key(access): access for access in kernel.accesses}
    least, most = roofline.nothing(done), roofline.nothing(done)
    used: list[tuple[Numbers, Numbers, Numbers]] = []  # (bytes, useful at least, useful at most)
    for one in done.traffic:
        access = accesses.get(key(one))
        if one.space not in ("global", "local") or access is None:
            continue
        low, high = one.requests * one.least * SECTOR, one.requests * one.most * SECTOR
        known = access.transactions.certainty != "unknown"
        part = access.layout.used if known else (0.0, 1.0)
        used += [(bytes, bytes * part[0], bytes * part[1]) for bytes in (low, high)]
        most = most + high
        least = least if one.doubtful else least + low
    ends = [sum(column, roofline.nothing(done)) for column in zip(*used[::2], strict=True)]
    ends += [sum(column, roofline.nothing(done)) for column in zip(*used[1::2], strict=True)]
    if not ends or not (ends[0] > 0).any():
        return least, most, None
    shares = [
        float(part)
        for whole, *parts in (ends[:3], ends[3:])
        for row in parts
        for part in row[whole > 0] / whole[whole > 0]
    ]
    return least, most, Range(min(shares), max(shares))


def _operations(done: Workload, kernel: KernelFacts, unit: Unit) -> tuple[Numbers, Numbers]:
    """Floating-point operations of a block by size, without and with what data decides on."""
    own = {id(home): home for home in homes(unit, kernel.function).values()}
    each = {at: float_operations(home) for at, home in own.items()}
    least, most = roofline.nothing(done), roofline.nothing(done)
    for statement, executions in done.statements.items():
        found = executions.lanes * each.get(statement, 0)
        most = most + found
        if not executions.doubtful:
            least = least + found
    return least, most


def _active(done: Workload, kernel: KernelFacts, unit: Unit) -> Range:
    """Lanes per instruction of a warp, over the statements that data does not decide on."""
    each = costs(unit, kernel.function)
    lanes, warps = roofline.nothing(done), roofline.nothing(done)
    for statement, executions in done.statements.items():
        if statement in each and not executions.doubtful:
            lanes = lanes + executions.lanes * each[statement].all
            warps = warps + executions.warps * each[statement].all
    mean = np.where(warps > 0, lanes / np.where(warps > 0, warps, 1.0), float(WARP))
    return _range(mean, mean)


def _roof(
    name: Literal["slow memory", "fast memory"],
    end: Callable[[Workload, Throughput], roofline.Assumed],
    done: Workload,
    kernel: KernelFacts,
    unit: Unit,
    rates: Throughput,
) -> Roof:
    """At an end: with slow memory all accesses are taken for much and other work for little, with fast memory
    the opposite.
    """
    assumed = end(done, rates)
    asked = Saving(Basis.SECTORS, excess=kernel.accesses)
    clocks = saving.clocks(done, kernel, unit, rates, assumed, asked)
    parts = {str(part): busy for part, busy in roofline.parts(clocks, done, assumed, rates).items()}
    parts[LAUNCH] = roofline.nothing(done) + roofline.launch(done, assumed, rates)
    names, table = list(parts), np.array(list(parts.values()))
    longest = table.max(axis=0)
    bound = {names[row] for row in table.argmax(axis=0)} if longest.any() else set()
    shares = table / np.where(longest > 0, longest, 1.0)
    units = [UnitTime(name, _range(row, row)) for name, row in zip(names, shares, strict=True)]
    units.sort(key=lambda one: (-one.share.high, one.unit))
    return Roof(
        name,
        tuple(one.unit for one in units if one.unit in bound),
        tuple(one for one in units if one.share.high >= _MENTIONED),
    )
