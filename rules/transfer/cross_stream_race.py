"""
## What it does
Finds work on one stream that reads memory which work on another stream writes, with nothing to order the two:
no event, no host synchronisation, no default stream in between.

## Why it costs
Streams run concurrently. Whether the reader sees the old data, the new data or a mix depends on the load of
the device, so the program may pass every test and fail in production. This is an error, not a cost.

## Example
```cuda
cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, copy);
work<<<grid, block, 0, compute>>>(d);  // may start before the copy is complete
```

## Instead
```cuda
cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, copy);
cudaEventRecord(ready, copy);
cudaStreamWaitEvent(compute, ready, 0);
work<<<grid, block, 0, compute>>>(d);
```
Or queue both on one stream. A cudaStreamNonBlocking stream does not wait for the default stream either:
cudaMemset without a stream returns before the memory is set.

## Limits
- Both streams, the buffer and the bytes have to be known.
- A kernel counts as accessing the first byte that its pointer argument points to, and where the grid and
  all numbers are known, what its blocks at the ends of the grid surely read or write.
- Not reported where several streams launch the kernel with the same pointer but other arguments: each may
  process a part.
- A copy from pageable memory makes it a warning. One to pageable memory is done when the call returns.
- Not reported for calls in branches that need not be taken together.
- Not reported where unseen code, an event query or a library call comes in between.

## Source
001 and 004 'Streams', 'Events'; the CUDA programming guide, 'Streams'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.stream_races import StreamRace, Touched, races
from cudalint.host.walks import stream_kinds, walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.touched_bytes import TouchedBytes
from cudalint.source.span import Span

RULE = Rule(
    code="CU712",
    name="cross-stream-race",
    severity=Severity.ERROR,
    summary="one stream reads what another stream writes, with nothing to order them",
    guides=("001", "004"),
)

_STAGED = "the driver does not wait for the copy, whose memory is pageable: it may, and need not"


def check(host: HostFacts, touched: tuple[TouchedBytes, ...], context: Context) -> Iterator[Finding]:
    """One finding per pair of calls that race."""
    kinds = stream_kinds(host)
    if not kinds:
        return
    reaches: dict[tuple[object, ...], list[Touched]] = {}
    for one in touched:
        shape = (one.kernel, one.block, one.grid)
        reaches.setdefault(shape, []).append((one.parameter, one.write, one.pieces))
    seen: set[Span] = set()
    for walk in walks(host):
        for race in races(walk, kinds, context.unit, reaches):
            if race.later.span not in seen:
                seen.add(race.later.span)
                yield _finding(race)


def _finding(race: StreamRace) -> Finding:
    earlier, later, reader, writer = race.earlier, race.later, race.reader, race.writer
    byte = max(race.first.start, race.second.start)
    buffer = race.first.buffer.name
    name = f"`{buffer}`" if buffer else "a buffer"
    return RULE.finding(
        later.span,
        f"race on {name}: {_what(reader)} on {_stream(reader)} reads what {_what(writer)} on "
        f"{_stream(writer)} writes, with nothing to order them",
        notes=(f"both access byte {byte:,} of the buffer, in either order or at the same time",),
        help=f"record an event on {_stream(earlier)} and make {_stream(later)} wait: cudaStreamWaitEvent",
        evidence={
            "buffer": buffer,
            "byte": byte,
            "reader": reader.stream,
            "writer": writer.stream,
        },
        related=(Related(earlier.span, f"{_what(earlier)} queued on {_stream(earlier)} here"),),
        condition=_STAGED if race.staged else None,
        severity=Severity.WARNING if race.staged else None,
        confidence=Confidence.MEDIUM if race.staged else None,
    )


def _what(call: HostCall) -> str:
    return f"`{call.name}`" if call.kind == "launch" else call.name


def _stream(call: HostCall) -> str:
    return "the default stream" if call.stream == "default" else f"stream `{call.stream}`"
