"""The calls of one walk of the host code, as rules on copies and streams look at them."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from math import prod

from msgspec import Struct

from cudalint.analyses.once import once
from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.source.span import Span

QUEUED = ("launch", "library", "copy", "memset")  # kinds of calls that queue work on a stream

GUESSED = 1024  # bytes of a sample below which it comes from no number of the program


class Between(Struct, frozen=True):
    """A call between queued work that it keeps from running at the same time."""

    before: HostCall
    call: HostCall
    after: HostCall


def walks(host: HostFacts) -> Iterator[tuple[HostCall, ...]]:
    """The calls of each walk, in order."""
    for _, calls in groupby(host.calls, key=lambda call: call.function):
        yield tuple(calls)


def stream_kinds(host: HostFacts) -> dict[str, str]:
    """Kinds by the streams' names; `s[?]` is one of several in an array."""
    found = {stream.name: stream.kind for stream in host.streams}
    for name, kind in list(found.items()):
        array, bracket, _ = name.partition("[")
        if bracket:
            found[f"{array}[?]"] = kind
    return found


def unrolled(calls: tuple[HostCall, ...]) -> Iterator[HostCall]:
    """The calls in order; a loop body that is told once comes twice: its end meets its start."""
    for _, run in groupby(calls, key=lambda call: call.loops[:1]):
        body = tuple(run)
        yield from body
        outermost = [call for call in body if call.loop == 1] or list(body)
        if body[0].loops and all(call.iteration < 0 for call in outermost):
            yield from body


def along(other: HostCall, call: HostCall) -> bool:
    """Whether another call surely runs when this one does: it stands in no further branch."""
    return other.conditions == call.conditions[: len(other.conditions)]


def likely_bytes(call: HostCall) -> int | None:
    """Bytes of a copy, or what they are as the program is run, else without words on its command line."""
    if call.bytes is not None or call.as_run is not None:
        return call.bytes if call.bytes is not None else call.as_run
    if call.sample is None:
        return None
    return call.sample if call.sample >= GUESSED else None


def run_of(host: HostFacts) -> str:
    """The run whose sizes the defaults are."""
    return f"the run in {host.run}" if host.run else "a run without words on the command line"


def host_side(call: HostCall) -> Buffer | None:
    """The buffer of the host that a copy over the bus reads or writes."""
    if call.kind != "copy" or call.direction not in ("HtoD", "DtoH"):
        return None
    return call.source if call.direction == "HtoD" else call.destination


def uses(call: HostCall, buffer: Buffer) -> bool:
    """Whether queued work uses a buffer. Not known: it may."""
    if call.kind == "launch":
        unknown = call.launch is None or call.launch.arguments is None
        return unknown or buffer.id in call.arguments
    sides = (call.destination,) if call.kind == "memset" else (call.source, call.destination)
    return any(side is None or side.id == buffer.id for side in sides)


def rounds_by_id(host: HostFacts) -> dict[int, Rounds]:
    return {loop.loop_id: loop for loop in host.rounds}


def times(call: HostCall, rounds: Mapping[int, Rounds]) -> int | None:
    """How often a call is made, by all the loops round it; None where nobody knows."""
    counts = [rounds[number].count if number in rounds else None for number in call.loops]
    known = [count for count in counts if count is not None]
    return prod(known) if len(known) == len(counts) else None


def home(unit: Unit, place: Span | None) -> str:
    """The function that a place stands in."""
    lines = _lines(unit, unit.functions).get(place.path, {}) if place is not None else {}
    at = place.line if place is not None else 0
    return next((key for (first, last), key in lines.items() if first <= at <= last), "")


@once
def _lines(unit: Unit, functions: dict[str, Function]) -> dict[str, dict[tuple[int, int], str]]:
    """By file: the lines of bodies, each with the first function that has them."""
    found: dict[str, dict[tuple[int, int], str]] = {}
    for key, function in functions.items():
        if function.body is not None:
            span = function.body.span
            found.setdefault(span.path, {}).setdefault((span.line, span.end_line), key)
    return found


def holds(whole: Span, place: Span | None) -> bool:
    """Whether a place stands within the lines of another."""
    return place is not None and place.path == whole.path and whole.line <= place.line <= whole.end_line


def is_steady(node: e.Expression, loop: Rounds) -> bool:
    """Whether an expression, written in a loop, has the same value in all its rounds: plain arithmetic on
    variables that the loop does not change.
    """
    return holds(loop.span, node.span) and all(
        isinstance(n, (e.Literal, e.Cast, e.Unary, e.Binary, e.Member))
        or (isinstance(n, e.VariableReference) and n.variable.id not in loop.changes)
        for n in walk(node)
    )


def goes_through_streams(call: HostCall, others: list[HostCall], level: int = 0) -> bool:
    """Whether a loop uses another stream in every iteration: one in this iteration, several in all. level:
    of the loop, among those round the call; 0: the innermost.
    """
    if level and level < len(call.loops):
        here = {o.stream for o in others if o.turns[level - 1 : level] == call.turns[level - 1 : level]}
    else:
        here = {other.stream for other in others if other.iteration == call.iteration}
    names = {other.stream for other in others}
    return len(here) == 1 and (len(names) > 1 or any("[?]" in name for name in names))


def is_one_of_each(calls: list[HostCall], call: HostCall, others: list[HostCall], level: int) -> bool:
    """Whether a call stands in an inner loop that runs as often as another one of the same iteration, where
    each iteration takes a stream of its own: the parts of one loop are those of the other.
    """
    if len(call.loops) <= level:
        return False
    parts = {one.turns for one in calls if one.span == call.span and one.loops == call.loops}
    streams: dict[tuple[Span, tuple[int, ...]], dict[tuple[int, ...], str]] = {}
    for other in others:
        if len(other.loops) > level:
            streams.setdefault((other.span, other.loops), {})[other.turns] = other.stream
    return any(len(set(one.values())) == len(one) == len(parts) > 1 for one in streams.values())


def round_of(calls: tuple[HostCall, ...], index: int) -> tuple[list[HostCall], list[HostCall]]:
    """What comes before and after a call in the same round of its innermost loop, inner loops included."""
    here = calls[index]

    def same(other: HostCall) -> bool:
        inside = other.loops[: here.loop] == here.loops
        return inside and (other.loop != here.loop or other.iteration == here.iteration)

    start, end = index, index + 1
    while start and same(calls[start - 1]) and not _starts_again(calls[start - 1], calls[start], here):
        start -= 1
    while end < len(calls) and same(calls[end]) and not _starts_again(calls[end - 1], calls[end], here):
        end += 1
    return list(calls[start:index]), list(calls[index + 1 : end])


def _starts_again(before: HostCall, after: HostCall, here: HostCall) -> bool:
    """Whether two neighbours are the end and the start of rounds that cannot be told apart otherwise."""
    return before.order >= after.order or (
        before.span == after.span == here.span and before.kind == after.kind != "host-work"
    )


def footprint(call: HostCall) -> frozenset[int] | None:
    """Ids of the buffers that queued work uses; None where some of them are not known."""
    if call.kind == "launch":
        launch = call.launch
        if launch is None or launch.arguments is None or launch.expression.arguments is None:
            return None
        for argument, written in zip(launch.arguments, launch.expression.arguments, strict=True):
            opaque = isinstance(written.type, t.Opaque | t.Record) and not argument.whole
            if opaque or (isinstance(written.type, t.Pointer) and not argument.buffers):
                return None
        return frozenset(call.arguments)
    sides = (call.destination,) if call.kind == "memset" else (call.source, call.destination)
    if any(side is None for side in sides):
        return None
    return frozenset(side.id for side in sides if side is not None)
