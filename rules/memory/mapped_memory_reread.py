"""
## What it does
Finds loads of host memory that a kernel reads where it is (zero copy: mapped or pinned memory passed to a
launch) and that ask for the same bytes again: in a loop, or by many threads and blocks.

## Why it costs
Host memory is not kept in the device's L2 cache. Each load that the L1 cache of its multiprocessor does not
hold goes over the bus. On an H200 (PCIe 5, 16 lanes) a kernel that reads 64 MB of mapped memory once takes
1.3 ms, as a copy of it does; reading it twice, four and eight times past L1 takes 2.6, 5.2 and 10.6 ms, where
device memory takes .06 to .12 ms. 132 blocks that each read the same 256 KB take 1.55 ms instead of .32 ms
for one of them, since every multiprocessor fetches them for itself.

## Example
```cuda
cudaHostAlloc(&h, bytes, cudaHostAllocMapped);
cudaHostGetDevicePointer(&mapped, h, 0);
all_pairs<<<blocks, 256>>>(out, mapped, n);
// and in the kernel
for (int k = 0; k < n; ++k)
    sum += in[k] * mine;
```

## Instead
```cuda
cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream);
all_pairs<<<blocks, 256, 0, stream>>>(out, d, n);
```
Or let each block bring its piece into shared memory once. Zero copy is for what is read or written once.

## Limits
Speaks where a launch passes memory that the host model saw being allocated, and the addresses are known. The
number is of the few blocks that the model runs, so of a whole grid it is the least: a list that every block
reads is read once by each of them. Silent below two times, which leaves out what neighbouring blocks share at
their edges, for fewer than 128 bytes (parameters, flags that are waited for), for what the threads of a block
ask for together or in the next iteration again, and for what different places of the source load in one
iteration: that is in a register or in L1. Other repeats may hit L1 too, so the bus may see fewer. Loads that
waste sectors are told by CU101 and its kin, managed memory by CU711. On devices that share memory with the
host nothing crosses a bus.

## Source
000 'Zero Copy' (repeated access causes repeated transfers); 001 'Mapped memory'; 004 'Zero Copy guidelines'.
The times were measured on an H200, CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.host_reads import HostRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import number

RULE = Rule(
    code="CU114",
    name="mapped-memory-reread",
    severity=Severity.WARNING,
    summary="a kernel loads the same bytes of host memory again and again over the bus",
    guides=("000", "001", "004"),
)

_MOST_RELATED = 8


def check(kernel: KernelFacts, reads: tuple[HostRead, ...], context: Context) -> Iterator[Finding]:
    """One finding for each buffer that is read again, at the load that repeats most."""
    groups: dict[str, list[HostRead]] = {}
    for read in reads:
        if read.span.path in context.lines:
            groups.setdefault(read.buffer, []).append(read)
    for found in groups.values():
        worst = max(found, key=lambda read: read.times)
        yield _finding(worst, [read for read in found if read is not worst], kernel.name)


def _finding(read: HostRead, others: list[HostRead], kernel: str) -> Finding:
    times = number(round(read.times, 1))
    return RULE.finding(
        read.span,
        f"`{read.expression}` loads host memory over the bus, each byte {times} times or more",
        notes=(
            f"`{read.buffer}` is not copied to the device: what L1 holds no more is fetched again, and each"
            " multiprocessor fetches for itself",
            f"seen for {read.configuration.describe()}",
        ),
        help="copy the buffer to device memory first, or let each block stage its piece in shared memory",
        kernel=kernel,
        evidence={"times": times},
        related=tuple(
            Related(other.span, f"`{other.expression}` is loaded again too")
            for other in others[:_MOST_RELATED]
        ),
        confidence=Confidence.HIGH,
    )
