"""Races between rounds of a loop that strides over the grid, of a launch whose grid the program states: sizes
that nobody knows are tried with numbers that such a grid may take in one round, and more make several.
"""

import math
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cudalint.analyses.static_shared import shared_variables
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.races.checking import pair
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog

_ROUNDS = (
    (4, 0),
    (2, 96),
    (3, 26),
    (2, 11),
)  # times the threads of the grid, and how many more: per valuation


def of_grid_rounds(kernel: KernelRuns, known: Iterable[Race]) -> Iterator[Race]:
    """Those in shared memory that the regular runs do not show."""
    if not kernel.runs or not kernel.whole or not shared_variables(kernel.unit, kernel.function):
        return
    run = kernel.runs[0]
    shape = run.plan.configuration
    threads = math.prod(extent or 0 for extent in shape.grid) * math.prod(shape.block)
    bounds = _bounds(kernel.function, run, threads) if threads and shape.origin is Origin.LAUNCH else {}
    if not bounds:
        return
    sizes = tuple(times * threads + more for times, more in _ROUNDS)
    mode = RunMode(numbers=dict.fromkeys(bounds, sizes), uncounted=True)
    done = run_plan(kernel.unit, kernel.function, run.plan, kernel.options, mode, (RaceLog,))
    if done.failure or done.machine.state.spent:
        return
    pairs = {pair(race) for race in known}
    names, one = " and ".join(f"`{name}`" for name in bounds.values()), "is" if len(bounds) == 1 else "are"
    for race in races([done], kernel.function.name):
        if race.space == "shared" and race.back_edge and race.certain and pair(race) not in pairs:
            yield replace(race, certain=False, condition=f"{names} {one} more than the grid takes in a round")


def _bounds(function: Function, run: Run, threads: int) -> dict[int, str]:
    """The parameters, by their variables, that end loops of a kernel which strides over the grid, and of
    which no number that is tried is larger than its threads.
    """
    if not any(one.name == "gridDim" for one in find(function.body, e.Builtin)):
        return {}
    small = {p.name for p in run.parameters if p.tried and not p.pointer and max(p.tried) <= threads}
    found: dict[int, str] = {}
    for loop in find(function.body, s.Loop):
        condition = uncast(loop.condition) if loop.condition is not None else None
        end = uncast(condition.right) if isinstance(condition, e.Binary) else None
        if isinstance(end, e.VariableReference) and end.variable.name in small:
            found[end.variable.id] = end.variable.name
    return found
