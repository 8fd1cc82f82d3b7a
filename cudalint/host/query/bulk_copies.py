"""How many bytes the copies of one pageable buffer move in all."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds, Turn
from cudalint.host.forms import places
from cudalint.host.query.delaying_copies import delaying, is_staged
from cudalint.host.walks import along, holds, home, host_side, likely_bytes, rounds_by_id, stream_kinds, walks
from cudalint.ir.unit import Unit
from cudalint.source.span import Span


class Traffic(Struct, frozen=True):
    """The copies of one buffer; per iteration where the trip count is unknown."""

    total: int  # bytes of all copies that are surely made
    copies: int
    open: tuple[int, ...]  # the loops of unknown trip count
    size: int | None  # bytes of the buffer, or of the part that is copied
    unsized: int = 0  # copies of a number of bytes that nobody knows, likewise
    places: tuple[Span, ...] = ()  # of the copies that are counted
    run: bool = False  # with bytes of the run that a build file has
    maybe: tuple[int, ...] = ()  # bytes of each copy under a condition
    most: int = 0  # bytes of copies that the device has told the size of, at most, outside of loops
    fresh: bool = False  # each iteration has a buffer of its own, and gives it back
    grows: bool = False  # more is copied from iteration to iteration: there are more bytes than those

    @property
    def once(self) -> "Traffic":
        """With the copies under conditions, each of them once."""
        total, copies = self.total + sum(self.maybe), self.copies + len(self.maybe)
        return replace(self, total=total, copies=copies, maybe=())


def copied_buffers(host: HostFacts, unit: Unit, least: float) -> Iterator[list[tuple[HostCall, Traffic]]]:
    """For each walk the pageable buffers with their first copy in a loop, or else their first; without those
    that may live for one iteration only and those of copies that delay other work. Buffers that the function
    with the loop gives back in the iteration, which could be kept, count as one. least: bytes of a copy that
    counts.
    """
    rounds, ended = rounds_by_id(host), dict(host.ended)
    kinds = stream_kinds(host)
    for calls in walks(host):
        told = {c.destination.id for c in calls if c.direction == "DtoH" and c.destination is not None}
        delay = {call.span for call, _ in delaying(calls, kinds)} if any(map(is_staged, calls)) else set()
        groups: dict[tuple[int, tuple[int, ...]], list[HostCall]] = {}
        others: set[int] = set()
        places: dict[tuple[Span, int], set[int]] = {}
        fresh: dict[object, int] = {}  # the first one, by where it is allocated
        first = dict(_taking_turns(calls, rounds))
        for call in calls:
            buffer = host_side(call)
            if buffer is None:
                continue
            places.setdefault((call.span, call.loops[0] if call.loops else -1), set()).add(buffer.id)
            if call.host_space == "pageable" and not call.captured and call.span not in delay:
                open_ = _open_loops(call, rounds) if _is_unconditional(call, rounds) else ()
                number = first.get(buffer.id, buffer.id)
                end = ended.get(number)
                if end is not None and _is_of_helper(buffer, end, call, unit):
                    number = fresh.setdefault(buffer.span or (end[2], buffer.name), number)
                elif call.loops and end == _own_turn(call, rounds, unit):
                    number = fresh.setdefault((buffer.span, call.loops), number)
                groups.setdefault((number, open_), []).append(call)
            else:
                others.add(buffer.id)
        yield _distinct(
            (
                next((call for call in copies if call.loops), copies[0]),
                replace(
                    _traffic(copies, rounds, open_, least),
                    most=sum(_at_most(copy, told) for copy in copies),
                    fresh=number in fresh.values(),
                ),
            )
            for (number, open_), copies in groups.items()
            if number not in others
            if number in fresh.values()
            or number in first.values()
            or not _is_per_iteration(copies, rounds, places, unit)
        )


def _taking_turns(calls: Iterable[HostCall], rounds: dict[int, Rounds]) -> Iterator[tuple[int, int]]:
    """Buffers that one copy of a loop takes in turn, all of them allocated before it, each by a call of its
    own: with the first of them, in whose name all are counted.
    """
    found: dict[tuple[Span, int], dict[int, Buffer]] = {}
    for call in calls:
        buffer = host_side(call)
        if call.loops and buffer is not None:
            found.setdefault((call.span, call.loops[0]), {})[buffer.id] = buffer
    for (_, loop), buffers in found.items():
        spans = {buffer.span for buffer in buffers.values() if buffer.span is not None}
        around = rounds[loop].span if loop in rounds else None
        outside = around is not None and not any(holds(around, span) for span in spans)
        if 1 < len(buffers) == len(spans) and outside:
            yield from ((number, min(buffers)) for number in buffers)


def _distinct(found: Iterable[tuple[HostCall, Traffic]]) -> list[tuple[HostCall, Traffic]]:
    """Buffers of iterations once each: a loop in a loop is told for each iteration of the outer one that is
    run one by one.
    """
    kept: dict[object, tuple[HostCall, Traffic]] = {}
    for call, traffic in found:
        buffer = host_side(call)
        inner = traffic.fresh and traffic.places and len(call.loops) > 1 and buffer is not None
        key = (
            (buffer.span, buffer.name, traffic.places, call.came_by)
            if inner and buffer is not None
            else len(kept)
        )
        kept.setdefault(key, (call, traffic))
    return list(kept.values())


def _is_of_helper(buffer: Buffer, end: Turn, call: HostCall, unit: Unit) -> bool:
    """Whether a helper has the buffer for the time of its call. end: where it is given back."""
    loops, turns, function = end
    during = (call.loops[: len(loops)], call.turns[: len(loops)]) == (loops, turns)
    made = home(unit, buffer.span) if buffer.span is not None else function
    return during and made == function != call.function


def _own_turn(call: HostCall, rounds: dict[int, Rounds], unit: Unit) -> Turn:
    """The iteration that a call in a loop stands in, in the function with the loop."""
    loop = rounds.get(call.loops[-1])
    return call.loops, call.turns, home(unit, loop.span if loop is not None else None)


def _is_per_iteration(
    copies: list[HostCall], rounds: dict[int, Rounds], places: dict[tuple[Span, int], set[int]], unit: Unit
) -> bool:
    """Whether a buffer may live for one iteration only: it is allocated in the loop, or in a function called
    there, or one call copies several buffers.
    """
    for call in copies:
        buffer = host_side(call)
        if not call.loops or buffer is None:
            continue
        spans = [rounds[number].span for number in call.loops if number in rounds]
        if len(places[call.span, call.loops[0]]) > 1 or any(holds(span, buffer.span) for span in spans):
            return True
        at = home(unit, call.span)
        if at == home(unit, buffer.span) and any(home(unit, span) != at for span in spans):
            return True
    return False


def _open_loops(call: HostCall, rounds: dict[int, Rounds]) -> tuple[int, ...]:
    """The loops around a call whose trip count is unknown."""
    return tuple(n for n in call.loops if n not in rounds or rounds[n].count is None)


def _traffic(
    copies: list[HostCall], rounds: dict[int, Rounds], open_: tuple[int, ...], least: float
) -> Traffic:
    """The copies of a buffer that run in every iteration, times the known trip counts, and those under
    conditions once, as far as they have `least` bytes.
    """
    executions = Counter((call.span, call.loops, call.iteration) for call in copies)
    total = count = unsized = 0
    maybe: list[int] = []
    seen = set()
    places: dict[Span, None] = {}
    for call in copies:
        place = (call.span, call.loops[:1])
        likely = likely_bytes(call)
        small = (likely is not None and likely < least) or _room(call) < least
        if small or (call.loops and place in seen):
            continue
        if not _is_sure(call, copies[0], rounds):
            if not _is_unconditional(call, rounds):
                seen.add(place)
                places[call.span] = None
                maybe.append(call.bytes or call.as_run or 0)
            continue
        seen.add(place)
        places[call.span] = None
        times = executions[call.span, call.loops, call.iteration] if call.loops else 1
        for number in call.loops:
            times *= 1 if number in open_ else rounds[number].count or 0
        if call.bytes is None and call.as_run is None:
            unsized += times
        else:
            total += int(times * _mean(call, copies))
            count += times
    run = any(call.bytes is None and call.as_run is not None for call in copies)
    return Traffic(
        total,
        count,
        open_,
        _size(copies),
        unsized,
        tuple(places),
        run,
        tuple(maybe),
        grows=any(_grows(call, copies, rounds) for call in copies),
    )


def _grows(call: HostCall, copies: list[HostCall], rounds: dict[int, Rounds]) -> bool:
    """Whether a loop goes on after the iterations that were run one by one, each of which copied more than
    the one before.
    """
    inner = rounds.get(call.loop_id)
    made = [c.bytes or 0 for c in copies if c.span == call.span and c.loops == call.loops]
    more = inner is not None and inner.count is not None and inner.count > len(made)
    return more and len(made) > 1 and all(one < two for one, two in pairwise(made))


def _mean(call: HostCall, copies: list[HostCall]) -> float:
    """Bytes of a copy; where the iterations that were run one by one have several, of one of them."""
    own = call.bytes or call.as_run or 0
    ways = [
        c for c in copies if (c.span, c.loops[:1], c.came_by) == (call.span, call.loops[:1], call.came_by)
    ]
    told = [c.bytes for c in ways if c.bytes is not None and c.conditions == call.conditions]
    return sum(told) / len(told) if call.loops and call.bytes is not None and told else own


def _at_most(call: HostCall, told: set[int]) -> int:
    """The bytes of the device's buffer, which the copy of a result of unknown size moves at most. told:
    variables that copies from the device fill.
    """
    if call.loops or call.conditions or likely_bytes(call) is not None or not call.form:
        return 0
    known = places(call.form) <= told and call.direction == "DtoH" and call.source is not None
    return (call.source.bytes or 0) if known and call.source is not None else 0


def _room(call: HostCall) -> float:
    """The bytes of the smaller buffer, or variable: a copy moves no more."""
    sides = (host_side(call), call.source, call.destination)
    return min((side.bytes for side in sides if side is not None and side.bytes is not None), default=inf)


def _size(copies: list[HostCall]) -> int | None:
    """Bytes of the buffer, as it is allocated, or else as far as the copies of known size reach."""
    buffers = [buffer for copy in copies if (buffer := host_side(copy)) is not None]
    if buffers and all(buffer.bytes is not None for buffer in buffers):
        return max(buffer.bytes or 0 for buffer in buffers)
    ends = [None if c.host_offset is None or c.bytes is None else c.host_offset + c.bytes for c in copies]
    ends = [c.as_run if end is None else end for c, end in zip(copies, ends, strict=True)]
    return max((end for end in ends if end is not None), default=None)


def _is_sure(call: HostCall, first: HostCall, rounds: dict[int, Rounds]) -> bool:
    """Whether a copy is made in every round of its loops, and whenever the first one is made."""
    return _is_unconditional(call, rounds) and along(call, first)


def _is_unconditional(call: HostCall, rounds: dict[int, Rounds]) -> bool:
    """Whether a copy is made in every round of the loops round it, if it is in one."""
    outermost = rounds.get(call.loops[0]) if call.loops else None
    return not call.loops or (outermost is not None and call.conditions == outermost.conditions)
