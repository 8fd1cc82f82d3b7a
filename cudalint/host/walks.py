"""The calls of one walk of the host code, as rules on copies and streams look at them."""

from collections.abc import Iterator
from itertools import groupby

from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk


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


def uses(call: HostCall, buffer: Buffer) -> bool:
    """Whether queued work uses a buffer. Not known: it may."""
    if call.kind == "launch":
        unknown = call.launch is None or call.launch.arguments is None
        return unknown or buffer.id in call.arguments
    sides = (call.destination,) if call.kind == "memset" else (call.source, call.destination)
    return any(side is None or side.id == buffer.id for side in sides)


def rounds_by_id(host: HostFacts) -> dict[int, Rounds]:
    return {loop.loop_id: loop for loop in host.rounds}


def is_steady(node: e.Expression, loop: Rounds) -> bool:
    """Whether an expression, written in a loop, has the same value in all its rounds: plain arithmetic on
    variables that the loop does not change.
    """
    inside = node.span.path == loop.span.path and loop.span.line <= node.span.line <= loop.span.end_line
    return inside and all(
        isinstance(n, (e.Literal, e.Cast, e.Unary, e.Binary, e.Member))
        or (isinstance(n, e.VariableReference) and n.variable.id not in loop.changes)
        for n in walk(node)
    )
