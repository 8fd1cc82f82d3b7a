"""
## What it does
Finds loops that launch kernels and wait for the device in every iteration (cudaDeviceSynchronize,
cudaStreamSynchronize) although nothing in the loop needs it: the host reads no result, copies nothing, takes
no time and runs no unseen code.

## Why it costs
Launches are queued: while one kernel runs, the host prepares the next, and the device runs them back to back.
A synchronisation drains the queue, and the GPU idles until the host has resumed and the next launch arrives:
on an H200 a queued launch of an empty kernel took 3.0 us, a launch with a synchronisation 8.4 us. For kernels
of 5 us that halves the speed. Kernels of one stream run in order and see the writes of earlier ones; no
synchronisation is needed for that.

## Example
```cuda
for (int step = 0; step < steps; ++step) {
    advance<<<grid, block>>>(now, next);
    cudaDeviceSynchronize();
    std::swap(now, next);
}
```

## Instead
```cuda
for (int step = 0; step < steps; ++step) {
    advance<<<grid, block>>>(now, next);
    std::swap(now, next);
}
cudaDeviceSynchronize();
```
To see errors where they occur, check cudaGetLastError after the launch and debug with CUDA_LAUNCH_BLOCKING=1.

## Limits
- Not reported where a kernel takes memory that may not be device memory, prints or asserts.
- Not reported where the loop uses several streams or devices, events, host clocks, copies, libraries or
  unseen code.
- Not reported where another call of the iteration blocks anyway, or the wait is under a condition.
- Not reported in loops of fewer than 16 iterations.
- Not reported outside the intervals that the program times, if it times any: such loops warm up or prepare.

## Source
000 'Asynchronous and overlapping transfers with computation'; the CUDA programming guide, 'Asynchronous
Concurrent Execution'.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import footprint, round_of, rounds_by_id, walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import SYNCHRONISE_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU710",
    name="synchronise-in-loop",
    severity=Severity.WARNING,
    summary="a loop synchronises in every iteration although nothing needs it",
    guides=("000",),
)

_QUEUED, _SINGLE = 3.0, 8.4  # microseconds: an empty kernel in a queue, and with a wait after it (H200)
_WAITS = frozenset(
    """cudaDeviceSynchronize cudaThreadSynchronize cuCtxSynchronize cudaStreamSynchronize
    cuStreamSynchronize""".split()
)
_FINE = ("launch", "memset", "synchronise")
_PRINTS = frozenset({"printf", "assert", "__assert_fail", "__assertfail", "__trap"})


class Busy(Struct, frozen=True):
    """Something that the host does before the call of an order."""

    function: str
    order: int
    span: Span


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per loop that waits in every iteration for no reason."""
    rounds = rounds_by_id(host)
    busy = _busy(host)
    seen: set[Span] = set()
    for calls in walks(host):
        judged: set[int] = set()
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            if call.name not in _WAITS or loop is None or loop.span in seen or call.loop_id in judged:
                continue
            judged.add(call.loop_id)
            launches = _idle_wait(calls, index, loop, busy, context.unit)
            if launches and _is_timed(calls, call, host):
                seen.add(loop.span)
                yield _finding(call, launches, loop)


def _is_timed(calls: tuple[HostCall, ...], call: HostCall, host: HostFacts) -> bool:
    """Whether a call is in an interval that the program times, or the program times nothing."""
    parts = measured(calls, host.intervals)
    return not parts or any(start <= call.order < stop for start, stop in parts)


def _busy(host: HostFacts) -> list[Busy]:
    """What the host does with memory of CUDA's, and where it takes the time."""
    found = [Busy(access.function, access.order, access.span) for access in host.accesses]
    for interval in host.intervals:
        found.append(Busy(interval.function, interval.start, interval.start_span))
        found.append(Busy(interval.function, interval.stop, interval.stop_span))
    return found


def _is_busy(round_: list[HostCall], loop: Rounds, busy: list[Busy]) -> bool:
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


def _idle_wait(
    calls: tuple[HostCall, ...], index: int, loop: Rounds, busy: list[Busy], unit: Unit
) -> list[HostCall]:
    """The launches of the round that a wait keeps from being queued; [] where it may be needed."""
    call = calls[index]
    if call.captured or (loop.count is not None and loop.count < SYNCHRONISE_TRIPS.value):
        return []
    before, after = round_of(calls, index)
    round_ = [*before, call, *after]
    if any(not _is_harmless(other) for other in round_):
        return []
    if _is_busy(round_, loop, busy):
        return []
    launches = [other for other in (*before, *after) if other.kind == "launch"]
    waited = [other for other in before if other.kind == "launch"]
    if not waited or any(other.conditions != loop.conditions for other in (call, *launches)):
        return []
    streams = {other.stream for other in round_ if other.kind in ("launch", "memset")}
    if len(streams) != 1 or "unknown" in streams or (call.stream and call.stream not in streams):
        return []
    return launches if all(_on_the_device(other, unit) for other in launches) else []


def _is_harmless(call: HostCall) -> bool:
    """Whether a call of the round neither needs the wait nor makes it superfluous."""
    if call.kind == "host-work":
        return not call.unseen
    if call.kind not in _FINE or (call.kind == "memset" and call.stream == "unknown"):
        return False
    return call.kind != "synchronise" or call.name in _WAITS


def _on_the_device(launch: HostCall, unit: Unit) -> bool:
    """Whether all that a kernel is handed and all that it does stays on the device."""
    fact = launch.launch
    if fact is None or fact.key is None or fact.arguments is None or footprint(launch) is None:
        return False
    buffers = [b for a in fact.arguments for b in (a.buffer, *a.among) if b is not None]
    if any(buffer.space != "device" for buffer in buffers):
        return False
    return not _prints(fact.key, unit)


def _prints(key: str, unit: Unit, depth: int = 3) -> bool:
    """Whether a kernel prints or asserts, itself or in what it calls."""
    function = unit.functions.get(key)
    if function is None or function.body is None:
        return False
    called = [n for n in walk(function.body) if isinstance(n, e.Call)]
    if any(n.name in _PRINTS for n in called):
        return True
    return depth > 0 and any(_prints(n.key, unit, depth - 1) for n in called if n.key is not None)


def _finding(call: HostCall, launches: list[HostCall], loop: Rounds) -> Finding:
    count = "" if loop.count is None else f" ({loop.count:,} iterations)"
    names = ", ".join(dict.fromkeys(f"`{launch.name}`" for launch in launches))
    return RULE.finding(
        call.span,
        f"{call.name} in every iteration of a loop{count}: nothing in the loop needs to wait for {names}",
        notes=(
            "the GPU idles after each synchronisation until the next launch: an empty kernel takes "
            f"{_QUEUED} us queued, {_SINGLE} us with a synchronisation (H200)",
        ),
        help="synchronise once, after the loop: kernels of one stream run in order",
        evidence={"launches": len(launches), "rounds": loop.count, "stream": launches[0].stream},
        related=tuple(Related(launch.span, "launched here") for launch in launches[:1]),
    )
