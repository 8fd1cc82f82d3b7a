"""
## What it does
Finds measured times of `main` that hold the making of the CUDA context, or the first use of a library:
between two readings of a clock stands the first call of CUDA's, or between them or between two events the
first product, transform or sort. Also those of short kernels, where the first launch that loads them may take
as long as all that is measured.

## Why it costs
CUDA makes its context in the first call that needs it, and since CUDA 12.2 loads each kernel when it is first
launched. On an H100 with CUDA 13 the context took 250 to 400 ms, the first launch of all 3.4 ms, the first of
another small kernel 15 to 35 us, of one with 25,000 instructions 1.6 to 2.1 ms; cuBLAS took 120 to 180 ms for
its first product, Thrust 0.1 to 0.2 ms for each algorithm. A measured kernel of 10 us looks several times as
slow, and comparisons favour what runs second. With `CUDA_MODULE_LOADING=EAGER` a first launch took 2 to 60 us
more than a later one.

## Example
```cuda
auto start = std::chrono::steady_clock::now();
step<<<grid, block>>>(d, n);
cudaDeviceSynchronize();
auto stop = std::chrono::steady_clock::now();
```

## Instead
```cuda
step<<<grid, block>>>(d, n);  // loads the kernel
cudaDeviceSynchronize();
auto start = std::chrono::steady_clock::now();
step<<<grid, block>>>(d, n);
cudaDeviceSynchronize();
auto stop = std::chrono::steady_clock::now();
```
If a second run would spoil the data: `cudaFuncGetAttributes` of the kernel loads it as well, `cudaFree(0)`
makes the context.

## Limits
- Only in `main` and what it calls: of other functions nobody knows what ran before.
- The first launch of a kernel alone is reported where all that is measured is known, and is estimated to take
  3.5 ms at most, or 35 us if other kernels ran before.
- Not reported where CU807 says that the measurement does not wait for the launch.
- Nothing is said of the context if unseen code ran before.
- The share is of the measured time: work that repeats often enough hides the first use. A loop of unknown
  length, in what is measured or round it, is taken to repeat 100 times at least.

## Source
000 8.1 'Timing'.
"""

from collections.abc import Iterator
from math import prod

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.cold_timers import THRUST, ColdTimer, cold_timers, libraries
from cudalint.host.query.timed_launches import unwaited_launches
from cudalint.host.walks import rounds_by_id
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.rule.texts import listed
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.simt.facts.workload import Workload

RULE = Rule(
    code="CU811",
    name="cold-timer",
    severity=Severity.NOTE,
    summary="a measured time holds the making of the context, or the first use of a library",
    guides=("000 8.1",),
    speed=True,
)

# Seconds, at least (modules loaded at the start) and at most, on an H100 with CUDA 13
_CONTEXT = 0.25, 0.4
_FIRST = 60e-6, 3.5e-3  # the first launch of all
_KERNEL = 2e-6, 35e-6  # that of another kernel, if it is small
_LIBRARY = 0.1e-3, 180e-3  # cuBLAS; others were not measured
_THRUST = 0.1e-3, 0.2e-3
_LAUNCH = 3e-6  # a launch takes at least
_REPEATS = 100  # iterations of a loop in it or round it, at least, where nobody knows their number
_NAMED = 3  # kernels

_Seconds = tuple[float, float]


def check(host: HostFacts, works: tuple[Workload, ...], context: Context) -> Iterator[Finding]:
    """One finding per program, at the first stretch that holds much of it, with the others."""
    unwaited = {timed.interval.start_span for timed in unwaited_launches(host, context.unit)}
    cold = [one for one in cold_timers(host, context.unit) if one.start not in unwaited]
    found = [
        (one, _impact(one, host, context))
        for one in cold
        if one.context or libraries(one.launches) or (works and _is_short(one, host, context))
    ]
    most = max((share.high for _, share in found), default=0.0)
    shown = [(one, share) for one, share in found if share.high >= most / 2]
    if shown:
        first, others = shown[0][0], [one for one, _ in shown[1:]]
        yield _finding(first, others, max((share for _, share in shown), key=lambda one: one.high))


def _is_short(cold: ColdTimer, host: HostFacts, context: Context) -> bool:
    """Whether the first launches may take as long as all work of the stretch, which is known."""
    most = _work(cold, host, context)[1]
    return cold.idle and most is not None and most <= _cold_seconds(cold)[1]


def _impact(cold: ColdTimer, host: HostFacts, context: Context) -> Impact:
    """The share that the first use has of the measured time."""
    least, most = _cold_seconds(cold)
    work = _work(cold, host, context)
    low = least / (least + work[1]) if work[1] is not None else 0.0
    return Impact(low, most / (most + work[0]), Basis.FIRST_USE)


def _cold_seconds(cold: ColdTimer) -> _Seconds:
    names = libraries(cold.launches)
    kernels = sum(call.kind == "launch" for call in cold.launches)
    first = cold.first and not names
    parts = [_THRUST if name == THRUST else _LIBRARY for name in names]
    parts += [_FIRST] * first + [_KERNEL] * (kernels - first)
    parts += [_CONTEXT] * cold.context
    return sum(one[0] for one in parts), sum(one[1] for one in parts)


def _work(cold: ColdTimer, host: HostFacts, context: Context) -> tuple[float, float | None]:
    """Seconds of the work of the stretch, at least and at most; None where nobody knows how often it runs, or
    what else takes time.
    """
    rounds = rounds_by_id(host)
    least, most, open_ = 0.0, 0.0, False
    for call in _once(cold.calls):
        if call.kind == "host-work" or call.kind in ("library", "other", "synchronise"):
            open_ = open_ or call.kind in ("host-work", "library")
            continue
        counts = [rounds[number].count if number in rounds else None for number in call.loops]
        open_ = open_ or None in counts
        often = prod(count or _REPEATS for count in counts)
        fast, slow = context.seconds(call)
        least, most = least + often * max(fast, _LAUNCH), most + often * max(slow, _LAUNCH)
    return least, None if open_ else most


def _once(calls: tuple[HostCall, ...]) -> list[HostCall]:
    """Each place and stream once: of a loop the model tells several iterations."""
    return list({(call.span, call.loops, call.name, call.came_by): call for call in calls}.values())


def _finding(cold: ColdTimer, others: list[ColdTimer], impact: Impact) -> Finding:
    start, stop, first = cold.start, cold.stop, cold.launches[0]
    names = [f"`{call.name}`" for call in cold.launches]
    shown = listed(
        [*dict.fromkeys(names[:_NAMED]), *([f"{len(names) - _NAMED} more"] if names[_NAMED:] else [])]
    )
    context = "the making of the CUDA context, and " if cold.context else ""
    return RULE.finding(
        start,
        f"cold timer: the time measured from here to line {stop.line} holds {context}"
        f"the first launch of {shown}",
        notes=(f"{_costs(cold)} (H100, CUDA 13)",),
        help="launch each kernel once, and wait, before the first reading",
        kernel=first.name,
        evidence={"kernels": len(cold.launches), "context": cold.context, "until": stop.line},
        impact=impact,
        related=(
            Related(first.span, "launched for the first time here"),
            Related(stop, "measured until here"),
            *(Related(one.start, _also(one), same=True) for one in others),
        ),
    )


def _costs(cold: ColdTimer) -> str:
    """What the parts of the first use take."""
    names = libraries(cold.launches)
    parts = ["the context takes 250 to 400 ms"] * cold.context
    parts += ["the first product of cuBLAS takes 120 to 180 ms"] * any(name != THRUST for name in names)
    parts += ["the first call of an algorithm of Thrust takes 0.1 to 0.2 ms"] * (THRUST in names)
    parts += ["the first kernel of a program takes up to 3.5 ms"] * (cold.first and not names)
    parts += ["the first launch of another small kernel takes 15 to 35 us"] * (not parts)
    return listed(parts)


def _also(cold: ColdTimer) -> str:
    return f"holds the first launch of `{cold.launches[0].name}`"
