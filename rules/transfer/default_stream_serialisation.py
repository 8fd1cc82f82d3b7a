"""
## What it does
Finds kernels, asynchronous copies and asynchronous memsets that are queued on the legacy default stream (no
stream given, or 0) between work on streams that were made with cudaStreamCreate.

## Why it costs
The legacy default stream waits for everything that was queued on such streams before, and what is queued on
them later waits for it: one call on it is a barrier for the whole device. Streams that should copy and
compute side by side run one after the other from there on. A single launch without its fourth argument in a
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
Or make the streams with cudaStreamNonBlocking, and say with events what has to wait; or compile with
`--default-stream per-thread`.

## Limits
The rule speaks of streams that the same walk of the host code makes. Silent where the work on the default
stream shares a buffer with the work before or after it that it would hold up: then the order may be meant.
A loop that takes another stream in every round is told all the same. Silent where the host waits between,
for events (a cudaEventRecord on the default stream takes the time of all streams), for blocking calls
(CU701 tells those), and for what is recorded into a graph.

## Source
000 10 'Concurrent kernel execution'; 001 'Streams'; the CUDA programming guide, 'Default Stream'.
"""

from collections.abc import Iterator

from cudalint.findings import Finding, Related, Severity
from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.graph import DEFAULT, finished, order
from cudalint.host.walks import along, footprint, stream_kinds, unrolled, walks
from cudalint.ir.source import Span
from cudalint.rule import Context, Rule

RULE = Rule(
    code="CU703",
    name="default-stream-serialisation",
    severity=Severity.WARNING,
    summary="work on the legacy default stream stands between work on blocking streams",
    guides=("000", "001"),
)

_QUEUED = ("launch", "copy", "memset")
_MOST_CALLS = 400  # of a walk, loops twice; what comes later is not looked at


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each place that queues work on the default stream between work on streams."""
    kinds = stream_kinds(host)
    if "blocking" not in kinds.values():
        return
    seen: set[Span] = set()
    for walk in walks(host):
        for before, call, after in _between(walk, kinds):
            if call.span not in seen:
                seen.add(call.span)
                yield _finding(before, call, after)


def _between(
    walk: tuple[HostCall, ...], kinds: dict[str, str]
) -> Iterator[tuple[HostCall, HostCall, HostCall]]:
    """(work still queued, work on the default stream, work that waits for it)."""
    calls = [call for call in unrolled(walk) if not call.captured][:_MOST_CALLS]
    suspects = [i for i, call in enumerate(calls) if _is_queued(call) and call.stream == DEFAULT]
    if not suspects or not any(_on_blocking(call, kinds) for call in calls):
        return
    graph = order(calls, kinds)
    done = {
        i: finished(graph, i) for i, call in enumerate(calls) if i in suspects or _on_blocking(call, kinds)
    }
    for index in suspects:
        call = calls[index]
        pending = [
            other
            for i, other in enumerate(calls[:index])
            if i not in done[index] and _on_blocking(other, kinds) and along(other, call)
        ]
        later = [
            other
            for i, other in enumerate(calls[index + 1 :], index + 1)
            if _on_blocking(other, kinds) and index not in done[i] and along(other, call)
        ]
        pair = _held_up(call, pending, later)
        if pair is not None:
            yield pair[0], call, pair[1]


def _is_queued(call: HostCall) -> bool:
    blocking = call.blocking or (call.kind == "memset" and "Async" not in call.name)
    return call.kind in _QUEUED and not blocking


def _on_blocking(call: HostCall, kinds: dict[str, str]) -> bool:
    """Whether a call queues work on a stream that waits for the default one."""
    return _is_queued(call) and kinds.get(call.stream) == "blocking"


def _held_up(
    call: HostCall, pending: list[HostCall], later: list[HostCall]
) -> tuple[HostCall, HostCall] | None:
    """Work before and after that the call keeps apart, if that cannot be what is meant."""
    if not pending or not later:
        return None
    before = [other for other in pending if call.loops and other.loops == call.loops]
    after = [other for other in later if call.loops and other.loops == call.loops]
    if before and after and _goes_through_streams(call, (*before, *after)):
        return before[-1], after[0]
    own = footprint(call)
    free = [[o for o in others if _independent(own, footprint(o))] for others in (pending, later)]
    return (free[0][-1], free[1][0]) if all(free) else None


def _goes_through_streams(call: HostCall, others: tuple[HostCall, ...]) -> bool:
    """Whether a loop takes another stream in every round: one in this round, several in all."""
    here = {other.stream for other in others if other.iteration == call.iteration}
    names = {other.stream for other in others}
    return len(here) == 1 and (len(names) > 1 or any("[?]" in name for name in names))


def _independent(one: frozenset[int] | None, other: frozenset[int] | None) -> bool:
    return one is not None and other is not None and bool(one) and bool(other) and not one & other


def _finding(before: HostCall, call: HostCall, after: HostCall) -> Finding:
    what = {"launch": f"`{call.name}` is launched", "copy": f"{call.name} copies"}.get(
        call.kind, f"{call.name} works"
    )
    streams = " and ".join(f"`{name}`" for name in dict.fromkeys((before.stream, after.stream)))
    return RULE.finding(
        call.span,
        f"{what} on the default stream, between work on {streams}",
        notes=(
            f"it waits for all that is queued, `{before.name}` too, and what comes later (`{after.name}`) "
            "waits for it: nothing overlaps here",
        ),
        help="queue it on the stream that its data belongs to, or make the streams cudaStreamNonBlocking",
        evidence={"before": before.stream, "after": after.stream},
        related=(
            Related(before.span, f"{before.name} is queued on `{before.stream}` before"),
            Related(after.span, f"{after.name} is queued on `{after.stream}` after"),
        ),
    )
