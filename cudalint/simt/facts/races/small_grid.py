"""Races between blocks that are never run together: `a[i] = a[n - 1 - i]` is one of the first block and the
last. A launch with sizes that are small enough for all of its blocks to be run shows them.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import product

from msgspec.structs import replace

from cudalint.analyses.definitions import definitions
from cudalint.host.chosen_sizes import ChosenLaunch, with_chosen_sizes
from cudalint.ir.render import render
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog

_MOST_BLOCKS = 32
_LAUNCHES = 2


def of_small_grids(kernel: KernelRuns, known: Iterable[Race]) -> Iterator[Race]:
    """Reads of what another thread writes in place, of global memory, that the regular runs do not show."""
    if not kernel.whole or any(race.space == "global" for race in known) or not _in_place(kernel):
        return
    places = {launch.span: launch for launch in kernel.launches if launch.reached}
    for launch in list(places.values())[:_LAUNCHES]:
        host = kernel.unit.functions.get(launch.function)
        if host is None:
            continue
        chosen = with_chosen_sizes(launch, definitions(kernel.unit, host), kernel.function)
        found = tuple(_shown(kernel, chosen)) if chosen is not None else ()
        if found:
            yield from found
            return


def _in_place(kernel: KernelRuns) -> bool:
    """Whether the kernel writes elements of an array and reads others, as they are written."""
    for run in kernel.runs[:1]:
        sites = [site for site in run.machine.recorder.accesses.values() if site.space == "global"]
        loads = {
            (name, render(site.node)) for site in sites if site.operation == "load" for name in site.buffers
        }
        stores = {(name, render(s.node)) for s in sites if s.operation == "store" for name in s.buffers}
        stored = {name for name, _ in stores}
        return any(name in stored for name, _ in loads - stores)
    return False


def _shown(kernel: KernelRuns, chosen: ChosenLaunch) -> Iterator[Race]:
    plan = plans(kernel.function, (chosen.launch,), kernel.options.assumptions)[0]
    grid = tuple(extent or 1 for extent in plan.configuration.grid)
    if plan.configuration.origin != Origin.LAUNCH or math.prod(grid) > _MOST_BLOCKS:
        return
    blocks = tuple((x, y, z) for z, y, x in product(*map(range, reversed(grid))))
    mode = RunMode(blocks=blocks, uncounted=True)
    done = run_plan(kernel.unit, kernel.function, plan, kernel.options, mode, (RaceLog,))
    if done.failure or done.machine.state.spent:
        return
    sizes = " and ".join(
        f"`{render(one.count).replace('this->', '')}` is {count}" for one, count in chosen.counts
    )
    for race in races([done], kernel.function.name):
        if (
            race.space == "global"
            and race.kind == "read-write"
            and not (race.data_dependent or race.doubtful)
        ):
            yield replace(race, certain=False, condition=f"{sizes}, for example")
