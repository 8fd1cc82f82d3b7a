"""What a launch of another shape gives: the same work on more multiprocessors, in fewer warps or whole waves.

The most that it gives is arithmetic of the shape alone (a grid of 33 blocks leaves three quarters of 132
multiprocessors idle), as the kernel may do nothing else for a long time. The least is what the roofline finds
for a kernel that also waits for memory and for its own launch.
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.instructions import cost
from cudalint.cuda.warp import WARP
from cudalint.gpu.occupancy import Occupancy
from cudalint.gpu.throughput import Throughput
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks
from cudalint.ir import unit as ir
from cudalint.significance import roofline, saving
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.roofline import UNCHANGED, Left, Unit
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Numbers, Workload


class Change(Struct, frozen=True):
    """What a launch of another shape gives. most: the share (0..1) of the kernel's time that the shape can
    save; left: what it leaves of the clocks at least; spread: more multiprocessors share the bandwidth of
    memory than before; in_flight: all that it saves is waits for memory: nothing where data is near, at most
    what the roofline says.
    """

    basis: Basis
    most: float
    left: Left
    spread: bool = False
    in_flight: bool = False


def full_warps(block: int, grid: int | None) -> Change:
    """The same threads in warps without idle lanes. block: threads of one; grid: blocks, None where nobody
    knows: as many that full warps are filled.
    """
    lanes = -(-block // WARP) * WARP
    used = block / lanes
    if grid:
        used = -(-block * grid // WARP) * WARP / (lanes * grid)
    issued = (Unit.ISSUE, Unit.DOUBLE, Unit.SPECIAL)
    return Change(Basis.ISSUE, 1 - used, Left(dict.fromkeys(issued, used)))


def more_warps(held: Occupancy, launch: LaunchFact, multiprocessors: int) -> Change:
    """As many warps on each multiprocessor as it can hold. A grid that is resident at once has no more of
    them, and gains nothing.
    """
    grid = blocks(launch)
    if grid is not None and grid <= held.blocks * multiprocessors:
        return Change(Basis.OCCUPANCY, 0.0, UNCHANGED)
    return Change(Basis.OCCUPANCY, 1 - held.fraction, Left(waits=held.fraction if grid is not None else 1.0))


def more_multiprocessors(used: float, loop: int, alone: bool, filled: float = 1.0) -> Change:
    """The same work on all multiprocessors. used: the share of them that the grid uses; loop: iterations of
    a thread that other threads can take over, 1 where there are none; alone: no kernel of another stream may
    use the idle ones; filled: the share (0..1) of its warps that a multiprocessor in use holds. More blocks
    that take over iterations also fill those, which at most is worth as much.
    """
    most = 1 - used * (filled if loop > 1 else 1.0)
    if not alone:
        return Change(Basis.IDLE, most, UNCHANGED)
    return Change(Basis.IDLE, most, Left(dict.fromkeys(Unit, used), max(used, 1 / loop)), spread=True)


def more_in_flight(filled: float, loop: int) -> Change:
    """The same work in as many warps as a multiprocessor holds, which wait for memory at the same time.
    filled: the share (0..1) of its warps that the grid gives it; loop: iterations of a thread that others can
    take over.
    """
    left = max(filled, 1 / loop)
    return Change(Basis.LATENCY, 1 - left, Left(waits=left), in_flight=True)


def whole_waves(grid: int, wave: int, multiprocessors: int) -> Change:
    """The same blocks in as many waves as they fill: at most, all blocks take the same time; at least, the
    multiprocessors with one block more are busy for that one alone, and memory for none.
    """
    waves = -(-grid // wave)
    uneven = grid / multiprocessors / -(-grid // multiprocessors)
    left = Left({unit: uneven for unit in Unit if unit is not Unit.MEMORY})
    return Change(Basis.WAVES, 1 - grid / (wave * waves), left)


def impact(
    change: Change, launch: LaunchFact, kernel: KernelFacts | None, unit: ir.Unit, rates: Throughput
) -> Impact:
    """The share of the kernel's time that the change saves; anything up to `most` where no run had the block
    of the launch.
    """
    body = kernel.function.body if kernel is not None else None
    if body is not None and not cost(body):
        return Impact(0.0, 0.0, change.basis)  # it does nothing
    works = () if kernel is None else kernel.of(Workload)
    mine = [_placed(work, launch) for work in works if _is_of(work, launch)]
    if kernel is None or not mine:
        return Impact(0.0, change.most, change.basis)
    if change.in_flight:
        found = [
            _shares(change.left, work, kernel, unit, rates, end)
            for work in mine
            for end in _waiting(work, rates)
        ]
        return Impact(0.0, max(float(shares.max()) for shares in found), change.basis)
    ends = (roofline.fast_memory, roofline.slow_memory)
    least = min(_saved(change, work, kernel, unit, rates, end) for work in mine for end in ends)
    return Impact(min(least, change.most), change.most, change.basis)


def of_idle_blocks(
    idle: int, launch: LaunchFact, kernel: KernelFacts | None, unit: ir.Unit, rates: Throughput
) -> Impact:
    """The share of the kernel's time that blocks without any work take; anything where no run had the block
    of the launch. The mean block of a run may be one of those that work, or one of all.
    """
    grid = blocks(launch) or idle
    works = () if kernel is None else kernel.of(Workload)
    mine = [_placed(work, launch) for work in works if _is_of(work, launch)]
    if kernel is None or not mine:
        return Impact(0.0, 1.0, Basis.IDLE_BLOCKS)
    lost = idle * rates.block * rates.clock / rates.multiprocessors
    shares = []
    for work in mine:
        for end in (roofline.fast_memory, roofline.slow_memory):
            assumed = end(work, rates)
            each = roofline.time(saving.clocks(work, kernel, unit, rates, assumed), work, assumed, rates)
            at_a_time = roofline.resident(work, rates) * rates.multiprocessors
            for working in (grid - idle, grid):
                used = each * max(1.0, working / at_a_time)
                shares += [float(np.min(lost / (lost + used))), float(np.max(lost / (lost + used)))]
    return Impact(min(shares), max(shares), Basis.IDLE_BLOCKS)


def _is_of(work: Workload, launch: LaunchFact) -> bool:
    """Whether the run had the block of the launch, and went its own ways."""
    return not work.forced and work.configuration.block == launch.block


def _placed(work: Workload, launch: LaunchFact) -> Workload:
    """The work of a block in the grid of this launch."""
    return replace(work, configuration=replace(work.configuration, grid=launch.grid))


def _saved(
    change: Change,
    work: Workload,
    kernel: KernelFacts,
    unit: ir.Unit,
    rates: Throughput,
    end: Callable[[Workload, Throughput], roofline.Assumed],
) -> float:
    """The least share that is saved, over the sizes tried."""
    assumed = end(work, rates)
    left = _shared(change.left, assumed, end(_unbounded(work), rates)) if change.spread else change.left
    return float(_shares(left, work, kernel, unit, rates, assumed).min())


def _shares(
    left: Left,
    work: Workload,
    kernel: KernelFacts,
    unit: ir.Unit,
    rates: Throughput,
    assumed: roofline.Assumed,
) -> Numbers:
    """The share that is saved, by size."""
    clocks = saving.clocks(work, kernel, unit, rates, assumed)
    before = roofline.time(clocks, work, assumed, rates)
    after = roofline.time(clocks, work, assumed, rates, left)
    return np.asarray(np.where(before > 0, 1 - after / np.where(before > 0, before, 1.0), 0.0))


def _waiting(work: Workload, rates: Throughput) -> list[roofline.Assumed]:
    """The ends for waits for device memory alone, whatever instructions wait for."""
    return [replace(end, issued=0.0) for end in roofline.in_flight(work, rates, "iteration")]


def _shared(left: Left, few: roofline.Assumed, many: roofline.Assumed) -> Left:
    """With the longer time of a sector where more multiprocessors share the bandwidth."""
    memory = left.busy.get(Unit.MEMORY, 1.0) * many.load / few.load
    return replace(left, busy={**left.busy, Unit.MEMORY: memory})


def _unbounded(work: Workload) -> Workload:
    """The work of a block in a grid of any size."""
    return replace(work, configuration=replace(work.configuration, grid=(None, None, None)))
