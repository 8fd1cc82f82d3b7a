"""The timeline of a program's steady iteration: when the host comes to each call, when the work of each call
runs on its stream, and what it waited for. As data; cudalint/report/streams_text.py draws it.

The calls of an iteration are repeated until each takes its time like the one before, and simulated: the host
issues them in order; work starts when the host has issued it, all that streams, events and the default stream
order before it is done, and the copy engine or the multiprocessors that it needs are free.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, count, groupby, takewhile
from typing import Literal

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.graph import awaited
from cudalint.host.walks import QUEUED, rounds_by_id, stream_kinds, walks

Engine = Literal["", "HtoD", "DtoH", "kernels"]
Why = Literal["stream", "default stream", "event", "engine", "host"]

HOST = "host"  # the row of the host
SETTLED = 6  # repeats of an iteration, after which the last is taken to be steady
_AHEAD = 2  # repeats that the host may be ahead of the device: a full queue holds it back
_MOST_CALLS = 400  # of all iterations that differ; what comes later is left out


class Cost(Struct, frozen=True):
    """Seconds that a call takes of the host, waits aside, and of the device. engine: what its work occupies
    alone, '' for nothing. known: no size had to be assumed for it.
    """

    host: float
    device: float = 0.0
    engine: Engine = ""
    known: bool = True


class Wait(Struct, frozen=True):
    """What a call waits for. on: that call; why: it is before it on its stream; one of the two is on the
    default stream; an event; it occupies the engine; or the host waits for it by this call.
    """

    on: HostCall
    why: Why


class Bar(Struct, frozen=True):
    """A call on the row of the host, or its work on that of a stream. start, end: seconds from the start of
    the window; work of the iteration before may start before it, and go on after it. waits: what was done
    last of all that it had to wait for; nothing where it ran as soon as it was issued.
    """

    call: HostCall
    start: float
    end: float
    waits: tuple[Wait, ...] = ()
    known: bool = True


class Row(Struct, frozen=True):
    """The host (`HOST`), or a stream by its name; bars in the order of time."""

    name: str
    bars: tuple[Bar, ...]


class Timeline(Struct, frozen=True):
    """One window of the steady state. loop: None for calls that no loop repeats; iterations: how many of it
    the window holds, as many as differ; seconds: its length. rows: the host first.
    """

    function: str
    loop: Rounds | None
    iterations: int
    seconds: float
    rows: tuple[Row, ...]

    def beside(self, row: Row, bar: Bar) -> list[Bar]:
        """The work on other streams that runs while this does."""
        return [
            other
            for one in self.rows
            if one.name not in (row.name, HOST)
            for other in one.bars
            if other.start < bar.end and bar.start < other.end
        ]


Costs = Callable[[HostCall], Cost]


def timelines(host: HostFacts, costs: Costs) -> tuple[Timeline, ...]:
    """One for each outermost loop that queues work; for a walk without such a loop, one of all its calls."""
    kinds, loops = stream_kinds(host), rounds_by_id(host)
    found: list[Timeline] = []
    for calls in walks(host):
        parts = [(number, tuple(part)) for number, part in groupby(calls, key=_outermost)]
        looping = [(number, part) for number, part in parts if number in loops and _queues(part)]
        for number, part in looping:
            block, iterations = steady(part, 0)
            found.append(_timeline(block, loops[number], iterations, kinds, costs))
        if not looping and _queues(calls):
            found.append(_timeline(list(calls), None, 1, kinds, costs))
    return tuple(found)


def _outermost(call: HostCall) -> int:
    return call.loops[0] if call.loops else -1


def _queues(calls: Sequence[HostCall]) -> bool:
    return any(call.kind in QUEUED and not call.captured for call in calls)


def steady(calls: Sequence[HostCall], level: int) -> tuple[list[HostCall], int]:
    """The calls of the last iterations of a loop until they repeat, and how many iterations that are: a ring
    of three slots repeats after three. calls: of that loop; level: how many loops are around it.
    """
    groups: dict[int, list[HostCall]] = {}
    for call in calls:
        turn = call.turns[level] if level < len(call.turns) else -1
        groups.setdefault(turn, []).append(call)
    numbers = takewhile(lambda number: number in groups, count())
    iterations = [groups[number] for number in numbers] or list(groups.values())
    same = [[(c.span, c.name, c.stream, c.event) for c in one if c.kind != "host-work"] for one in iterations]
    made = len(iterations)
    fits = (n for n in range(1, made) if all(same[i] == same[i + n] for i in range(made - n)))
    period = next(fits, None) or next((n for n in range(1, made) if same[-1] == same[-1 - n]), made)
    return [call for one in iterations[-period:] for call in one], period


def _timeline(
    block: list[HostCall], loop: Rounds | None, iterations: int, kinds: Mapping[str, str], costs: Costs
) -> Timeline:
    block = [call for call in block if not call.captured][:_MOST_CALLS]
    repeats = [block] * (SETTLED if loop is not None else 1)
    timed = simulate(ordered(repeats, kinds), costs)
    start, end = window(repeats, timed)
    rows: dict[str, list[Bar]] = {HOST: []}
    for one in timed:
        if start <= one.issue < end or loop is None:
            waits = one.waits if one.holds else ()
            rows[HOST].append(Bar(one.call, one.issue - start, one.back - start, waits, one.cost.known))
        if one.cost.device and one.end > start and one.start < end:
            bar = Bar(one.call, one.start - start, one.end - start, one.waits, one.cost.known)
            rows.setdefault(one.call.stream, []).append(bar)
    streams = [Row(name, tuple(bars)) for name, bars in rows.items() if name != HOST]
    return Timeline(
        block[0].function,
        loop,
        iterations,
        end - start,
        (Row(HOST, tuple(rows[HOST])), *sorted(streams, key=lambda row: row.name)),
    )


def window(repeats: Sequence[Sequence[HostCall]], timed: Sequence["Timed"]) -> tuple[float, float]:
    """From where to where the last repeat but one goes; a single one, to the end of all its work."""
    if len(repeats) == 1:
        return 0.0, max((max(one.end, one.back) for one in timed), default=0.0)
    last = len(timed) - len(repeats[-1])
    return timed[last - len(repeats[-2])].issue, timed[last].issue


class Timed(Struct, frozen=True):
    """A call of the simulation. issue, back: seconds at which the host comes to it and goes on after it;
    start, end: of its work. holds: the host waits for the work.
    """

    call: HostCall
    cost: Cost
    issue: float
    back: float
    start: float
    end: float
    waits: tuple[Wait, ...]
    holds: bool


class Ordered(Struct, frozen=True):
    """Calls of repeats, with what their work waits for: the positions of earlier ones, and why. held: the
    positions at which the host waits for all before another position, as the queue is full.
    """

    calls: list[HostCall]
    before: list[list[tuple[int, Why]]]
    held: dict[int, int]


def ordered(repeats: Sequence[Sequence[HostCall]], kinds: Mapping[str, str]) -> Ordered:
    """All calls of all repeats, in the order in which the host makes them."""
    calls = [call for one in repeats for call in one]
    starts = list(accumulate((len(one) for one in repeats), initial=0))
    held = {starts[n + _AHEAD]: starts[n + 1] for n in range(len(repeats) - _AHEAD)}
    pairs = zip(calls, awaited(calls, kinds), strict=True)
    return Ordered(calls, [[(j, _why(call, calls[j])) for j in earlier] for call, earlier in pairs], held)


def simulate(order: Ordered, costs: Costs) -> list[Timed]:
    """The calls in time."""
    calls, held = order.calls, order.held
    found: list[Timed] = []
    engines: dict[str, int] = {}
    now = 0.0
    for i, (call, before) in enumerate(zip(calls, order.before, strict=True)):
        if i in held:
            now = max([now, *(one.end for one in found[: held[i]])])
        cost = costs(call)
        issued = now + cost.host
        if cost.engine in engines:
            before = [*before, (engines[cost.engine], "engine")]
        start = max([issued, *(found[j].end for j, _ in before)])
        end = start + cost.device
        holds = holds_host(call)
        back = max(issued, end) if holds else issued
        latest = [Wait(calls[j], why) for j, why in before if found[j].end == start > issued]
        found.append(Timed(call, cost, now, back, start, end, tuple(latest[:1]), holds))
        now = back
        if cost.engine:
            engines[cost.engine] = i
    return found


def holds_host(call: HostCall) -> bool:
    """Whether the host goes on only when the call's work is done: also where an asynchronous copy has to be
    staged, as its memory is pageable.
    """
    staged = call.kind == "copy" and call.direction in ("HtoD", "DtoH") and call.host_space == "pageable"
    return call.blocking or staged


def _why(call: HostCall, earlier: HostCall) -> Why:
    if call.kind in ("synchronise", "free"):
        return "host"
    if call.stream == earlier.stream:
        return "stream"
    return "event" if earlier.kind == "event-record" else "default stream"
