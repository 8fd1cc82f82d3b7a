"""
## What it does
Finds a clock of the CPU that is read on both sides of a kernel launch, with nothing between the launch and
the second reading that waits for the device.

## Why it costs
A launch only puts the kernel into a queue and returns, after some 5 microseconds, whether the kernel runs
for 10 microseconds or for 10 seconds. The difference of the two readings is then the time of the launch:
speedups of a factor of 100 and bandwidths above the hardware's come from it. The wait that is missing turns
up in whatever comes next and waits, often a copy, which then looks slow.

## Example
```cuda
double start = seconds();
step<<<grid, block>>>(d, n);
double elapsed = seconds() - start;  // the kernel may not even have begun
```

## Instead
```cuda
double start = seconds();
step<<<grid, block>>>(d, n);
cudaDeviceSynchronize();
double elapsed = seconds() - start;
```
Or two events round the launch, cudaEventSynchronize for the second one, and cudaEventElapsedTime.

## Limits
Clocks are std::chrono, clock(), gettimeofday, clock_gettime, omp_get_wtime, MPI_Wtime, timespec_get,
QueryPerformanceCounter and the samples' stop watches, also behind functions and classes of the program that
are defined in the same file or its headers. The two readings have to be subtracted. A wait is every
synchronisation that may be one for this work, a blocking copy, an allocation or release of memory, and a
call of code that is not seen. Silent where an event is recorded between the readings (the device's time is
taken otherwise), for launches in a loop between the readings that waits in each round (all rounds but the
end of the last one are in the time), and where a later reading, after a wait, is compared with the same
start as well: then the time of the launch was wanted. Kernels without a body are left out: they are launched
to time the launch.

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
    summary="a CPU clock is read round a launch with no wait for the device",
    guides=("000 8.1", "002"),
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each second reading of a clock that a launch may outlast."""
    if not host.intervals:
        return
    for calls in walks(host):
        intervals = [i for i in host.intervals if i.function == calls[0].function]
        unwaited = [(interval, _pending(calls, interval, context.unit)) for interval in intervals]
        for interval, launches in unwaited:
            if launches and not _compared(interval, unwaited):
                yield _finding(interval, launches, _waits_before(calls, interval, launches[0]))


def _pending(calls: Sequence[HostCall], interval: Interval, unit: Unit) -> list[HostCall]:
    """Launches between the readings that nothing waits for; none where an event takes the time."""
    inside = calls[interval.start : interval.stop]
    if any(call.kind == "event-record" for call in inside):
        return []
    launches = [c for c in inside if c.kind == "launch" and not c.captured and not _is_empty(c, unit)]
    left = [launch for launch in launches if not may_have_waited(calls, launch, interval.stop)]
    return [launch for launch in left if not _ends_a_round(calls, interval, launch)]


def _ends_a_round(calls: Sequence[HostCall], interval: Interval, launch: HostCall) -> bool:
    """Whether a launch stands in a loop between the readings whose next round waits for it."""
    for depth in range(1, launch.loop + 1):
        rounds = [c for c in calls if c.loops[:depth] == launch.loops[:depth]]
        within = interval.start <= rounds[0].order and rounds[-1].order < interval.stop
        site = [c for c in rounds if c.kind == "launch" and c.span == launch.span]
        if within and any(may_wait_for(calls, call, site[0]) for call in rounds):
            return True
    return False


def _is_empty(launch: HostCall, unit: Unit) -> bool:
    """Whether a kernel has nothing to do: it is launched to time the launch."""
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
    """Whether other launches between the readings are waited for: their time is in what is measured."""
    others = (c for c in calls[interval.start : first.order] if c.kind == "launch")
    return any(may_have_waited(calls, other, interval.stop) for other in others)


def _finding(interval: Interval, launches: list[HostCall], others: bool) -> Finding:
    last = launches[-1]
    since = f"what is measured since line {interval.start_span.line}"
    what = "has the launches before the last wait in it" if others else "is the time of queueing"
    kernel = "this kernel" if others else "the kernel"
    sites = len({launch.span for launch in launches})
    more = "" if sites == 1 else f" and {sites - 1} more"
    return RULE.finding(
        interval.stop_span,
        f"unsynchronised timer: the clock is read while `{last.name}`{more} may still run",
        notes=(
            f"the launch in line {last.span.line} returns at once and nothing waits for the device before "
            f"{interval.clock}() is read here: {since} {what}, not {'' if others else 'of '}{kernel}",
        ),
        help="call cudaDeviceSynchronize() before this reading, or take the time with two events",
        kernel=last.name,
        evidence={"clock": interval.clock, "launches": sites, "since": interval.start_span.line},
        related=(
            Related(interval.start_span, "the clock is started here"),
            Related(last.span, f"`{last.name}` is launched here and not waited for"),
        ),
    )
