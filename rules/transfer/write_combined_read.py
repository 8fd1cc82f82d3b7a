"""
## What it does
Finds reads by the host of memory that was allocated with cudaHostAllocWriteCombined.

## Why it costs
Write-combined memory is not cached on the host: writes are gathered into whole lines and sent on, which
spares the caches and lets the bus carry copies to the device without asking them. A read finds nothing in a
cache and leaves nothing there. Every load goes to memory: 16 loads of 4 bytes for a line of 64 bytes that
ordinary memory loads once, and nothing is fetched ahead. Reading such a buffer is one to two orders of
magnitude slower than reading ordinary pinned memory.

## Example
```cuda
float *h;
cudaHostAlloc(&h, bytes, cudaHostAllocWriteCombined);
for (int i = 0; i < n; ++i) h[i] += offset;  // reads every element back
```

## Instead
Only write it, in order, or read from another buffer:
```cuda
for (int i = 0; i < n; ++i) h[i] = source[i] + offset;
```
Memory that the host has to read is allocated with cudaMallocHost.

## Limits
Silent where it is not known where a pointer comes from. Where a hypervisor or the platform maps the pages
as ordinary memory the reads cost nothing extra, and write-combining gains nothing either.

## Source
001 'Pinned memory'; 004 'Memory'; the CUDA programming guide, 'Write-Combining Memory'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostAccess, HostFacts
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU708",
    name="write-combined-read",
    severity=Severity.WARNING,
    summary="the host reads write-combined memory",
    guides=("001", "004"),
)

_LINE = 64  # bytes of a cache line of the host


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each line that reads a write-combined buffer."""
    seen: set[tuple[str, int, int]] = set()
    for access in host.accesses:
        place = (access.span.path, access.span.line, access.buffer.id)
        if access.buffer.space == "write-combined" and not access.write and place not in seen:
            seen.add(place)
            yield _finding(access)


def _finding(access: HostAccess) -> Finding:
    how = f"{access.handed} reads" if access.handed else "the host reads"
    shown = access.name if access.name.strip("*&.") else access.buffer.name
    name = f"`{shown}`" if shown else "a buffer"
    related: tuple[Related, ...] = ()
    if access.buffer.span is not None:
        related = (Related(access.buffer.span, "allocated here, write-combined"),)
    return RULE.finding(
        access.span,
        f"{how} {name} from write-combined memory",
        notes=(
            f"it is not cached: {_LINE // 4} loads of 4 bytes go to memory {_LINE // 4} times, a line of "
            f"{_LINE} bytes in a cache once",
        ),
        help="only write this buffer, or allocate it without cudaHostAllocWriteCombined",
        evidence={"buffer": access.buffer.name, "bytes": access.buffer.bytes},
        related=related,
    )
