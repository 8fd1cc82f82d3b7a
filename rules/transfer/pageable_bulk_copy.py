"""
## What it does
Finds pageable host buffers (malloc, new, std::vector) that copies transfer in bulk: 64 MiB or more in all,
and those of unknown size that a loop copies.

## Why it costs
The copy engine needs locked pages. Pageable memory is staged by the driver through a pinned buffer, with the
CPU as the bottleneck: on an H200 with PCIe 5, pinned memory reached 55 GB/s, pageable memory 10 to 19.
Pinning is not free: cudaHostRegister and cudaHostUnregister took 50 us per MiB (11 ms for 256 MiB, where one
pageable copy took 27 ms and a pinned one 5). It pays off clearly where a buffer is copied five times or more.
For a buffer that is copied once, pinning memory that is there costs what the copy saves: it pays off where
the memory is kept and reused, or where chunks of it overlap with kernels; the finding says so. Allocated with
cudaMallocHost in place of malloc, filled or read, copied once and freed, buffers of 64 MiB to 1 GiB took less
time in all: 52 to 74% of what the copy itself saves remain for copies to the device, 35 to 39% from it (an
H100, `experiments/pinning_once.cu`).

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
- Silent for copies known to be below 1 MiB, where the memory may be pinned, and where CU702 reports an
  asynchronous copy of the buffer.
- Copies of unknown size are reported with their condition: in loops of five or more iterations, in programs
  outside of loops, and results whose size the device tells from a buffer of 64 MiB on.
- Copies under a condition in a loop count once, and may save nothing.
- For an unknown trip count the numbers are per iteration, from 4 MiB on. Sizes from the command line are
  those of the Makefile's run; the finding names it.
- Systems whose GPU accesses host memory coherently need no pinning.

## Source
000 9.1 and 004 'Pinned memory'.
"""

from collections.abc import Iterator
from functools import partial
from math import ceil

from msgspec.structs import replace

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.bulk_copies import Traffic, copied_buffers
from cudalint.host.walks import host_side, run_of
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import pinned
from cudalint.significance.impact import Impact
from cudalint.significance.thresholds import (
    PAGEABLE_COPY,
    PAGEABLE_ONCE,
    PAGEABLE_ROUND,
    PAGEABLE_TOTAL,
    PINNING_MARGIN,
)
from cudalint.significance.unknowns import product

RULE = Rule(
    code="CU709",
    name="pageable-bulk-copy",
    severity=Severity.NOTE,
    summary="a large pageable buffer is copied, or one is copied repeatedly",
    guides=("000", "004"),
    speed=True,
)

MIB = 1 << 20
_KEEP = "allocate one buffer with cudaMallocHost first, and use it every time"
_PINNED, _PAGEABLE = 55e6, 15e6  # bytes a millisecond (H200, PCIe 5)
_SAVED = 1 / _PAGEABLE - 1 / _PINNED  # milliseconds a byte that is copied
_AS_ALLOCATED = "the buffer is allocated as pinned memory, and not pinned later"
_KEPT = 0.35, 0.75  # of what a copy saves, that the dearer allocation leaves; experiments/pinning_once.cu
_PINNING = 0.05 / MIB  # milliseconds a byte of a buffer, once (H200's host)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per walk: for what pays off, else for what may, else for what is or may be large; at the
    buffer with the most bytes copied. What other files of the program copy is told there.
    """
    sized = partial(_sized, run=run_of(host))
    for buffers in copied_buffers(host, context.unit, PAGEABLE_COPY.value):
        copied = [one for one in buffers if one[0].span.path not in context.unit.beside]
        all_once = [(call, traffic.once) for call, traffic in copied]
        for chosen, among, finding in (
            (_pays, copied, sized),
            (_may_pay, copied, _unsized),
            (_is_large, all_once, sized),
            (_may_be_large, copied, _bounded),
            (_is_unsized, _of_main(copied, context), _unsized_once),
        ):
            bulk = [(call, traffic) for call, traffic in among if chosen(traffic)]
            large = chosen is not _is_large or sum(t.total for _, t in bulk) >= PAGEABLE_ONCE.value
            if bulk and large:
                once = chosen in (_is_large, _may_be_large, _is_unsized)
                found = finding(bulk, _impact(bulk, once, context))
                yield replace(found, condition=_AS_ALLOCATED) if chosen is _is_large else found
                break


def _impact(bulk: list[tuple[HostCall, Traffic]], once: bool, context: Context) -> Impact:
    """What pinned memory saves of the time round the copies. once: with what it costs to allocate it so."""
    call, _ = max(bulk, key=lambda entry: entry[1].total)
    places = {span for _, traffic in bulk for span in traffic.places} | {call.span for call, _ in bulk}
    found = context.calls_impact(call, pinned(places))
    if not once:
        return found
    low, high = product((found.low, found.high), _KEPT)
    return replace(found, low=low, high=high)


def _pays(traffic: Traffic) -> bool:
    """Whether the copies of a buffer save well more than pinning it costs, or those of a loop surely may."""
    if traffic.size is None or not traffic.total:
        return False
    if traffic.open:  # a loop of unknown length: the note says from how many iterations on
        return traffic.total >= PAGEABLE_ROUND.value
    return traffic.total >= PAGEABLE_TOTAL.value and _iterations(traffic.total, traffic.size) == 1


def _may_pay(traffic: Traffic) -> bool:
    """The same, if the copies are large."""
    return traffic.unsized > 0 and (bool(traffic.open) or traffic.unsized >= _iterations(1, 1))


def _is_large(traffic: Traffic) -> bool:
    return traffic.size is not None and not traffic.open and traffic.total >= PAGEABLE_COPY.value


def _may_be_large(traffic: Traffic) -> bool:
    """The same, if a result that the device tells the size of fills most of its buffer."""
    return traffic.most >= PAGEABLE_ONCE.value


def _is_unsized(traffic: Traffic) -> bool:
    """The same of bytes that nobody knows."""
    return traffic.unsized > 0


def _of_main(copied: list[tuple[HostCall, Traffic]], context: Context) -> list[tuple[HostCall, Traffic]]:
    """The copies of a program: how large those of a library's function are, only its callers know."""
    functions = context.unit.functions
    return [one for one in copied if (at := functions.get(one[0].function)) and at.name == "main"]


def _iterations(total: int, size: int) -> int:
    """How often so many bytes have to be copied until they save well more than pinning the buffers costs."""
    return ceil(PINNING_MARGIN.value * size * _PINNING / (total * _SAVED))


def _sized(bulk: list[tuple[HostCall, Traffic]], impact: Impact, run: str) -> Finding:
    """The finding for all copies of the walk, or for one iteration where a trip count is unknown. run: whose
    sizes these are where the command line decides them.
    """
    call, most = max(bulk, key=lambda entry: entry[1].total)
    bulk = [entry for entry in bulk if entry[1].open == most.open]
    total = sum(traffic.total for _, traffic in bulk)
    copies = sum(traffic.copies for _, traffic in bulk)
    now, then = total / _PAGEABLE, total / _PINNED
    count = "1 copy" if copies == 1 else f"{copies:,} copies"
    size = sum(traffic.size or 0 for _, traffic in bulk)
    costs = f"{size * _PINNING:,.1f} ms (0.05 ms/MiB on the same machine)"
    pays = ""
    if most.open:
        pays = f"; {_iterations(total, size):,} iterations save {PINNING_MARGIN.value}x that"
    elif _iterations(total, size) > 1:
        pays = ": worth it where the memory is kept and copied again"
    per_iteration = " per iteration of a loop" if most.open else ""
    overlap = "" if most.open or not pays else ", or copy chunks of it that overlap with kernels"
    least = "at least " if any(traffic.grows for _, traffic in bulk) else ""
    moved = f"{count}, {least}{total / MIB:,.0f} MiB{per_iteration}"
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: {moved} of {_names(bulk, call, 'of ')}",
        notes=(
            f"{_ms(now)} at 15 GB/s pageable, {_ms(then)} at 55 GB/s pinned (H200, PCIe 5)",
            f"pinning {size / MIB:,.0f} MiB once takes {costs}{pays}",
            *((f"sizes of {run}",) if any(traffic.run for _, traffic in bulk) else ()),
        ),
        help=_KEEP
        if most.fresh
        else f"allocate it with cudaMallocHost, or pin it once with cudaHostRegister{overlap}",
        evidence={"bytes": total, "copies": copies, "buffers": len(bulk), "direction": call.direction},
        related=_places(bulk, call),
        impact=impact,
        severity=Severity.NOTE if most.open and 2 * total < PAGEABLE_TOTAL.value else None,
        confidence=Confidence.MEDIUM if any(traffic.run for _, traffic in bulk) else None,
    )


def _unsized(bulk: list[tuple[HostCall, Traffic]], impact: Impact) -> Finding:
    """The finding for copies in loops whose bytes nobody knows."""
    call, most = bulk[0]
    often = "" if most.open else f" {most.unsized:,} times"
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: a loop copies {_names(bulk, call)}{often}, of unknown size",
        notes=(
            "64 MiB take 4.5 ms at 15 GB/s pageable, 1.2 ms at 55 GB/s pinned (H200, PCIe 5)",
            f"pinning that once takes 3.2 ms; {_iterations(1, 1)} copies save {PINNING_MARGIN.value}x that",
        ),
        help=_KEEP
        if most.fresh
        else "allocate it with cudaMallocHost, or pin it once with cudaHostRegister before the loop",
        condition=f"each copy moves at least {int(PAGEABLE_COPY.value):,} bytes",
        evidence={"bytes": None, "copies": most.unsized, "buffers": len(bulk), "direction": call.direction},
        related=_places(bulk, call),
        impact=impact,
    )


def _unsized_once(bulk: list[tuple[HostCall, Traffic]], impact: Impact) -> Finding:
    """The finding for copies outside of loops whose bytes nobody knows."""
    call, _ = bulk[0]
    copies = sum(traffic.unsized for _, traffic in bulk)
    count = "1 copy" if copies == 1 else f"{copies:,} copies"
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: {count} of {_names(bulk, call)}, of unknown size",
        notes=("64 MiB take 4.5 ms at 15 GB/s pageable, 1.2 ms at 55 GB/s pinned (H200, PCIe 5)",),
        help="allocate it with cudaMallocHost, or copy chunks of it that overlap with kernels",
        condition=f"they move {PAGEABLE_ONCE.value // MIB} MiB or more, and {_AS_ALLOCATED}",
        evidence={"bytes": None, "copies": copies, "buffers": len(bulk), "direction": call.direction},
        related=_places(bulk, call),
        impact=replace(impact, low=0.0),
    )


def _bounded(bulk: list[tuple[HostCall, Traffic]], impact: Impact) -> Finding:
    """The finding for results of a size that the device tells."""
    call, traffic = max(bulk, key=lambda entry: entry[1].most)
    now, then = traffic.most / _PAGEABLE, traffic.most / _PINNED
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: up to {traffic.most / MIB:,.0f} MiB of {_names(bulk, call, 'of ')}",
        notes=(
            f"all of it takes {_ms(now)} at 15 GB/s pageable, {_ms(then)} at 55 GB/s pinned (H200, PCIe 5)",
            f"pinning as much once takes {traffic.most * _PINNING:,.1f} ms (0.05 ms/MiB on the machine): "
            "worth it where the memory is kept and copied again",
        ),
        help="allocate as much as the device's buffer has with cudaMallocHost, once",
        condition=f"the device tells a size near these bytes, and {_AS_ALLOCATED}",
        evidence={"bytes": None, "copies": 1, "buffers": len(bulk), "direction": call.direction},
        related=_places(bulk, call),
        impact=replace(impact, low=0.0),
    )


def _ms(time: float) -> str:
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.1f} ms"


def _names(bulk: list[tuple[HostCall, Traffic]], call: HostCall, word: str = "") -> str:
    more = f" and {word}{len(bulk) - 1} more" if len(bulk) > 1 else ""
    return f"`{call.host_name or 'a buffer'}`{more}"


def _places(bulk: list[tuple[HostCall, Traffic]], call: HostCall) -> tuple[Related, ...]:
    """Where the buffers are allocated, and where else they are copied."""
    sides = [host_side(other) for other, _ in bulk]
    made = dict.fromkeys(side.span for side in sides if side is not None and side.span is not None)
    copied = dict.fromkeys(span for _, traffic in bulk for span in traffic.places if span != call.span)
    return (*at_spans(copied, "copied here"), *at_spans(made, "allocated here, pageable"))
