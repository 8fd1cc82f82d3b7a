"""What a launch of another shape gives: the same work on more multiprocessors, in fewer warps or whole waves.

The most that it gives is arithmetic of the shape alone (a grid of 33 blocks leaves three quarters of 132
multiprocessors idle), as the kernel may do nothing else for a long time. The least is what the roofline finds
for a kernel that also waits for memory and for its own launch.
"""

from collections.abc import Callable

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
from cudalint.significance.unknowns import Shares, likely
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload

# Resident warps of a multiprocessor from which on one more block takes its share of time. Measured with
# blocks of 8: one beside 24 took 1.31 times as long on an H200 (1.33 is its share), one beside 8 only 1.18
# times on an H100 (2 is).
_BUSY = 16


class Change(Struct, frozen=True):
    """What a launch of another shape gives. most: the share (0..1) of the kernel's time that the shape can
    save; left: what it leaves of the clocks at least; spread: more multiprocessors share the bandwidth of
    memory than before; in_flight: all that it saves is waits for memory: nothing where data is near, at most
    what the roofline says; busy: likewise, all that it saves is time in which units have work; few: so few
    warps are resident that waits may fill that time: at least nothing.
    """

    basis: Basis
    most: float
    left: Left
    spread: bool = False
    in_flight: bool = False
    busy: bool = False
    few: bool = False


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


def more_warps_than_schedulers(used: float, loop: int) -> Change:
    """The same work in a warp or more for each scheduler. used: the share of them that has one; loop:
    iterations of a thread that other threads can take over, 1 where there are none.
    """
    return Change(Basis.IDLE, 1 - max(used, 1 / loop) if loop > 1 else 0.0, UNCHANGED)


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


def even_share(grid: int, multiprocessors: int, warps: int) -> Change:
    """The same work evenly on all multiprocessors, where all blocks are resident at once: those with one more
    are busy for longer; waits take the same time with one more, and memory is shared by all. warps: of a
    block.
    """
    uneven = grid / multiprocessors / -(-grid // multiprocessors)
    left = Left({unit: uneven for unit in Unit if unit is not Unit.MEMORY})
    few = grid // multiprocessors * warps < _BUSY
    return Change(Basis.WAVES, 1 - uneven, left, busy=True, few=few)


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
    low, high = likely([_shares(change, work, kernel, unit, rates) for work in mine])
    most = change.most
    if change.in_flight:
        ends = [(work, end) for work in mine for end in roofline.waiting(work, rates, "iteration")]
        found = (
            _part(work, replace(end, issued=0.0), change.left, kernel, unit, rates) for work, end in ends
        )
        most = min(most, max(float(one.shares.max()) for one in found))
    if change.busy:
        near = [(work, roofline.fast_memory(work, rates)) for work in mine]
        found = (_part(work, end, change.left, kernel, unit, rates) for work, end in near)
        most = min(most, max(high, *(float(one.shares.max()) for one in found)))
    return Impact(0.0 if change.few else min(low, most), most, change.basis)


def of_idle_blocks(
    idle: int, launch: LaunchFact, kernel: KernelFacts | None, unit: ir.Unit, rates: Throughput
) -> Impact:
    """The share of the kernel's time that blocks without any work take; anything where no run had the block
    of the launch. The mean block of a run may be one of those that work, or one of all.
    """
    grid = blocks(launch) or idle
    lost = idle * rates.block * rates.clock / rates.multiprocessors
    return _of_blocks(
        launch, kernel, unit, rates, [(lost, working, working) for working in (grid - idle, grid)]
    )


def of_repeated_blocks(
    repeated: int, launch: LaunchFact, kernel: KernelFacts | None, unit: ir.Unit, rates: Throughput
) -> Impact:
    """The same of blocks that do what others do, as many of them as are resident at a time."""
    grid = blocks(launch) or repeated
    return _of_blocks(launch, kernel, unit, rates, [(0.0, grid, grid - repeated)])


def of_ending_atomics(
    before: int, after: int, work: tuple[float, float], rates: Throughput, whole: bool
) -> Impact:
    """The share of a kernel's time that fewer atomics on one address save, which queue beside other work.
    work: seconds of that, at least and at most; whole: on integers.
    """

    def saved(each: float, rest: float) -> float:
        return 1 - max(rest, each * after) / max(rest, each * before)

    fast, slow = work
    least = rates.collision * roofline.INTEGER_QUEUE
    low, high = saved(least, slow), saved(least if whole else rates.collision, fast)
    return Impact(low, high, Basis.SERIALISED)


def _of_blocks(
    launch: LaunchFact,
    kernel: KernelFacts | None,
    unit: ir.Unit,
    rates: Throughput,
    cases: list[tuple[float, int, int]],
) -> Impact:
    """cases: seconds that are lost besides, and the blocks that work before and after."""
    works = () if kernel is None else kernel.of(Workload)
    mine = [_placed(work, launch) for work in works if _is_of(work, launch)]
    if kernel is None or not mine:
        return Impact(0.0, 1.0, Basis.IDLE_BLOCKS)

    def saved(end: Callable[[Workload, Throughput], roofline.Assumed]) -> list[Shares]:
        found = []
        for work in mine:
            assumed = end(work, rates)
            each = roofline.time(saving.clocks(work, kernel, unit, rates, assumed), work, assumed, rates)
            at_a_time = roofline.resident(work, rates) * rates.multiprocessors
            for lost, before, after in cases:
                whole = lost + each * max(1.0, before / at_a_time)
                found.append(Shares.of(whole, each * max(1.0, after / at_a_time)))
        return found

    low, high = likely(saved(roofline.drawn))
    most = max(float(one.shares.max()) for one in saved(roofline.slow_memory))
    return Impact(low, max(high, most), Basis.IDLE_BLOCKS)


def _is_of(work: Workload, launch: LaunchFact) -> bool:
    """Whether the run had the block of the launch, and went its own ways."""
    return not work.forced and work.configuration.block == launch.block


def _placed(work: Workload, launch: LaunchFact) -> Workload:
    """The work of a block in the grid of this launch."""
    return replace(work, configuration=replace(work.configuration, grid=launch.grid))


def _shares(change: Change, work: Workload, kernel: KernelFacts, unit: ir.Unit, rates: Throughput) -> Shares:
    """The share that is saved, by draw and size."""
    assumed, left = roofline.drawn(work, rates), change.left
    if change.spread:
        left = _shared(left, assumed, roofline.drawn(_unbounded(work), rates))
    if change.in_flight:  # waits for memory alone, whatever instructions wait for
        assumed = replace(roofline.in_flight(work, rates, "iteration"), issued=0.0)
    return _part(work, assumed, left, kernel, unit, rates)


def _part(
    work: Workload,
    assumed: roofline.Assumed,
    left: Left,
    kernel: KernelFacts,
    unit: ir.Unit,
    rates: Throughput,
) -> Shares:
    """What is saved where so much is left."""
    clocks = saving.clocks(work, kernel, unit, rates, assumed)
    before = roofline.time(clocks, work, assumed, rates)
    return Shares.of(before, roofline.time(clocks, work, assumed, rates, left))


def _shared(left: Left, few: roofline.Assumed, many: roofline.Assumed) -> Left:
    """With the longer time of a sector where more multiprocessors share the bandwidth."""
    memory = left.busy.get(Unit.MEMORY, 1.0) * many.load / few.load
    return replace(left, busy={**left.busy, Unit.MEMORY: memory})


def _unbounded(work: Workload) -> Workload:
    """The work of a block in a grid of any size."""
    return replace(work, configuration=replace(work.configuration, grid=(None, None, None)))
