"""
## What it does
Finds loads of host memory in a kernel (zero copy: mapped or pinned memory passed to a launch) that request
the same bytes repeatedly: in a loop, or by many threads and blocks.

## Why it costs
Host memory is not cached in the device's L2. Each load that misses in the L1 cache of its SM goes over the
bus. On an H200 (PCIe 5, 16 lanes) a kernel that reads 64 MB of mapped memory once takes 1.3 ms, as long as a
copy; reading it two, four and eight times past L1 takes 2.6, 5.2 and 10.6 ms, where device memory takes .06
to .12 ms. 132 blocks that each read the same 256 KB take 1.55 ms, one of them .32 ms, since every SM fetches
the bytes itself.

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
Or let each block stage its part in shared memory once. Zero copy suits data that is read or written once.

## Limits
- Reported only where the allocation and the addresses are known. The number is a lower bound, counted over
  the few blocks that the model runs.
- Silent below two loads per byte, for fewer than 128 bytes, and for what the threads of a block load
  together, in the next iteration or elsewhere in the same one: those hit.
- Other repeats may hit L1 too, as may a row that a thread goes through again in a later loop: those are
  reported on the condition that it does not fit.
- Uncoalesced loads are reported by CU101 and related rules, managed memory by CU711.
- Does not apply to devices that share memory with the host.

## Source
000 'Zero Copy' (repeated access causes repeated transfers); 001 'Mapped memory'; 004 'Zero Copy guidelines'.
The times were measured on an H200, CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import HOST_REREADS
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.host_reads import HostRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.passes import Pass
from cudalint.simt.query.pattern import number
from cudalint.source.span import Span

RULE = Rule(
    code="CU114",
    name="mapped-memory-reread",
    severity=Severity.WARNING,
    summary="a kernel loads the same bytes of host memory repeatedly over the bus",
    guides=("000", "001", "004"),
)


def check(
    kernel: KernelFacts,
    reads: tuple[HostRead, ...],
    passes: tuple[Pass, ...],
    accesses: tuple[Access, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding for each buffer that is reread, at the load that repeats most, or at the first of those in
    later loops.
    """
    groups: dict[str, list[HostRead]] = {}
    for read in reads:
        if read.times >= HOST_REREADS.value and read.span.path in context.lines:
            groups.setdefault(read.buffer, []).append(read)
    for rereads in groups.values():
        worst = max(rereads, key=lambda read: read.times)
        yield _finding(worst, [read for read in rereads if read is not worst], kernel.name)
    texts = {access.span: access.expression for access in accesses}
    later: dict[str, list[Pass]] = {}
    for one in passes:
        if one.host and not one.stored and one.buffer not in groups and one.span.path in context.lines:
            later.setdefault(one.buffer, []).append(one)
    for again in later.values():
        yield _again(again, texts, kernel.name)


def _again(passes: list[Pass], texts: dict[Span, str], kernel: str) -> Finding:
    """Of loops that load what their threads have loaded before."""
    first, *others = passes
    return RULE.finding(
        first.span,
        f"`{texts.get(first.span, first.buffer)}` loads host memory over the bus again, which each thread"
        f" loaded in an earlier loop (line {first.before.line})",
        notes=(f"`{first.buffer}` is not in device memory: each pass over it goes over the bus",),
        help="copy the buffer to device memory first, or keep what later loops need in shared memory",
        kernel=kernel,
        evidence={"times": 1 + len({one.span for one in passes})},
        condition="the first-level cache does not hold what the loop loads",
        related=(
            Related(first.before, "loaded here first"),
            *repeated(others, lambda one: f"`{texts.get(one.span, one.buffer)}` is loaded again, too"),
        ),
        standing=on_shape(first.configuration),
    )


def _finding(read: HostRead, others: list[HostRead], kernel: str) -> Finding:
    times = number(round(read.times, 1))
    return RULE.finding(
        read.span,
        f"`{read.expression}` loads host memory over the bus, each byte at least {times} times",
        notes=(
            f"`{read.buffer}` is not in device memory: each L1 miss, on each SM, goes over the bus again",
        ),
        help="copy the buffer to device memory first, or let each block stage its part in shared memory",
        kernel=kernel,
        evidence={"times": times},
        related=repeated(others, lambda other: f"`{other.expression}` is loaded repeatedly too"),
        standing=on_shape(read.configuration),
    )
