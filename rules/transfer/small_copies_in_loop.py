"""
## What it does
Finds loops that copy one contiguous chunk of at most 16 KiB per iteration from one buffer to another, where a
single copy outside the loop could move everything; and loops that copy a few numbers from or to each of three
or more buffers in a row, in every iteration.

## Why it costs
A copy has a fixed cost: the API call, the command to the copy engine and, for a blocking copy, the wait. On
an H200 a cudaMemcpy of 4 bytes took 5 us, of 4 KiB 6 us; the bus needs 0.08 us for 4 KiB. Copies queued with
cudaMemcpyAsync took 2.2 us each. A thousand copies of 4 bytes take 5 ms, one copy of 4,000 bytes 6 us.
Six copies of 4 bytes to pageable memory took 50 us on an H100, one of 24 bytes 10 us
(`experiments/host_calls.cu`).

## Example
```cuda
for (int row = 0; row < rows; ++row)
    cudaMemcpy(d + row * 64, h + row * 64, 64 * sizeof(float), cudaMemcpyHostToDevice);
```

## Instead
```cuda
cudaMemcpy(d, h, rows * 64 * sizeof(float), cudaMemcpyHostToDevice);
```
For chunks with gaps in between use one cudaMemcpy2D, for separate allocations one staging buffer. Numbers
that travel together, such as the results of a search, belong in one struct and one copy.

## Limits
- Not reported where the bytes of a copy are unknown.
- Not reported where an address is loop-invariant or not linear in the loop counter. Except two buffers of
  one size, if each copy moves an element to its own place.
- Of pieces of unknown sizes those count that stand at one place in both buffers and whose numbers a list
  has: it holds if the list covers most of the buffers.
- Not reported where the loop launches kernels.
- Not reported under a condition in the loop, and in loops of fewer than 8 iterations.
- In a row: copies of at most 256 bytes in one direction and stream, with host code alone in between.

## Source
000 9.1 'Data transfer between host and device'; 004 'Data transfers'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.copies_in_a_row import copies_in_a_row
from cudalint.host.query.joinable_copies import are_mirrored, are_one, is_worked_on, size_of
from cudalint.host.walks import rounds_by_id, walks
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import without
from cudalint.significance.impact import Impact
from cudalint.significance.thresholds import SMALL_COPY, SMALL_COPY_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU704",
    name="small-copies-in-loop",
    severity=Severity.WARNING,
    summary="a loop of small copies that one copy could replace",
    guides=("000", "004"),
    speed=True,
)

_PER_US = 55_000  # bytes that the bus carries in a microsecond (H200, PCIe 5)
_CALL = {True: 5.0, False: 2.2}  # microseconds: a blocking and a queued copy of a few bytes (H200)


def _once(call: HostCall) -> str:
    """The call that copies everything."""
    return call.name if call.name.startswith("cu") else "copy"


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy in a loop that a single copy could replace, and one per row of them."""
    rounds = rounds_by_id(host)
    seen: set[Span] = set()
    yield from _loops(host, rounds, seen, context)
    for calls in walks(host):
        for row in copies_in_a_row(calls):
            loop = rounds.get(row[0].loop_id)
            often = loop is not None and (loop.count is None or loop.count >= SMALL_COPY_TRIPS.value)
            if often and seen.isdisjoint(copy.span for copy in row):
                seen.update(copy.span for copy in row)
                yield _row(row, context)


def _loops(
    host: HostFacts, rounds: dict[int, Rounds], seen: set[Span], context: Context
) -> Iterator[Finding]:
    """Of copies that a loop moves on through two buffers. seen: gets their places."""
    for calls in walks(host):
        groups: dict[tuple[Span, int], list[HostCall]] = {}
        for call in calls:
            if _is_small(call):
                groups.setdefault((call.span, call.loop_id), []).append(call)
        for (span, number), copies in groups.items():
            loop = rounds.get(number)
            if (
                span in seen
                or loop is None
                or (loop.count is not None and loop.count < SMALL_COPY_TRIPS.value)
            ):
                continue
            surely = all(copy.conditions == loop.conditions for copy in copies)
            joined = surely and not is_worked_on(calls, copies[0])
            in_order = joined and are_one(copies, loop)
            if in_order or (joined and are_mirrored(copies)):
                seen.add(span)
                impact = context.calls_impact(copies[0], without([span]))
                yield _finding(copies[0], loop, impact, in_order)


def _is_small(call: HostCall) -> bool:
    if call.kind != "copy" or not call.loops or call.captured or call.direction not in ("HtoD", "DtoH"):
        return False
    if call.source is None or call.destination is None or "2D" in call.name:
        return False
    return 0 < size_of(call) <= SMALL_COPY.value


def _row(row: tuple[HostCall, ...], context: Context) -> Finding:
    """Of copies of a few numbers one after the other."""
    first, *others = row
    each, most = _CALL[first.blocking], max(copy.bytes or 0 for copy in row)
    return RULE.finding(
        first.span,
        f"{len(row)} copies of at most {most} bytes in a row, in every iteration: one copy would do",
        notes=(
            f"about {len(row) * each:.3g} us per iteration for the calls on an H200, {each:g} us for one",
        ),
        help=f"keep these numbers in one struct and copy it with one {first.name}",
        related=elsewhere(others, "copied after it"),
        impact=context.calls_impact(first, without(copy.span for copy in others)),
        evidence={"bytes": most, "rounds": len(row), "direction": first.direction},
    )


def _finding(call: HostCall, loop: Rounds, impact: Impact, in_order: bool) -> Finding:
    """in_order: the pieces follow each other; else they are anywhere in buffers that are kept alike."""
    each = _CALL[call.blocking]
    condition = None if in_order else "the loop copies most of what the buffers hold"
    if call.bytes is None:
        message = "a loop copies rows one by one: one copy would do"
        cost = f"about {each:g} us per call, as long as the bus takes for {int(each * _PER_US):,} bytes,"
        small = f"each copy moves at most {int(SMALL_COPY.value):,} bytes"
        condition = small if condition is None else f"{condition}, and {small}"
    elif loop.count is not None and in_order:
        whole = loop.count * call.bytes
        message = (
            f"{loop.count:,} copies of {call.bytes:,} bytes in a loop: one copy of {whole:,} bytes would do"
        )
        cost = f"about {loop.count * each / 1000:.3g} ms for the calls"
    else:
        message = f"copies of {call.bytes:,} bytes in a loop: one copy would do"
        cost = f"about {each:g} us per call"
    return RULE.finding(
        call.span,
        message,
        notes=(f"{cost} on an H200",),
        help=f"copy everything with one {_once(call)} outside the loop"
        + ", or with cudaMemcpy2D if there are gaps" * in_order,
        condition=condition,
        confidence=Confidence.HIGH if in_order else Confidence.MEDIUM,
        impact=impact,
        evidence={"bytes": call.bytes, "rounds": loop.count, "direction": call.direction},
    )
