"""
## What it does
Finds device memory, pinned host memory and streams that a loop allocates and frees in every iteration, with
GPU work in between: with the same size each time, or a buffer that the next iteration frees and allocates
anew, as a function that resizes it or the assignment to a smart pointer does. Likewise a
`thrust::device_vector` that is made in the loop, and the temporary memory of Thrust's reductions, scans,
sorts and selections. And handles, plans and searches for an algorithm of cuBLAS and the like that a loop
makes beside their work, and graphs that it makes for a single launch.

## Why it costs
cudaMalloc and cudaFree change the device's address space. They take tens of microseconds each, far more than
a launch, and cudaFree waits until the device is idle, so no iteration can queue work while the previous one
still runs. On an H200 with CUDA 13, a pair for 1 KiB to 64 MiB took 57 to 74 us on an idle device, a queued
launch 3 us. Between kernels of 5 to 300 us a loop with a pair for 8 KiB took 39 to 95 us longer an iteration
on an H100, with one for 64 MiB 104 to 161 us; a pair of 8 KiB beside other small memory that stayed
allocated, whose page the driver then keeps, 8 us. cudaMallocHost locks pages: with cudaFreeHost it took 600
us for a small buffer, 5.6 ms for 16 MiB. A pair of cudaMallocAsync and cudaFreeAsync, which use a memory pool
in stream order (CUDA 11.2 and later), took 0.7 us, a pair of cudaStreamCreate and cudaStreamDestroy 3 us. A
pair for an event took less than 0.5 us, so events are not reported. Thrust's calls take their temporary
memory the same way: on an H100 a reduction of 4,096 floats took 97 us, with memory that its allocator keeps
22 us, a sort of a million 163 and 78 us; where other small allocations were alive, from whose pages the
driver took more, 4 us were saved (`experiments/host_calls.cu`). A graph of three kernels took an H200's host
25 us to capture, instantiate, launch and destroy, one that is kept was launched and done in 10 us, the three
kernels without a graph in 19 us.

## Example
```cuda
for (int step = 0; step < steps; ++step) {
    float *scratch;
    cudaMalloc(&scratch, bytes);
    advance<<<grid, block>>>(field, scratch);
    cudaFree(scratch);  // waits for the kernel
}
```

## Instead
```cuda
float *scratch;
cudaMalloc(&scratch, bytes);
for (int step = 0; step < steps; ++step) advance<<<grid, block>>>(field, scratch);
cudaFree(scratch);
```
If the allocation has to stay in the loop: `cudaMallocAsync(&scratch, bytes, stream)` and
`cudaFreeAsync(scratch, stream)`.

## Limits
- Not reported if the size may change between iterations and the iteration frees the buffer itself. Such
  buffers are named in a note.
- Not reported if the sizes grow by a constant step or factor.
- Not reported under a condition in the loop, in loops of fewer than 4 iterations or that call cudaSetDevice,
  without a launch or copy in between, or around an inner loop of launches.
- Outside of the interval that the program times, if it times the loop at all, a note says so.
- The times are those of one machine; older drivers are slower.

## Source
000 9.3 'Allocation'; the CUDA programming guide, 'Stream Ordered Memory Allocator'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.loop_allocations import LoopAllocations, Pair, loop_allocations
from cudalint.host.query.loop_graphs import LoopGraph, left_graphs, loop_graphs
from cudalint.host.query.loop_handles import LoopHandles, loop_handles
from cudalint.host.walks import rounds_by_id, times
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import without_allocations
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.thresholds import ALLOCATION_TRIPS
from cudalint.source.span import Span

RULE = Rule(
    code="CU706",
    name="allocation-in-loop",
    severity=Severity.WARNING,
    summary="a loop allocates and frees memory, or creates and destroys a stream, in every iteration",
    guides=("000 9.3",),
    speed=True,
)

_NOT_TIMED = "it lies outside of what the program times: the time it prints leaves this out"
_PINNED = ("cudaMallocHost", "cudaHostAlloc", "cuMemAllocHost", "cuMemHostAlloc")


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per loop that allocates in every iteration: for memory first, else for streams."""
    seen: set[Span] = set()
    rounds = rounds_by_id(host)
    for found in loop_allocations(host):
        trips = times(found.pairs[0].made, rounds)
        if found.loop.span not in seen and (trips is None or trips >= ALLOCATION_TRIPS.value):
            seen.add(found.loop.span)
            places = [call.span for pair in found.pairs for call in (pair.made, pair.gone)]
            yield _finding(found, context.calls_impact(found.pairs[0].made, without_allocations(places)))
    for prepared in loop_handles(host, ALLOCATION_TRIPS.value):
        if prepared.loop.span not in seen:
            seen.add(prepared.loop.span)
            yield _prepared(prepared)
    for graph in loop_graphs(host, ALLOCATION_TRIPS.value):
        if graph.loop.span not in seen:
            seen.add(graph.loop.span)
            yield _graph(graph, {left.made.span for left in left_graphs(host)})


def _graph(found: LoopGraph, left: set[Span]) -> Finding:
    """How long its kernels take is not known. left: where graphs are made that nothing destroys."""
    count = "" if found.loop.count is None else f" of {found.loop.count:,} iterations"
    return RULE.finding(
        found.made.span,
        f"{found.made.name} in every iteration of a loop{count}: a graph is made for one launch",
        notes=(
            "for three kernels that takes 25 us of the host, a graph that is kept 10 us (H200)",
            *(("nothing in the loop destroys it",) if found.made.span in left else ()),
        ),
        help="make it once, before the loop; where arguments change, update it"
        " (`cudaGraphExecUpdate`, `cudaGraphExecKernelNodeSetParams`)",
        evidence={"pairs": 1, "bytes": None, "rounds": found.loop.count, "kind": "graph"},
        related=(Related(found.launch.span, "launched here"), Related(found.loop.span, "this loop")),
        condition="the graphs of several iterations have the same nodes",
        confidence=Confidence.MEDIUM,
        impact=Impact(0.0, 0.5, Basis.LAUNCHES),
    )


def _prepared(found: LoopHandles) -> Finding:
    """How long a library prepares is not known, nor whether it does so for other sizes each time."""
    first, *others = found.calls
    count = "" if found.loop.count is None else f" of {found.loop.count:,} iterations"
    searches = "Heuristic" in first.name or first.name.startswith(("cudnnGet", "cudnnFind"))
    what = "searches for an algorithm" if searches else "prepares the library"
    return RULE.finding(
        first.span,
        f"{first.name} {what} in every iteration of a loop{count}",
        notes=("a handle or a plan takes up to milliseconds, a search tens of microseconds of the host",),
        help="do it once for each size, before the loop, and keep the result",
        evidence={"pairs": len(found.calls), "bytes": None, "rounds": found.loop.count, "kind": "handle"},
        related=(Related(found.loop.span, "this loop"), *elsewhere(others, "likewise in this loop")),
        condition="the sizes are the same in several iterations",
        confidence=Confidence.MEDIUM,
        impact=Impact(0.0, 0.5, Basis.TRANSFERS),
    )


def _finding(found: LoopAllocations, impact: Impact) -> Finding:
    pairs, others, loop = found.pairs, found.others, found.loop
    first, number = pairs[0], sum(pair.times for pair in pairs)
    streams = first.made.kind == "stream-create"
    if first.made.destination is None and first.made.span == first.gone.span:
        return _temporary(found, impact)
    names = [_name(pair) for pair in pairs]
    count = "" if loop.count is None else f" of {loop.count:,} iterations"
    shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names) if name)
    vector = first.made.span == first.gone.span
    what = (
        f"{first.made.name} is made and destroyed" if vector else f"{first.made.name} and {first.gone.name}"
    )
    gone = () if vector else (Related(first.gone.span, "destroyed here" if streams else "freed here"),)
    related = [Related(pair.made.span, "also allocated in this loop") for pair in pairs[1:]]
    related += [Related(call.span, "also allocated in this loop, size may change") for call in others]
    return RULE.finding(
        first.made.span,
        f"{what} in every iteration of a loop{count}" + (f": {shown}" * bool(shown)),
        notes=(_cost(first, number), *_more(others), *(() if found.timed else (_NOT_TIMED,))),
        help=_help(first, streams),
        evidence={
            "pairs": number,
            "bytes": first.made.bytes,
            "rounds": loop.count,
            "kind": "stream" if streams else "memory",
        },
        related=(*gone, *related),
        impact=impact,
    )


def _temporary(found: LoopAllocations, impact: Impact) -> Finding:
    """Of algorithms of Thrust, which allocate and free by themselves."""
    first, *others = (pair.made for pair in found.pairs if pair.made.span == pair.gone.span)
    count = "" if found.loop.count is None else f" of {found.loop.count:,} iterations"
    return RULE.finding(
        first.span,
        f"{first.name} allocates and frees temporary memory in every iteration of a loop{count}",
        notes=(
            "cudaMalloc and cudaFree, 4 to 75 us each time for some KiB, 90 us and more for the MiB of a sort"
            " (H100)",
        ),
        help="hand its policy an allocator that keeps memory (`thrust::cuda::par(allocator)`), or call"
        " CUB with temporary memory that is allocated once",
        evidence={"pairs": len(found.pairs), "bytes": None, "rounds": found.loop.count, "kind": "memory"},
        related=elsewhere(others, "likewise in this loop"),
        impact=impact,
    )


def _more(others: tuple[HostCall, ...]) -> tuple[str, ...]:
    if not others:
        return ()
    names = ", ".join(dict.fromkeys(f"`{c.destination.name}`" for c in others if c.destination is not None))
    return (
        f"the loop also allocates {names} of varying size: allocate the largest size once, or use a pool",
    )


def _name(pair: Pair) -> str:
    if pair.made.kind == "stream-create":
        return pair.made.stream
    buffers = (pair.made.destination, pair.gone.destination)  # a vector has a name once it is made
    name = next((one.name for one in buffers if one is not None and one.name), "")
    return "" if name == "temporary" else name


def _cost(first: Pair, number: int) -> str:
    pairs = "1 pair/iteration" if number == 1 else f"{number} pairs/iteration"
    if first.varies:
        pairs += " of varying size"
    elif first.made.bytes is not None:
        pairs += " of fixed size"
    if first.made.kind == "stream-create":
        return f"{pairs}, about 3 us each (H200)"
    if first.made.name in _PINNED:
        return f"{pairs}: locking and unlocking pages takes 0.6 ms each, more for large buffers"
    return (
        f"{pairs}, 40 to 95 us each, 8 us where other small memory keeps the page (a launch: 3 us, H100); "
        f"{first.gone.name} waits until the device is idle, so iterations cannot overlap"
    )


def _help(first: Pair, streams: bool) -> str:
    if streams:
        return "create the streams once, before the loop"
    if first.varies:
        return "allocate the largest size once, or reallocate only if the buffer is too small"
    if first.made.name in ("cudaMalloc", "cudaMallocPitch"):
        return "allocate once before the loop, or use cudaMallocAsync and cudaFreeAsync on its stream"
    return "allocate once before the loop"
