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
- The three pieces of work must be independent: no common buffer, directly or through other work, no event and
  no unseen code in between.
- Not reported where the host waits in between, for events (timing on the default stream), for blocking calls
  (CU701), and in captured graphs.
- One finding per loop, or for all calls outside loops, and pair of streams.

## Source
000 10 'Concurrent kernel execution'; 001 'Streams'; the CUDA programming guide, 'Default Stream'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.graph import DEFAULT, finished, order
from cudalint.host.walks import along, footprint, stream_kinds, unrolled, walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU703",
    name="default-stream-serialisation",
    severity=Severity.WARNING,
    summary="work on the legacy default stream serialises blocking streams",
    guides=("000", "001"),
)

_QUEUED = ("launch", "copy", "memset")
_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


Serialised = tuple[
    HostCall, HostCall, HostCall
]  # work still queued, on the default stream, and what waits for it


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for all such work in one loop, or outside loops, between the same two streams."""
    kinds = stream_kinds(host)
    if "blocking" not in kinds.values():
        return
    seen: set[Span] = set()
    for walk in walks(host):
        causes: dict[tuple[object, ...], list[Serialised]] = {}
        for held in _between(walk, kinds):
            if held[1].span not in seen:
                seen.add(held[1].span)
                before, call, after = held
                causes.setdefault((call.loops[:1], before.stream, after.stream), []).append(held)
        for cause in causes.values():
            yield _finding(*cause[0], [call for _, call, _ in cause[1:]])


def _between(walk: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Serialised]:
    """Work on the default stream, each with the work before and after that it serialises."""
    calls = [call for call in unrolled(walk) if not call.captured][:_MOST_CALLS]
    suspects = [i for i, call in enumerate(calls) if _is_queued(call) and call.stream == DEFAULT]
    streams = [i for i, call in enumerate(calls) if _on_blocking(call, kinds)]
    if not suspects or not streams:
        return
    graph = order(calls, kinds)
    done = {i: finished(graph, i) for i in (*suspects, *streams)}
    for index in suspects:
        beside = [i for i in streams if along(calls[i], calls[index])]
        pending = [i for i in beside if i < index and i not in done[index]]
        later = [i for i in beside if i > index and index not in done[i]]
        pair = _serialised(calls, index, pending, later)
        if pair is not None:
            yield calls[pair[0]], calls[index], calls[pair[1]]


def _is_queued(call: HostCall) -> bool:
    return call.kind in _QUEUED and not call.blocking


def _on_blocking(call: HostCall, kinds: dict[str, str]) -> bool:
    """Whether a call queues work on a stream that waits for the default one."""
    return _is_queued(call) and kinds.get(call.stream) == "blocking"


def _serialised(
    calls: list[HostCall], index: int, pending: list[int], later: list[int]
) -> tuple[int, int] | None:
    """Work before and after on two streams that the call serialises, unless that may be intended."""
    call = calls[index]
    before = [i for i in pending if call.loops and calls[i].loops == call.loops]
    after = [i for i in later if call.loops and calls[i].loops == call.loops]
    if before and after and _goes_through_streams(call, [calls[i] for i in (*before, *after)]):
        pairs = [(i, j) for i in reversed(before) for j in after if calls[i].stream != calls[j].stream]
        return pairs[0] if pairs else (before[-1], after[0])
    for i in reversed(pending):
        for j in later:
            if calls[i].stream != calls[j].stream and _is_free(calls, i, index, j):
                return i, j
    return None


def _goes_through_streams(call: HostCall, others: list[HostCall]) -> bool:
    """Whether a loop uses another stream in every iteration: one in this iteration, several in all."""
    here = {other.stream for other in others if other.iteration == call.iteration}
    names = {other.stream for other in others}
    return len(here) == 1 and (len(names) > 1 or any("[?]" in name for name in names))


def _is_free(calls: list[HostCall], before: int, index: int, after: int) -> bool:
    """Whether three calls are independent of each other, including through work queued in between."""
    pairs = ((before, index), (index, after), (before, after))
    return not any(_depends(calls[start : end + 1]) for start, end in pairs)


def _depends(calls: list[HostCall]) -> bool:
    """Whether the last call may depend on the first one, erring towards yes."""
    footprints, met = footprint(calls[0]), False
    for call in calls[1:]:
        if call.unseen or call.kind in ("event-wait", "other"):
            return True
        own = footprint(call) if _is_queued(call) else frozenset()
        if own is None or not footprints:
            return True
        met = bool(own & footprints)
        if met:
            footprints |= own
    return met


def _finding(before: HostCall, call: HostCall, after: HostCall, others: list[HostCall]) -> Finding:
    """The finding at the first call of a cause; the others are related places."""
    what = {"launch": f"`{call.name}` is launched", "copy": f"{call.name} copies"}.get(
        call.kind, f"{call.name} runs"
    )
    streams = " and ".join(f"`{name}`" for name in dict.fromkeys((before.stream, after.stream)))
    return RULE.finding(
        call.span,
        f"{what} on the default stream between work on {streams}",
        notes=(
            f"it waits for all queued work (`{before.name}`), and later work (`{after.name}`) waits for it: "
            "nothing overlaps here",
        ),
        help="queue it on the stream of its data, or create the streams with cudaStreamNonBlocking",
        evidence={"before": before.stream, "after": after.stream, "calls": 1 + len(others)},
        related=(
            Related(before.span, f"{before.name} queued on `{before.stream}` before it"),
            Related(after.span, f"{after.name} queued on `{after.stream}` after it"),
            *elsewhere(others, lambda other: f"{other.name} also on the default stream"),
        ),
    )
