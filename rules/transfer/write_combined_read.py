"""
## What it does
Finds host reads of memory allocated with cudaHostAllocWriteCombined.

## Why it costs
Write-combined memory is not cached on the host: writes are collected into whole lines and sent on, which
spares the caches and lets copies to the device proceed without snooping them. A read hits no cache and fills
none. Every load goes to memory, 16 loads of 4 bytes for a 64-byte line that cacheable memory loads once, and
nothing is prefetched. Reading such a buffer is one to two orders of magnitude slower than reading ordinary
pinned memory.

## Example
```cuda
float *h;
cudaHostAlloc(&h, bytes, cudaHostAllocWriteCombined);
for (int i = 0; i < n; ++i) h[i] += offset;  // reads every element back
```

## Instead
Only write it, in order, and read from another buffer:
```cuda
for (int i = 0; i < n; ++i) h[i] = source[i] + offset;
```
Allocate memory that the host reads with cudaMallocHost.

## Limits
- Not reported where the origin of a pointer is unknown.
- Where a hypervisor or the platform maps the pages as cacheable, reads cost nothing extra, and
  write-combining gains nothing either.

## Source
001 'Pinned memory'; 004 'Memory'; the CUDA programming guide, 'Write-Combining Memory'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostAccess, HostFacts
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact

RULE = Rule(
    code="CU708",
    name="write-combined-read",
    severity=Severity.WARNING,
    summary="the host reads write-combined memory",
    guides=("001", "004"),
    speed=True,
)

_LINE = 64  # bytes of a cache line of the host
_WORD = 4  # bytes of a load
_LOST, _CACHED = 1.8e-11, 1.2e-10  # seconds a byte: what the pair lost on an H200's host, and took without
_UNCACHED = 1e-7  # seconds of a load that no cache serves


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per source line that reads a write-combined buffer."""
    seen: set[tuple[str, int, int]] = set()
    for access in host.accesses:
        place = (access.span.path, access.span.line, access.buffer.id)
        if access.buffer.space == "write-combined" and not access.write and place not in seen:
            seen.add(place)
            yield _finding(access, _impact(access, host, context))


def _impact(access: HostAccess, host: HostFacts, context: Context) -> Impact:
    """Of the time that the host works on the buffer and the copies of the same walk move it: for one element
    at least where it is read by an expression, for all of it at most.
    """
    size = access.buffer.bytes
    if size is None:
        return Impact(0.0, 1.0, Basis.TRANSFERS)
    copies = [
        context.seconds(call)
        for call in host.calls
        if call.kind == "copy"
        and call.function == access.function
        and access.buffer in (call.source, call.destination)
    ]
    moved_least, moved_most = (sum(one[end] for one in copies) for end in (0, 1))
    least = size if access.handed else _WORD
    low = least * _LOST / (size * (_LOST + _CACHED) + moved_most)
    slow = size / _WORD * _UNCACHED
    return Impact(low, slow / (slow + moved_least), Basis.TRANSFERS)


def _finding(access: HostAccess, impact: Impact) -> Finding:
    reader = f"{access.handed} reads" if access.handed else "the host reads"
    shown = access.name if access.name.strip("*&.") else access.buffer.name
    name = f"`{shown}`" if shown else "a buffer"
    related: tuple[Related, ...] = ()
    if access.buffer.span is not None:
        related = (Related(access.buffer.span, "allocated here, write-combined"),)
    return RULE.finding(
        access.span,
        f"{reader} {name} from write-combined memory",
        notes=(
            f"it is not cached: {_LINE // 4} loads of 4 bytes are {_LINE // 4} memory accesses, where one "
            f"would fill a cache line of {_LINE} bytes",
        ),
        help="only write to this buffer, or allocate it without cudaHostAllocWriteCombined",
        evidence={"buffer": access.buffer.name, "bytes": access.buffer.bytes},
        related=related,
        impact=impact,
    )
