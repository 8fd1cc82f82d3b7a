"""From the conflicts that the runs showed to races: one a pair of places, with witnesses and condition."""

from cudalint.ir.render import render
from cudalint.simt.conflicts import Conflict, Event, Round, sites
from cudalint.simt.facts import Race, RaceSide, Thread
from cudalint.simt.merge import Run
from cudalint.simt.worlds import Worlds


def _side(worlds: Worlds, event: Event, lane: int, loop: Round | None) -> RaceSide:
    when = f"iteration {loop.number} of the loop at line {loop.loop.line}" if loop is not None else ""
    return RaceSide(
        event.node.span,
        event.operation,
        Thread(worlds.thread_of(lane), worlds.block_of(lane)),
        render(event.node),
        when,
    )


def _apart(a: Event, b: Event) -> tuple[Round, Round] | None:
    """The iterations of the innermost loop round both that the two accesses are in, where they differ."""
    both = [pair for pair in zip(a.rounds, b.rounds, strict=False) if pair[0].loop == pair[1].loop]
    return both[-1] if both and both[-1][0].number != both[-1][1].number else None


def _race(run: Run, found: Conflict, hit: set[int], kernel: str) -> Race:
    worlds = run.machine.state.worlds
    (a, first), (b, second) = found.first, found.second
    loops = _apart(a, b)
    element = found.memory.element or 4
    certain = len(hit) == worlds.valuations and not found.doubtful
    under = next((event.under for event in (b, a) if event.under is not None), None)
    condition = "" if certain else "some sizes are passed"
    if found.doubtful:
        condition = f"`{render(under)}` holds" if under is not None else "the data is such"
    return Race(
        space="shared" if found.memory.space == "shared" else "global",
        first=_side(worlds, a, first, loops[0] if loops else None),
        second=_side(worlds, b, second, loops[1] if loops else None),
        index=f"{found.memory.name}[{found.byte // element}]",
        kind=found.kind,
        kernel=kernel,
        certain=certain,
        condition=condition,
        same_warp=found.same_warp,
        same_block=found.same_block,
        in_step=found.same_warp and a is not b,
        back_edge=loops is not None,
        data_dependent=found.doubtful,
        configuration=run.plan.configuration,
    )


def _strength(found: Conflict) -> tuple[bool, int, int]:
    """Sorts conflicts of one pair of accesses, the most telling first: warps of a block, blocks, a warp."""
    reach = 2 if found.same_warp else 0 if found.same_block else 1
    return found.doubtful, reach, found.valuation


def races(runs: list[Run], kernel: str) -> tuple[Race, ...]:
    """One race a pair of access sites.

    Left unsaid is what stands on numbers that the program may well exclude: what the first valuation (the
    roundest numbers) does not show.
    """
    best: dict[frozenset[object], Race] = {}
    for run in runs:
        inside = (c for c in run.machine.hazards.conflicts if not c.memory.bytes or c.byte < c.memory.bytes)
        for conflicts in sites(inside).values():
            chosen = min(conflicts, key=_strength)
            alike = {c.valuation for c in conflicts if _strength(c)[:2] == _strength(chosen)[:2]}
            if min(alike) > 0:
                continue
            race = _race(run, chosen, alike, kernel)
            key = frozenset((race.first.span, race.second.span))
            old = best.get(key)
            if old is None or (race.certain, not race.same_warp) > (old.certain, not old.same_warp):
                best[key] = race
    return tuple(best.values())
