"""
## What it does
Finds cudaMemcpyAsync and its variants between the device and pageable host memory: malloc, new,
std::vector, a variable on the stack.

## Why it costs
The copy engine reads and writes host memory by itself only when its pages are locked. From pageable memory
the driver first copies through a pinned buffer of its own, with the host, so the call does not return at
once and does not overlap with the host's or the stream's work the way the code says. A copy to pageable
memory returns when it is complete. The staging also costs bandwidth: pinned memory copies about twice as
fast over PCIe.

## Example
```cuda
float *h = (float *)malloc(bytes);
cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);  // staged by the host
work<<<blocks, 256, 0, stream>>>(d);
```

## Instead
```cuda
float *h;
cudaMallocHost(&h, bytes);
cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);
```
Memory that somebody else allocated can be pinned in place with cudaHostRegister.

## Limits
Silent when it is not known where the host memory comes from (a parameter, a member, a buffer that is pinned
in only one of two branches), and for copies that are recorded into a graph. Silent for copies of 64 KiB at
most to the device, also where the size changes and no larger one is seen: the programming guide names them
among the calls that return to the host before the device is done. Silent for a single copy that the program
waits for at once, in the next call: nothing could overlap with it, whatever the memory. A copy of a few
scalars (64 bytes at most) to the host is only a note. Systems whose GPU reads all host memory coherently
need no pinning.

## Source
000 and 004 'Pinned memory', 'Asynchronous transfers'; 001 'Streams'.
"""

from collections.abc import Iterator, Sequence

from cudalint.findings import Finding, Related, Severity
from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.waits import is_waited_for_at_once
from cudalint.host.walks import walks
from cudalint.ir.source import Span
from cudalint.rule import Context, Rule

SCALARS = 64  # bytes: so little is staged in no time, only the wait of a copy to the host is left
STAGED = 64 << 10  # bytes: a copy of so many to the device returns at once, from any memory

RULE = Rule(
    code="CU702",
    name="async-copy-pageable",
    severity=Severity.WARNING,
    summary="an asynchronous copy from or to pageable host memory is not asynchronous",
    guides=("000", "001", "004"),
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for each asynchronous copy, as it is written, whose host side is known to be pageable."""
    copies: dict[tuple[Span, str], list[HostCall]] = {}
    for calls in walks(host):
        for index, call in enumerate(calls):
            if _is_pageable(call) and not _stands_alone(calls, index):
                copies.setdefault((call.span, call.direction), []).append(call)
    for found in copies.values():
        sizes = {call.bytes for call in found}
        if found[0].direction == "DtoH" or any(size is None or size > STAGED for size in sizes):
            yield _finding(found[0], sizes)


def _is_pageable(call: HostCall) -> bool:
    asynchronous = call.kind == "copy" and not call.blocking and call.direction in ("HtoD", "DtoH")
    return asynchronous and call.host_space == "pageable" and not call.captured


def _stands_alone(calls: Sequence[HostCall], index: int) -> bool:
    """Whether the program waits for a copy at once, and no other copy comes before it in its stream."""
    before = calls[index - 1] if index else None
    follows = before is not None and before.kind == "copy" and before.stream == calls[index].stream
    return not follows and is_waited_for_at_once(calls, index)


def _finding(call: HostCall, sizes: set[int | None]) -> Finding:
    """What is said of a copy: no number where its size changes or is not known."""
    incoming = call.direction == "HtoD"
    buffer = call.source if incoming else call.destination
    name = call.host_name or (buffer.name if buffer is not None else "")
    shown = f"`{name}`" if name else "the host memory"
    known = [size for size in sizes if size is not None]
    bytes_ = known[0] if len(sizes) == len(known) == 1 else None
    size = f"{bytes_:,} bytes " if bytes_ is not None else ""
    staged = (
        "the driver stages it through a buffer of its own" if incoming else "the call returns when it is done"
    )
    rest = "nothing overlaps with it"
    if incoming and bytes_ is None:
        rest += f" (above {STAGED:,} bytes)"
    related: tuple[Related, ...] = ()
    if buffer is not None and buffer.span is not None:
        related = (Related(buffer.span, "allocated here, pageable"),)
    return RULE.finding(
        call.span,
        f"asynchronous copy {'from' if incoming else 'to'} pageable memory: {shown} is not pinned",
        notes=(f"{size}between the device and pageable memory: {staged}, and {rest}",),
        help="allocate it with cudaMallocHost, or pin it with cudaHostRegister before it is copied",
        evidence={"direction": call.direction, "bytes": bytes_, "host": name, "stream": call.stream},
        related=related,
        severity=Severity.NOTE if bytes_ is not None and bytes_ <= SCALARS else None,
    )
