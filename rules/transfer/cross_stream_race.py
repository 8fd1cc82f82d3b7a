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
- A kernel counts as accessing the first byte that its pointer argument points to; how far it reads or writes
  is not known.
- Not reported where several streams launch the kernel with the same pointer but other arguments: each may
  process a part.
- Not reported for calls in branches that need not be taken together.
- Not reported where unseen code, an event query or a library call comes in between.

## Source
001 and 004 'Streams', 'Events'; the CUDA programming guide, 'Streams'.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.pointees import effects
from cudalint.host.facts import Buffer, HostCall, HostFacts, LaunchFact
from cudalint.host.graph import done_before, order
from cudalint.host.walks import along, stream_kinds, unrolled, walks
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU712",
    name="cross-stream-race",
    severity=Severity.ERROR,
    summary="one stream reads what another stream writes, with nothing to order them",
    guides=("001", "004"),
)

_QUEUED = ("launch", "copy", "memset")
_MOST_CALLS = 300  # of a walk, loops twice; what comes later is not looked at
_ORDERS_NOTHING = ("cudaGetDevice", "cudaFuncSet", "cudaOccupancy", "cudaMemGetInfo", "cudaDeviceGet", "nvtx")


class BufferUse(Struct, frozen=True):
    """Bytes of a buffer that queued work reads or writes; for a kernel, the first byte of its argument."""

    buffer: Buffer
    start: int
    end: int
    write: bool
    name: str


class Work(Struct, frozen=True):
    """Queued work with its position in the walk and the bytes it accesses."""

    position: int
    call: HostCall
    uses: tuple[BufferUse, ...]


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per pair of calls that race."""
    kinds = stream_kinds(host)
    if not kinds:
        return
    seen: set[Span] = set()
    for walk in walks(host):
        calls = [call for call in unrolled(walk) if not call.captured][:_MOST_CALLS]
        for earlier, later, touch, other in _races(calls, kinds, context.unit):
            if later.span not in seen:
                seen.add(later.span)
                yield _finding(earlier, later, touch, other)


def _races(
    calls: list[HostCall], kinds: dict[str, str], unit: Unit
) -> Iterator[tuple[HostCall, HostCall, BufferUse, BufferUse]]:
    parts = _launched_in_parts(calls)
    works = [
        Work(i, call, uses)
        for i, call in enumerate(calls)
        if _is_on_a_stream(call, kinds) and (uses := tuple(_uses(call, unit, parts)))
    ]
    if len({work.call.stream for work in works}) < 2:
        return
    graph = order(calls, kinds)
    vague = any(call.kind == "event-record" and not _is_clear(call.event) for call in calls)
    barriers = [i for i, call in enumerate(calls) if _may_order(call, vague)]
    for index, later in enumerate(works):
        suspects = [
            (earlier, pair)
            for earlier in works[:index]
            if earlier.call.stream != later.call.stream and along(earlier.call, later.call)
            if (pair := _conflict(earlier, later)) is not None
            and not any(earlier.position < i < later.position for i in barriers)
        ]
        if suspects:
            done = done_before(graph, later.position)
            for earlier, pair in suspects:
                if earlier.position not in done:
                    yield earlier.call, later.call, *pair


def _is_on_a_stream(call: HostCall, kinds: dict[str, str]) -> bool:
    """Whether a call queues work on one stream that is surely known and is not ordered by the host."""
    if call.kind not in _QUEUED or call.blocking or "?" in call.stream or call.host_space == "pageable":
        return False
    return kinds.get(call.stream) in ("blocking", "non-blocking") or call.stream in ("default", "per-thread")


def _may_order(call: HostCall, vague: bool) -> bool:
    """Whether a call may make streams wait in a way that the graph does not show. vague: an event that is not
    known is recorded, and any wait may be for it.
    """
    if call.kind == "event-wait" or (call.kind == "synchronise" and "Event" in call.name):
        return vague or not _is_clear(call.event) or "?" in call.stream
    if call.kind == "synchronise":
        return call.stream == "unknown" or "?" in call.stream
    return call.unseen or (call.kind == "other" and not call.name.startswith(_ORDERS_NOTHING))


def _is_clear(name: str) -> bool:
    return bool(name) and "?" not in name


def _launched_in_parts(calls: list[HostCall]) -> set[tuple[str | None, int]]:
    """(kernel, buffer) of kernels that several streams hand one buffer to, with numbers that differ or are
    unknown: each launch may process a part of it.
    """
    found: dict[tuple[str | None, int], set[tuple[str, tuple[int | float | None, ...]]]] = {}
    for call in calls:
        if call.launch is None or call.launch.arguments is None:
            continue
        numbers = tuple(a.value for a in call.launch.arguments if not (a.buffer or a.among))
        for number in call.arguments:
            found.setdefault((call.launch.key, number), set()).add((call.stream, numbers))
    return {key for key, launches in found.items() if _may_be_parts(launches)}


def _may_be_parts(launches: set[tuple[str, tuple[int | float | None, ...]]]) -> bool:
    streams = {stream for stream, _ in launches}
    numbers = {given for _, given in launches}
    several = len(streams) > 1 or any("?" in stream for stream in streams)
    return several and (len(numbers) > 1 or any(None in given for given in numbers))


def _uses(call: HostCall, unit: Unit, parts: set[tuple[str | None, int]]) -> Iterator[BufferUse]:
    if call.launch is not None:
        yield from _of_launch(call.launch, unit, parts)
        return
    for buffer, place, write in (
        (call.source, call.source_place, False),
        (call.destination, call.destination_place, True),
    ):
        if buffer is not None and place is not None and place.offset is not None and call.bytes:
            yield BufferUse(buffer, place.offset, place.offset + call.bytes, write, buffer.name)


def _of_launch(launch: LaunchFact, unit: Unit, parts: set[tuple[str | None, int]]) -> Iterator[BufferUse]:
    function = unit.functions.get(launch.key) if launch.key is not None else None
    if function is None or function.body is None or launch.arguments is None:
        return
    read, written = effects(function)
    for index, argument in enumerate(launch.arguments):
        buffer, offset = argument.buffer, argument.offset
        if buffer is None or offset is None or (launch.key, buffer.id) in parts:
            continue
        for found, write in ((read, False), (written, True)):
            if index in found:
                yield BufferUse(buffer, offset, offset + 1, write, function.parameters[index].name)


def _conflict(earlier: Work, later: Work) -> tuple[BufferUse, BufferUse] | None:
    """A byte that one of two writes and the other one reads."""
    for one in earlier.uses:
        for other in later.uses:
            same = one.buffer.id == other.buffer.id and one.write != other.write
            if same and one.start < other.end and other.start < one.end:
                return one, other
    return None


def _finding(earlier: HostCall, later: HostCall, touch: BufferUse, other: BufferUse) -> Finding:
    reader, writer = (earlier, later) if touch.write is False else (later, earlier)
    byte = max(touch.start, other.start)
    name = f"`{touch.buffer.name}`" if touch.buffer.name else "a buffer"
    return RULE.finding(
        later.span,
        f"race on {name}: {_what(reader)} on {_stream(reader)} reads what {_what(writer)} on "
        f"{_stream(writer)} writes, with nothing to order them",
        notes=(f"both access byte {byte:,} of the buffer, in either order or at the same time",),
        help=f"record an event on {_stream(earlier)} and make {_stream(later)} wait: cudaStreamWaitEvent",
        evidence={
            "buffer": touch.buffer.name,
            "byte": byte,
            "reader": reader.stream,
            "writer": writer.stream,
        },
        related=(Related(earlier.span, f"{_what(earlier)} queued on {_stream(earlier)} here"),),
    )


def _what(call: HostCall) -> str:
    return f"`{call.name}`" if call.kind == "launch" else call.name


def _stream(call: HostCall) -> str:
    return "the default stream" if call.stream == "default" else f"stream `{call.stream}`"
