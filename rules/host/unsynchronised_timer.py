"""
## What it does
Finds a CPU clock that is read before and after a kernel launch, with nothing between the launch and the
second reading that waits for the device.

## Why it costs
A launch queues the kernel and returns after about 5 us, whether the kernel runs for 10 us or 10 s. The
difference of the two readings is then the launch time: this is where speedups of 100x and bandwidths above
the hardware's come from. The kernel's time shows up in whatever synchronises next, often a copy, which then
looks slow.

## Example
```cuda
double start = seconds();
step<<<grid, block>>>(d, n);
double elapsed = seconds() - start;  // the kernel may not even have started
```

## Instead
```cuda
double start = seconds();
step<<<grid, block>>>(d, n);
cudaDeviceSynchronize();
double elapsed = seconds() - start;
```
Or record two events around the launch and use cudaEventSynchronize and cudaEventElapsedTime.

## Limits
- Clocks: std::chrono, clock(), gettimeofday, clock_gettime, omp_get_wtime, MPI_Wtime, timespec_get,
  QueryPerformanceCounter, the timers of the CUDA samples, and wrappers defined in the file or its headers.
- The two readings have to be subtracted.
- Any call that may wait for the launch counts as a wait, including unseen code.
- Not reported if an event is recorded in between, if every iteration of a timed loop waits, if a later
  reading after a wait uses the same start, or for empty kernels: the launch time may be intended.

## Source
000 8.1 'Timing'; 002 'Measure the performance: timing'.
"""

from collections.abc import Iterator, Sequence

from cudalint.host.facts import HostCall, HostFacts, Interval
from cudalint.host.waits import may_have_waited, may_wait_for
from cudalint.host.walks import walks
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU807",
    name="unsynchronised-timer",
    severity=Severity.WARNING,
    summary="a CPU clock times a launch without waiting for the device",
    guides=("000 8.1", "002"),
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per second reading of a clock that a launch may outlast."""
    if not host.intervals:
        return
    for calls in walks(host):
        intervals = [i for i in host.intervals if i.function == calls[0].function]
        unwaited = [(interval, _pending(calls, interval, context.unit)) for interval in intervals]
        for interval, launches in unwaited:
            if launches and not _compared(interval, unwaited):
                yield _finding(interval, launches, _waits_before(calls, interval, launches[0]))


def _pending(calls: Sequence[HostCall], interval: Interval, unit: Unit) -> list[HostCall]:
    """Launches between the readings that nothing waits for; none if an event is recorded."""
    inside = calls[interval.start : interval.stop]
    if any(call.kind == "event-record" for call in inside):
        return []
    launches = [c for c in inside if c.kind == "launch" and not c.captured and not _is_empty(c, unit)]
    left = [launch for launch in launches if not may_have_waited(calls, launch, interval.stop)]
    return [launch for launch in left if not _waited_in_loop(calls, interval, launch)]


def _waited_in_loop(calls: Sequence[HostCall], interval: Interval, launch: HostCall) -> bool:
    """Whether a launch is in a loop between the readings whose next iteration waits for it."""
    for depth in range(1, launch.loop + 1):
        rounds = [c for c in calls if c.loops[:depth] == launch.loops[:depth]]
        within = interval.start <= rounds[0].order and rounds[-1].order < interval.stop
        site = [c for c in rounds if c.kind == "launch" and c.span == launch.span]
        if within and any(may_wait_for(calls, call, site[0]) for call in rounds):
            return True
    return False


def _is_empty(launch: HostCall, unit: Unit) -> bool:
    """Whether the kernel body is empty: it is launched to time the launch."""
    key = launch.launch.key if launch.launch is not None else None
    function = unit.functions.get(key or "")
    return function is not None and function.body is not None and not function.body.body


def _compared(interval: Interval, others: list[tuple[Interval, list[HostCall]]]) -> bool:
    """Whether the same start is compared with a later reading too, after a wait."""
    return any(
        other.start_span == interval.start_span and other.stop > interval.stop and not launches
        for other, launches in others
    )


def _waits_before(calls: Sequence[HostCall], interval: Interval, first: HostCall) -> bool:
    """Whether other launches between the readings are waited for, so that their time is included."""
    others = (c for c in calls[interval.start : first.order] if c.kind == "launch")
    return any(may_have_waited(calls, other, interval.stop) for other in others)


def _finding(interval: Interval, launches: list[HostCall], others: bool) -> Finding:
    last = launches[-1]
    since = f"the time since line {interval.start_span.line}"
    what = (
        "includes earlier launches, not this kernel" if others else "is the launch time, not the kernel time"
    )
    sites = len({launch.span for launch in launches})
    more = "" if sites == 1 else f" and {sites - 1} more"
    return RULE.finding(
        interval.stop_span,
        f"unsynchronised timer: the clock is read while `{last.name}`{more} may still run",
        notes=(
            f"the launch in line {last.span.line} is asynchronous and nothing waits for it before "
            f"{interval.clock}() is read here: {since} {what}",
        ),
        help="call cudaDeviceSynchronize() before this reading, or time with two events",
        kernel=last.name,
        evidence={"clock": interval.clock, "launches": sites, "since": interval.start_span.line},
        related=(
            Related(interval.start_span, "first clock reading"),
            Related(last.span, f"`{last.name}` launched here"),
        ),
    )
