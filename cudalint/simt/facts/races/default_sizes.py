"""Races at places that data decides, in code that no run with sizes that were tried comes to: with the sizes
that the program has where nothing stands on its command line.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.races.checking import pair
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog
from cudalint.source.span import Span

_LAUNCHES = 2


def of_default_sizes(kernel: KernelRuns, known: Iterable[Race]) -> Iterator[Race]:
    """Those between accesses to global memory one of which is such a store."""
    stores = _unreached_stores(kernel)
    if not stores or any(race.space == "global" for race in known):
        return
    for launch in [launch for launch in kernel.defaults if launch.reached][:_LAUNCHES]:
        plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
        if plan.configuration.origin != Origin.LAUNCH:
            continue
        mode = RunMode(arbitrary=True, uncounted=True)
        done = run_plan(kernel.unit, kernel.function, plan, kernel.options, mode, (RaceLog,))
        found = races([done], kernel.function.name) if not done.failure else ()
        shown = [race for race in found if race.space == "global" and race.witness and pair(race) & stores]
        if shown:
            yield from (
                replace(
                    race,
                    certain=False,
                    condition=f"{race.witness}, with the default sizes",
                    data_dependent=True,
                )
                for race in shown
            )
            return


def _unreached_stores(kernel: KernelRuns) -> frozenset[Span]:
    """Stores to global memory at unknown places that threads only came to because they were sent there."""
    touched = {span for run in kernel.runs for span in run.machine.touched}
    return frozenset(
        site.node.span
        for run in kernel.once(complete).irregular
        for site in run.machine.recorder.accesses.values()
        if site.operation == "store"
        and site.space == "global"
        and site.unknown
        and site.node.span not in touched
    )
