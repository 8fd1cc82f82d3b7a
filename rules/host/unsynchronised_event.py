"""
## What it does
Finds cudaEventElapsedTime whose second event is recorded, but not waited for.

## Why it costs
cudaEventRecord only puts a mark into a stream. Until the device has come to it the event has no time, and
cudaEventElapsedTime returns cudaErrorNotReady (600) and leaves its result as it was: the program prints an
uninitialised number or the time of the round before. Where the kernel happens to be short enough it works,
until the problem grows.

## Example
```cuda
cudaEventRecord(start);
step<<<grid, block>>>(d, n);
cudaEventRecord(stop);
cudaEventElapsedTime(&ms, start, stop);  // cudaErrorNotReady
```

## Instead
```cuda
cudaEventRecord(start);
step<<<grid, block>>>(d, n);
cudaEventRecord(stop);
cudaEventSynchronize(stop);
cudaEventElapsedTime(&ms, start, stop);
```

## Limits
The record and the call have to be in one walk of the host code, for an event that is known by its variable.
Whatever may wait for the event between the two counts as a wait: a synchronisation of the device, of that
stream or of a later event, a blocking copy, an allocation or release of memory, cudaEventQuery, a call of
code that is not seen.

## Source
000 8.1 'Timing': the event is synchronised before the elapsed time is asked for.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.waits import may_have_waited
from cudalint.host.walks import walks
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU808",
    name="unsynchronised-event",
    severity=Severity.ERROR,
    summary="cudaEventElapsedTime is called before the stop event was waited for",
    guides=("000 8.1",),
)

_ELAPSED = ("cudaEventElapsedTime", "cuEventElapsedTime")


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for every call whose stop event may not have happened."""
    for calls in walks(host):
        for call in calls:
            if call.name.removesuffix("_v2") not in _ELAPSED or not call.event or "?" in call.event:
                continue
            before = calls[: call.order]
            record = next(
                (c for c in reversed(before) if c.kind == "event-record" and c.event == call.event), None
            )
            if record is None or record.captured or may_have_waited(calls, record, call.order):
                continue
            yield _finding(call, record)


def _finding(call: HostCall, record: HostCall) -> Finding:
    written = call.expression.arguments[2] if isinstance(call.expression, e.Call) else None
    event = render(written) if written is not None else call.event
    return RULE.finding(
        call.span,
        f"unsynchronised event: nothing waits for `{event}` before its time is asked for",
        notes=(
            f"`{event}` is recorded in line {record.span.line} and may not have happened yet: {call.name} "
            "then returns cudaErrorNotReady (600) and writes no time",
        ),
        help=f"call cudaEventSynchronize({event}) before",
        evidence={"event": event, "recorded": record.span.line, "stream": record.stream},
        related=(Related(record.span, f"`{event}` is recorded here"),),
    )
