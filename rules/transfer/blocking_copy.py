"""
## What it does
Finds blocking copies (cudaMemcpy without Async), memsets of managed or pinned memory and cuBLAS calls that
return a number to the host between work queued on streams, and cudaDeviceSynchronize in a loop that uses
streams in turn, or that several threads run, each with a stream of its own, and waits for a stream right
after its work was queued in such a loop. Also loops that copy their data chunk by chunk with a blocking copy
and process each chunk before they copy the next, and copies of a whole buffer before a kernel that the same
program elsewhere feeds in chunks on streams.

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
- A loop over chunks is reported if its host address changes, or the host fills more than 4 KiB there anew, a
  kernel of the same iteration uses the chunk, and the host reads no result in the loop.
- A whole copy is reported if a loop copies the same bytes in chunks and launches the same kernel per chunk.
- Not reported where nothing could overlap, where the host needs the result before it continues, and after the
  streams were synchronised.
- cudaMemset of device memory does not block the host (CU703).

## Source
000 'Asynchronous and overlapping transfers with computation'; 004 'Overlapping copies'.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.blocking_copies import (
    between_queued_work,
    between_threads,
    chunks,
    device_waits,
    own_waits,
    wholes,
)
from cudalint.host.walks import Between, rounds_by_id, stream_kinds, walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import alternating, apart, queued, threaded, without
from cudalint.significance.impact import Impact

RULE = Rule(
    code="CU701",
    name="blocking-copy",
    severity=Severity.WARNING,
    summary="a blocking copy between work queued on streams",
    guides=("000", "004"),
    speed=True,
)


def _queued(call: HostCall) -> str:
    """The call that only queues the work."""
    return f"{call.name}Async" if call.name.startswith("cu") else "cudaMemcpyAsync"


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per blocking copy or memset that prevents overlap."""
    kinds, rounds = stream_kinds(host), rounds_by_id(host)
    seen = set()
    for calls in walks(host):
        for held in between_queued_work(calls, kinds):
            if held.call.span not in seen:
                seen.add(held.call.span)
                yield _finding(held, context.calls_impact(held.call, queued(host, held.call.span)))
        for held, own in device_waits(calls, kinds, host):
            if held.call.span not in seen and own is None:
                seen.add(held.call.span)
                yield _wait_finding(held, context.calls_impact(held.call, queued(host, held.call.span)))
        for held in own_waits(calls, kinds, host):
            if held.call.span not in seen:
                seen.add(held.call.span)
                yield _own_wait_finding(held, context.calls_impact(held.call, without([held.call.span])))
        for held in between_threads(calls, kinds) if calls[0].function in host.parallel else ():
            if held.call.span not in seen:
                seen.add(held.call.span)
                most = context.calls_impact(held.call, threaded)  # two threads at least, if their work fits
                yield _thread_finding(held, replace(most, low=0.0))
        for call, launch in chunks(calls, rounds):
            if call.span not in seen:
                seen.add(call.span)
                yield _chunk_finding(call, launch, context.calls_impact(call, alternating(call)))
        for call, launch, piece in wholes(host, calls, kinds):
            if call.span not in seen:
                seen.add(call.span)
                most = context.calls_impact(call, apart(call, launch))  # chunks overlap less
                yield _whole_finding(call, launch, piece, replace(most, low=0.0))


def _library_finding(held: Between, impact: Impact) -> Finding:
    before, call, after = held.before, held.call, held.after
    return RULE.finding(
        call.span,
        f"blocking call: {call.name} returns its result to the host between work on `{before.stream}` and "
        f"`{after.stream}`",
        notes=(f"the host waits for it before it queues `{after.name}` on another stream",),
        help="set CUBLAS_POINTER_MODE_DEVICE and leave the result on the device",
        evidence={"direction": "DtoH", "before": before.stream, "after": after.stream, "bytes": None},
        related=(
            Related(before.span, f"{before.name} queued on `{before.stream}` before it"),
            Related(after.span, f"{after.name} queued on `{after.stream}` after it"),
        ),
        impact=impact,
    )


def _own_wait_finding(held: Between, impact: Impact) -> Finding:
    before, call, after = held.before, held.call, held.after
    return RULE.finding(
        call.span,
        f"blocking wait: {call.name} waits for the work just queued on `{call.stream}`, in a loop that uses "
        "streams in turn",
        notes=(f"`{after.name}` on `{after.stream}` is queued only when that is done: nothing overlaps",),
        help="wait when the stream is used again, before its buffers are reused",
        evidence={"direction": "", "before": before.stream, "after": after.stream, "bytes": None},
        related=(
            Related(before.span, f"{before.name} queued on `{before.stream}`"),
            Related(after.span, f"{after.name} queued on `{after.stream}` after it"),
        ),
        impact=impact,
    )


def _thread_finding(held: Between, impact: Impact) -> Finding:
    before, call, after = held.before, held.call, held.after
    waits = call.kind == "synchronise"
    return RULE.finding(
        call.span,
        f"blocking {'wait' if waits else 'copy'}: {call.name} waits for the streams of all threads",
        notes=("several threads may run this loop, each on a stream of its own: here their work serialises",),
        help="wait for the stream of this thread alone: cudaStreamSynchronize"
        if waits
        else f"use {_queued(call)} on the stream of this thread, then cudaStreamSynchronize",
        confidence=Confidence.MEDIUM,
        evidence={
            "direction": call.direction,
            "before": before.stream,
            "after": after.stream,
            "bytes": call.bytes,
        },
        related=(Related(before.span, f"{before.name} queued on `{before.stream}` before it"),),
        impact=impact,
    )


def _chunk_finding(call: HostCall, launch: HostCall, impact: Impact) -> Finding:
    return RULE.finding(
        call.span,
        f"blocking copy: {call.name} copies one chunk per iteration before `{launch.name}` processes it",
        notes=("copy and kernel never overlap; the next chunk could be copied while this one is processed",),
        help=f"alternate between two streams and two buffers: {_queued(call)} from pinned memory, and the "
        "launch on the same stream",
        confidence=Confidence.MEDIUM,
        evidence={"direction": call.direction, "before": "default", "after": "default", "bytes": call.bytes},
        related=(Related(launch.span, f"`{launch.name}` waits for the copy here"),),
        impact=impact,
    )


def _whole_finding(call: HostCall, launch: HostCall, piece: HostCall, impact: Impact) -> Finding:
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
        impact=impact,
    )


def _wait_finding(held: Between, impact: Impact) -> Finding:
    before, call, after = held.before, held.call, held.after
    return RULE.finding(
        call.span,
        f"blocking wait: {call.name} waits for all streams, in a loop that uses them in turn",
        notes=(
            f"`{after.name}` on `{after.stream}` is queued only when the work of the other streams is done: "
            "nothing overlaps",
        ),
        help="wait for what is reused alone: cudaStreamSynchronize of its stream, cudaEventSynchronize",
        evidence={"direction": "", "before": before.stream, "after": after.stream, "bytes": None},
        related=(
            Related(before.span, f"{before.name} queued on `{before.stream}`"),
            Related(after.span, f"{after.name} queued on `{after.stream}` after it"),
        ),
        impact=impact,
    )


def _finding(held: Between, impact: Impact) -> Finding:
    before, call, after = held.before, held.call, held.after
    if call.kind == "library":
        return _library_finding(held, impact)
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
        help=f"use {_queued(call)} on the stream that needs the data"
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
        impact=impact,
    )
