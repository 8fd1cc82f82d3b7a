"""Races between blocks that are never run together and begin at the same place: steps along one axis of the
grid make up one along another, as where windows overlap.
"""

from collections.abc import Iterable, Iterator
from itertools import permutations

from msgspec.structs import replace

from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.races.checking import checked
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog
from cudalint.simt.values.samples import Block

_TRIED = 2  # pairs of blocks


def of_coinciding_blocks(kernel: KernelRuns, known: Iterable[Race]) -> Iterator[Race]:
    """Those between accesses to global memory, which the regular runs do not show."""
    if not kernel.whole or any(race.space == "global" for race in known):
        return
    for run in kernel.runs:
        for one, other in sorted(set(_coinciding(run)))[:_TRIED]:
            found = tuple(_shown(kernel, run, one, other))
            if found:
                yield from found
                return


def _coinciding(run: Run) -> Iterator[tuple[Block, Block]]:
    """Blocks that a store of the kernel has begin at one place, both of them in the grid."""
    grid = run.plan.configuration.grid
    if run.plan.configuration.origin != Origin.LAUNCH:
        return
    for site in run.machine.recorder.accesses.values():
        if site.space != "global" or site.operation != "store" or len(site.grid_strides) < len(grid):
            continue
        for short, long in permutations(range(len(grid)), 2):
            step, width, extent = site.grid_strides[short], site.grid_strides[long], grid[short]
            if not step or not width or width % step or extent is None or grid[long] == 1:
                continue
            if 1 < width // step < extent:
                yield _along(short, width // step), _along(long, 1)


def _along(axis: int, number: int) -> Block:
    x, y, z = (number if at == axis else 0 for at in range(3))
    return x, y, z


def _shown(kernel: KernelRuns, run: Run, one: Block, other: Block) -> Iterator[Race]:
    mode = RunMode(blocks=((0, 0, 0), one, other), uncounted=True)
    done = run_plan(kernel.unit, kernel.function, run.plan, kernel.options, mode, (RaceLog,))
    if done.failure or done.machine.state.spent:
        return
    found = tuple(
        race
        for race in races([done], kernel.function.name)
        if race.space == "global" and not race.data_dependent
    )
    axis = "xyz"[other.index(1)]
    for race in checked(kernel.unit, kernel.function, run.plan, kernel.options, found, mode):
        yield replace(race, certain=False, condition=f"the grid has two blocks in {axis}")
