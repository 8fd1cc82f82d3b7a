"""
## What it does
Finds kernels in which each thread loads one element of each array, computes, stores and ends: copies, sums of
two arrays, activation functions. Loads that are 4 or 8 bytes wide, next to each other, executed once, in
kernels without loops and barriers.

## Why it costs
A load from device memory takes some 0.7 us under load. What a multiprocessor asks for meanwhile is what its
threads ask for: 2,048 threads with a float each are 8 KiB. Its share of an H200's bandwidth would be 25 KiB.
On an H200, arrays of 512 MiB:

| kernel | one float per thread | one float4 |
|---|---|---|
| copy | .392 ms | .255 ms |
| gelu | .416 ms | .253 ms |
| sum of two arrays | .463 ms | .373 ms |

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
- What caches hold comes sooner: the impact begins at 0.
- A grid that is resident at once waits once, whatever its threads load: silent.
- Silent where a kernel accesses anything else (gathers, strides, shared memory), where it has a loop or a
  barrier, and for elements of one or two bytes, which CU109 reports.

## Source
Little's law; the times are those of `experiments/in_flight.cu`.
"""

from collections.abc import Iterator
from math import inf

from msgspec.structs import replace

from cudalint.cuda.warp import WARP
from cudalint.gpu.throughput import Throughput, throughput
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance import roofline
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload
from cudalint.simt.query.few_bytes import single_loads
from cudalint.simt.query.narrow import is_narrow
from cudalint.simt.query.pattern import place

RULE = Rule(
    code="CU119",
    name="few-bytes-in-flight",
    severity=Severity.NOTE,
    summary="each thread loads one element and ends: few bytes are in flight",
    guides=("004",),
    speed=True,
)

_TOGETHER = 4  # elements of a thread that are loaded at once
_VECTORS = {4: "a `float4` or `int4`", 8: "two `double2`"}


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """A finding at the first load of such a kernel."""
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
    waits = (Removed(first, 1 - 1 / min(_TOGETHER, turns)),)  # the others wait together with it
    impact = context.impact(Saving(Basis.LATENCY, waits=waits, in_flight="thread"), kernel)
    yield RULE.finding(
        first.span,
        f"few bytes in flight: each thread waits for {bytes} bytes and ends",
        notes=(f"at most {held * WARP * bytes / 1024:.3g} KiB in flight per multiprocessor",),
        help=f"let each thread process {_TOGETHER} elements, loaded together"
        f" ({_VECTORS.get(first.bytes, 'vectors')})",
        kernel=kernel.name,
        evidence={"bytes": bytes, "loads": len(loads)},
        impact=replace(impact, low=0.0),  # caches may be near
        related=repeated(others, lambda one: f"loaded with it: `{one.expression}`"),
        standing=on_access(first),
    )


def _turns(work: Workload, rates: Throughput) -> float:
    """How often a multiprocessor is filled with blocks: each time it waits."""
    if work.blocks is None:
        return inf
    return max(1.0, work.blocks / (roofline.resident(work, rates) * rates.multiprocessors))
