"""
## What it does
Finds loops that launch kernels and wait for the device in every iteration (cudaDeviceSynchronize,
cudaStreamSynchronize) although nothing in the loop needs it: the host reads no result, copies nothing,
takes no time and runs no unseen code. Also loops in which the host fills a pinned buffer, uploads it,
launches kernels and waits before it fills the buffer again, loops in which the host waits for one stream
and then queues what depends on it on another, and loops of unknown length that fetch a few bytes in every
iteration, say to test for convergence, or to look at them after the loop; by a graph that they launch, too.
And loops that wait for the result of thrust::reduce, cublasSdot or their like, which only the code after
them reads, or for thrust::transform, thrust::for_each or their like before they queue more work, and waits
for the whole device in loops that use streams in turn and wait for each of them anyway, before it is used
again.

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
A test for convergence: check every tenth iteration, or copy the number asynchronously to pinned memory and
look at it an iteration later.

A number that the host looks at after the loop: fetch it there; where each iteration has one of its own, let a
kernel put them into an array.

A buffer that the host fills: two of them in turn, so that the host fills one while the device works on the
other.

Work of another stream: let that stream wait for an event (`cudaStreamWaitEvent`), and not the host.

To see errors where they occur, check cudaGetLastError after the launch and debug with CUDA_LAUNCH_BLOCKING=1.

## Limits
- Silent where a kernel takes memory that may not be device memory, prints or asserts; where the loop uses
  several devices, host clocks, libraries or unseen code; where another call blocks, or the wait is
  conditional.
- With several streams or copies, work of one stream must wait for another's, with nothing fetched before.
- A wait for an event counts if the same iteration has recorded it after all launches.
- Silent for fewer than 16 iterations, unless the wait is for a buffer that is filled again or another stream.
- For such a buffer, and where a graph fetches, the impact is at most half.
- Silent outside the intervals that the program times, if any.

## Source
000 'Asynchronous and overlapping transfers with computation'; the CUDA programming guide, 'Asynchronous
Concurrent Execution'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.algorithm_waits import AlgorithmWait, algorithm_waits
from cudalint.host.query.blocking_copies import device_waits
from cudalint.host.query.graph_reads import GraphRead, graph_reads
from cudalint.host.query.needless_waits import needless_waits
from cudalint.host.query.number_waits import NumberWait, is_cublas, number_waits
from cudalint.host.query.ordering_waits import OrderingWait, ordering_waits
from cudalint.host.query.scalar_reads import ScalarRead, scalar_reads
from cudalint.host.query.staging_waits import StagingWait, staging_waits
from cudalint.host.walks import Between, rounds_by_id, stream_kinds, times, walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import unblocked, without
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.thresholds import SCALAR_BYTES, SYNCHRONISE_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU710",
    name="synchronise-in-loop",
    severity=Severity.WARNING,
    summary="a loop synchronises in every iteration although nothing needs it",
    guides=("000",),
    speed=True,
)

_LATER = {
    "launched": "let the kernels read it on the device, where it is, and launch a grid that is always enough",
    "last": "the host only looks at what the last iteration fetched: fetch it once, after the loop",
    "each": "let a kernel put it into an array on the device, and fetch that after the loop",
}
_HOLDS = {
    "inside": "a few iterations more than needed do no harm",
    "launched": "threads without work cost less than the wait",
    "last": "the loop does not measure the copies that nothing reads",
}
_QUEUED, _SINGLE = 3.0, 8.4  # microseconds: an empty kernel in a queue, and with a wait after it (H200)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per loop that waits in every iteration for no reason."""
    seen: set[Span] = set()
    rounds = rounds_by_id(host)
    for found in needless_waits(host, context.unit):
        trips = times(found.call, rounds)
        if found.loop.span not in seen and (trips is None or trips >= SYNCHRONISE_TRIPS.value):
            seen.add(found.loop.span)
            impact = context.calls_impact(found.call, without([found.call.span]))
            yield _finding(found.call, found.launches, trips or found.loop.count, impact)
    for held, own, launches in superfluous(host):
        if held.call.loop_id in rounds and rounds[held.call.loop_id].span not in seen:
            seen.add(rounds[held.call.loop_id].span)
            impact = context.calls_impact(held.call, without([held.call.span]))
            yield _superfluous_finding(held, own, launches, rounds[held.call.loop_id].count, impact)
    for wait in staging_waits(host):
        if wait.loop.span not in seen:
            seen.add(wait.loop.span)
            yield _staging_finding(wait)
    for ordering in ordering_waits(host):
        if ordering.loop.span not in seen:
            seen.add(ordering.loop.span)
            impact = context.calls_impact(ordering.call, without([ordering.call.span]))
            yield _ordering_finding(ordering, impact)
    for read in scalar_reads(host, SCALAR_BYTES.value):
        if read.loop.span not in seen:
            seen.add(read.loop.span)
            gone = [one.span for one in (read.call, read.wait, *read.also, *read.idle) if one is not None]
            yield _scalar_finding(read, context.calls_impact(read.call, without(gone)))
    for number in number_waits(host, context.unit, SYNCHRONISE_TRIPS.value):
        if number.loop.span not in seen:
            seen.add(number.loop.span)
            impact = context.calls_impact(number.call, unblocked([number.call.span]))
            yield _number_finding(number, impact)
    for waiting in algorithm_waits(host, context.unit):
        trips = times(waiting.call, rounds)
        if waiting.loop.span not in seen and (trips is None or trips >= SYNCHRONISE_TRIPS.value):
            seen.add(waiting.loop.span)
            places = [waiting.call.span, *(one.span for one in waiting.others if one.kind == "library")]
            yield _algorithm_finding(waiting, context.calls_impact(waiting.call, unblocked(places)))
    for graph in graph_reads(host, SCALAR_BYTES.value):
        if graph.loop.span not in seen:
            seen.add(graph.loop.span)
            yield _graph_finding(graph)


def _algorithm_finding(wait: AlgorithmWait, impact: Impact) -> Finding:
    call, others = wait.call, wait.others
    return RULE.finding(
        call.span,
        f"{call.name} waits for the device in every iteration of a loop that only queues more work",
        notes=("the GPU idles after each wait until the next launch arrives",),
        help="hand it `thrust::cuda::par_nosync` (Thrust 1.16 and later), and wait once, after the loop",
        evidence={"launches": len(others), "rounds": wait.loop.count, "stream": call.stream},
        related=elsewhere(others, "queued in this loop, too"),
        confidence=Confidence.MEDIUM,
        impact=impact,
    )


def _number_finding(wait: NumberWait, impact: Impact) -> Finding:
    call = wait.call
    return RULE.finding(
        call.span,
        f"{call.name} hands the host a number in every iteration of a loop, which is only read afterwards",
        notes=("the host waits for all work before it, and the GPU idles until the next launch",),
        help=_number_help(wait),
        evidence={"rounds": wait.loop.count, "stream": call.stream},
        related=(Related(wait.loop.span, "in every iteration of this loop"),),
        confidence=Confidence.MEDIUM,
        condition="the loop does not measure calls that return a number",
        impact=impact,
    )


def _number_help(wait: NumberWait) -> str:
    if is_cublas(wait.call):
        kept = "into one number" if wait.use == "last" else "into an array"
        return (
            "set `CUBLAS_POINTER_MODE_DEVICE`, let the calls write"
            f" {kept} on the device, and fetch that after the loop"
        )
    return "let `cub::DeviceReduce` put it into memory of the device, " + (
        "and fetch the last one after the loop" if wait.use == "last" else "and sum it up there"
    )


def _graph_finding(read: GraphRead) -> Finding:
    """How long the graph takes is not known: a wait that is longer than that is taken to be rare."""
    wait, copy = read.wait, read.copy
    return RULE.finding(
        wait.span,
        f"{wait.name} in every iteration of a loop: the host waits for {_bytes(copy.bytes)} of the graph",
        notes=("the GPU idles after each wait until the next graph is launched",),
        help="wait every few iterations, or let a node of the graph decide (`cudaGraphCondTypeWhile`)",
        evidence={"rounds": read.loop.count, "stream": read.launch.stream},
        related=(Related(read.launch.span, "launched here"), Related(copy.span, "fetched here")),
        confidence=Confidence.MEDIUM,
        condition=_HOLDS["inside"],
        impact=Impact(0.0, 0.5, Basis.TRANSFERS),
    )


def _bytes(count: int | None) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


def _staging_finding(wait: StagingWait) -> Finding:
    """Two parts that run at the same time instead of one after the other save at most half."""
    call, upload = wait.call, wait.upload
    name = upload.host_name or (upload.source.name if upload.source is not None else "") or "the buffer"
    return RULE.finding(
        call.span,
        f"{call.name} in every iteration of a loop: only the next fill of `{name}` needs it",
        notes=(f"the host fills `{name}` while the device idles, and idles itself while the device works",),
        help=f"fill two buffers in turn: wait for an event behind the copy of `{name}` before the next fill",
        evidence={"launches": len(wait.launches), "rounds": wait.loop.count, "stream": upload.stream},
        related=(
            Related(upload.span, "copied from here"),
            *(Related(launch.span, "launched here") for launch in wait.launches[-1:]),
        ),
        confidence=Confidence.MEDIUM,
        impact=Impact(0.0, 0.5, Basis.TRANSFERS),
    )


def _ordering_finding(wait: OrderingWait, impact: Impact) -> Finding:
    call, work, behind = wait.call, wait.work, wait.behind
    return RULE.finding(
        call.span,
        f"{call.name} in every iteration of a loop: it only keeps `{behind.name}` on another stream behind "
        f"`{work.name}`",
        notes=("the host queues nothing while it waits; what other streams could do meanwhile starts later",),
        help="record an event after it and let the other stream wait: `cudaStreamWaitEvent`",
        evidence={"rounds": wait.loop.count, "stream": work.stream, "behind": behind.stream},
        related=(Related(work.span, "waits for this"), Related(behind.span, "queued after the wait")),
        confidence=Confidence.MEDIUM,
        impact=impact,
    )


def _scalar_finding(read: ScalarRead, impact: Impact) -> Finding:
    call, launches = read.call, read.work
    names = ", ".join(dict.fromkeys(f"`{launch.name}`" for launch in launches))
    return RULE.finding(
        call.span,
        f"{call.name} fetches {_bytes(call.bytes)} in every iteration of a loop: the host waits for {names}",
        notes=(
            "the GPU idles after each such copy until the next launch: an empty kernel takes "
            f"{_QUEUED} us queued, {_SINGLE} us with a wait (H200)",
        ),
        help=_LATER.get(read.use)
        or "fetch it every few iterations"
        + (", or asynchronously into pinned memory and test it one later" * (read.wait is None))
        + (", or wait for the copy of the iteration before" * (read.wait is not None)),
        evidence={"launches": len(launches), "rounds": read.loop.count, "stream": launches[0].stream},
        related=(
            Related(launches[0].span, "launched here"),
            *((Related(read.wait.span, "waits here"),) if read.wait is not None else ()),
            *(Related(other.span, f"{_bytes(other.bytes)} more") for other in read.also),
            *(Related(other.span, "waits, too") for other in read.idle),
            *(Related(other.span, "waits, too: a kernel could set it") for other in read.sets),
        ),
        confidence=Confidence.MEDIUM,
        condition=_HOLDS.get(read.use),
        impact=impact,
    )


def superfluous(host: HostFacts) -> Iterator[tuple[Between, HostCall, int]]:
    """Waits for the whole device in loops over streams that wait for each stream anyway, with that wait and
    the number of launches in the loop.
    """
    kinds = stream_kinds(host)
    for calls in walks(host):
        for held, own in device_waits(calls, kinds, host):
            if own is not None:
                launches = {o.span for o in calls if o.kind == "launch" and o.loops == held.call.loops}
                yield held, own, len(launches)


def _superfluous_finding(
    held: Between, own: HostCall, launches: int, trips: int | None, impact: Impact
) -> Finding:
    call, before, after = held.call, held.before, held.after
    count = "" if trips is None else f" ({trips:,} iterations)"
    return RULE.finding(
        call.span,
        f"{call.name} in every iteration of a loop{count} that uses streams in turn and waits for each "
        f"in line {own.span.line} anyway",
        notes=(f"`{after.name}` is queued only when all work on all streams is done: nothing overlaps",),
        help=f"leave it out: {own.name} waits before the stream is used again",
        evidence={"launches": launches, "rounds": trips, "stream": before.stream},
        related=(Related(before.span, f"{before.name} queued here"), Related(own.span, "waits here anyway")),
        impact=impact,
    )


def _finding(call: HostCall, launches: tuple[HostCall, ...], trips: int | None, impact: Impact) -> Finding:
    count = "" if trips is None else f" ({trips:,} iterations)"
    names = ", ".join(dict.fromkeys(f"`{launch.name}`" for launch in launches))
    return RULE.finding(
        call.span,
        f"{call.name} in every iteration of a loop{count}: nothing in the loop needs to wait for {names}",
        notes=(
            "the GPU idles after each synchronisation until the next launch: an empty kernel takes "
            f"{_QUEUED} us queued, {_SINGLE} us with a synchronisation (H200)",
        ),
        help="synchronise once, after the loop: kernels of one stream run in order",
        evidence={"launches": len(launches), "rounds": trips, "stream": launches[0].stream},
        related=tuple(Related(launch.span, "launched here") for launch in launches[:1]),
        impact=impact,
    )
