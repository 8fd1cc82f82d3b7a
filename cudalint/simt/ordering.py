"""What orders the threads of a kernel and what does not: its barriers and its races."""

import math
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir.source import Span
from cudalint.ir.unit import Function, Unit
from cudalint.simt.configure import Plan, axes_used, other_shapes
from cudalint.simt.facts import FITTED, Barrier, Race
from cudalint.simt.fitting import fitting_block
from cudalint.simt.kernel_run import How, ModelOptions, run_plan
from cudalint.simt.merge import Run, barriers
from cudalint.simt.offsets import offset_parameters
from cudalint.simt.races import launches, races
from cudalint.simt.scatter import Pair, scattered_updates, unknown_shared_places
from cudalint.simt.shapes import agrees
from cudalint.simt.tickets import taken

_FEW_THREADS = 64


def ordering(
    unit: Unit, function: Function, runs: list[Run], options: ModelOptions
) -> tuple[tuple[Barrier, ...], tuple[Race, ...]]:
    """Barriers and races. Where the shape of the launch is not known, a race is one of the block that the
    shared arrays are made for, or else one that every one of several quite different shapes shows. So is a
    barrier that threads miss; an early return never is, for the number of threads decides who returns.
    """
    if not runs:
        return (), ()
    waits = barriers(runs, function.name)
    fitted = _fitted(unit, function, runs[0].plan, options)
    tried = [fitted] if fitted else runs
    conflicts = races(tried, function.name)
    if (conflicts and not fitted) or any(b.reached_by == "some" for b in waits):
        for done in _other_shapes(unit, function, runs[0].plan, options, How()):
            waits = tuple(_still_missed(b, done, function.name) for b in waits)
            conflicts = conflicts if fitted else _still_there(conflicts, done, function.name, runs[0])
    conflicts = _checked(unit, function, tried[0].plan, options, conflicts)
    return waits, (*conflicts, *_conditional(unit, function, tried, options, conflicts))


def _fitted(unit: Unit, function: Function, plan: Plan, options: ModelOptions) -> Run | None:
    """Where the shape is a guess: a run with the block that the shared arrays fit, if there is one."""
    if plan.configuration.origin != "usual shape":
        return None
    block = fitting_block(function, axes_used(function))
    if block is None or not agrees(block, plan.told):
        return None
    configuration = replace(plan.configuration, block=block, origin=FITTED)
    done = run_plan(unit, function, replace(plan, configuration=configuration), options)
    outside = any(site.misfit for site in done.machine.recorder.accesses.values())
    return None if outside or done.failure else done


def _checked(
    unit: Unit, function: Function, plan: Plan, options: ModelOptions, conflicts: tuple[Race, ...]
) -> tuple[Race, ...]:
    """Without the races that other sizes, or data that is the same for the same address, refute."""
    if not any(race.doubtful for race in conflicts):
        return conflicts
    done = run_plan(unit, function, plan, options, How(checking=True))
    return tuple(race for race in conflicts if not (race.doubtful and _refuted(race, done)))


def _refuted(race: Race, done: Run) -> bool:
    """Whether the two never meet, or, whatever the launch, do not for some of its numbers though threads as
    far apart make both.
    """
    worlds, hazards = done.machine.state.worlds, done.machine.hazards
    shown = {
        found.valuation
        for found in hazards.conflicts
        if frozenset((found.first[0].node.span, found.second[0].node.span)) == _pair(race)
    }
    reached = hazards.reached or {}
    first = reached.get((race.first.span, race.first.operation), set())
    second = reached.get((race.second.span, race.second.operation), set())
    meet = {
        one // len(worlds.blocks)
        for one in first
        for other in second
        if one // len(worlds.blocks) == other // len(worlds.blocks) and (one == other) == race.same_block
    }
    several = launches(done)
    by_launch = ({v for v in meet if v % several == launch} for launch in range(several))
    return not shown or (bool(meet) and not any(mine and mine <= shown for mine in by_launch))


def _conditional(
    unit: Unit, function: Function, runs: list[Run], options: ModelOptions, known: tuple[Race, ...]
) -> Iterator[Race]:
    """Races that only further runs show."""
    pairs = {_pair(race) for race in known}
    plan = runs[0].plan
    for how, condition, looked_for in _conditions(unit, function, runs):
        done = run_plan(unit, function, plan, options, how)
        shown = races([done], function.name)
        found = tuple(r for r in shown if _pair(r) not in pairs and not r.data_dependent)
        if how.near:  # two writes are to parts of an array whose length the offset is
            found = tuple(race for race in found if race.kind == "read-write")
        if looked_for is not None:
            covering = done.machine.hazards.covering or set()
            found = tuple(
                replace(race, data_dependent=True) for race in found if looked_for.includes(race, covering)
            )
        if found:
            for other in _other_shapes(unit, function, plan, options, how):
                found = _still_there(found, other, function.name, runs[0])
        pairs |= {_pair(race) for race in found}
        for race in found:
            yield replace(race, certain=False, condition=_both(race, condition))


def _other_shapes(
    unit: Unit, function: Function, plan: Plan, options: ModelOptions, how: How
) -> Iterator[Run]:
    """Where the shape is a guess: runs with shapes unlike it."""
    if plan.configuration.origin == "usual shape":
        for other in other_shapes(function, plan):
            yield run_plan(unit, function, other, options, how)


def _pair(race: Race) -> Pair:
    return frozenset((race.first.span, race.second.span))


def _still_there(conflicts: tuple[Race, ...], done: Run, kernel: str, usual: Run) -> tuple[Race, ...]:
    """The races that this run shows, too. A kernel whose blocks wait is not made for a block of a warp or two
    alone: what only those are free of stands, with the condition.
    """
    seen = {_pair(race) for race in races([done], kernel)} if conflicts else set()
    threads = math.prod(done.plan.configuration.block)
    if threads <= _FEW_THREADS and bool((usual.machine.hazards.interval > 0).any()):
        more = f"the block has more than {threads} threads"
        return tuple(
            race if _pair(race) in seen else replace(race, condition=_both(race, more)) for race in conflicts
        )
    return tuple(race for race in conflicts if _pair(race) in seen)


def _both(race: Race, condition: str) -> str:
    """What the race stands on, and a further condition."""
    return f"{race.condition} and {condition}" if race.condition else condition


def _still_missed(barrier: Barrier, done: Run, kernel: str) -> Barrier:
    """The barrier; as unknown where this run has all threads come to it."""
    if barrier.reached_by != "some":
        return barrier
    missed = {b.span for b in barriers([done], kernel) if b.reached_by == "some"}
    if barrier.span in missed and not barrier.returned:
        return barrier
    return replace(barrier, reached_by="unknown")


class _Data(Struct, frozen=True):
    """What is looked for where data is made up: updates of global memory, by their two places, and accesses
    to shared memory at unknown places, against others that go over the whole array.
    """

    updates: frozenset[Pair]
    shared: frozenset[Span]

    def includes(self, race: Race, covering: set[Span]) -> bool:
        if race.space == "global":
            return _pair(race) in self.updates
        places = [side.span for side in (race.first, race.second)]
        told = [span for span in places if span not in self.shared]
        return len(told) == 1 and told[0] in covering and not race.same_warp


def _conditions(unit: Unit, function: Function, runs: list[Run]) -> Iterator[tuple[How, str, _Data | None]]:
    """Further runs that may show a race, what it stands on then, and the accesses that it is looked for."""
    free = {p.name for p in runs[0].parameters if p.tried and not p.pointer}
    offsets = offset_parameters(unit, function)
    near = [v for v in function.parameters if v.id in offsets and v.name in free]
    if near:
        names = " and ".join(f"`{variable.name}`" for variable in near)
        yield How(near=frozenset(v.id for v in near)), f"{names} is smaller than the block", None
    if any(site.misfit for site in runs[0].machine.recorder.accesses.values()):
        yield How(small=True), "the sizes are such that the shared arrays hold them", None
    if taken(unit, function):
        yield How(tickets=True), "the threads come to the atomic in their order", None
    updates = scattered_updates(unit, function, runs)
    shared = unknown_shared_places(function, runs)
    if updates or shared:
        yield How(coinciding=True), "data lead two threads to one place", _Data(updates, shared)
