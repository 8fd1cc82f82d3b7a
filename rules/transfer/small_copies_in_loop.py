"""
## What it does
Finds loops that copy one contiguous chunk of at most 16 KiB per iteration from one buffer to another, where a
single copy outside the loop could move everything.

## Why it costs
A copy has a fixed cost: the API call, the command to the copy engine and, for a blocking copy, the wait. On
an H200 a cudaMemcpy of 4 bytes took 5 us, of 4 KiB 6 us; the bus needs 0.08 us for 4 KiB. Copies queued with
cudaMemcpyAsync took 2.2 us each. A thousand copies of 4 bytes take 5 ms, one copy of 4,000 bytes 6 us.

## Example
```cuda
for (int row = 0; row < rows; ++row)
    cudaMemcpy(d + row * 64, h + row * 64, 64 * sizeof(float), cudaMemcpyHostToDevice);
```

## Instead
```cuda
cudaMemcpy(d, h, rows * 64 * sizeof(float), cudaMemcpyHostToDevice);
```
For chunks with gaps in between use one cudaMemcpy2D, for separate allocations one staging buffer.

## Limits
- Not reported where the bytes of a copy are unknown.
- Not reported where an address is loop-invariant or not linear in the loop counter.
- Not reported where the loop launches kernels, which may need the chunks one by one.
- Not reported under a condition in the loop, and in loops of fewer than 8 iterations.

## Source
000 9.1 'Data transfer between host and device'; 004 'Data transfers'.
"""

from collections.abc import Iterator
from itertools import pairwise

from cudalint.host.facts import HostCall, HostFacts, Place, Rounds
from cudalint.host.walks import rounds_by_id, walks
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import SMALL_COPY, SMALL_COPY_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU704",
    name="small-copies-in-loop",
    severity=Severity.WARNING,
    summary="a loop of small copies that one copy could replace",
    guides=("000", "004"),
)

_CALL = {True: 5.0, False: 2.2}  # microseconds: a blocking and a queued copy of a few bytes (H200)
_SIMPLE = (e.Literal, e.VariableReference, e.Cast, e.Unary, e.Binary, e.Member, e.AddressOf)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy in a loop that a single copy could replace."""
    rounds = rounds_by_id(host)
    seen: set[Span] = set()
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
            if surely and _is_one(copies, loop) and not _is_worked_on(calls, copies[0]):
                seen.add(span)
                yield _finding(copies[0], loop)


def _is_small(call: HostCall) -> bool:
    if call.kind != "copy" or not call.loops or call.captured or call.direction not in ("HtoD", "DtoH"):
        return False
    if call.source is None or call.destination is None or "2D" in call.name:
        return False
    return call.bytes is not None and 0 < call.bytes <= SMALL_COPY.value


def _is_one(copies: list[HostCall], loop: Rounds) -> bool:
    """Whether copies of one call and loop move neighbouring pieces of one buffer to another."""
    first = copies[0]
    if any(_ends(c) != _ends(first) or c.bytes != first.bytes for c in copies):
        return False
    assert first.bytes is not None
    sources, targets = [c.source_place for c in copies], [c.destination_place for c in copies]
    return all(_advances(places, first.bytes) for places in (sources, targets)) and _is_linear(first, loop)


def _ends(call: HostCall) -> tuple[int, int]:
    assert call.source is not None and call.destination is not None
    return call.source.id, call.destination.id


def _advances(places: list[Place | None], size: int) -> bool:
    """Whether places move on by one distance that is no less than the size."""
    known = [place.offset for place in places if place is not None and place.offset is not None]
    if len(known) > 1:
        steps = {b - a for a, b in pairwise(known)}
        return len(steps) == 1 and steps.pop() >= size
    return all(place is not None and place.offset is None and place.step >= size for place in places)


def _is_linear(call: HostCall, loop: Rounds) -> bool:
    """Whether both pointers are plain arithmetic, written in the loop: no table of places, no call."""
    if not isinstance(call.expression, e.Call):
        return False
    span = call.expression.span
    if span.path != loop.span.path or not loop.span.line <= span.line <= loop.span.end_line:
        return False
    return all(_is_plain(argument) for argument in call.expression.arguments[:2])


def _is_plain(node: e.Expression) -> bool:
    while isinstance(node, (e.Cast, e.AddressOf)):
        node = node.operand
    return all(isinstance(n, _SIMPLE) for part in _parts(node) for n in walk(part))


def _parts(node: e.Expression) -> tuple[e.Expression, ...]:
    """What an element is found by: a pointer or a vector, and the index."""
    match node:
        case e.Index(base=base, index=index):
            return base, index
        case e.Call(name="operator[]", receiver=receiver, arguments=(index,)) if receiver is not None:
            return receiver, index
    return (node,)


def _is_worked_on(calls: tuple[HostCall, ...], copy: HostCall) -> bool:
    """Whether the loop launches kernels, or runs code that may: the pieces may be needed one by one."""
    inside = (other for other in calls if other.loops[: copy.loop] == copy.loops)
    return any(other.unseen or other.kind in ("launch", "other", "synchronise", "memset") for other in inside)


def _finding(call: HostCall, loop: Rounds) -> Finding:
    assert call.bytes is not None
    each = _CALL[call.blocking]
    if loop.count is not None:
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
        help=f"copy everything with one {call.name} outside the loop, or with cudaMemcpy2D if there are gaps",
        evidence={"bytes": call.bytes, "rounds": loop.count, "direction": call.direction},
    )
