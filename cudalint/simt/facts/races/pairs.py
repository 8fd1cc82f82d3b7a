"""From the conflicts that the runs showed to races: one a pair of places, with witnesses and condition."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import accessed, is_volatile, reachable, root_of
from cudalint.analyses.settling_stores import settling_stores
from cudalint.analyses.uses import used_with
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.simt.facts.races.data_meetings import is_lost_update, is_meant, is_of_any_shape
from cudalint.simt.facts.races.data_witness import witness
from cudalint.simt.facts.races.race import Race, RaceSide
from cudalint.simt.facts.races.remainders import of_a_remainder
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.conflicts import Conflict, is_scratch, sites
from cudalint.simt.threads.logged import Event, place_of
from cudalint.simt.threads.race_log import RaceLog
from cudalint.simt.threads.watchers import Iteration
from cudalint.simt.values.lanes import COUNTED
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread


def _side(samples: Samples, event: Event, lane: int, loop: Iteration | None) -> RaceSide:
    when = f"iteration {loop.number} of the loop at line {loop.loop.line}" if loop is not None else ""
    return RaceSide(
        event.node.span,
        event.operation,
        Thread(samples.thread_of(lane), samples.block_of(lane)),
        render(event.node),
        when,
    )


def _apart(a: Event, b: Event) -> tuple[Iteration, Iteration] | None:
    """The iterations of the outermost loop round both that the two accesses are in, where they differ."""
    return next((pair for pair in _together(a, b) if pair[0].number != pair[1].number), None)


def _together(a: Event, b: Event) -> Iterator[tuple[Iteration, Iteration]]:
    """The loops that go round both, outermost first."""
    for pair in zip(a.rounds, b.rounds, strict=False):
        if (pair[0].loop, pair[0].entered) != (pair[1].loop, pair[1].entered):
            return
        yield pair


def _called_again(a: Event, b: Event) -> bool:
    """Whether the second access had been made before the first, in the same iteration of what is round both:
    the function that holds it is called again.
    """
    since = max((round.since for round, _ in _together(a, b)), default=0)
    return since < b.previous < a.order


def _race(run: Run, meeting: "_Meeting", kernel: str) -> Race:
    found, samples = meeting.conflict, run.machine.state.samples
    (a, first), (b, second) = found.first, found.second
    loops = _apart(a, b)
    element = found.memory.element or 4
    under = next((event.under for event in (b, a) if event.under is not None), None)
    condition = ""
    if found.doubtful:
        condition = f"`{render(under)}` holds" if under is not None else "the data allows it"
    return Race(
        space="shared" if found.memory.space == "shared" else "global",
        first=_side(samples, a, first, loops[0] if loops else None),
        second=_side(samples, b, second, loops[1] if loops else None),
        index=f"{found.memory.name}[{found.byte // element}]" if meeting.one_place else found.memory.name,
        kind=found.kind,
        kernel=kernel,
        certain=not found.doubtful,
        condition=condition,
        same_warp=found.same_warp,
        same_block=found.same_block,
        in_step=found.same_warp and a is not b,
        back_edge=loops is not None,
        called_again=loops is None and _called_again(a, b),
        data_dependent=found.doubtful,
        doubtful=bool((a.free | b.free) & ~COUNTED)
        or (found.kind == "write-write" and (a.differs or b.differs)),
        volatile=is_volatile(a.node) and is_volatile(b.node),
        across_blocks=meeting.across_blocks,
        both_store=is_scratch(found),
        one_pointer=root_of(accessed(a.node)) == root_of(accessed(b.node)),
        witness=witness(run, found) if run.machine.data is not None else "",
        any_shape=is_of_any_shape(run, found),
        lost_update=run.machine.data is not None and is_lost_update(found),
        configuration=_shape(run),
    )


def _shape(run: Run) -> Configuration:
    """The launch shape, and what it stands on."""
    shape, function = run.plan.configuration, run.machine.state.frames[0].function
    if shape.origin == Origin.BOUNDS and function.assumed:
        return replace(shape, origin=Origin.CHOSEN_BOUNDS)
    return shape


def _reach(found: Conflict) -> tuple[bool, int]:
    """Sorts conflicts of one pair of accesses, the most telling first: warps of a block, blocks, a warp."""
    return found.doubtful, 2 if found.same_warp else 0 if found.same_block else 1


def _chosen(
    conflicts: list[Conflict], samples: Samples, several: int, lasting: bool, outside: set[int]
) -> "_Meeting | None":
    """The most telling of the conflicts that every valuation of one of the launches shows; lasting: by the
    same two threads. outside: valuations that no program has, which are not told.
    """
    for reach in sorted({_reach(found) for found in conflicts}):
        alike = [found for found in conflicts if _reach(found) == reach]
        for launch in range(several):
            valuations = range(launch, samples.valuations, several)
            mine = sorted((c for c in alike if c.valuation in valuations), key=lambda found: found.valuation)
            if {found.valuation for found in mine}.issuperset(valuations):
                meetings = (_met(found, mine, samples) for found in mine if found.valuation not in outside)
                if (first := next((one for one in meetings if one.always or not lasting), None)) is not None:
                    return replace(first, across_blocks=not all(found.same_block for found in conflicts))
    return None


class _Meeting(Struct, frozen=True):
    """A conflict of two threads under the valuations tried."""

    conflict: Conflict
    always: bool  # under every valuation
    one_place: bool  # always at the same bytes
    across_blocks: bool = False  # threads of different blocks conflict, too


def _met(found: Conflict, alike: list[Conflict], samples: Samples) -> _Meeting:
    """Follow the two threads of one of the conflicts through all of them."""
    met = [(other.valuation, _meet(found, other, samples)) for other in alike]
    at = {valuation: place for valuation, place in met if place is not None}
    return _Meeting(found, len(at) == len({valuation for valuation, _ in met}), len(set(at.values())) == 1)


def _meet(found: Conflict, other: Conflict, samples: Samples) -> int | None:
    """Where the two threads of one conflict meet for the numbers of another, in bytes; None for nowhere."""
    apart = (other.valuation - found.valuation) * len(samples.blocks) * samples.padded
    (a, _), (b, _) = other.first, other.second
    first, second = found.first[1] + apart, found.second[1] + apart
    if not (a.mask[first] and b.mask[second]):
        return None
    at, to = place_of(a, first), place_of(b, second)
    return max(at, to) if at < to + b.width and to < at + a.width else None


def launches(run: Run) -> int:
    """How many launches stand side by side, one a valuation in turn; 1 where a number is free."""
    valuations = run.machine.state.samples.valuations
    passed = [argument.values for argument in run.plan.arguments or () if argument.values]
    count = max(map(len, passed), default=1)
    told = {tuple(float(values[v % len(values)]) for v in range(valuations)) for values in passed}
    tried = {tuple(map(float, p.tried)) for p in run.parameters if p.tried and not p.pointer}
    return count if tried <= told else 1


def _inside(found: Conflict) -> bool:
    """Whether both accesses are where the program may make them: not behind the object's end, nor in each
    other's member of one struct.
    """
    if found.memory.bytes and found.byte >= found.memory.bytes:
        return False
    first, second = (_outer_member(event.node) for event, _ in (found.first, found.second))
    if first is None or second is None or first.base.type != second.base.type:
        return True
    if root_of(first) != root_of(second):
        return True
    apart = second.offset - first.offset
    return -second.type.bytes < apart < first.type.bytes


def _outer_member(node: e.Expression) -> e.Member | None:
    """The member of an element that the access is in, or in a part of: the outermost of nested ones. A
    pointer that a struct holds leads out of it.
    """
    found = None
    while isinstance(node, e.Index | e.Member | e.Cast):
        if isinstance(node, e.Index) and isinstance(node.base.type, Pointer):
            break
        if isinstance(node, e.Member):
            found = node
        node = node.operand if isinstance(node, e.Cast) else node.base
    return found


def _for_nothing(run: Run, found: Conflict) -> bool:
    """Whether one thread reads what only serves those that write as the other does, and is none of them."""
    (a, first), (b, second) = found.first, found.second
    if {a.operation, b.operation} != {"load", "store"}:
        return False
    read, write, reader = (a, b, first) if a.operation == "load" else (b, a, second)
    if write.mask[reader]:
        return False
    functions = reachable(run.machine.unit, run.machine.state.frames[0].function)
    served = (used_with(run.machine.unit, function).get(read.node.span, ()) for function in functions)
    return any(write.node.span in stores for stores in served)


def _is_settled(run: Run, found: Conflict) -> bool:
    """Whether one thread reads what another one's store has left or leaves as the reader's own: the reader
    makes that store itself, which changes nothing a second time, now or before it reads.
    """
    (a, first), (b, second) = found.first, found.second
    if {a.operation, b.operation} != {"load", "store"}:
        return False
    read, write, reader = (a, b, first) if a.operation == "load" else (b, a, second)
    writer = first + second - reader
    loads = settling_stores(run.machine.unit, run.machine.state.frames[0].function).get(id(write.node))
    if loads is None or not write.mask[reader] or place_of(write, reader) != place_of(write, writer):
        return False
    return id(read.node) in loads or write.order < read.order


def races(runs: list[Run], kernel: str, lasting: bool = True) -> tuple[Race, ...]:
    """One race a pair of access sites. lasting: the same two threads meet whatever the numbers are that
    nobody knows.

    Left unsaid is what only some of the numbers tried show: the program may well exclude them, unless they
    are those of a launch, or it has code for just these.
    """
    best: dict[frozenset[object], Race] = {}
    for run in runs:
        several = launches(run)
        log = run.seen(RaceLog)
        outside = log.outside or set()
        inside = (
            found
            for found in log.conflicts
            if _inside(found) and not is_meant(run, found)
            if not (_for_nothing(run, found) or _is_settled(run, found))
        )
        for conflicts in sites(inside).values():
            chosen = _chosen(conflicts, run.machine.state.samples, several, lasting, outside)
            left = of_a_remainder(run, conflicts) if chosen is None and several == 1 else None
            if chosen is not None:
                race = _race(run, chosen, kernel)
            elif left is not None:
                found, condition = left
                race = replace(
                    _race(run, _Meeting(found, False, False), kernel), certain=False, condition=condition
                )
            else:
                continue
            key = frozenset((race.first.span, race.second.span))
            old = best.get(key)
            if old is None or (race.certain, not race.same_warp) > (old.certain, not old.same_warp):
                best[key] = race
    return tuple(best.values())
