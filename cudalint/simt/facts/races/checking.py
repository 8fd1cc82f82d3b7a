"""Races whose places depend on sizes that nobody knows, looked at again with others."""

from msgspec.structs import replace

from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.races.pairs import launches
from cudalint.simt.facts.races.race import Race
from cudalint.simt.facts.races.scatter import Pair
from cudalint.simt.launch.configure import Plan
from cudalint.simt.launch.kernel_run import ModelOptions, Run, RunMode, run_plan
from cudalint.simt.threads.race_log import RaceLog


def checked(
    unit: Unit,
    function: Function,
    plan: Plan,
    options: ModelOptions,
    conflicts: tuple[Race, ...],
    how: RunMode,
) -> tuple[Race, ...]:
    """Without the races that other sizes, or data that is the same for the same address, refute. how: the
    mode of the run that showed them.
    """
    if not any(race.doubtful for race in conflicts):
        return conflicts
    done = run_plan(unit, function, plan, options, replace(how, checking=True), (RaceLog,))
    return tuple(race for race in conflicts if not (race.doubtful and _refuted(race, done)))


def pair(race: Race) -> Pair:
    """The places of the two accesses."""
    return frozenset((race.first.span, race.second.span))


def _refuted(race: Race, done: Run) -> bool:
    """Whether the two never meet, or, whatever the launch, do not for some of its numbers though threads as
    far apart make both.
    """
    samples, log = done.machine.state.samples, done.seen(RaceLog)
    shown = {
        found.valuation
        for found in log.conflicts
        if frozenset((found.first[0].node.span, found.second[0].node.span)) == pair(race)
    }
    reached = log.reached or {}
    first = reached.get((race.first.span, race.first.operation), set())
    second = reached.get((race.second.span, race.second.operation), set())
    meet = {
        one // len(samples.blocks)
        for one in first
        for other in second
        if one // len(samples.blocks) == other // len(samples.blocks) and (one == other) == race.same_block
    }
    several = launches(done)
    by_launch = ({v for v in meet if v % several == launch} for launch in range(several))
    return not shown or (bool(meet) and not any(mine and mine <= shown for mine in by_launch))
