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
    """The work of one launch, over the whole grid."""

    configuration: Configuration
    blocks: float
    threads: int  # per block
    requests: float = 0.0  # to global and local memory
    lines: float = 0.0  # 128-byte lines of global requests
    load_sectors: float = 0.0  # 32-byte sectors of global memory
    store_sectors: float = 0.0
    atomic_sectors: float = 0.0
    local_sectors: float = 0.0
    block_load_sectors: float = 0.0  # distinct sectors per block, summed over the blocks
    different_bytes: float = 0.0  # distinct bytes of device memory accessed by the grid
    wavefronts: float = 0.0  # of shared memory
    passes: float = 0.0  # serialised reads of constant memory
    collisions: float = 0.0  # atomics on the most contended address
    instructions: float = 0.0  # of warps, counted in the source
    doubles: float = 0.0  # instructions in double precision
    specials: float = 0.0  # instructions of the special function units
    conversions: float = 0.0  # between float and double
    counted: bool = True  # the instructions of every call are known
    exact: bool = True  # every access has an exact number


def demands(unit: Unit, function: Function, plans: list[Plan], options: ModelOptions) -> tuple[Demand, ...]:
    """What each launch of a kernel whose grid is known asks for; nothing of one that cannot be run."""
    found = (_demand(unit, function, plan, options) for plan in plans)
    return tuple(demand for demand in found if demand is not None)


def _demand(unit: Unit, function: Function, plan: Plan, options: ModelOptions) -> Demand | None:
    x, y, z = plan.configuration.grid
    if x is None or y is None or z is None:
        return None
    blocks, around = sampled((x, y, z))
    how = RunMode(blocks=blocks, thorough=True)
    demand = _summed(run_plan(unit, function, plan, options, how), (x, y, z), around)
    if demand is not None and not demand.exact:
        return _summed(
            run_plan(unit, function, plan, options, replace(how, inventing=True)), (x, y, z), around
        )
    return demand


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
    """Sums over the sites of a run, scaled by the blocks that each simulated block represents."""

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
