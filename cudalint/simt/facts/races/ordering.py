"""What orders the threads of a kernel and what does not: its barriers and its races."""

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.guard_values import Numbers, wanted
from cudalint.analyses.offsets import offset_parameters
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.barriers import Barrier, barriers, decided_by_data, merged
from cudalint.simt.facts.fact import GIVEN, Fact, KernelRuns
from cudalint.simt.facts.races import scatter
from cudalint.simt.facts.races.checking import checked, pair
from cudalint.simt.facts.races.coinciding_blocks import of_coinciding_blocks
from cudalint.simt.facts.races.default_sizes import of_default_sizes
from cudalint.simt.facts.races.grid_rounds import of_grid_rounds
from cudalint.simt.facts.races.pairs import races
from cudalint.simt.facts.races.race import Race
from cudalint.simt.facts.races.scatter import unknown_shared_places
from cudalint.simt.facts.races.small_grid import of_small_grids
from cudalint.simt.interpret.tickets import taken
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import Plan, axes_used, other_shapes
from cudalint.simt.launch.fitting import fitting_block
from cudalint.simt.launch.kernel_run import ModelOptions, Run, RunMode, run_plan
from cudalint.simt.launch.shapes import agrees
from cudalint.simt.threads.covering import Covering
from cudalint.simt.threads.race_log import RaceLog
from cudalint.source.span import Span

_LOG = (RaceLog,)
_FEW_THREADS = 64
_OFFSETS = (1, 2, 3, 5)  # what an offset may be


def ordering(
    unit: Unit, function: Function, runs: list[Run], further: Sequence[Run], options: ModelOptions
) -> tuple[tuple[Barrier, ...], tuple[Race, ...]]:
    """Barriers and races. Where the shape of the launch is not known, a race is one of the block that the
    shared arrays are made for, or else one that every one of several quite different shapes shows. So is a
    barrier that threads miss; an early return never is, for the number of threads decides who returns.
    further: runs that came to more accesses than these.
    """
    if not runs:
        return (), ()
    waits = barriers(runs, function.name)
    open = any(one.reached_by == "unknown" for one in waits)
    open |= bool(waits) and any(run.machine.barriers.chance for run in runs)
    if open and runs[0].plan.configuration.origin in GIVEN:
        how = RunMode(arbitrary=True, uncounted=True)
        done = run_plan(unit, function, runs[0].plan, options, how)
        waits = waits if done.failure else decided_by_data(waits, done, function.name)
    fitted = _fitted(unit, function, runs[0], options)
    tried = [fitted] if fitted else runs
    guessed = function.assumed or tried[0].plan.configuration.origin == Origin.USUAL
    if guessed and any(map(_misfits, tried)):
        return waits, ()  # no program chooses these arguments for its template, or such a block
    conflicts = races(tried, function.name)
    if (conflicts and not fitted) or any(b.reached_by == "some" for b in waits):
        others = [run for run in runs[1:] if run.plan.configuration.origin == Origin.USUAL]
        for done in (*others, *_other_shapes(unit, function, runs[0].plan, options, RunMode())):
            waits = tuple(_still_missed(b, done, function.name) for b in waits)
            conflicts = conflicts if fitted else _still_there(conflicts, done, function.name, runs[0])
    conflicts = checked(unit, function, tried[0].plan, options, conflicts, RunMode(uncounted=True))
    trials = _trials(unit, function, tried, _forced(tried, further))
    more = tuple(_conditional(unit, function, tried, options, conflicts, trials))
    shown = {pair(race) for race in more}
    return waits, (*(race for race in conflicts if pair(race) not in shown), *more)


def _is_guess(race: Race) -> bool:
    """Whether it takes data that may not be, which a run with made-up data finds out."""
    return race.space == "global" and race.data_dependent and not race.certain


def _fitted(unit: Unit, function: Function, usual: Run, options: ModelOptions) -> Run | None:
    """Where the shape is a guess, or the most that a launch can have and more than the shared arrays hold: a
    run with the block that they fit, if there is one.
    """
    plan = usual.plan
    limited = plan.configuration.origin == Origin.LIMIT and _misfits(usual)
    if plan.configuration.origin != Origin.USUAL and not limited:
        return None
    block = fitting_block(function, axes_used(function))
    if block is None or not agrees(block, plan.told):
        return None
    if limited and any(own > most for own, most in zip(block, plan.configuration.block, strict=True)):
        return None
    configuration = replace(plan.configuration, block=block, origin=Origin.FITTED)
    done = run_plan(unit, function, replace(plan, configuration=configuration), options, watch=_LOG)
    return None if _misfits(done) or done.failure else done


def _misfits(done: Run) -> bool:
    """Whether some of the numbers tried lead out of shared arrays."""
    return any(site.misfit for site in done.machine.recorder.accesses.values())


def _conditional(
    unit: Unit,
    function: Function,
    runs: list[Run],
    options: ModelOptions,
    known: tuple[Race, ...],
    trials: Iterable["_Trial"],
) -> Iterator[Race]:
    """Races that only further runs show."""
    pairs = {pair(race) for race in known if not _is_guess(race)}
    plan = runs[0].plan
    for trial in trials:
        done = run_plan(unit, function, plan, options, replace(trial.how, uncounted=True), _LOG)
        shown = races([done], function.name, trial.lasting)
        covering = done.seen(RaceLog).covering or {}
        found = tuple(
            race
            for race in shown
            if pair(race) not in pairs and not race.data_dependent and trial.includes(race, covering)
        )
        if found:
            for other in _other_shapes(unit, function, plan, options, trial.how):
                found = _still_there(found, other, function.name, runs[0], trial.lasting)
        pairs |= {pair(race) for race in found}
        for race in found:
            yield trial.concluded(race)


def _other_shapes(
    unit: Unit, function: Function, plan: Plan, options: ModelOptions, how: RunMode
) -> Iterator[Run]:
    """Where the shape is a guess, or the text's alone: runs with shapes unlike it."""
    if plan.configuration.origin in (Origin.USUAL, Origin.TEXT):
        for other in other_shapes(function, plan):
            yield run_plan(unit, function, other, options, replace(how, uncounted=True), _LOG)


def _still_there(
    conflicts: tuple[Race, ...], done: Run, kernel: str, usual: Run, lasting: bool = True
) -> tuple[Race, ...]:
    """The races that this run shows, too. A kernel whose blocks wait is not made for a block of a warp or two
    alone: what only those are free of stands, with the condition.
    """
    seen = {pair(race) for race in races([done], kernel, lasting)} if conflicts else set()
    threads = math.prod(done.plan.configuration.block)
    if threads <= _FEW_THREADS and bool((usual.machine.events.moment.interval > 0).any()):
        more = f"the block has more than {threads} threads"
        return tuple(
            race if pair(race) in seen else replace(race, condition=_both(race, more)) for race in conflicts
        )
    return tuple(race for race in conflicts if pair(race) in seen)


def _both(race: Race, condition: str) -> str:
    """The race's condition, and a further one."""
    return f"{race.condition} and {condition}" if race.condition else condition


def _still_missed(barrier: Barrier, done: Run, kernel: str) -> Barrier:
    """The barrier; as unknown where this run has all threads come to it."""
    if barrier.reached_by != "some":
        return barrier
    missed = {b.span for b in barriers([done], kernel) if b.reached_by == "some"}
    if barrier.span in missed and not barrier.returned:
        return barrier
    return replace(barrier, reached_by="unknown")


class _Trial(Struct, frozen=True):
    """A further run that may show a race, and the condition of such a race."""

    how: RunMode
    condition: str

    @property
    def lasting(self) -> bool:
        """Whether the same two threads have to race under all valuations."""
        return False

    def includes(self, race: Race, covering: Covering) -> bool:
        """Whether the run is meant to show such races."""
        return True

    def concluded(self, race: Race) -> Race:
        """The race with what it depends on."""
        return replace(race, certain=False, condition=_both(race, self.condition))


class _Small(_Trial, frozen=True):
    """With small sizes. The condition does not tell which."""

    @property
    def lasting(self) -> bool:
        return True


class _Tickets(_Trial, frozen=True):
    """With what atomics count. How far that leads into what another pointer stands for, nobody knows."""

    def includes(self, race: Race, covering: Covering) -> bool:
        return race.one_pointer


class _Offsets(_Trial, frozen=True):
    """With small offsets. Two writes are to parts of an array whose length the offset is."""

    def includes(self, race: Race, covering: Covering) -> bool:
        return race.kind == "read-write"


class _Reached(_Trial, frozen=True):
    """With numbers that lead to accesses to shared memory."""

    accesses: frozenset[Span]

    def includes(self, race: Race, covering: Covering) -> bool:
        return race.space == "shared" and bool(pair(race) & self.accesses)


class _Data(_Trial, frozen=True):
    """With made-up data. Of shared memory, an access at a place that data decides counts against others whose
    place it does not, if they go over the whole array. shared: such places, with the variable that each goes
    through.
    """

    shared: dict[Span, e.Variable | None]

    def includes(self, race: Race, covering: Covering) -> bool:
        if not race.witness:
            return False
        places = [side.span for side in (race.first, race.second)]
        told = [span for span in places if span not in self.shared]
        unknown = [span for span in places if span in self.shared]
        if race.space == "global" or len(told) != 1 or len(unknown) != 1:
            return True
        return (
            told[0] in covering
            and not race.same_warp
            and covering[told[0]] in (None, self.shared[unknown[0]])
        )

    def concluded(self, race: Race) -> Race:
        if race.lost_update:
            return race
        return replace(race, certain=False, condition=_both(race, race.witness), data_dependent=True)


def _forced(runs: list[Run], further: Sequence[Run]) -> frozenset[Span]:
    """The accesses to shared memory that threads only came to because they were sent there, where no run was
    cut short.
    """
    if any(run.machine.state.spent for run in runs):
        return frozenset()
    touched = {span for run in runs for span in run.machine.touched}
    return frozenset(
        site.node.span
        for run in further
        for site in run.machine.recorder.accesses.values()
        if site.space == "shared" and site.node.span not in touched
    )


def _trials(unit: Unit, function: Function, runs: list[Run], forced: frozenset[Span]) -> Iterator[_Trial]:
    free = {p.name for p in runs[0].parameters if p.tried and not p.pointer}
    named = {variable.id: variable.name for variable in function.parameters if variable.name in free}
    near = offset_parameters(unit, function) & named.keys()
    if near:
        yield _Offsets(
            RunMode(numbers=dict.fromkeys(near, _OFFSETS)), f"{_names(near, named)} is smaller than the block"
        )
    if _misfits(runs[0]):
        yield _Small(RunMode(small=True), "the sizes fit the shared arrays")
    leading = wanted(unit, function, forced)
    numbers = {variable: leading.numbers[variable] for variable in leading.numbers.keys() & named.keys()}
    if numbers or leading.shared:
        yield _Reached(RunMode(numbers=numbers, remembering=leading.shared), _as_text(numbers, named), forced)
    if taken(unit, function):
        yield _Tickets(RunMode(tickets=True), "threads execute the atomic in thread order")
    if scatter.decided_by_data(function, runs):
        yield _Data(RunMode(arbitrary=True), "", unknown_shared_places(function, runs))


def _as_text(numbers: Numbers, named: dict[int, str]) -> str:
    """What the parameters are, where they have these numbers."""
    small = [variable for variable, choice in numbers.items() if len(choice) > 1]
    parts = [
        f"`{named[variable]}` is {choice[0]}" for variable, choice in numbers.items() if len(choice) == 1
    ]
    if small:
        parts.append(f"{_names(small, named)} {'is' if len(small) == 1 else 'are'} small")
    return " and ".join(parts) or "threads reach these accesses"


def _names(parameters: Iterable[int], named: dict[int, str]) -> str:
    return " and ".join(f"`{name}`" for variable, name in named.items() if variable in parameters)


def _conclude(kernel: KernelRuns) -> tuple[tuple[Barrier, ...], tuple[Race, ...]]:
    further = kernel.once(complete).irregular
    waits, conflicts = ordering(kernel.unit, kernel.function, kernel.runs, further, kernel.options)
    conflicts = (*conflicts, *of_small_grids(kernel, conflicts))
    conflicts = (*conflicts, *of_coinciding_blocks(kernel, conflicts))
    conflicts = (*conflicts, *of_grid_rounds(kernel, conflicts))
    conflicts = (*conflicts, *of_default_sizes(kernel, conflicts))
    if kernel.launches and not any(launch.reached for launch in kernel.launches):
        conflicts = ()  # the program's constants keep it from being run, whatever its shape were
    if kernel.ragged:
        ends = barriers(kernel.ragged, kernel.function.name)
        waits = merged((*waits, *(barrier for barrier in ends if barrier.remainder is not None)))
    return waits, conflicts


FACT = Fact(of=(Barrier, Race), conclude=_conclude, watch=_LOG)
