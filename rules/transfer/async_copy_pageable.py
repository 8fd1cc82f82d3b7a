"""
## What it does
Finds cudaMemcpyAsync and its variants between the device and pageable host memory: malloc, new, std::vector,
stack variables.

## Why it costs
The copy engine accesses host memory directly only if its pages are locked. Pageable memory is staged by the
driver through a pinned buffer, so the call does not return at once, and what the host would queue on other
streams is queued later. A copy to pageable memory returns only when it is complete. Staging also costs
bandwidth: over PCIe, pinned memory copies about twice as fast.

## Example
```cuda
float *h = (float *)malloc(chunks * bytes);
for (int i = 0; i < chunks; ++i) {
    cudaMemcpyAsync(d + i * n, h + i * n, bytes, cudaMemcpyHostToDevice, stream[i % 2]);  // staged
    work<<<blocks, 256, 0, stream[i % 2]>>>(d + i * n);
}
```

## Instead
```cuda
float *h;
cudaMallocHost(&h, chunks * bytes);
for (int i = 0; i < chunks; ++i) {
    cudaMemcpyAsync(d + i * n, h + i * n, bytes, cudaMemcpyHostToDevice, stream[i % 2]);
    work<<<blocks, 256, 0, stream[i % 2]>>>(d + i * n);
}
```
Memory allocated elsewhere can be pinned in place with cudaHostRegister.

## Limits
- Reported only where something could overlap with the copy: work on another stream, host work in a loop of
  copies to the host, or host work in a loop of copies to the device from several buffers in turn.
- Not reported where the origin of the host memory is unknown, in captured graphs, and where the host reads
  the result without synchronising.
- Copies to the device of 64 KiB or less return at once; only a note if their size is unknown, and for
  copies of 64 bytes or less to the host.
- One finding per loop, or per function outside loops, and direction.
- Systems whose GPU accesses host memory coherently need no pinning.

## Source
000 and 004 'Pinned memory', 'Asynchronous transfers'; 001 'Streams'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.delaying_copies import STAGED, delaying, is_staged
from cudalint.host.walks import home, host_side, stream_kinds, walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import pinned
from cudalint.significance.impact import Impact
from cudalint.source.span import Span

RULE = Rule(
    code="CU702",
    name="async-copy-pageable",
    severity=Severity.WARNING,
    summary="an asynchronous copy between the device and pageable host memory is synchronous",
    guides=("000", "001", "004"),
    speed=True,
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per loop and direction of copies that could overlap with other work if they were pinned."""
    kinds = stream_kinds(host)
    found: dict[tuple[object, ...], list[tuple[HostCall, HostCall]]] = {}
    seen: set[tuple[Span, str]] = set()
    sizes: dict[tuple[Span, str], set[int | None]] = {}
    for walk in walks(host):
        if not any(is_staged(call) for call in walk):
            continue
        for call in filter(is_staged, walk):
            sizes.setdefault((call.span, call.direction), set()).add(call.bytes)
        for call, beside in delaying(walk, kinds):
            if (call.span, call.direction) not in seen:
                seen.add((call.span, call.direction))
                where = call.loops or home(context.unit, call.span)
                found.setdefault((call.function, where, call.direction), []).append((call, beside))
    for pairs in found.values():
        relevant = [
            (c, b) for c, b in pairs if c.direction == "DtoH" or _is_large(sizes[c.span, c.direction])
        ]
        if relevant:
            impact = context.calls_impact(relevant[0][0], pinned(call.span for call, _ in relevant))
            yield _finding(relevant, sizes[relevant[0][0].span, relevant[0][0].direction], impact)


def _is_large(sizes: set[int | None]) -> bool:
    return any(size is None or size > STAGED for size in sizes)


def _finding(pairs: list[tuple[HostCall, HostCall]], sizes: set[int | None], impact: Impact) -> Finding:
    """What is said of the copies, at the first: no number where its size changes or is not known."""
    call, beside = pairs[0]
    incoming = call.direction == "HtoD"
    names = [_name(c) for c, _ in pairs]
    shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name) or "the host memory"
    are, it = ("is", "it") if shown.count("`") <= 2 else ("are", "them")
    known = [size for size in sizes if size is not None]
    bytes_ = known[0] if len(sizes) == len(known) == 1 else None
    size = f"{bytes_:,} bytes: " if bytes_ is not None and len(pairs) == 1 else ""
    staged = "staged by the driver" if incoming else "the call returns when the copy is complete"
    above = f" (if larger than {STAGED:,} bytes)" if incoming and bytes_ is None else ""
    related = [Related(beside.span, "delayed by the copy")]
    buffers = [buffer for buffer in (host_side(c) for c, _ in pairs) if buffer is not None]
    places = dict.fromkeys(buffer.span for buffer in buffers if buffer.span is not None)
    related += at_spans(places, "allocated here, pageable")
    others = dict.fromkeys(c.span for c, _ in pairs if c.span != call.span)
    related += at_spans(others, "copied here")
    return RULE.finding(
        call.span,
        f"asynchronous copy {'from' if incoming else 'to'} pageable memory: {shown} {are} not pinned",
        notes=(f"{size}{staged}, {_delayed(beside)}{above}",),
        help=f"allocate {it} with cudaMallocHost, or pin {it} with cudaHostRegister before the copy",
        evidence={
            "direction": call.direction,
            "bytes": bytes_,
            "host": names[0],
            "copies": len(pairs),
            "stream": call.stream,
        },
        related=tuple(related),
        impact=impact,
    )


def _name(call: HostCall) -> str:
    buffer = host_side(call)
    return call.host_name or (buffer.name if buffer is not None else "")


def _delayed(beside: HostCall) -> str:
    if beside.kind == "host-work":
        return "the host continues only then"
    return f"`{beside.name}` on stream `{beside.stream}` is queued only then"
