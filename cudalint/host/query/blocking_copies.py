"""Blocking copies that keep work from overlapping: between work on streams, chunk by chunk in a loop, and of
all data where the program also copies it in pieces.
"""

from collections.abc import Iterator
from itertools import pairwise

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.graph import DEFAULT, finished, order
from cudalint.host.walks import (
    QUEUED,
    Between,
    along,
    goes_through_streams,
    is_one_of_each,
    rounds_by_id,
    unrolled,
    uses,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import walk as nodes
from cudalint.source.span import Span

_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at
_PASSED = 4096  # bytes that a launch can pass by value; so few are worth no second buffer


def between_queued_work(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Between]:
    """Each blocking copy or memset with work that is still queued and work that is queued next."""
    calls = [call for call in unrolled(walk) if not call.captured]
    if not any(_stream(call, kinds) for call in calls):
        return
    graph = order(calls[:_MOST_CALLS], kinds)
    for index, call in enumerate(calls[:_MOST_CALLS]):
        if not _is_blocking(call) or _stream(call, kinds):
            continue
        done = finished(graph, index)
        pending: dict[str, list[HostCall]] = {}
        for position, work in enumerate(calls[:index]):
            if position not in done and _stream(work, kinds):
                pending.setdefault(work.stream, []).append(work)
        found = _serialised(call, pending, calls[index + 1 :], kinds, _is_of_parts(calls, call, pending))
        if found is not None:
            yield Between(found[0], call, found[1])


def _serialised(
    call: HostCall,
    pending: dict[str, list[HostCall]],
    later: list[HostCall],
    kinds: dict[str, str],
    parts: bool,
) -> tuple[HostCall, HostCall] | None:
    """The work before and after that could run beside a blocking call, if there is some. parts: each call
    copies what the work on one of the streams has made.
    """
    if call.kind == "memset":
        pending = {name: work for name, work in pending.items() if kinds.get(name) == "blocking"}
    pending = {name: [w for w in work if _lasts(w) and along(w, call)] for name, work in pending.items()}
    pending = {name: work for name, work in pending.items() if work}
    if not pending:
        return None
    after = [other for other in later if _stream(other, kinds) and along(other, call)]
    if call.kind == "library":  # its own stream waits for the result anyway
        after = [other for other in after if other.stream != call.stream]
    if call.direction == "DtoH":
        if call.read_at is not None:
            after = [other for other in after if other.order < call.read_at or other.order <= call.order]
        touching = {
            name
            for name, work in pending.items()
            if call.source is None or any(uses(w, call.source) for w in work)
        }
        if not parts and not pending.keys() - touching:
            same = {work.span for queued in pending.values() for work in queued}
            after = [o for o in after if _in_one_loop(o, call, same) and _stream(o, kinds) not in touching]
    if not after:
        return None
    return list(pending.values())[-1][-1], after[0]


def _in_one_loop(other: HostCall, call: HostCall, same: set[Span]) -> bool:
    """Whether a loop queues the other call as it makes this one: in its own body, or in helpers and loops
    that it comes by again. same: the places of what this one waits for.
    """
    again = other.span in same and other.loops[:1] == call.loops[:1]
    return bool(call.loops) and (other.loops == call.loops or again)


def _is_of_parts(calls: list[HostCall], call: HostCall, pending: dict[str, list[HostCall]]) -> bool:
    """Whether a loop copies one part after the other of what another loop has queued, each on a stream."""
    places = {one.source_place for one in calls if one.span == call.span}
    work = [one for queued in pending.values() for one in queued]
    return len(places) > 1 and any(
        is_one_of_each(calls, call, work, level) for level in range(len(call.loops))
    )


def _stream(call: HostCall, kinds: dict[str, str]) -> str:
    """The stream of its own that a call queues work on; '' for none, the default or one that is not known."""
    if call.kind not in QUEUED or _is_blocking(call):
        return ""
    return call.stream if call.stream in kinds or call.stream == "per-thread" else ""


def _is_blocking(call: HostCall) -> bool:
    return call.kind in ("copy", "memset", "library") and call.blocking


def _lasts(work: HostCall) -> bool:
    """Whether queued work takes long enough to be overlapped: a kernel, or a copy over the bus."""
    return work.kind in ("launch", "library") or work.direction in ("HtoD", "DtoH")


def device_waits(
    walk: tuple[HostCall, ...], kinds: dict[str, str], host: HostFacts
) -> Iterator[tuple[Between, HostCall | None]]:
    """Waits for the whole device in loops that use another stream in every iteration. With the wait that
    makes it superfluous, where there is one: for the one stream, before it is used again.
    """
    for held in _waits_for_all(walk, kinds):
        yield held, _own_wait(walk, held, host)


def _own_wait(walk: tuple[HostCall, ...], held: Between, host: HostFacts) -> HostCall | None:
    stream, call = held.before.stream, held.call
    later = [o for o in walk if o.order > call.order and o.loops == call.loops and o.stream == stream]
    reuse = next((o for o in later if o.span == held.before.span), None)
    waits = (o for o in later if o.kind == "synchronise" and along(o, call))
    own = next(waits, None)
    if own is None or reuse is None or own.order > reuse.order:
        return None
    before = [o for o in walk if o.order < call.order and (o.loops, o.turns) == (call.loops, call.turns)]
    return None if _is_looked_at(walk, call, before, held.after, host) else own


def _waits_for_all(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Between]:
    """Waits for the whole device in loops that use another stream in every iteration."""
    queued = [call for call in walk if call.loops and _stream(call, kinds) and not call.captured]
    devices = {call.loop_id for call in walk if call.name == "cudaSetDevice"}
    for call in walk:
        if call.kind != "synchronise" or call.stream or call.event or "Event" in call.name:
            continue
        if not call.loops or call.captured or not devices.isdisjoint(call.loops):
            continue
        beside = [other for other in queued if other.loops == call.loops and along(other, call)]
        before = [other for other in beside if other.order < call.order]
        after = [other for other in beside if other.order > call.order]
        if before and after and goes_through_streams(call, beside):
            yield Between(before[-1], call, after[0])


def own_waits(walk: tuple[HostCall, ...], kinds: dict[str, str], host: HostFacts) -> Iterator[Between]:
    """Waits for a stream right after its work of the same iteration is queued, in loops that use another
    stream in every iteration, where the host reads nothing of it before it queues the next.
    """
    for call in walk:
        if call.kind != "synchronise" or call.stream not in kinds or not call.loops or call.captured:
            continue
        if any(o.kind == "stream-create" and o.loops[:1] == call.loops[:1] for o in walk):
            continue  # a new stream each time: no ring
        beside = [o for o in walk if o.loops == call.loops and _stream(o, kinds) and along(o, call)]
        before = [o for o in beside if o.order < call.order and o.iteration == call.iteration]
        after = [o for o in beside if o.order > call.order and o.iteration != call.iteration]
        if not before or not after or before[-1].stream != call.stream:
            continue
        if goes_through_streams(call, beside) and not _is_looked_at(walk, call, before, after[0], host):
            yield Between(before[-1], call, after[0])


def _is_looked_at(
    walk: tuple[HostCall, ...], wait: HostCall, before: list[HostCall], after: HostCall, host: HostFacts
) -> bool:
    """Whether the host may read results between a wait and the work that is queued next."""
    between = walk[wait.order + 1 : after.order]
    if any(other.unseen for other in between):
        return True
    fetched = [o for o in (*before, *between) if o.direction == "DtoH"]
    if any(o.read_at is not None and o.read_at <= after.order for o in fetched):
        return True
    touched = {number for o in before for number in o.arguments}
    return any(
        access.function == wait.function
        and wait.order < access.order <= after.order
        and access.buffer.id in touched
        for access in host.accesses
    )


def between_threads(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Between]:
    """Calls in a loop that several threads run, each with streams of its own, that wait for the work of all:
    waits for the device and, where the streams block, copies on the default stream. With the work of this
    thread round them.
    """
    for call in walk:
        whole = call.kind == "synchronise" and not call.stream and not call.event and "Event" not in call.name
        copies = _is_blocking(call) and call.stream == DEFAULT
        if not call.loops or call.captured or not (whole or copies):
            continue
        beside = [o for o in walk if o.loops == call.loops and _stream(o, kinds) and along(o, call)]
        before = [o for o in beside if o.order < call.order]
        after = [o for o in beside if o.order > call.order] or before
        if before and (whole or any(kinds.get(o.stream) == "blocking" for o in beside)):
            yield Between(before[-1], call, after[0])


def chunks(walk: tuple[HostCall, ...], rounds: dict[int, Rounds]) -> Iterator[tuple[HostCall, HostCall]]:
    """Copies to the device that a loop makes from changing places, or from one that the host fills anew each
    time, each with the launch that works on it.
    """
    places: dict[Span, set[int | None]] = {}
    for call in walk:
        if _uploads(call):
            places.setdefault(call.span, set()).add(call.host_offset)
    anew = _filled_anew(walk, rounds)
    for index, call in enumerate(walk):
        if not _uploads(call):
            continue
        if call.source is None:
            moves = _varies(call, rounds.get(call.loop_id))
        else:
            moves = None in places[call.span] or len(places[call.span]) > 1
            moves = moves or (call.span, call.source.id) in anew
        if moves and not call.captured and not _reads_inside(walk, call):
            launch = next((other for other in walk[index + 1 :] if _works_on(other, call)), None)
            if launch is not None:
                yield call, launch


def _filled_anew(walk: tuple[HostCall, ...], rounds: dict[int, Rounds]) -> set[tuple[Span, int]]:
    """Copies, with their source, that the host fills with more than a launch can pass before each of them.
    Not with one value throughout, nor with what the device came to. The loop stands in the same file: one of
    a harness repeats the same.
    """
    fills: dict[tuple[Span, int], set[int]] = {}
    received = {
        (o.destination.id, n) for o in walk if o.direction == "DtoH" and o.destination for n in o.loops
    }
    for call in walk:
        if not _uploads(call) or call.source is None or call.held is not None:
            continue
        loop = rounds.get(call.loop_id)
        again = loop is None or loop.span.path != call.span.path
        small = call.bytes is not None and call.bytes <= _PASSED
        if not again and not small and received.isdisjoint((call.source.id, n) for n in call.loops):
            fills.setdefault((call.span, call.source.id), set()).add(call.written)
    return {key for key, counts in fills.items() if len(counts) > 1}


def _uploads(call: HostCall) -> bool:
    """A blocking copy to one buffer of the device inside a loop."""
    return (
        call.kind == "copy"
        and call.blocking
        and call.direction == "HtoD"
        and bool(call.loops)
        and call.destination is not None
    )


def _varies(call: HostCall, loop: Rounds | None) -> bool:
    """Whether the host's pointer of a copy, as written, is another one in every iteration."""
    if loop is None or not isinstance(call.expression, e.Call):
        return False
    pointers = [a for a in call.expression.arguments if isinstance(a.type, t.Pointer)]
    named = {n.variable.id for p in pointers[1:] for n in nodes(p) if isinstance(n, e.VariableReference)}
    return not named.isdisjoint(loop.changes)


def _reads_inside(walk: tuple[HostCall, ...], call: HostCall) -> bool:
    """Whether the host reads a result of the loop before its next round, or may: the rounds depend on it."""
    inside = [other for other in walk if other.loops[: call.loop] == call.loops]
    fetched = next((i for i, other in enumerate(inside) if other.direction == "DtoH"), len(inside))
    if any(other.unseen for other in inside[fetched:]):
        return True
    end = inside[-1].order + 1
    return any(
        other.read_at is not None and other.read_at <= end and other.read_in[: call.loop] == call.loops
        for other in inside
    )


def wholes(
    host: HostFacts, walk: tuple[HostCall, ...], kinds: dict[str, str]
) -> Iterator[tuple[HostCall, HostCall, HostCall]]:
    """(copy to the device, launch that works on it then, copy of a piece of the same on a stream), where a
    loop copies all of it in such pieces and launches the same kernel for them.
    """
    loops = rounds_by_id(host)
    pieces = [call for call in walk if call.direction == "HtoD" and call.loops and _stream(call, kinds)]
    for call, launch in pairwise(walk) if pieces else ():
        if call.kind != "copy" or not call.blocking or call.direction != "HtoD" or call.loops:
            continue
        if call.captured or not _works_on(launch, call):
            continue
        for piece in pieces:
            alike = _is_piece(piece, call, loops.get(piece.loop_id))
            if alike and any(_is_fed(other, piece, launch) for other in walk):
                yield call, launch, piece
                break


def _is_piece(piece: HostCall, call: HostCall, loop: Rounds | None) -> bool:
    """Whether the rounds of a loop copy just the same bytes between the same buffers."""
    if None in (call.source, call.destination, piece.bytes) or not along(piece, call):
        return False
    ends = (piece.source, piece.destination) == (call.source, call.destination)
    return ends and loop is not None and (loop.count or 0) * (piece.bytes or 0) == call.bytes


def _is_fed(other: HostCall, piece: HostCall, launch: HostCall) -> bool:
    """Whether a call launches the same kernel after a chunk on its stream."""
    return (
        other.kind == "launch"
        and other.name == launch.name
        and other.stream == piece.stream
        and other.order > piece.order
        and piece.destination is not None
        and piece.destination.id in other.arguments
    )


def _works_on(launch: HostCall, call: HostCall) -> bool:
    """Whether a launch of the same round, on the default stream, uses what was copied."""
    return (
        launch.kind == "launch"
        and launch.stream == "default"
        and (launch.loops, launch.iteration) == (call.loops, call.iteration)
        and call.destination is not None
        and call.destination.id in launch.arguments
        and launch.conditions == call.conditions  # in every round: a copy only when needed is something else
    )
