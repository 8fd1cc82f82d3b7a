"""
## What it does
Finds device memory, pinned host memory and streams that a loop allocates and frees in every iteration, with
the same size each time and GPU work in between.

## Why it costs
cudaMalloc and cudaFree change the device's address space. They take tens of microseconds each, far more than
a launch, and cudaFree waits until the device is idle, so no iteration can queue work while the previous one
still runs. On an H200 with CUDA 13, a pair for 1 KiB to 64 MiB took 57 to 74 us on an idle device, a queued
launch 3 us. cudaMallocHost locks pages: with cudaFreeHost it took 600 us for a small buffer, 5.6 ms for 16
MiB. A pair of cudaMallocAsync and cudaFreeAsync, which use a memory pool in stream order (CUDA 11.2 and
later), took 0.7 us, a pair of cudaStreamCreate and cudaStreamDestroy 3 us. A pair for an event took less than
0.5 us, so events are not reported.

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
If the allocation has to stay in the loop: `cudaMallocAsync(&scratch, bytes, stream)` and
`cudaFreeAsync(scratch, stream)`.

## Limits
- Not reported if the size may change between iterations. Such buffers are named in a note.
- Not reported under a condition in the loop, in loops of fewer than 4 iterations or that call cudaSetDevice,
  without a launch or copy in between, or around an inner loop of launches.
- Not reported outside the interval that the program times, if it times the loop at all.
- The times are those of one machine; older drivers are slower.

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
    summary="a loop allocates and frees memory, or creates and destroys a stream, in every iteration",
    guides=("000 9.3",),
)

_PINNED = ("cudaMallocHost", "cudaHostAlloc", "cuMemAllocHost", "cuMemHostAlloc")
_SIZES = {"cudaMallocPitch": (2, 3)}  # positions of the size, (1,) for the others


class Pair(Struct, frozen=True):
    """An allocation and the call that frees it in the same iteration."""

    made: HostCall
    gone: HostCall
    times: int = 1  # executions per iteration


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per loop that allocates in every iteration: for memory first, else for streams."""
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
            steady = sorted(_one_per_site(pairs, loop), key=lambda pair: pair.made.kind)
            if steady and _is_timed(calls, steady, host.intervals):
                kind = steady[0].made.kind
                same = [pair for pair in steady if pair.made.kind == kind]
                others = _others(calls, same, number)
                seen.add(loop.span)
                yield _finding(same, others, loop)


def _pairs(calls: tuple[HostCall, ...]) -> Iterator[Pair]:
    """What one iteration of its innermost loop allocates and frees, with GPU work in between."""
    for index, made in enumerate(calls):
        if made.kind not in ("allocate", "stream-create") or not made.loops or "Async" in made.name:
            continue
        round_ = round_of(calls, index)[1]
        ends = next((i for i, other in enumerate(round_) if _frees(other, made)), None)
        if ends is None or any(other.name == "cudaSetDevice" for other in _round(calls, made)):
            continue
        work = [other for other in round_[:ends] if other.kind in ("launch", "copy", "memset")]
        if work and all(other.loop == made.loop for other in work):
            yield Pair(made, round_[ends])


def _others(calls: tuple[HostCall, ...], reported: list[Pair], number: int) -> list[HostCall]:
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


def _round(calls: tuple[HostCall, ...], call: HostCall) -> Iterator[HostCall]:
    return (other for other in calls if other.loops[: call.loop] == call.loops)


def _frees(other: HostCall, made: HostCall) -> bool:
    if (other.loops, other.conditions) != (made.loops, made.conditions):
        return False
    if made.kind == "stream-create":
        return other.kind == "stream-destroy" and other.stream == made.stream
    ends = other.kind == "free" and None not in (other.destination, made.destination)
    return ends and other.destination.id == made.destination.id  # type: ignore[union-attr]


def _one_per_site(pairs: list[Pair], loop: Rounds) -> Iterator[Pair]:
    """One pair per source location whose size is the same in all iterations."""
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
    count = "" if loop.count is None else f" of {loop.count:,} iterations"
    shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name)
    related = [Related(pair.made.span, "also allocated in this loop") for pair in pairs[1:]]
    related += [Related(call.span, "also allocated in this loop, size may change") for call in others]
    return RULE.finding(
        first.made.span,
        f"{first.made.name} and {first.gone.name} in every iteration of a loop{count}"
        + (f": {shown}" * bool(shown)),
        notes=(_cost(first, number), *_more(others)),
        help=_help(first, streams),
        evidence={
            "pairs": number,
            "bytes": first.made.bytes,
            "rounds": loop.count,
            "kind": "stream" if streams else "memory",
        },
        related=(Related(first.gone.span, "destroyed here" if streams else "freed here"), *related),
    )


def _more(others: list[HostCall]) -> tuple[str, ...]:
    if not others:
        return ()
    names = ", ".join(dict.fromkeys(f"`{c.destination.name}`" for c in others if c.destination is not None))
    return (
        f"the loop also allocates {names} of varying size: allocate the largest size once, or use a pool",
    )


def _name(pair: Pair) -> str:
    if pair.made.kind == "stream-create":
        return pair.made.stream
    name = pair.made.destination.name if pair.made.destination is not None else ""
    return "" if name == "temporary" else name


def _cost(first: Pair, number: int) -> str:
    pairs = "1 pair/iteration" if number == 1 else f"{number} pairs/iteration"
    if first.made.kind == "stream-create":
        return f"{pairs}, about 3 us each (H200)"
    if first.made.name in _PINNED:
        return f"{pairs} of fixed size: locking and unlocking pages takes 0.6 ms each, more for large buffers"
    return (
        f"{pairs} of fixed size, about 60 us each (a launch: 3 us, H200); {first.gone.name} waits until the "
        "device is idle, so iterations cannot overlap"
    )


def _help(first: Pair, streams: bool) -> str:
    if streams:
        return "create the streams once, before the loop"
    if first.made.name in ("cudaMalloc", "cudaMallocPitch"):
        return "allocate once before the loop, or use cudaMallocAsync and cudaFreeAsync on its stream"
    return "allocate once before the loop"
