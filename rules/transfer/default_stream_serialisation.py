"""
## What it does
Finds kernels, asynchronous copies and memsets on the legacy default stream (no stream given, or 0) between
work on streams created with cudaStreamCreate. This includes cudaMemset of device memory: it takes no stream
argument and returns at once.

## Why it costs
The legacy default stream waits for all work queued on blocking streams before, and work queued on them later
waits for it: one call on it is a barrier for all of them. A single launch without its fourth argument in a
loop over streams leaves no overlap at all: the time is the sum of all streams instead of the longest.

## Example
```cuda
for (int i = 0; i < chunks; ++i) {
    cudaMemcpyAsync(d + i * n, h + i * n, bytes, cudaMemcpyHostToDevice, stream[i % 2]);
    work<<<grid, block>>>(d + i * n);  // the default stream: waits for both, and both wait for it
}
```

## Instead
```cuda
for (int i = 0; i < chunks; ++i) {
    cudaMemcpyAsync(d + i * n, h + i * n, bytes, cudaMemcpyHostToDevice, stream[i % 2]);
    work<<<grid, block, 0, stream[i % 2]>>>(d + i * n);
}
```
Or create the streams with cudaStreamNonBlocking and order what depends on each other with events, or compile
with `--default-stream per-thread`.

## Limits
- Streams are known only if the analysed host code creates them.
- Reported between work on two different streams, or in a loop that uses another stream in every iteration.
- Reported beside work on one stream, if it works on what another stream has queued, or if nothing else
  needs the default stream's order before the host waits.
- The pieces of work must be independent: no common buffer, no event and no unseen code in between.
- Not reported where the host waits in between, for events (timing on the default stream), for blocking
  calls (CU701), and in captured graphs.
- One finding per loop, or for all calls outside loops, and pair of streams.

## Source
000 10 'Concurrent kernel execution'; 001 'Streams'; the CUDA programming guide, 'Default Stream'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.default_stream import Serialised, serialising
from cudalint.host.walks import stream_kinds, walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import queued
from cudalint.significance.impact import Impact
from cudalint.source.span import Span

RULE = Rule(
    code="CU703",
    name="default-stream-serialisation",
    severity=Severity.WARNING,
    summary="work on the legacy default stream serialises blocking streams",
    guides=("000", "001"),
    speed=True,
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for all such work in one loop, or outside loops, beside the same streams."""
    kinds = stream_kinds(host)
    if "blocking" not in kinds.values():
        return
    seen: set[Span] = set()
    for walk in walks(host):
        causes: dict[tuple[object, ...], list[Serialised]] = {}
        for held in serialising(walk, kinds):
            if held.call.span not in seen:
                seen.add(held.call.span)
                cause = (held.call.loops[:1], *_streams(held))
                causes.setdefault(cause, []).append(held)
        for first, *others in causes.values():
            impact = context.calls_impact(first.call, queued(host, first.call.span))
            yield _finding(first, [held.call for held in others], impact)


def _streams(held: Serialised) -> tuple[str, str]:
    """Of the work before and after; '' for none."""
    before, after = held.before, held.after
    return before.stream if before is not None else "", after.stream if after is not None else ""


def _finding(held: Serialised, others: list[HostCall], impact: Impact) -> Finding:
    """The finding at the first call of a cause; the others are related places."""
    before, call, after = held.before, held.call, held.after
    what = {"launch": f"`{call.name}` is launched", "copy": f"{call.name} copies"}.get(
        call.kind, f"{call.name} runs"
    )
    streams = " and ".join(f"`{name}`" for name in dict.fromkeys(_streams(held)) if name)
    where = "between work" if before is not None and after is not None else "beside independent work"
    waits = [] if before is None else [f"it waits for all queued work (`{before.name}`)"]
    waits += [] if after is None else [f"later work (`{after.name}`) waits for it"]
    sides = [(before, "before"), (after, "after")]
    return RULE.finding(
        call.span,
        f"{what} on the default stream {where} on {streams}",
        notes=(", and ".join(waits) + ": nothing overlaps here",),
        help="queue it on the stream of its data, or create the streams with cudaStreamNonBlocking",
        evidence={"before": _streams(held)[0], "after": _streams(held)[1], "calls": 1 + len(others)},
        related=(
            *(
                Related(one.span, f"{one.name} queued on `{one.stream}` {side} it")
                for one, side in sides
                if one is not None
            ),
            *repeated(others, lambda other: f"{other.name} also on the default stream"),
        ),
        impact=impact,
    )
