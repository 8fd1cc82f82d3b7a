"""
## What it does
Finds kernels in which each thread loads one element of each array, computes, stores and ends: copies, sums of
two arrays, activation functions. Loads that are 4 or 8 bytes wide, next to each other, executed once, in
kernels without loops and barriers. And launches of so few threads that a multiprocessor has at most a quarter
of the warps that it holds, where each thread runs a long loop over memory.

## Why it costs
A load from device memory takes some 0.7 us under load. What a multiprocessor asks for meanwhile is what its
threads ask for: 2,048 threads with a float each are 8 KiB. Its share of an H200's bandwidth would be 25 KiB.
On an H200, arrays of 512 MiB:

| kernel | one float per thread | one float4 |
|---|---|---|
| copy | .392 ms | .255 ms |
| gelu | .416 ms | .253 ms |
| sum of two arrays | .463 ms | .373 ms |

With few warps it is the same. Blocks of 128 threads on an H100, 64 million floats in a loop that steps by the
size of the grid, and columns of 4,096 floats in blocks of 64:

| warps per multiprocessor | sum of floats | of `float4` | floats copied | columns |
|---|---|---|---|---|
| 4 | .475 ms | .148 ms | .567 ms | .169 ms |
| 8 | .249 ms | .105 ms | .344 ms | .110 ms |
| 16 | .142 ms | .092 ms | .243 ms | .093 ms |
| 64 | .094 ms | .091 ms | .199 ms | .094 ms |

A million floats, which L2 holds, take .007 ms with 8 warps or with 64.

## Example
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) out[i] = in[i] * scale;
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
    reinterpret_cast<float4 *>(out)[i] = v;
}
```
and a thread for the rest where `n` is no multiple of four; or four elements per thread, `blockDim.x` apart,
all loaded before the first is stored.

## Limits
- The impact begins at 0: what caches hold comes sooner.
- One element per thread: silent where the grid is resident at once, so that it waits once; where the kernel
  accesses anything else (gathers, strides, shared memory); for elements of one or two bytes (CU109).
- With a division, a root or the like between the loads, the bytes are a bound: nvcc may begin some after it.
- Few warps: the grid, the block and the iterations of the loop have to be known. Silent for loops whose
  iterations need each other's results, that the compiler unrolls whole, or with barriers. Registers may leave
  room for no more warps. Fewer blocks than multiprocessors are CU504.

## Source
Little's law; the times are those of `experiments/in_flight.cu`.
"""

from collections.abc import Iterator
from math import inf

from cudalint.analyses.slow_ways import stand_between
from cudalint.analyses.static_shared import sized_by_library, static_shared
from cudalint.analyses.waiting_loops import waiting_loops
from cudalint.cuda.warp import WARP
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.throughput import Throughput, throughput
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, plural, threads
from cudalint.host.walks import run_of
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.grids import ALONE, LONG, as_run, longest, more_blocks, shared_out, who
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance import roofline
from cudalint.significance.impact import Basis
from cudalint.significance.launching import more_in_flight
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload
from cudalint.simt.query.few_bytes import single_loads
from cudalint.simt.query.narrow import is_narrow
from cudalint.simt.query.pattern import number, place

RULE = Rule(
    code="CU119",
    name="few-bytes-in-flight",
    severity=Severity.NOTE,
    summary="few bytes are in flight: each thread loads one element and ends, or few warps loop over memory",
    guides=("004",),
    speed=True,
    made=False,
)

_THIN = 0.25  # of the warps that a multiprocessor holds, registers aside
_TOGETHER = 4  # elements of a thread that are loaded at once
_VECTORS = {4: "a `float4` or `int4`", 8: "two `double2`"}


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """A finding at the first load of such a kernel, and one at each launch of few warps."""
    yield from _single(kernel, accesses, context)
    host, unit = context.host, context.unit
    made = [one for one in (*host.launches, *host.defaults) if _is_of(one, kernel, unit)]
    if not any(_is_thin(one, context) for one in made):
        return
    loops = waiting_loops(unit, kernel.function)
    conditions = {loop.condition.span for loop in loops if loop.condition is not None}
    long = tuple(branch for branch in branches if branch.span in conditions)
    if not long:
        return
    for launch in host.launches:
        if launch.reached and _is_of(launch, kernel, unit) and _is_thin(launch, context):
            yield from _few_warps(launch, long, "", context)
    for launch in as_run(host, lambda one: _is_thin(one, context), unit):
        if _is_of(launch, kernel, unit):
            yield from _few_warps(launch, long, run_of(host), context)


def _single(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """Of a kernel whose threads load one element of each array."""
    loads = single_loads(context.unit, kernel.function, accesses)
    own = [one for one in loads if one.span.path in context.lines]
    if not own or any(map(is_narrow, accesses)):
        return
    first, *others = sorted(own, key=place)
    bytes = sum(one.bytes for one in loads)
    works = [work for work in kernel.of(Workload) if not work.forced]
    rates = throughput(context.target)
    held = max((roofline.resident(work, rates) * work.warps for work in works), default=0)
    turns = max((_turns(work, rates) for work in works), default=1.0)
    apart = stand_between(context.unit, kernel.function, frozenset(one.span for one in loads))
    waits = (Removed(first, 1 - 1 / min(_TOGETHER, turns)),)  # the others wait together with it
    impact = context.impact(Saving(Basis.LATENCY, waits=waits, in_flight="thread"), kernel)
    yield RULE.finding(
        first.span,
        f"few bytes in flight: each thread waits for {'at most ' if apart else ''}{bytes} bytes and ends",
        notes=(
            f"at most {held * WARP * bytes / 1024:.3g} KiB in flight per multiprocessor",
            *(("nvcc may begin some loads after a division or function with a slow way",) if apart else ()),
        ),
        help=f"let each thread process {_TOGETHER} elements, loaded together"
        f" ({_VECTORS.get(first.bytes, 'vectors')})",
        kernel=kernel.name,
        evidence={"bytes": bytes, "loads": len(loads)},
        impact=impact,
        condition="the data is not in L2",
        related=repeated(
            others, lambda one: f"loaded {'with it or later' if apart else 'with it'}: `{one.expression}`"
        ),
        standing=on_access(first),
    )


def _turns(work: Workload, rates: Throughput) -> float:
    """How often a multiprocessor is filled with blocks: each time it waits."""
    if work.blocks is None:
        return inf
    return max(1.0, work.blocks / (roofline.resident(work, rates) * rates.multiprocessors))


def _is_of(launch: LaunchFact, kernel: KernelFacts, unit: Unit) -> bool:
    """Whether it launches the kernel, or another instantiation of its template."""
    launched = unit.functions.get(launch.key or "")
    return launched is not None and launched.span == kernel.function.span


def _is_thin(launch: LaunchFact, context: Context) -> bool:
    """Whether the grid gives every multiprocessor a block, but few of the warps that it holds."""
    count = blocks(launch)
    if count is None or count < context.target.multiprocessors:
        return False
    held, room = _warps(launch, context)
    return 0 < held <= _THIN * room


def _warps(launch: LaunchFact, context: Context) -> tuple[float, int]:
    """(those that the grid gives a multiprocessor, those that it holds, registers aside); 0 of both where
    they are not known.
    """
    kernel, size, count = context.unit.functions.get(launch.key or ""), threads(launch), blocks(launch)
    dynamic = launch.dynamic_shared_bytes
    if kernel is None or size is None or count is None or dynamic is None or size < 1:
        return 0.0, 0
    if sized_by_library(context.unit, kernel):
        return 0.0, 0
    shared = sum(array.type.bytes for array in static_shared(context.unit, kernel)) + dynamic
    room = occupancy(context.arch, size, shared_bytes=shared).warps
    return count * -(-size // WARP) / context.target.multiprocessors, room


def _few_warps(
    launch: LaunchFact, branches: tuple[Branch, ...], run: str, context: Context
) -> Iterator[Finding]:
    """Of a grid of few warps whose threads run a long loop that others could share. branches: those of loops
    that wait for memory. run: whose sizes these are, where they are of one run only.
    """
    kernel = context.unit.functions.get(launch.key or "")
    loop = longest(launch, branches, kernel)
    trips = loop.trips[0] if loop is not None and loop.trips is not None else 1
    if loop is None or trips < LONG or shared_out(kernel, trips) == 1:
        return
    count, size, device = blocks(launch) or 0, threads(launch), context.target
    held, room = _warps(launch, context)
    yield RULE.finding(
        launch.span,
        f"few bytes in flight: {plural(count, 'block')} of {size} threads fill {number(held)} of {room} warps"
        " per multiprocessor",
        notes=(
            f"{device.multiprocessors} multiprocessors ({device.name}), whose loads few other warps hide",
            f"{who(loop)} a loop of {trips:,} iterations",
            *(() if launch.stream in ALONE else ("kernels in other streams may fill the rest",)),
            *((f"sizes of {run}",) if run else ()),
        ),
        help=more_blocks(context.unit, kernel, trips, size),
        kernel=launch.name,
        evidence={
            "blocks": count,
            "multiprocessors": device.multiprocessors,
            "threads": size,
            "iterations": trips,
            "warps": held,
        },
        impact=context.launch_impact(more_in_flight(held / room, trips), launch),
        confidence=Confidence.MEDIUM if run else None,
    )
