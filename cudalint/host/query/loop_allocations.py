"""What a loop allocates and frees, or creates and destroys, in every iteration."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Interval, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import QUEUED, is_steady, round_of, rounds_by_id, walks
from cudalint.ir import expressions as e
from cudalint.source.span import Span

_SHORT = 32  # iterations of an inner loop, whose launches may take no longer than the allocation
_SIZES = {  # positions of the size, (1,) for the others
    "cudaMallocPitch": (2, 3),
    "cudaMalloc3D": (1,),
    "cudaMallocArray": (2, 3),
    "cudaMalloc3DArray": (2,),
}


class Pair(Struct, frozen=True):
    """An allocation and the call that frees it, in the same iteration or in the next. varies: its size may be
    another in each iteration.
    """

    made: HostCall
    gone: HostCall
    times: int = 1  # executions per iteration
    kept: bool = False  # until the next iteration
    varies: bool = False


class LoopAllocations(Struct, frozen=True):
    """What one loop allocates and frees: pairs of one kind, memory before streams. timed: in an interval that
    the program times, or the loop is not timed at all.
    """

    loop: Rounds
    pairs: tuple[Pair, ...]  # of the same size in all iterations, or kept, one per source location
    others: tuple[HostCall, ...]  # others with a size that may change, or in a branch
    timed: bool = True


def loop_allocations(host: HostFacts) -> Iterator[LoopAllocations]:
    """The loops of each walk that allocate in every iteration."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        groups: dict[int, list[Pair]] = {}
        for pair in _pairs(calls, rounds):
            groups.setdefault(_repeating(pair.made, rounds), []).append(pair)
        for number, pairs in groups.items():
            loop = rounds.get(number)
            if loop is None:
                continue
            steady = sorted(_one_per_site(pairs, loop), key=lambda pair: pair.made.kind)
            if steady:
                same = tuple(pair for pair in steady if pair.made.kind == steady[0].made.kind)
                timed = _is_timed(calls, steady, host.intervals)
                yield LoopAllocations(loop, same, tuple(_others(calls, same, number)), timed)


def _repeating(made: HostCall, rounds: dict[int, Rounds]) -> int:
    """The innermost loop round an allocation that has more than one iteration."""
    several = [number for number in made.loops if number not in rounds or rounds[number].count != 1]
    return several[-1] if several else made.loop_id


def _pairs(calls: tuple[HostCall, ...], rounds: dict[int, Rounds]) -> Iterator[Pair]:
    """What an iteration of its innermost loop allocates, and it or the next one frees, with GPU work between:
    its own, or that of short loops in it.
    """
    for index, made in enumerate(calls):
        if made.kind not in ("allocate", "stream-create") or not made.loops or "Async" in made.name:
            continue
        round_ = round_of(calls, index)[1]
        ends = next((i for i, other in enumerate(round_) if _frees(other, made)), None)
        kept = ends is None
        if ends is None:
            round_ += _next_round(calls, made)
            ends = next((i for i, other in enumerate(round_) if _frees(other, made)), None)
        if ends is None or any(other.name == "cudaSetDevice" for other in _round(calls, made)):
            continue
        work = [other for other in round_[:ends] if other.kind in QUEUED]
        inner = {number for other in work for number in other.loops[made.loop :]}
        if work and all(_is_short(rounds.get(number)) for number in inner):
            yield Pair(made, round_[ends], kept=kept)


def _next_round(calls: tuple[HostCall, ...], made: HostCall) -> list[HostCall]:
    """The calls of the iteration after that of an allocation, where the model runs them one by one."""
    if made.iteration < 0:
        return []
    after = (made.loops, *made.turns[:-1], made.iteration + 1)
    depth = made.loop
    return [
        other
        for other in calls[made.order + 1 :]
        if (other.loops[:depth], *other.turns[: depth - 1], *other.turns[depth - 1 : depth]) == after
    ]


def _is_short(loop: Rounds | None) -> bool:
    return loop is not None and loop.count is not None and loop.count <= _SHORT


def _round(calls: tuple[HostCall, ...], call: HostCall) -> Iterator[HostCall]:
    return (other for other in calls if other.loops[: call.loop] == call.loops)


def _frees(other: HostCall, made: HostCall) -> bool:
    if (other.loops, other.conditions) != (made.loops, made.conditions):
        return False
    if made.kind == "stream-create":
        return other.kind == "stream-destroy" and other.stream == made.stream
    if other.span == made.span:  # a library's temporary memory
        return other.kind == "free"
    ends = other.kind == "free" and None not in (other.destination, made.destination)
    return ends and other.destination.id == made.destination.id  # type: ignore[union-attr]


def _others(calls: tuple[HostCall, ...], reported: tuple[Pair, ...], number: int) -> list[HostCall]:
    """Other memory that the loop allocates and frees, with a size that may change or in a branch."""
    places = {pair.made.span for pair in reported}
    freed = {call.destination.id for call in calls if call.kind == "free" and call.destination is not None}
    more = {
        call.span: call
        for call in calls
        if call.kind == reported[0].made.kind == "allocate"
        and number in call.loops
        and call.span not in places
        and call.destination is not None
        and call.destination.id in freed
    }
    return list(more.values())


def _is_timed(calls: tuple[HostCall, ...], pairs: list[Pair], intervals: tuple[Interval, ...]) -> bool:
    """Whether the pairs are in an interval that the program times, or the loop is not timed at all."""
    loop = pairs[0].made.loop_id
    inside = [call for call in calls if loop in call.loops]
    first, last = inside[0].order, inside[-1].order
    parts = [
        (start, stop) for start, stop in measured(calls, intervals) if start <= last + 1 and stop >= first
    ]
    at = {order for pair in pairs for order in (pair.made.order, pair.gone.order)}
    return not parts or any(start <= order < stop for start, stop in parts for order in at)


def _one_per_site(pairs: list[Pair], loop: Rounds) -> Iterator[Pair]:
    """One pair per source location whose size is the same in all iterations, or that the program keeps until
    the next one: what keeps a buffer can keep one that is large enough.
    """
    sites: dict[Span, list[Pair]] = {}
    for pair in pairs:
        sites.setdefault(pair.made.span, []).append(pair)
    for found in sites.values():
        first = found[0].made
        steady = _is_steady(found, loop)
        if first.conditions == loop.conditions and (steady or _is_kept(found)):
            same = [p for p in found if (p.made.loops, p.made.iteration) == (first.loops, first.iteration)]
            yield Pair(first, found[0].gone, len(same), found[0].kept, not steady)


def _is_kept(pairs: list[Pair]) -> bool:
    """Whether each iteration replaces what the one before has left, and not by more and more."""
    return len(pairs) > 1 and all(pair.kept for pair in pairs) and not _is_series([p.made for p in pairs])


def _is_series(made: list[HostCall]) -> bool:
    """Whether the sizes that were run change by one step or factor, as a program grows a buffer until it
    suffices, or measures one size after the other.
    """
    sizes = [call.bytes if call.bytes is not None else call.sample for call in made]
    known = [size for size in sizes if size]
    if len(known) < len(sizes):
        return False
    steps = {after - before for before, after in pairwise(known)}
    factors = {after / before for before, after in pairwise(known)}
    return 0 not in steps and 1 in (len(steps), len(factors))


def _is_steady(pairs: list[Pair], loop: Rounds) -> bool:
    """Whether the size is the same in all iterations."""
    made = pairs[0].made
    if made.kind == "stream-create":
        return True
    sizes = {pair.made.bytes for pair in pairs}
    if None not in sizes:
        return len(sizes) == 1
    if sizes == {None} and made.name not in _SIZES and len({pair.made.sample for pair in pairs}) == 1:
        return True
    if not isinstance(made.expression, e.Call):
        return False
    arguments = made.expression.arguments
    places = _SIZES.get(made.name, (1,))
    return all(place < len(arguments) and is_steady(arguments[place], loop) for place in places)
