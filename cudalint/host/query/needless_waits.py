"""Synchronisations in a loop that nothing in the loop needs."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import QUEUED, footprint, round_of, rounds_by_id, walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span

_WAITS = frozenset(
    """cudaDeviceSynchronize cudaThreadSynchronize cuCtxSynchronize cudaStreamSynchronize
    cuStreamSynchronize""".split()
)
_FINE = ("launch", "memset", "synchronise", "event-record")
_PRINTS = frozenset({"printf", "assert", "__assert_fail", "__assertfail", "__trap"})


class _Busy(Struct, frozen=True):
    """Something that the host does before the call of an order."""

    function: str
    order: int
    span: Span


class NeedlessWait(Struct, frozen=True):
    """A call that waits in every iteration, and the launches that could be queued meanwhile."""

    call: HostCall
    launches: tuple[HostCall, ...]
    loop: Rounds


def needless_waits(host: HostFacts, unit: Unit) -> Iterator[NeedlessWait]:
    """The first wait of each loop, where nothing in the loop needs it."""
    busy = _busy_host(host)
    for calls, index, loop in first_waits(host):
        launches = _idle_wait(calls, index, loop, busy, unit)
        if launches and is_timed(calls, calls[index], host):
            yield NeedlessWait(calls[index], tuple(launches), loop)


def first_waits(host: HostFacts) -> Iterator[tuple[tuple[HostCall, ...], int, Rounds]]:
    """The first wait of each loop: the calls of its walk, its position there, and the loop."""
    return first_of_loops(host, _waits)


def first_of_loops(
    host: HostFacts, chosen: Callable[[tuple[HostCall, ...], int], bool]
) -> Iterator[tuple[tuple[HostCall, ...], int, Rounds]]:
    """The first chosen call of each loop, likewise. chosen: asked of a walk's calls and a position."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        judged: set[int] = set()
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            if loop is not None and call.loop_id not in judged and chosen(calls, index):
                judged.add(call.loop_id)
                yield calls, index, loop


def _waits(calls: tuple[HostCall, ...], index: int) -> bool:
    """Whether a call waits for a stream, the device, or an event after all that the round queued before."""
    call = calls[index]
    if call.kind != "synchronise" or "Event" not in call.name:
        return call.name in _WAITS
    before = round_of(calls, index)[0]
    records = [one for one in before if one.kind == "event-record" and one.event == call.event]
    last = records[-1].order if records and call.event else call.order
    return last < call.order and not any(o.kind in QUEUED and o.order > last for o in before)


def _idle_wait(
    calls: tuple[HostCall, ...], index: int, loop: Rounds, busy: list[_Busy], unit: Unit
) -> list[HostCall]:
    """The launches of the round that a wait keeps from being queued; [] where it may be needed."""
    call = calls[index]
    if call.captured:
        return []
    before, after = ([o for o in part if not _is_rare(o, loop)] for part in round_of(calls, index))
    round_ = [*before, call, *after]
    if any(not _is_harmless(other) for other in round_):
        return []
    if _is_busy(round_, loop, busy):
        return []
    launches = [other for other in (*before, *after) if other.kind == "launch"]
    waited = [other for other in before if other.kind == "launch"]
    if not waited or any(other.conditions != loop.conditions for other in (call, *launches)):
        return []
    queued = [other for other in round_ if other.kind in ("launch", "memset")]
    streams = {other.stream for other in queued}
    if len(streams) != 1 or (call.stream and call.stream not in streams):
        return []
    if "unknown" in streams and not (not call.stream and _on_one_stream(queued, loop)):
        return []
    return launches if all(stays_on_the_device(other, unit) for other in launches) else []


def _on_one_stream(queued: list[HostCall], loop: Rounds) -> bool:
    """Whether launches name one variable as their stream, which the loop does not change."""
    named = set()
    for call in queued:
        stream = call.expression.stream if isinstance(call.expression, e.Launch) else None
        while isinstance(stream, e.Cast):
            stream = stream.operand
        named.add(stream.variable.id if isinstance(stream, e.VariableReference) else None)
    return len(named) == 1 and None not in named and not named & loop.changes


def _is_rare(other: HostCall, loop: Rounds) -> bool:
    """Whether a call stands in a branch of the loop, and waits there by itself where it has to."""
    waits = other.kind in ("launch", "memset") or (other.kind == "copy" and other.blocking)
    return other.conditions != loop.conditions and waits


def _busy_host(host: HostFacts) -> list[_Busy]:
    """What the host does with memory of CUDA's, and where it takes the time."""
    found = [_Busy(access.function, access.order, access.span) for access in host.accesses]
    for interval in host.intervals:
        found.append(_Busy(interval.function, interval.start, interval.start_span))
        found.append(_Busy(interval.function, interval.stop, interval.stop_span))
    return found


def host_is_busy(round_: list[HostCall], loop: Rounds, host: HostFacts) -> bool:
    """Whether the host touches memory of CUDA's, or takes the time, in an iteration."""
    return _is_busy(round_, loop, _busy_host(host))


def _is_busy(round_: list[HostCall], loop: Rounds, busy: list[_Busy]) -> bool:
    """Whether something of the host's happens in a round; at its edges it may be before or after the loop."""
    first, end = round_[0].order, round_[-1].order + 1
    for what in busy:
        if what.function != round_[0].function or not first <= what.order <= end:
            continue
        inside = loop.span.line <= what.span.line <= loop.span.end_line
        if first < what.order < end or inside or what.span.path != loop.span.path:
            return True
        if (what.order == first) == (what.span.line > loop.span.end_line):
            return True  # not where the loop's surroundings are: in a function that it calls
    return False


def is_timed(calls: tuple[HostCall, ...], call: HostCall, host: HostFacts) -> bool:
    """Whether a call is in an interval that the program times, or the program times nothing."""
    parts = measured(calls, host.intervals)
    return not parts or any(start <= call.order < stop for start, stop in parts)


def _is_harmless(call: HostCall) -> bool:
    """Whether a call of the round neither needs the wait nor makes it superfluous."""
    if call.kind == "host-work":
        return not call.unseen
    if call.kind not in _FINE or (call.kind == "memset" and call.stream == "unknown"):
        return False
    return call.kind != "synchronise" or call.name in _WAITS or bool(call.event)


def stays_on_the_device(launch: HostCall, unit: Unit) -> bool:
    """Whether all that a kernel is handed and all that it does stays on the device."""
    fact = launch.launch
    if fact is None or fact.key is None or fact.arguments is None or footprint(launch) is None:
        return False
    if any(buffer.space != "device" for argument in fact.arguments for buffer in argument.buffers):
        return False
    return not _prints(fact.key, unit)


def _prints(key: str, unit: Unit, depth: int = 3) -> bool:
    """Whether a kernel prints or asserts, itself or in what it calls."""
    function = unit.functions.get(key)
    if function is None or function.body is None:
        return False
    called = find(function.body, e.Call)
    if any(n.name in _PRINTS for n in called):
        return True
    return depth > 0 and any(_prints(n.key, unit, depth - 1) for n in called if n.key is not None)
