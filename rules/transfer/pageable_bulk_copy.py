"""
## What it does
Finds pageable host buffers (malloc, new, std::vector) that blocking copies transfer in bulk, 64 MiB or more
in total: copied so often that pinning the buffer pays off, or copied in a loop of unknown trip count.

## Why it costs
The copy engine needs locked pages. Pageable memory is staged by the driver through a pinned buffer, with the
CPU as the bottleneck: on an H200 with PCIe 5, pinned memory reached 55 GB/s, pageable memory 10 to 19.
Pinning is not free: cudaHostRegister and cudaHostUnregister took 50 us per MiB (11 ms for 256 MiB, where one
pageable copy took 27 ms and a pinned one 5). The rule requires the copies to save five times as much, because
machines differ and cudaMallocHost also allocates the pages: a buffer has to be copied five times or more.

## Example
```cuda
float *h = (float *)malloc(bytes);  // 64 MiB
for (int step = 0; step < steps; ++step) {
    fill(h);
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    work<<<grid, block>>>(d);
}
```

## Instead
```cuda
float *h;
cudaMallocHost(&h, bytes);
```
Or, for memory allocated elsewhere, `cudaHostRegister(h, bytes, cudaHostRegisterDefault)` once before the
loop. Pinned memory reduces what the system can page: pin what is copied often, not everything.

## Limits
- Not reported where the bytes of a copy are unknown or below 1 MiB, where the buffer's size is unknown, or
  where the memory may be pinned.
- Not reported for asynchronous copies (CU702) and copies under a condition in a loop.
- For an unknown trip count the numbers are per iteration, and the finding says how many iterations pay for
  pinning.
- Not reported for memory that is allocated in every iteration, or in a function called from a loop.
- Systems whose GPU accesses host memory coherently need no pinning.

## Source
000 9.1 and 004 'Pinned memory'.
"""

from collections.abc import Iterator
from math import ceil

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.bulk_copies import Traffic, copied_buffers
from cudalint.host.walks import host_side
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import PAGEABLE_COPY, PAGEABLE_TOTAL, PINNING_MARGIN

RULE = Rule(
    code="CU709",
    name="pageable-bulk-copy",
    severity=Severity.NOTE,
    summary="a large pageable buffer is copied repeatedly",
    guides=("000", "004"),
)

MIB = 1 << 20
_PINNED, _PAGEABLE = 55e6, 15e6  # bytes a millisecond (H200, PCIe 5)
_SAVED = 1 / _PAGEABLE - 1 / _PINNED  # milliseconds a byte that is copied
_PINNING = 0.05 / MIB  # milliseconds a byte of a buffer, once (H200's host)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per walk, at the buffer with the most bytes copied."""
    for copied in copied_buffers(host, context.unit, PAGEABLE_COPY.value):
        bulk = [(call, traffic) for call, traffic in copied if _is_bulk(traffic)]
        if bulk:
            yield _finding(bulk)


def _is_bulk(traffic: Traffic) -> bool:
    if traffic.size is None or not traffic.total:
        return False
    if traffic.open:
        return 2 * traffic.total >= PAGEABLE_TOTAL.value  # of two rounds
    return traffic.total >= PAGEABLE_TOTAL.value and _iterations(traffic.total, traffic.size) == 1


def _iterations(total: int, size: int) -> int:
    """How often so many bytes have to be copied until they save well more than pinning the buffers costs."""
    return ceil(PINNING_MARGIN.value * size * _PINNING / (total * _SAVED))


def _finding(bulk: list[tuple[HostCall, Traffic]]) -> Finding:
    """The finding for all copies of the walk, or for one iteration where a trip count is unknown."""
    call, most = max(bulk, key=lambda entry: entry[1].total)
    bulk = [entry for entry in bulk if entry[1].open == most.open]
    name = call.host_name or "a buffer"
    total = sum(other.total for _, other in bulk)
    copies = sum(other.copies for _, other in bulk)
    now, then = total / _PAGEABLE, total / _PINNED
    more = f" and of {len(bulk) - 1} more" if len(bulk) > 1 else ""
    count = "1 copy" if copies == 1 else f"{copies:,} copies"
    size = sum(other.size or 0 for _, other in bulk)
    costs = f"{size * _PINNING:,.1f} ms (0.05 ms/MiB on the same machine)"
    pays = f"; {_iterations(total, size):,} iterations save {PINNING_MARGIN.value}x that" if most.open else ""
    per_iteration = " per iteration of a loop" if most.open else ""
    buffers = [(other, host_side(other)) for other, _ in bulk]
    related = [Related(b.span, "allocated here, pageable") for _, b in buffers if b is not None and b.span]
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: {count}, {total / MIB:,.0f} MiB{per_iteration} of `{name}`{more}",
        notes=(
            f"{now:,.0f} ms at 15 GB/s pageable, {then:,.0f} ms at 55 GB/s pinned (H200, PCIe 5)",
            f"pinning {size / MIB:,.0f} MiB once takes {costs}{pays}",
        ),
        help="allocate it with cudaMallocHost, or pin it once with cudaHostRegister",
        evidence={"bytes": total, "copies": copies, "buffers": len(bulk), "direction": call.direction},
        related=tuple({item.span: item for item in related}.values()),
    )
