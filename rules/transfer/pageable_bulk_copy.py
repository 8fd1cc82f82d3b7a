"""
## What it does
Finds buffers of pageable memory (malloc, new, std::vector) that blocking copies carry to or from the device
in bulk, 64 MiB or more in all: the same buffer so often that the copies save more than it costs to pin it,
or in a loop whose rounds are not known.

## Why it costs
The copy engine needs pages that are locked. From pageable memory the driver first copies through a pinned
buffer of its own, and the processor is the bottleneck: on an H200 behind PCIe 5 pinned memory moved 55
GB/s, pageable memory 10 to 19. Pinning is not free: cudaHostRegister with its opposite took 50 microseconds
a MiB there (11 milliseconds for 256 MiB, where one pageable copy took 27 and a pinned one 5). The rule asks
that the copies save five times as much, as machines differ and cudaMallocHost has to find the pages as well:
that is so when a buffer is copied as a whole five times or more.

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
or `cudaHostRegister(h, bytes, cudaHostRegisterDefault)` for memory that somebody else allocates, once,
before the loop. Pinned memory is taken from what the system can page: pin what is copied often, not
everything.

## Limits
Silent where the bytes of a copy are not known or less than 1 MiB, where it is not known that the memory is
pageable, for asynchronous copies (CU702 tells those), and for copies under a condition inside a loop. For a
loop whose rounds are not known the numbers are those of one round, copies outside of it do not count, and the
finding says after how many rounds it has paid well. Silent where the size of the buffer is not known, nor
which parts of it are copied.
Memory that is allocated anew in every round, or in a function that a loop calls, is not told. Systems whose
GPU reads the memory of the host coherently need no pinning.

## Source
000 9.1 and 004 'Pinned memory'.
"""

from collections import Counter
from collections.abc import Iterator
from math import ceil

from msgspec import Struct

from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.host.walks import along, holds, home, rounds_by_id, walks
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import PAGEABLE_COPY, PAGEABLE_TOTAL, PINNING_MARGIN
from cudalint.source.span import Span

RULE = Rule(
    code="CU709",
    name="pageable-bulk-copy",
    severity=Severity.NOTE,
    summary="a large buffer of pageable memory is copied as a whole or again and again",
    guides=("000", "004"),
)

MIB = 1 << 20
_PINNED, _PAGEABLE = 55e6, 15e6  # bytes a millisecond (H200, PCIe 5)
_SAVED = 1 / _PAGEABLE - 1 / _PINNED  # milliseconds a byte that is copied
_PINNING = 0.05 / MIB  # milliseconds a byte of a buffer, once (H200's host)


class Traffic(Struct, frozen=True):
    """What a buffer's copies carry: all bytes, and how many copies. open: the loops whose rounds are not
    known; the numbers are those of one round. size: bytes of the buffer, or the part of it that is copied.
    """

    total: int
    copies: int
    open: tuple[int, ...]
    size: int | None


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each walk, at the buffer whose pinning would gain most."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        groups: dict[tuple[int, tuple[int, ...]], list[HostCall]] = {}
        others: set[int] = set()
        places: dict[tuple[Span, int], set[int]] = {}
        for call in calls:
            buffer = _host_side(call)
            if buffer is None:
                continue
            places.setdefault((call.span, call.loops[0] if call.loops else -1), set()).add(buffer.id)
            if call.host_space == "pageable" and call.blocking and not call.captured:
                groups.setdefault((buffer.id, _open(call, rounds)), []).append(call)
            else:
                others.add(buffer.id)
        bulk = []
        for (number, open_), copies in groups.items():
            traffic = _traffic(copies, rounds, open_)
            of_a_round = _is_of_a_round(copies, rounds, places, context.unit)
            if number not in others and _is_bulk(traffic) and not of_a_round:
                bulk.append((copies[0], traffic))
        if bulk:
            yield _finding(bulk)


def _host_side(call: HostCall) -> Buffer | None:
    if call.kind != "copy" or call.direction not in ("HtoD", "DtoH"):
        return None
    return call.source if call.direction == "HtoD" else call.destination


def _is_of_a_round(
    copies: list[HostCall], rounds: dict[int, Rounds], places: dict[tuple[Span, int], set[int]], unit: Unit
) -> bool:
    """Whether a buffer may live for one round of a loop only: it is allocated there, in a function that is
    called there, or one call has many.
    """
    for call in copies:
        buffer = _host_side(call)
        if not call.loops or buffer is None:
            continue
        spans = [rounds[number].span for number in call.loops if number in rounds]
        if len(places[call.span, call.loops[0]]) > 1 or any(holds(span, buffer.span) for span in spans):
            return True
        at = home(unit, call.span)
        if at == home(unit, buffer.span) and any(home(unit, span) != at for span in spans):
            return True
    return False


def _open(call: HostCall, rounds: dict[int, Rounds]) -> tuple[int, ...]:
    """The loops round a call whose rounds are not known."""
    return tuple(n for n in call.loops if n not in rounds or rounds[n].count is None)


def _traffic(copies: list[HostCall], rounds: dict[int, Rounds], open_: tuple[int, ...]) -> Traffic:
    """The copies of a buffer that are made in every round, as often as the loops are known to run."""
    a_round = Counter((call.span, call.loops, call.iteration) for call in copies)
    total = count = 0
    seen = set()
    for call in copies:
        place = (call.span, call.loops[:1])
        if call.bytes is None or call.bytes < PAGEABLE_COPY.value or not _is_sure(call, copies[0], rounds):
            continue
        if call.loops and place in seen:
            continue
        seen.add(place)
        times = a_round[call.span, call.loops, call.iteration] if call.loops else 1
        for number in call.loops:
            times *= 1 if number in open_ else rounds[number].count or 0
        total += times * call.bytes
        count += times
    return Traffic(total, count, open_, _size(copies))


def _size(copies: list[HostCall]) -> int | None:
    """Bytes of the buffer, as it is allocated, or else as far as the copies are known to reach."""
    buffer = _host_side(copies[0])
    if buffer is not None and buffer.bytes is not None:
        return buffer.bytes
    ends = [
        None if None in (c.host_offset, c.bytes) else (c.host_offset or 0) + (c.bytes or 0) for c in copies
    ]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


def _is_sure(call: HostCall, first: HostCall, rounds: dict[int, Rounds]) -> bool:
    """Whether a copy is made in every round of its loops, and whenever the first one is made."""
    if not call.loops:
        return along(call, first)
    outermost = rounds.get(call.loops[0])
    return outermost is not None and call.conditions == outermost.conditions and along(call, first)


def _is_bulk(traffic: Traffic) -> bool:
    if traffic.size is None or not traffic.total:
        return False
    if traffic.open:
        return 2 * traffic.total >= PAGEABLE_TOTAL.value  # of two rounds
    return traffic.total >= PAGEABLE_TOTAL.value and _rounds(traffic.total, traffic.size) == 1


def _rounds(total: int, size: int) -> int:
    """How often so many bytes have to be copied until they save well more than pinning the buffers costs."""
    return ceil(PINNING_MARGIN.value * size * _PINNING / (total * _SAVED))


def _finding(bulk: list[tuple[HostCall, Traffic]]) -> Finding:
    """The copies of known number, or those of one round where a loop's rounds are not known."""
    call, most = max(bulk, key=lambda entry: entry[1].total)
    bulk = [entry for entry in bulk if entry[1].open == most.open]
    name = call.host_name or "a buffer"
    total = sum(other.total for _, other in bulk)
    copies = sum(other.copies for _, other in bulk)
    now, then = total / _PAGEABLE, total / _PINNED
    more = f" and of {len(bulk) - 1} more" if len(bulk) > 1 else ""
    count = "1 copy" if copies == 1 else f"{copies:,} copies"
    size = sum(other.size or 0 for _, other in bulk)
    costs = f"{size * _PINNING:,.1f} ms (0.05 ms a MiB, measured there)"
    pays = f"; {_rounds(total, size):,} rounds save {PINNING_MARGIN.value} times that" if most.open else ""
    a_round = " in each round of a loop" if most.open else ""
    buffers = [(other, _host_side(other)) for other, _ in bulk]
    related = [Related(b.span, "allocated here, pageable") for _, b in buffers if b is not None and b.span]
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: {count}, {total / MIB:,.0f} MiB{a_round}, of `{name}`{more}",
        notes=(
            f"{now:,.0f} ms at 15 GB/s; pinned it would be {then:,.0f} ms at 55 GB/s (H200 behind PCIe 5)",
            f"pinning {size / MIB:,.0f} MiB once takes {costs}{pays}",
        ),
        help="allocate it with cudaMallocHost, or pin it once with cudaHostRegister",
        evidence={"bytes": total, "copies": copies, "buffers": len(bulk), "direction": call.direction},
        related=tuple({item.span: item for item in related}.values()),
    )
