"""
## What it does
Finds buffers of pageable memory (malloc, new, std::vector) that blocking copies carry to or from the device
in bulk: the same buffer in a loop, or four times and more, 64 MiB or more in all.

## Why it costs
The copy engine needs pages that are locked. From pageable memory the driver first copies through a pinned
buffer of its own, and the processor is the bottleneck: on an H200 behind PCIe 5 pinned memory moved 55
GB/s, pageable memory 10 to 19. Pinning is not free: cudaHostRegister with its opposite took 50 microseconds
a MiB (11 milliseconds for 256 MiB, where one pageable copy took 27 and a pinned one 5). It pays when a
buffer is copied again and again; for one copy, or one there and one back, it hardly does, however large.

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
loop whose rounds are not known the numbers are those of one round, and copies outside of it do not count.
Memory that is allocated anew in every round, or in a function that a loop calls, is not told. Systems whose
GPU reads the memory of the host coherently need no pinning.

## Source
000 9.1 and 004 'Pinned memory'.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from cudalint.findings import Finding, Related, Severity
from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.host.walks import along, holds, home, rounds_by_id, walks
from cudalint.ir.source import Span
from cudalint.ir.unit import Unit
from cudalint.rule import Context, Rule

RULE = Rule(
    code="CU709",
    name="pageable-bulk-copy",
    severity=Severity.NOTE,
    summary="a large buffer of pageable memory is copied as a whole or again and again",
    guides=("000", "004"),
)

MIB = 1 << 20
LEAST = MIB  # bytes of a copy: a smaller one takes about as long from pinned memory
REPEATED = 64 * MIB  # bytes of all copies of a buffer
MANY = 4  # copies outside of loops
_PINNED, _PAGEABLE = 55e6, 15e6  # bytes a millisecond (H200, PCIe 5)


class Traffic(Struct, frozen=True):
    """What a buffer's copies carry: all bytes, how many copies, and whether in a loop. open: the loops whose
    rounds are not known; the numbers are those of one round.
    """

    total: int
    copies: int
    looped: bool
    open: tuple[int, ...]


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
    looped = False
    seen = set()
    for call in copies:
        place = (call.span, call.loops[:1])
        if call.bytes is None or call.bytes < LEAST or not _is_sure(call, copies[0], rounds):
            continue
        if call.loops and place in seen:
            continue
        seen.add(place)
        times = a_round[call.span, call.loops, call.iteration] if call.loops else 1
        for number in call.loops:
            times *= 1 if number in open_ else rounds[number].count or 0
        total += times * call.bytes
        count += times
        looped = looped or bool(call.loops)
    return Traffic(total, count, looped, open_)


def _is_sure(call: HostCall, first: HostCall, rounds: dict[int, Rounds]) -> bool:
    """Whether a copy is made in every round of its loops, and whenever the first one is made."""
    if not call.loops:
        return along(call, first)
    outermost = rounds.get(call.loops[0])
    return outermost is not None and call.conditions == outermost.conditions and along(call, first)


def _is_bulk(traffic: Traffic) -> bool:
    many = traffic.copies >= MANY or (traffic.looped and (traffic.open or traffic.copies >= 2))
    least = 2 if traffic.open else 1  # rounds
    return many and traffic.total * least >= REPEATED


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
    a_round = " in each round of a loop" if most.open else ""
    buffers = [(other, _host_side(other)) for other, _ in bulk]
    related = [Related(b.span, "allocated here, pageable") for _, b in buffers if b is not None and b.span]
    return RULE.finding(
        call.span,
        f"bulk copies of pageable memory: {count}, {total / MIB:,.0f} MiB{a_round}, of `{name}`{more}",
        notes=(
            f"{now:,.0f} ms at 15 GB/s; pinned it would be {then:,.0f} ms at 55 GB/s (H200 behind PCIe 5)",
        ),
        help="allocate it with cudaMallocHost, or pin it once with cudaHostRegister",
        evidence={"bytes": total, "copies": copies, "buffers": len(bulk), "direction": call.direction},
        related=tuple({item.span: item for item in related}.values()),
    )
