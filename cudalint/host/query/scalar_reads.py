"""Loops that fetch a number in every iteration, to decide whether to go on, or to look at it later."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from cudalint.analyses.divisibility import bare
from cudalint.host.facts import HostCall, HostFacts, Rounds, Use
from cudalint.host.walks import QUEUED, round_of, rounds_by_id, walks
from cudalint.ir import expressions as e

ScalarUse = Literal["", "inside", "launched", "last", "each"]


class ScalarRead(Struct, frozen=True):
    """A copy of a few bytes that the host waits for, and the work of the same iteration. wait: the call that
    waits, of an asynchronous copy; also: further such copies of the iteration; idle: its other waits, which
    such a copy makes needless; sets: copies of a few bytes to the device, which wait as well. use: the host
    looks at it in the loop, or hands it to the loop's launches, or looks later at what the last iteration
    fetched, or at what each did.
    """

    call: HostCall
    work: tuple[HostCall, ...]
    loop: Rounds
    wait: HostCall | None = None
    also: tuple[HostCall, ...] = ()
    idle: tuple[HostCall, ...] = ()
    sets: tuple[HostCall, ...] = ()
    use: ScalarUse = "inside"


def scalar_reads(host: HostFacts, most: float) -> Iterator[ScalarRead]:
    """The copies to the host of at most `most` bytes that are all that a loop waits for, in every iteration:
    the number of iterations is not known, or a break ends it.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        judged: set[int] = set()
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            if loop is None or call.loop_id in judged or not _fetches(call, loop, most):
                continue
            before, after = round_of(calls, index)
            wait = None if call.blocking else _wait(call, after, loop)
            if not call.blocking and wait is None:
                continue
            judged.add(call.loop_id)
            others = [other for other in (*before, *after) if other.span != call.span and other != wait]
            also = tuple(other for other in others if other.blocking and _fetches(other, loop, most))
            idle = tuple(other for other in others if _waits_as_well(other, call))
            others = [other for other in others if other not in also and other not in idle]
            work = tuple(other for other in others if other.kind == "launch")
            use = _use(calls, call, loop, host.uses)
            if use == "inside" and any(_is_handed(one, launch) for one in (call, *also) for launch in work):
                use = "launched"
            here = use in ("inside", "launched")
            if work and use and all(_is_queued(other, loop, most, here) for other in others):
                sets = tuple(other for other in others if other.blocking and other.direction == "HtoD")
                yield ScalarRead(call, work, loop, wait, also, idle, sets, use)


def _wait(call: HostCall, after: Sequence[HostCall], loop: Rounds) -> HostCall | None:
    """The call behind an asynchronous copy that waits for its stream in every iteration, with nothing but
    work of the host between them.
    """
    for other in after:
        if other.kind == "synchronise":
            every = other.conditions == loop.conditions and "Event" not in other.name
            return other if every and other.stream in ("", call.stream) else None
        if other.kind not in ("host-work", "copy", "event-record") or other.unseen:
            return None
    return None


def _waits_as_well(other: HostCall, call: HostCall) -> bool:
    """Whether the other call waits for the same stream, or for all."""
    return other.kind == "synchronise" and not other.unseen and other.stream in ("", call.stream)


def _fetches(call: HostCall, loop: Rounds, most: float) -> bool:
    small = call.bytes is not None and 0 < call.bytes <= most
    every = call.conditions == loop.conditions and not call.captured
    return call.kind == "copy" and call.direction == "DtoH" and small and every


def _is_handed(call: HostCall, launch: HostCall) -> bool:
    """Whether a launch is handed the variable that a copy fetches."""
    held, fact = call.destination, launch.launch
    if held is None or held.span is None or fact is None:
        return False
    named = [bare(argument) for argument in fact.expression.arguments or ()]
    return any(isinstance(one, e.VariableReference) and one.variable.span == held.span for one in named)


def _is_queued(other: HostCall, loop: Rounds, most: float, here: bool) -> bool:
    """Whether a call of the iteration does not block for long, nor may: it queues work, sets the number that
    is fetched, or stands in a branch. here: the host looks at the number in the loop, whoever else does.
    """
    rare = other.conditions != loop.conditions
    if other.unseen:
        return rare and here
    resets = other.kind == "copy" and other.direction == "HtoD" and 0 < (other.bytes or 0) <= most
    return rare or resets or (other.kind in QUEUED and not other.blocking) or other.kind == "host-work"


def _use(calls: Sequence[HostCall], call: HostCall, loop: Rounds, uses: Sequence[Use]) -> ScalarUse:
    """What the host does with what is fetched; '' where that is not known, or the loop has few iterations."""
    if call.read_at is None or (loop.count is not None and not loop.exits):
        return ""
    if call.read_in[: call.loop] == call.loops:
        return "inside"
    same = [other for other in calls if (other.span, other.loops) == (call.span, call.loops)]
    ends = {(other.destination, other.destination_place) for other in same}
    if len(ends) > 1 or any(place is None or place.offset is None for _, place in ends):
        return "each"
    return "" if _goes_back(calls, call, uses) else "last"


def _goes_back(calls: Sequence[HostCall], call: HostCall, uses: Sequence[Use]) -> bool:
    """Whether a later iteration uploads what was fetched, which the host has not changed."""
    later = [other for other in calls if other.order > call.order and other.loops[: call.loop] == call.loops]
    held = call.destination
    for other in later:
        if held is None or other.direction != "HtoD" or other.source is None or other.source.id != held.id:
            continue
        return not any(
            use.write and use.buffer == held.id and call.order < use.order <= other.order
            for use in uses
            if use.function == call.function
        )
    return False
