"""
## What it does
Finds blocking copies (cudaMemcpy without Async) and memsets of managed or pinned memory between work queued
on streams. Also loops that copy their data chunk by chunk with a blocking copy and process each chunk before
they copy the next, and copies of a whole buffer before a kernel that the same program elsewhere feeds in
chunks on streams.

## Why it costs
A blocking copy runs on the default stream. It waits for everything queued on blocking streams, the host waits
for it, and only then is the next work queued. Until then nothing else runs: neither the other copy engine nor
the multiprocessors. In a loop that distributes chunks over streams, one such copy serialises the streams: the
time is the sum of copying and computing instead of their maximum.

## Example
```cuda
for (int i = 0; i < chunks; ++i) {
    cudaMemcpy(d + i * size, h + i * size, bytes, cudaMemcpyHostToDevice);  // waits for the previous kernel
    work<<<grid, block, 0, stream[i % 2]>>>(d + i * size);
}
```

## Instead
```cuda
for (int i = 0; i < chunks; ++i) {
    cudaMemcpyAsync(d + i * size, h + i * size, bytes, cudaMemcpyHostToDevice, stream[i % 2]);
    work<<<grid, block, 0, stream[i % 2]>>>(d + i * size);
}
```
This requires pinned host memory (CU702).

## Limits
- Streams are known only if the analysed host code creates them, or if they are per-thread default streams.
- A loop over chunks is reported if its host address changes, a kernel of the same iteration uses the chunk,
  and the host reads no result in the loop.
- A whole copy is reported if a loop copies the same bytes in chunks and launches the same kernel per chunk.
- Not reported where nothing could overlap, where the host needs the result before it continues, and after the
  streams were synchronised.
- cudaMemset of device memory does not block the host (CU703).

## Source
000 'Asynchronous and overlapping transfers with computation'; 004 'Overlapping copies'.
"""

from collections.abc import Iterator
from itertools import pairwise

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.graph import finished, order
from cudalint.host.walks import along, rounds_by_id, stream_kinds, unrolled, uses, walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU701",
    name="blocking-copy",
    severity=Severity.WARNING,
    summary="a blocking copy between work queued on streams",
    guides=("000", "004"),
)

_QUEUED = ("launch", "copy", "memset")
_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per blocking copy or memset that prevents overlap."""
    kinds = stream_kinds(host)
    seen = set()
    for calls in walks(host):
        for before, call, after in _between(calls, kinds):
            if call.span not in seen:
                seen.add(call.span)
                yield _finding(before, call, after)
        for call, launch in _chunks(calls):
            if call.span not in seen:
                seen.add(call.span)
                yield _chunk_finding(call, launch)
        for call, launch, piece in _wholes(host, calls, kinds):
            if call.span not in seen:
                seen.add(call.span)
                yield _whole_finding(call, launch, piece)


def _chunks(walk: tuple[HostCall, ...]) -> Iterator[tuple[HostCall, HostCall]]:
    """Copies to the device that a loop makes from changing places, each with the launch that works on it."""
    places: dict[Span, set[int | None]] = {}
    for call in walk:
        if _uploads(call):
            places.setdefault(call.span, set()).add(call.host_offset)
    for index, call in enumerate(walk):
        moves = _uploads(call) and (None in places[call.span] or len(places[call.span]) > 1)
        if moves and not call.captured and not _reads_inside(walk, call):
            launch = next((other for other in walk[index + 1 :] if _works_on(other, call)), None)
            if launch is not None:
                yield call, launch


def _wholes(
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


def _uploads(call: HostCall) -> bool:
    """A blocking copy to the device inside a loop, from one buffer of the host."""
    return (
        call.kind == "copy"
        and call.blocking
        and call.direction == "HtoD"
        and bool(call.loops)
        and None not in (call.source, call.destination)
    )


def _reads_inside(walk: tuple[HostCall, ...], call: HostCall) -> bool:
    """Whether the host reads a result of the loop before its next round, or may: the rounds depend on it."""
    inside = [other for other in walk if other.loops[: call.loop] == call.loops]
    fetched = next((i for i, other in enumerate(inside) if other.direction == "DtoH"), len(inside))
    if any(other.unseen for other in inside[fetched:]):
        return True
    return any(other.read_at is not None and other.read_at <= inside[-1].order + 1 for other in inside)


def _between(
    walk: tuple[HostCall, ...], kinds: dict[str, str]
) -> Iterator[tuple[HostCall, HostCall, HostCall]]:
    """(work still queued, blocking call, work queued next) for every call that stands between."""
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
        found = _serialised(call, pending, calls[index + 1 :], kinds)
        if found is not None:
            yield found[0], call, found[1]


def _stream(call: HostCall, kinds: dict[str, str]) -> str:
    """The stream of its own that a call queues work on; '' for none, the default or one that is not known."""
    if call.kind not in _QUEUED or _is_blocking(call):
        return ""
    return call.stream if call.stream in kinds or call.stream == "per-thread" else ""


def _is_blocking(call: HostCall) -> bool:
    return call.kind in ("copy", "memset") and call.blocking


def _serialised(
    call: HostCall, pending: dict[str, list[HostCall]], later: list[HostCall], kinds: dict[str, str]
) -> tuple[HostCall, HostCall] | None:
    """The work before and after that could run beside a blocking call, if there is some."""
    if call.kind == "memset":
        pending = {name: work for name, work in pending.items() if kinds.get(name) == "blocking"}
    pending = {name: [w for w in work if _lasts(w) and along(w, call)] for name, work in pending.items()}
    pending = {name: work for name, work in pending.items() if work}
    if not pending:
        return None
    after = [other for other in later if _stream(other, kinds) and along(other, call)]
    if call.direction == "DtoH":
        if call.read_at is not None:
            after = [other for other in after if other.order < call.read_at or other.order <= call.order]
        touching = {
            name
            for name, work in pending.items()
            if call.source is None or any(uses(w, call.source) for w in work)
        }
        if not pending.keys() - touching:
            after = [o for o in after if o.loops == call.loops != () and _stream(o, kinds) not in touching]
    if not after:
        return None
    return list(pending.values())[-1][-1], after[0]


def _lasts(work: HostCall) -> bool:
    """Whether queued work takes long enough to be overlapped: a kernel, or a copy over the bus."""
    return work.kind == "launch" or work.direction in ("HtoD", "DtoH")


def _chunk_finding(call: HostCall, launch: HostCall) -> Finding:
    return RULE.finding(
        call.span,
        f"blocking copy: {call.name} copies one chunk per iteration before `{launch.name}` processes it",
        notes=("copy and kernel never overlap; the next chunk could be copied while this one is processed",),
        help=f"alternate between two streams and two buffers: {call.name}Async from pinned memory, and the "
        "launch on the same stream",
        confidence=Confidence.MEDIUM,
        evidence={"direction": call.direction, "before": "default", "after": "default", "bytes": call.bytes},
        related=(Related(launch.span, f"`{launch.name}` waits for the copy here"),),
    )


def _whole_finding(call: HostCall, launch: HostCall, piece: HostCall) -> Finding:
    name = call.destination.name if call.destination is not None else "it"
    return RULE.finding(
        call.span,
        f"blocking copy: {call.name} copies all of `{name}` before `{launch.name}` starts",
        notes=(
            f"line {piece.span.line} copies the same data in chunks on streams, so that copies overlap with "
            f"`{launch.name}`",
        ),
        help=f"copy and launch in chunks here too, as in line {piece.span.line}",
        confidence=Confidence.MEDIUM,
        evidence={"direction": call.direction, "before": "default", "after": "default", "bytes": call.bytes},
        related=(
            Related(launch.span, f"`{launch.name}` waits for the copy here"),
            Related(piece.span, "copied in chunks here"),
        ),
    )


def _finding(before: HostCall, call: HostCall, after: HostCall) -> Finding:
    what = "memset" if call.kind == "memset" else "copy"
    if before.stream == after.stream:
        streams = f"stream `{before.stream}`"
    else:
        streams = f"streams `{before.stream}` and `{after.stream}`"
    return RULE.finding(
        call.span,
        f"blocking {what}: {call.name} between work on {streams}",
        notes=(
            f"it runs on the default stream after all queued work, and `{after.name}` is queued once it is "
            f"complete: this {what} overlaps with nothing",
        ),
        help=f"use {call.name}Async on the stream that needs the data"
        + ("" if what == "memset" else ", with pinned host memory"),
        evidence={
            "direction": call.direction,
            "before": before.stream,
            "after": after.stream,
            "bytes": call.bytes,
        },
        related=(
            Related(before.span, f"{before.name} queued on `{before.stream}` before it"),
            Related(after.span, f"{after.name} queued on `{after.stream}` after it"),
        ),
    )
