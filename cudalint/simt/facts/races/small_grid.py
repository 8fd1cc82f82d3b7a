"""Races between blocks that are never run together: `a[i] = a[n - 1 - i]` is one of the first block and the
last. A launch with sizes that are small enough for all of its blocks to be run shows them, or the blocks at
the ends of a launch whose sizes the program says.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import product

from msgspec.structs import replace

from cudalint.analyses.definitions import definitions
from cudalint.host.chosen_sizes import ChosenLaunch, with_chosen_sizes
from cudalint.host.facts import LaunchFact
from cudalint.ir.layout import part_name
from cudalint.ir.render import render
from cudalint.ir.types import Record
from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.races.checking import checked
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog
from cudalint.simt.values.samples import Block

_MOST_BLOCKS = 32
_LAUNCHES = 2


def of_small_grids(kernel: KernelRuns, known: Iterable[Race]) -> Iterator[Race]:
    """Reads of what another thread writes in place, of global memory, that the regular runs do not show."""
    if not kernel.whole or any(race.space == "global" for race in known) or not _in_place(kernel):
        return
    for launch, sizes in _small(kernel):
        found = tuple(_shown(kernel, launch, sizes))
        if found:
            yield from found
            return


def _small(kernel: KernelRuns) -> Iterator[tuple[LaunchFact, str]]:
    """Launches whose blocks can be run together, with what their sizes are."""
    places = {launch.span: launch for launch in kernel.launches if launch.reached}
    for launch in list(places.values())[:_LAUNCHES]:
        host = kernel.unit.functions.get(launch.function)
        if host is not None:
            chosen = with_chosen_sizes(launch, definitions(kernel.unit, host), kernel.function)
            if chosen is not None:
                yield chosen.launch, _chosen(chosen)
    every = (launch for launch in (*kernel.launches, *kernel.defaults) if launch.reached)
    whole = {launch.span: launch for launch in every if None not in launch.grid}
    for launch in list(whole.values())[:_LAUNCHES]:
        yield launch, _passed(kernel.unit, kernel.function, launch)


def _chosen(launch: ChosenLaunch) -> str:
    return " and ".join(
        f"`{render(one.count).replace('this->', '')}` is {count}" for one, count in launch.counts
    )


def _passed(unit: Unit, kernel: Function, launch: LaunchFact) -> str:
    """The integers that a launch passes."""
    found = []
    for parameter, argument in zip(kernel.parameters, launch.arguments or (), strict=False):
        if isinstance(argument.value, int):
            found.append(f"`{parameter.name}` is {argument.value}")
        for at, field in argument.fields if isinstance(parameter.type, Record) else ():
            if isinstance(field.value, int) and field.value:
                found.append(f"`{parameter.name}{part_name(unit, parameter.type, at)}` is {field.value}")
    return " and ".join(found) or f"the grid is {'x'.join(map(str, launch.grid))}"


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


def _shown(kernel: KernelRuns, launch: LaunchFact, sizes: str) -> Iterator[Race]:
    plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
    blocks = _blocks(*(extent or 1 for extent in plan.configuration.grid))
    if plan.configuration.origin != Origin.LAUNCH or len(blocks) > _MOST_BLOCKS:
        return
    mode = RunMode(blocks=blocks, uncounted=True)
    done = run_plan(kernel.unit, kernel.function, plan, kernel.options, mode, (RaceLog,))
    if done.failure or done.machine.state.spent:
        return
    found = tuple(
        race
        for race in races([done], kernel.function.name)
        if race.space == "global" and race.kind == "read-write" and not race.data_dependent
    )
    for race in checked(kernel.unit, kernel.function, plan, kernel.options, found, mode):
        yield replace(race, certain=False, condition=f"{sizes}, for example")


def _blocks(*grid: int) -> tuple[Block, ...]:
    """All of a small grid, else those at the ends of its axes, two at each, or one where there are many."""
    if math.prod(grid) <= _MOST_BLOCKS:
        axes = [list(range(extent)) for extent in grid]
    else:
        axes = [sorted({0, 1, extent - 2, extent - 1} & set(range(extent))) for extent in grid]
        if math.prod(map(len, axes)) > _MOST_BLOCKS:
            axes = [sorted({0, extent - 1}) for extent in grid]
    return tuple((x, y, z) for z, y, x in product(*reversed(axes)))
