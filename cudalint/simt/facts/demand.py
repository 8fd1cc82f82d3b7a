"""What a kernel asks of the memory system in one launch: counted over a block in the middle of the grid and
its neighbours, whose loops run to their end, and multiplied by the blocks of the grid.
"""

import math

from msgspec import Struct
from msgspec.structs import replace

from cudalint.cuda.spaces import Operation, Space
from cudalint.gpu.throughput import DRAM_PIECE
from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.configure import Plan
from cudalint.simt.launch.kernel_run import ModelOptions, Run, RunMode, run_plan
from cudalint.simt.requests.footprints import Around
from cudalint.simt.requests.sites import AccessSite

Index = tuple[int, int, int]


class Demand(Struct, frozen=True):
    """What a kernel asks of the memory system in one launch, the whole grid. blocks; threads of one.

    requests: of warps to global and local memory; lines: the lines of 128 bytes that those to global memory
    touch, one request's after the other's; the sectors of 32 bytes that loads, stores and atomics move to and
    from global memory, and to local memory; block_load_sectors: those that a block loads, each counted once;
    different_bytes: of device memory that the grid touches, each piece counted once; wavefronts: of shared
    memory; passes: of constant memory; collisions: atomic operations on the address that most of them want.
    instructions: of warps, as the source tells them; of them those in double precision, for the unit of
    special functions, and conversions between float and double; counted: no call is without a known number
    of them. exact: no access is without a number that holds.
    """

    configuration: Configuration
    blocks: float
    threads: int
    requests: float = 0.0
    lines: float = 0.0
    load_sectors: float = 0.0
    store_sectors: float = 0.0
    atomic_sectors: float = 0.0
    local_sectors: float = 0.0
    block_load_sectors: float = 0.0
    different_bytes: float = 0.0
    wavefronts: float = 0.0
    passes: float = 0.0
    collisions: float = 0.0
    instructions: float = 0.0
    doubles: float = 0.0
    specials: float = 0.0
    conversions: float = 0.0
    counted: bool = True
    exact: bool = True


def demands(unit: Unit, function: Function, plans: list[Plan], options: ModelOptions) -> tuple[Demand, ...]:
    """What each launch of a kernel whose grid is known asks for; nothing of one that cannot be run."""
    found = (_demand(unit, function, plan, options) for plan in plans)
    return tuple(told for told in found if told is not None)


def _demand(unit: Unit, function: Function, plan: Plan, options: ModelOptions) -> Demand | None:
    x, y, z = plan.configuration.grid
    if x is None or y is None or z is None:
        return None
    blocks, around = sampled((x, y, z))
    how = RunMode(blocks=blocks, thorough=True)
    told = _summed(run_plan(unit, function, plan, options, how), (x, y, z), around)
    if told is not None and not told.exact:
        return _summed(
            run_plan(unit, function, plan, options, replace(how, inventing=True)), (x, y, z), around
        )
    return told


def sampled(grid: Index) -> tuple[tuple[Index, ...], tuple[Around, ...]]:
    """A block in the middle, and those before and after it on each axis; where among them these are."""
    middle = tuple((extent - 1) // 2 for extent in grid)
    blocks, around = [middle], []
    for axis in range(3):
        steps = [step for step in (1, -1) if 0 <= middle[axis] + step < grid[axis]]
        if steps:
            around.append(Around(axis, tuple(range(len(blocks), len(blocks) + len(steps)))))
        blocks += [tuple(at + step * (axis == other) for other, at in enumerate(middle)) for step in steps]
    return tuple((x, y, z) for x, y, z in blocks), tuple(around)


def _summed(run: Run, grid: Index, around: tuple[Around, ...]) -> Demand | None:
    recorder, shape = run.machine.recorder, run.plan.configuration
    footprints, effort, samples = recorder.footprints, recorder.effort, recorder.samples
    if run.failure or run.machine.state.spent or footprints is None or effort is None:
        return None
    blocks = math.prod(grid)
    sites = [site for site in recorder.accesses.values() if site.attributed_to == site.node.span]
    total = _Totals(sites, blocks / samples.count)
    return Demand(
        configuration=shape,
        blocks=blocks,
        threads=math.prod(shape.block),
        requests=total.of("requests", ("global", "local")),
        load_sectors=total.of("total", ("global",), ("load",)),
        store_sectors=total.of("total", ("global",), ("store",)),
        atomic_sectors=total.of("total", ("global",), ("atomic",)),
        local_sectors=total.of("total", ("local",)),
        block_load_sectors=float(blocks * footprints.loads()),
        different_bytes=footprints.different(grid, around, DRAM_PIECE) * DRAM_PIECE,
        lines=footprints.lines * blocks / samples.count,
        collisions=footprints.collisions(grid, around),
        wavefronts=total.of("total", ("shared",)),
        passes=total.of("total", ("constant",)),
        instructions=effort.all * total.each,
        doubles=effort.double * total.each,
        specials=effort.special * total.each,
        conversions=effort.conversions * total.each,
        counted=not effort.unknown,
        exact=not any(site.unknown or site.doubtful for site in sites),
    )


class _Totals(Struct, frozen=True):
    """Sums over the sites of a run, times the blocks that each block run stands for."""

    sites: list[AccessSite]
    each: float

    def of(
        self,
        what: str,
        spaces: tuple[Space, ...],
        operations: tuple[Operation, ...] = ("load", "store", "atomic"),
    ) -> float:
        mine = (s for s in self.sites if s.space in spaces and s.operation in operations)
        return self.each * float(sum(getattr(site, what).sum() for site in mine))


def _conclude(kernel: KernelRuns) -> tuple[tuple[Demand, ...]]:
    plans = [run.plan for run in kernel.runs]
    return (demands(kernel.unit, kernel.function, plans, kernel.options),)


FACT = Fact(of=(Demand,), conclude=_conclude, extra=True)
