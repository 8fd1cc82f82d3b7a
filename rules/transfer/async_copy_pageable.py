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
in only one of two branches), and for copies that are recorded into a graph. A copy of a few scalars (64
bytes at most) is only a note. Systems whose GPU reads all host memory coherently need no pinning.

## Source
000 and 004 'Pinned memory', 'Asynchronous transfers'; 001 'Streams'.
"""

from collections.abc import Iterator

from cudalint.findings import Finding, Related, Severity
from cudalint.host.facts import HostCall
from cudalint.rule import Context, Rule

SCALARS = 64  # bytes: so little is staged in no time, only the wait of a copy to the host is left

RULE = Rule(
    code="CU702",
    name="async-copy-pageable",
    severity=Severity.WARNING,
    summary="an asynchronous copy from or to pageable host memory is not asynchronous",
    guides=("000", "001", "004"),
)


def check(call: HostCall, context: Context) -> Iterator[Finding]:
    """A finding for an asynchronous copy whose host side is known to be pageable."""
    if call.kind != "copy" or call.blocking or call.direction not in ("HtoD", "DtoH"):
        return
    if call.host_space != "pageable" or call.captured:
        return
    incoming = call.direction == "HtoD"
    buffer = call.source if incoming else call.destination
    name = call.host_name or (buffer.name if buffer is not None else "")
    shown = f"`{name}`" if name else "the host memory"
    size = f"{call.bytes:,} bytes " if call.bytes is not None else ""
    staged = (
        "the driver stages it through a buffer of its own" if incoming else "the call returns when it is done"
    )
    related: tuple[Related, ...] = ()
    if buffer is not None and buffer.span is not None:
        related = (Related(buffer.span, "allocated here, pageable"),)
    yield RULE.finding(
        call.span,
        f"asynchronous copy {'from' if incoming else 'to'} pageable memory: {shown} is not pinned",
        notes=(f"{size}between the device and pageable memory: {staged}, and nothing overlaps with it",),
        help="allocate it with cudaMallocHost, or pin it with cudaHostRegister before it is copied",
        evidence={"direction": call.direction, "bytes": call.bytes, "host": name, "stream": call.stream},
        related=related,
        severity=Severity.NOTE if call.bytes is not None and call.bytes <= SCALARS else None,
    )
