"""
## What it does
Finds cudaEventElapsedTime calls whose second event is recorded, but not waited for.

## Why it costs
cudaEventRecord only queues the event in a stream. Until the device has reached it, the event has no time, and
cudaEventElapsedTime returns cudaErrorNotReady (600) and leaves its result unchanged: the program prints an
uninitialised value or the time of the previous iteration. It works only while the kernel is short enough.

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
- The record and the call must be in one path of the host code, with an event known by its variable.
- Anything in between that may wait for the event counts: synchronising the device, the stream or a later
  event, a blocking copy, allocating or freeing memory, cudaEventQuery, unseen code.

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
    summary="cudaEventElapsedTime is called without waiting for the stop event",
    guides=("000 8.1",),
)

_ELAPSED = ("cudaEventElapsedTime", "cuEventElapsedTime")


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per call whose stop event may not be complete."""
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
        f"unsynchronised event: nothing waits for `{event}` before {call.name}",
        notes=(
            f"`{event}`, recorded in line {record.span.line}, may not be complete: {call.name} then returns "
            "cudaErrorNotReady (600) and writes no time",
        ),
        help=f"call cudaEventSynchronize({event}) first",
        evidence={"event": event, "recorded": record.span.line, "stream": record.stream},
        related=(Related(record.span, f"`{event}` is recorded here"),),
    )
