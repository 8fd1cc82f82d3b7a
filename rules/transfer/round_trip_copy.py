"""
## What it does
Finds data that is copied from the device to the host and back to the device, without the host reading or
changing it in between.

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

## Limits
- Not reported where the buffer behind a host pointer is unknown, or unseen code runs in between.
- Not reported where the program changes the device in between (use cudaMemcpyPeer for copies between
  devices).
- Not reported where the first copy is under a condition that the second one is not.
- Reported even if the host reads the data later: then only the copy back is redundant.

## Source
000 and 004 'Data transfer between host and device'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts, Place, Use
from cudalint.host.walks import along, unrolled, walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU705",
    name="round-trip-copy",
    severity=Severity.WARNING,
    summary="data is copied to the host and back to the device unused",
    guides=("000", "004"),
)

_BUS, _DEVICE = 55e9, 1.6e12  # bytes a second: pinned over PCIe 5, and inside an H200, as measured


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy to the device of data that another copy has just fetched from it."""
    uses: dict[tuple[str, int], list[Use]] = {}
    for use in host.uses:
        uses.setdefault((use.function, use.order), []).append(use)
    seen: set[Span] = set()
    for calls in walks(host):
        for down, up in _trips(calls, uses):
            if up.span not in seen:
                seen.add(up.span)
                yield _finding(down, up)


def _trips(
    calls: tuple[HostCall, ...], uses: dict[tuple[str, int], list[Use]]
) -> Iterator[tuple[HostCall, HostCall]]:
    """(copy to the host, copy back) with no use of the host's buffer between."""
    fetched: dict[int, HostCall] = {}  # by the host's buffer
    last = -1
    for call in unrolled(calls):
        touched = uses.get((call.function, call.order), [])
        if call.order != last + 1:  # the start of a loop's body comes after its end
            ends = uses.get((call.function, last + 1), [])
            touched = touched + [use for use in ends if use.loops[:1] == call.loops[:1]]
        last = call.order
        for use in touched:
            fetched.pop(use.buffer, None)
        if call.unseen or call.name == "cudaSetDevice":
            fetched.clear()
        elif call.kind == "copy" and not call.captured:
            back = fetched.get(call.source.id) if call.source is not None else None
            if call.direction == "HtoD" and back is not None and _is_trip(back, call):
                yield back, call
            _note(call, fetched)
        else:
            for number in (
                *call.arguments,
                *(b.id for b in (call.source, call.destination) if b is not None),
            ):
                fetched.pop(number, None)


def _note(call: HostCall, fetched: dict[int, HostCall]) -> None:
    if call.direction == "DtoH" and call.destination is not None:
        fetched[call.destination.id] = call
    elif call.direction not in ("HtoD", "DtoH", "DtoD"):
        fetched.clear()


def _is_trip(down: HostCall, up: HostCall) -> bool:
    """Whether a copy surely takes what the other one has brought."""
    if not along(down, up) or None in (down.source, up.destination):
        return False
    return _holds(down.destination_place, down.bytes, up.source_place, up.bytes)


def _holds(whole: Place | None, size: int | None, part: Place | None, bytes_: int | None) -> bool:
    """Whether one range is known to start in the other."""
    if whole is None or part is None or whole.offset is None or part.offset is None:
        return False
    if whole.offset == part.offset:
        return True
    return size is not None and bytes_ is not None and whole.offset <= part.offset < whole.offset + size


def _finding(down: HostCall, up: HostCall) -> Finding:
    same = down.source is not None and up.destination is not None and down.source.id == up.destination.id
    name = f"`{up.host_name}`" if up.host_name else "data"
    size = "the data" if up.bytes is None else f"{up.bytes:,} bytes"
    note = f"{size} cross the bus twice and block the host, but could stay on the device"
    if up.bytes is not None and not same:
        bus, inside = 2e3 * up.bytes / _BUS, 1e3 * up.bytes / _DEVICE
        note = (
            f"{size} cross the bus twice, {bus:.3g} ms at 55 GB/s; on the device a copy takes {inside:.2g} ms"
        )
    return RULE.finding(
        up.span,
        f"round trip: {name} is copied back to the device unchanged, the host does not use it in between",
        notes=(note,),
        help="keep it on the device" + ("" if same else ", or copy with cudaMemcpyDeviceToDevice"),
        evidence={"bytes": up.bytes, "same_buffer": same},
        related=(Related(down.span, "copied to the host here"),),
    )
