"""
## What it does
Finds a CPU clock that is read before and after a kernel launch, with nothing between the launch and the
second reading that waits for the device. Also one that starts while a launch from before, which nothing has
waited for, may still run: the rest of it is measured, too.

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
- A launch from before counts if no more than 20 times as many are measured.
- Not reported if an event is recorded in between, if every iteration of a timed loop waits, if a later
  reading after a wait uses the same start, or for empty kernels: the launch time may be intended.

## Source
000 8.1 'Timing'; 002 'Measure the performance: timing'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts
from cudalint.host.query.timed_launches import Early, Unwaited, early_readings, unwaited_launches
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU807",
    name="unsynchronised-timer",
    severity=Severity.WARNING,
    summary="a CPU clock times a launch without waiting for the device",
    guides=("000 8.1", "002"),
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per second reading of a clock that a launch may outlast."""
    seen: set[Span] = set()
    for timed in unwaited_launches(host, context.unit):
        seen |= {timed.interval.start_span, *(launch.span for launch in timed.launches)}
        yield _finding(timed)
    for early in early_readings(host, context.unit):
        if seen.isdisjoint((early.interval.start_span, early.launch.span)):
            seen.add(early.interval.start_span)
            yield _early_finding(early)


def _early_finding(early: Early) -> Finding:
    interval, launch = early.interval, early.launch
    return RULE.finding(
        interval.start_span,
        f"unsynchronised timer: the clock starts while `{launch.name}` may still run",
        notes=(
            f"nothing waits for the launch in line {launch.span.line} before {interval.clock}() is read here:"
            f" the time until line {interval.stop_span.line} includes the rest of it",
        ),
        help="call cudaDeviceSynchronize() before this reading",
        kernel=launch.name,
        confidence=Confidence.MEDIUM,
        evidence={"clock": interval.clock, "launches": 1, "since": interval.start_span.line},
        related=(
            Related(launch.span, f"`{launch.name}` launched here"),
            Related(interval.stop_span, "second clock reading"),
        ),
    )


def _finding(timed: Unwaited) -> Finding:
    interval, launches = timed.interval, timed.launches
    last = launches[-1]
    since = f"the time since line {interval.start_span.line}"
    what = (
        "includes earlier launches, not this kernel"
        if timed.includes_others
        else "is the launch time, not the kernel time"
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
