"""
## What it does
Finds data that is copied from the device to the host and back to the device, without the host changing it in
between: it may read it, or move it with memcpy to another buffer. Also data that a loop restores from the
host in every iteration, since a kernel has written the device copy, though the host's has not changed: a
second buffer on the device could hold it. And what a loop fetches in every iteration though the host only
looks at it after the loop.

## Why it costs
Both copies cross the bus, and both block the host. On an H200 with PCIe 5, 64 MiB take 1.2 ms each way from
pinned memory and three times that from pageable memory; a device-to-device copy takes 0.04 ms, and data that
stays in place nothing. In a loop that passes data between kernels through the host, this is usually most of
the time.

## Example
```cuda
first<<<grid, block>>>(d);
cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
cudaMemcpy(e, h, bytes, cudaMemcpyHostToDevice);  // h was not touched
second<<<grid, block>>>(e);
```

## Instead
```cuda
first<<<grid, block>>>(d);
second<<<grid, block>>>(d);
```
or, if the data has to be in another buffer, `cudaMemcpy(e, d, bytes, cudaMemcpyDeviceToDevice)`.

A loop that resets its input: upload it once to a second buffer, and
`cudaMemcpy(d, original, bytes, cudaMemcpyDeviceToDevice)` in each iteration.

## Limits
- Not reported where the buffer behind a host pointer is unknown, or unseen code runs in between.
- Not reported where the program changes the device in between (use cudaMemcpyPeer for copies between
  devices).
- Not reported where the first copy is under a condition that the second one is not.
- What a loop fetches: not where the loop runs unseen code or does anything else with the memory, and not
  where a function that it calls fetches it.
- Where the host reads the data in between, only the copy back is redundant; so it is where it reads it later.

## Source
000 and 004 'Data transfer between host and device'.
"""

from collections.abc import Iterator

from cudalint.host.facts import PINNED, HostCall, HostFacts, MemorySpace
from cudalint.host.query.plain_uploads import plain_uploads
from cudalint.host.query.round_trips import RoundTrip, round_trips
from cudalint.host.query.unchanged_uploads import Upload, unchanged_uploads
from cudalint.host.query.unread_downloads import UnreadDownload, unread_downloads
from cudalint.host.walks import run_of
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import on_device, without, without_one
from cudalint.significance.impact import Impact
from cudalint.significance.thresholds import SCALAR_BYTES
from cudalint.source.span import Span

RULE = Rule(
    code="CU705",
    name="round-trip-copy",
    severity=Severity.WARNING,
    summary="data is copied to the host and back to the device unused",
    guides=("000", "004"),
    speed=True,
)

# Bytes a second, as measured: over PCIe 5, of pinned and of pageable memory, and inside an H200.
_PINNED, _PAGEABLE, _DEVICE = 55e9, 15e9, 1.6e12


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy to the device of data that another copy has just fetched from it."""
    seen: set[Span] = set()
    for trip in round_trips(host):
        if trip.up.span not in seen:
            seen.add(trip.up.span)
            gone = [trip.up.span] if trip.read else [trip.down.span, trip.up.span]
            yield _finding(trip, context.calls_impact(trip.up, without(gone)))
    plain = {found.call.span for found in plain_uploads(host, context.unit)}  # of CU713
    for upload in unchanged_uploads(host, context.unit):
        call = upload.call
        small = call.bytes is not None and call.bytes <= SCALAR_BYTES.value
        if upload.writers and not small and call.span not in seen | plain:
            yield _restored(upload, context.calls_impact(call, on_device([call.span])), run_of(host))
    for unread in unread_downloads(host):
        call = unread.call
        small = call.bytes is not None and call.bytes <= SCALAR_BYTES.value
        if not small and call.span not in seen:
            seen.add(call.span)
            yield _unread(unread, context.calls_impact(call, without_one(call)), run_of(host))


def _unread(unread: UnreadDownload, impact: Impact, run: str) -> Finding:
    """run: whose size it is where the command line decides it."""
    call = unread.call
    size = call.bytes if call.bytes is not None else call.as_run
    name = f"`{call.host_name}`" if call.host_name else "the data"
    note = "the next iteration overwrites them"
    if size is not None:
        note = f"{size:,} bytes take {_over_bus([call], size)}; {note}"
    return RULE.finding(
        call.span,
        f"fetched for nothing: a loop copies {name} to the host in every iteration, and does not read it",
        notes=_notes(call, size, note, run),
        help="copy it once, after the loop",
        condition="the loop does not measure these copies",
        confidence=Confidence.MEDIUM,
        evidence={"bytes": size, "same_buffer": True},
        related=(Related(unread.loop.span, "in every iteration of this loop"),),
        impact=impact,
    )


def _notes(call: HostCall, size: int | None, note: str, run: str) -> tuple[str, ...]:
    """A note, and whose size it is where only a run has one."""
    return (note, f"size of {run}") if call.bytes is None and size is not None else (note,)


def _restored(upload: Upload, impact: Impact, run: str) -> Finding:
    """run: whose size it is where the command line decides it."""
    call = upload.call
    by_library = all(writer.kind == "library" for writer in upload.writers)
    size = call.bytes if call.bytes is not None else call.as_run
    name = f"`{call.host_name}`" if call.host_name else "bytes"
    note = "the host's data do not change in the loop; a copy of them on the device would not cross the bus"
    if size is not None:
        note = f"{size:,} bytes take {_over_bus([call], size)}; {_inside(size)}"
    return RULE.finding(
        call.span,
        f"restored over the bus: a loop copies the same {name} to the device in every iteration",
        notes=_notes(call, size, note, run),
        help="upload it once to a second buffer, and restore from that with cudaMemcpyDeviceToDevice"
        + (", unless the library only reads it" if by_library else ""),
        evidence={"bytes": size, "same_buffer": False},
        related=(
            Related(upload.loop.span, "in every iteration of this loop"),
            Related(
                upload.writers[0].span,
                f"{'a library may write' if by_library else 'a kernel of the loop writes'} the device copy",
            ),
        ),
        impact=impact,
    )


def _finding(trip: RoundTrip, impact: Impact) -> Finding:
    down, up, moved = trip.down, trip.up, trip.moved
    same = down.source is not None and up.destination is not None and down.source.id == up.destination.id
    name = f"`{up.host_name}`" if up.host_name else "data"
    size = "the data" if up.bytes is None else f"{up.bytes:,} bytes"
    note = f"{size} cross the bus twice and block the host, but could stay on the device"
    if up.bytes is not None and not same:
        note = f"{size} cross the bus twice, {_over_bus([down, up], up.bytes)}; {_inside(up.bytes)}"
    return RULE.finding(
        up.span,
        f"round trip: {name} is copied back to the device unchanged, the host " + _between(trip),
        notes=(note,),
        help="keep it on the device" + ("" if same else ", or copy with cudaMemcpyDeviceToDevice"),
        evidence={"bytes": up.bytes, "same_buffer": same},
        related=(
            Related(down.span, "copied to the host here"),
            *((Related(moved.span, "moved here"),) if moved is not None else ()),
        ),
        impact=impact,
    )


def _between(trip: RoundTrip) -> str:
    """What the host does with the data."""
    if trip.read:
        return "only reads it in between"
    return "only moves it in between" if trip.moved is not None else "does not use it in between"


def _over_bus(copies: list[HostCall], size: int) -> str:
    """The time of the copies of so many bytes: by the host's memory, where that is known."""
    shortest = _milliseconds(copies, size, "pinned")
    longest = _milliseconds(copies, size, "pageable")
    if shortest != longest:
        return f"{shortest:.3g} ms at 55 GB/s (pinned memory) to {longest:.3g} ms at 15 GB/s (pageable)"
    spaces = {"pinned" if copy.host_space in PINNED else "pageable" for copy in copies}
    if len(spaces) > 1:
        return f"{shortest:.3g} ms (pageable memory at 15 GB/s, pinned at 55 GB/s)"
    return (
        f"{shortest:.3g} ms at {'55 GB/s (pinned' if spaces == {'pinned'} else '15 GB/s (pageable'} memory)"
    )


def _milliseconds(copies: list[HostCall], size: int, otherwise: MemorySpace) -> float:
    """otherwise: the host's memory where nobody knows it."""
    spaces = [otherwise if copy.host_space == "unknown" else copy.host_space for copy in copies]
    return sum(1e3 * size / (_PINNED if space in PINNED else _PAGEABLE) for space in spaces)


def _inside(size: int) -> str:
    return f"on the device a copy takes {1e3 * size / _DEVICE:.2g} ms"
