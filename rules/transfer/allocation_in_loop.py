"""
## What it does
Finds memory of the device, pinned memory of the host and streams that a loop makes and gives back in every
round, in the same size, with work for the device in between.

## Why it costs
cudaMalloc and cudaFree change the device's address space: they take tens of microseconds each, far more
than a launch, and cudaFree waits until the device has nothing left to do, so no round can queue its work
while the one before still runs. On an H200 with CUDA 13 a pair for 1 KiB to 64 MiB took 57 to 74
microseconds on an idle device, a queued launch 3. cudaMallocHost locks pages: with cudaFreeHost 600
microseconds for a small buffer, 5.6 milliseconds for 16 MiB. A pair of cudaMallocAsync and cudaFreeAsync,
which take memory from a pool in stream order (CUDA 11.2 and later), took 0.7 microseconds. cudaStreamCreate
and cudaStreamDestroy took 3; a pair for an event less than half a microsecond: events are not told.

## Example
```cuda
for (int step = 0; step < steps; ++step) {
    float *scratch;
    cudaMalloc(&scratch, bytes);
    advance<<<grid, block>>>(field, scratch);
    cudaFree(scratch);  // waits for the kernel
}
```

## Instead
```cuda
float *scratch;
cudaMalloc(&scratch, bytes);
for (int step = 0; step < steps; ++step) advance<<<grid, block>>>(field, scratch);
cudaFree(scratch);
```
Where the memory has to come and go, `cudaMallocAsync(&scratch, bytes, stream)` and `cudaFreeAsync(scratch,
stream)`.

## Limits
Silent where the size may change from round to round or nobody knows whether it does, where what is made is
kept (a loop that fills an array of pointers), where a round has a loop of launches or copies itself, under
a condition inside the loop, in loops of fewer than 4 rounds, in loops that choose a device, where
nothing is launched or copied between the two, and for set-up that stands outside of what the loop times (by
a clock or events). Memory of a size that may change is named beside; where there is some and the host has
loops of its own to run in every round, as a program that tries one size after another has, nothing is told.
The costs are of one machine; older drivers take longer.

## Source
000 9.3 'Allocation'; the CUDA programming guide, 'Stream Ordered Memory Allocator'.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Interval, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import is_steady, round_of, rounds_by_id, walks
from cudalint.ir import expressions as e
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import ALLOCATION_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU706",
    name="allocation-in-loop",
    severity=Severity.WARNING,
    summary="a loop allocates and frees in every round, or makes and destroys a stream",
    guides=("000 9.3",),
)

_PINNED = ("cudaMallocHost", "cudaHostAlloc", "cuMemAllocHost", "cuMemHostAlloc")
_SIZES = {"cudaMallocPitch": (2, 3)}  # positions of the size, (1,) for the others


class Pair(Struct, frozen=True):
    """What is made and given back in one round; times: how often that place of the source does it."""

    made: HostCall
    gone: HostCall
    times: int = 1


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each loop that makes something in every round: memory first, else streams."""
    rounds = rounds_by_id(host)
    seen: set[Span] = set()
    for calls in walks(host):
        groups: dict[int, list[Pair]] = {}
        for pair in _pairs(calls):
            groups.setdefault(pair.made.loop_id, []).append(pair)
        for number, pairs in groups.items():
            loop = rounds.get(number)
            if (
                loop is None
                or loop.span in seen
                or (loop.count is not None and loop.count < ALLOCATION_TRIPS.value)
            ):
                continue
            steady = sorted(_one_a_site(pairs, loop), key=lambda pair: pair.made.kind)
            if steady and _is_timed(calls, steady, host.intervals):
                kind = steady[0].made.kind
                same = [pair for pair in steady if pair.made.kind == kind]
                others = _others(calls, same, number)
                if not others or not _is_sweep(calls, number):
                    seen.add(loop.span)
                    yield _finding(same, others, loop)


def _pairs(calls: tuple[HostCall, ...]) -> Iterator[Pair]:
    """What is made and given back in one round of its innermost loop, with work between."""
    for index, made in enumerate(calls):
        if made.kind not in ("allocate", "stream-create") or not made.loops or "Async" in made.name:
            continue
        round_ = round_of(calls, index)[1]
        ends = next((i for i, other in enumerate(round_) if _gives_back(other, made)), None)
        if ends is None or any(other.name == "cudaSetDevice" for other in _round(calls, made)):
            continue
        work = [other for other in round_[:ends] if other.kind in ("launch", "copy", "memset")]
        if work and all(other.loop == made.loop for other in work):
            yield Pair(made, round_[ends])


def _is_sweep(calls: tuple[HostCall, ...], number: int) -> bool:
    """Whether the host itself has loops to run in every round, as one that makes and checks data does."""
    return any(c.kind == "host-work" and c.name == "loop" and number in c.loops for c in calls)


def _others(calls: tuple[HostCall, ...], told: list[Pair], number: int) -> list[HostCall]:
    """Further memory that the loop makes and gives back, but in a size that may change, or in a branch."""
    places = {pair.made.span for pair in told}
    freed = {call.destination.id for call in calls if call.kind == "free" and call.destination is not None}
    more = {
        call.span: call
        for call in calls
        if call.kind == told[0].made.kind == "allocate"
        and number in call.loops
        and call.span not in places
        and call.destination is not None
        and call.destination.id in freed
    }
    return list(more.values())


def _is_timed(calls: tuple[HostCall, ...], pairs: list[Pair], intervals: tuple[Interval, ...]) -> bool:
    """Whether it is part of what the program measures; where it measures nothing there, it may matter."""
    loop = pairs[0].made.loop_id
    inside = [call for call in calls if loop in call.loops]
    first, last = inside[0].order, inside[-1].order
    parts = [
        (start, stop) for start, stop in measured(calls, intervals) if start <= last + 1 and stop >= first
    ]
    at = {order for pair in pairs for order in (pair.made.order, pair.gone.order)}
    return not parts or any(start <= order < stop for start, stop in parts for order in at)


def _round(calls: tuple[HostCall, ...], call: HostCall) -> Iterator[HostCall]:
    return (other for other in calls if other.loops[: call.loop] == call.loops)


def _gives_back(other: HostCall, made: HostCall) -> bool:
    if (other.loops, other.conditions) != (made.loops, made.conditions):
        return False
    if made.kind == "stream-create":
        return other.kind == "stream-destroy" and other.stream == made.stream
    ends = other.kind == "free" and None not in (other.destination, made.destination)
    return ends and other.destination.id == made.destination.id  # type: ignore[union-attr]


def _one_a_site(pairs: list[Pair], loop: Rounds) -> Iterator[Pair]:
    """One pair for each place in the source whose size is the same in all rounds."""
    sites: dict[Span, list[Pair]] = {}
    for pair in pairs:
        sites.setdefault(pair.made.span, []).append(pair)
    for found in sites.values():
        if _is_steady(found, loop):
            first = found[0].made
            same = [p for p in found if (p.made.loops, p.made.iteration) == (first.loops, first.iteration)]
            yield Pair(first, found[0].gone, len(same))


def _is_steady(pairs: list[Pair], loop: Rounds) -> bool:
    made = pairs[0].made
    if made.conditions != loop.conditions:
        return False
    if made.kind == "stream-create":
        return True
    sizes = {pair.made.bytes for pair in pairs}
    if None not in sizes:
        return len(sizes) == 1
    if not isinstance(made.expression, e.Call):
        return False
    arguments = made.expression.arguments
    places = _SIZES.get(made.name, (1,))
    return all(place < len(arguments) and is_steady(arguments[place], loop) for place in places)


def _finding(pairs: list[Pair], others: list[HostCall], loop: Rounds) -> Finding:
    first, number = pairs[0], sum(pair.times for pair in pairs)
    streams = first.made.kind == "stream-create"
    names = [_name(pair) for pair in pairs]
    count = "" if loop.count is None else f" of {loop.count:,} rounds"
    shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name)
    related = [Related(pair.made.span, "in the same loop") for pair in pairs[1:]]
    related += [Related(call.span, "made in the same loop too, in a size that may change") for call in others]
    return RULE.finding(
        first.made.span,
        f"{first.made.name} and {first.gone.name} in every round of a loop{count}"
        + (f": {shown}" * bool(shown)),
        notes=(_cost(first, number), *_more(others)),
        help=_help(first, streams),
        evidence={
            "pairs": number,
            "bytes": first.made.bytes,
            "rounds": loop.count,
            "kind": "stream" if streams else "memory",
        },
        related=(Related(first.gone.span, "given back here"), *related),
    )


def _more(others: list[HostCall]) -> tuple[str, ...]:
    if not others:
        return ()
    names = ", ".join(dict.fromkeys(f"`{c.destination.name}`" for c in others if c.destination is not None))
    return (
        f"the loop also allocates {names}, whose size may change: for those, the largest once, or a pool",
    )


def _name(pair: Pair) -> str:
    if pair.made.kind == "stream-create":
        return pair.made.stream
    name = pair.made.destination.name if pair.made.destination is not None else ""
    return "" if name == "temporary" else name


def _cost(first: Pair, number: int) -> str:
    pairs = "1 pair of one size" if number == 1 else f"{number} pairs of one size"
    if first.made.kind == "stream-create":
        pairs = pairs.removesuffix(" of one size")
        return f"{pairs} a round, some 3 microseconds each, and the stream starts empty every time"
    if first.made.name in _PINNED:
        return f"{pairs} a round: locking and unlocking pages takes 0.6 milliseconds each, and more if large"
    return (
        f"{pairs} a round, some 60 microseconds each (a launch: 3), and {first.gone.name} waits until the "
        "device is idle: rounds cannot overlap"
    )


def _help(first: Pair, streams: bool) -> str:
    if streams:
        return "make the streams once, before the loop"
    if first.made.name in ("cudaMalloc", "cudaMallocPitch"):
        return "allocate once before the loop, or take cudaMallocAsync and cudaFreeAsync on the work's stream"
    return "allocate once before the loop"
