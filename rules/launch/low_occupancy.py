"""
## What it does
Finds launches whose shared memory per block limits a multiprocessor to fewer warps than it can hold.

## Why it costs
A multiprocessor hides the hundreds of cycles of a load by executing other warps. With 64 KiB of shared memory
per block, an sm_90 multiprocessor (228 KiB) holds three blocks; with 128 threads each that is 12 of 64 warps,
an occupancy of 19%. Below about half, most kernels that wait for memory get slower with every warp less;
above it, more warps rarely help.

## Example
```cuda
__shared__ float tile[12288];  // 48 KiB per block
turn<<<blocks, 128>>>(out, in);  // 16 of 64 warps on sm_90
```

## Instead
Use a smaller tile, store it in a narrower type, or let more threads share it: 48 KiB for 512 threads give 64
of 64 warps. The help says how much a block can use for half of the warps.

## Limits
- Registers are not known before compilation (`ptxas -v` prints them), and may be the tighter limit.
- Where more than half of the warps fit, reported only if the kernel surely waits for what more would hide.
- The block and its shared memory must be known. Where a library (cub) determines the size, it is not.
- How much more warps give is between nothing (units that are busy all the time, latency hidden by
  independent instructions of a warp) and the missing share of the warps; nothing where the grid is resident
  at once, and hidden.

## Source
000 'Occupancy'; 003 'Resource Partitioning'; 004 'Occupancy'. The arithmetic is that of the occupancy
calculator, with the limits of `--arch`.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import sized_by_library, static_shared
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import Limiter, occupancy
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import plural, threads
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import more_warps

RULE = Rule(
    code="CU506",
    name="low-occupancy",
    severity=Severity.NOTE,
    summary="shared memory per block limits occupancy",
    guides=("000", "003", "004"),
    speed=True,
    made=False,
)

_ENOUGH = 0.5  # of the warps: more rarely help, unless even the least that they give can be felt


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where shared memory keeps a multiprocessor from holding more warps."""
    kernel = context.unit.functions.get(launch.key or "")
    count = threads(launch)
    if not launch.reached or kernel is None or count is None or launch.dynamic_shared_bytes is None:
        return
    arrays = static_shared(context.unit, kernel)
    shared = sum(array.type.bytes for array in arrays) + launch.dynamic_shared_bytes
    if not 0 < count <= limits(context.arch).max_threads_per_block:
        return
    held = occupancy(context.arch, count, shared_bytes=shared)
    if not held.blocks or held.limiters != (Limiter.SHARED,) or sized_by_library(context.unit, kernel):
        return
    impact = context.launch_impact(more_warps(held, launch, context.target.multiprocessors), launch)
    if held.fraction > _ENOUGH and not round(impact.low, 2):
        return
    most = _most(context.arch, count, shared)
    yield RULE.finding(
        launch.span,
        f"low occupancy: {shared:,} bytes of shared memory per block limit a multiprocessor to"
        f" {held.warps} of {held.max_warps} warps ({held.fraction:.0%})",
        notes=(
            f"an sm_{context.arch} multiprocessor holds {plural(held.blocks, 'block')} of {count} threads;"
            " registers, which the compiler assigns, may lower it further",
            "fewer warps suffice only where each thread has several independent operations in flight",
        ),
        help=(f"use at most {most:,} bytes per block for half of the warps" if most else "use a smaller tile")
        + ", or let more threads share the memory",
        kernel=launch.name,
        evidence={
            "shared": shared,
            "warps": held.warps,
            "max_warps": held.max_warps,
            "blocks": held.blocks,
            "threads": count,
        },
        related=tuple(
            Related(array.span, f"`{array.name}`: {array.type.bytes:,} bytes")
            for array in arrays
            if array.type.bytes * 4 >= shared
        ),
        impact=impact,
    )


def _most(arch: int, count: int, shared: int) -> int:
    """The most bytes per block, in units of 1 KiB, with which half of the warps fit; 0 if there are none, or
    if they fit already.
    """
    if occupancy(arch, count, shared_bytes=shared).fraction >= _ENOUGH:
        return 0
    for kilobytes in range(shared // 1024, 0, -1):
        if occupancy(arch, count, shared_bytes=kilobytes * 1024).fraction >= _ENOUGH:
            return kilobytes * 1024
    return 0
