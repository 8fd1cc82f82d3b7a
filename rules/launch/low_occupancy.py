"""
## What it does
Finds launches whose shared memory per block limits a multiprocessor to fewer than half of the warps that it
can hold.

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
- Registers are not known before compilation (`ptxas -v` prints them): reported only where shared memory is
  the limiter even with 40 registers per thread and one more for every word of local variables.
- Block size and grid must be known, and the grid larger than what is resident at once.
- Not reported for kernels with warp matrix instructions or asynchronous copies, which hide latency by
  instruction-level parallelism.
- Not reported where the size of shared memory varies or was compared with a limit before, where a library
  (cub) determines it, or for blocks of one warp (CU502).

## Source
000 'Occupancy'; 003 'Resource Partitioning'; 004 'Occupancy'. The arithmetic is that of the occupancy
calculator, with the limits of `--arch`.
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.static_shared import sized_by_library, static_shared
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import Limiter, Occupancy, occupancy
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, plural, shapes, threads
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import OCCUPANCY

RULE = Rule(
    code="CU506",
    name="low-occupancy",
    severity=Severity.NOTE,
    summary="shared memory per block limits occupancy to less than half",
    guides=("000", "003", "004"),
)

_TEMPORARY = 40  # registers per thread, besides its variables
_PIPELINED = ("mma_sync", "memcpy_async", "__pipeline_memcpy_async")
_ASSEMBLY = ("mma", "cp.async")


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where shared memory alone limits occupancy to less than half."""
    kernel = context.unit.functions.get(launch.key or "")
    count = threads(launch)
    if not launch.reached or launch.guarded or kernel is None or count is None or count < 1:
        return
    arrays = static_shared(context.unit, kernel)
    shared = sum(array.type.bytes for array in arrays) + (launch.dynamic_shared_bytes or 0)
    if not shared or count > limits(context.arch).max_threads_per_block:
        return
    held = occupancy(context.arch, count, _registers(context, kernel), shared)
    if not held.blocks or held.fraction >= OCCUPANCY.value or held.limiters != (Limiter.SHARED,):
        return
    if _all_resident(launch, held, context) or _varies(launch, context) or _pipelined(context, kernel):
        return
    if sized_by_library(context.unit, kernel):
        return
    most = _most(context.arch, count, shared)
    yield RULE.finding(
        launch.span,
        f"low occupancy: {shared:,} bytes of shared memory per block limit a multiprocessor to"
        f" {held.warps} of {held.max_warps} warps ({held.fraction:.0%})",
        notes=(
            f"an sm_{context.arch} multiprocessor holds {plural(held.blocks, 'block')} of {count} threads;"
            " registers may lower it further",
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
    )


def _all_resident(launch: LaunchFact, held: Occupancy, context: Context) -> bool:
    """Whether the grid is not known to be larger than what the device holds at once."""
    total = blocks(launch)
    return total is None or total <= held.blocks * (context.multiprocessors or 1)


def _varies(launch: LaunchFact, context: Context) -> bool:
    """Whether the same launch is also made with other shared memory or another block."""
    known = launch.dynamic_shared_bytes, launch.block
    others = shapes(launch, context.host.launches)
    return any((other.dynamic_shared_bytes, other.block) != known for other in others)


def _registers(context: Context, kernel: Function) -> int:
    """More registers than the kernel is likely to use: for every variable, and for temporaries."""
    words = sum(
        -(-node.variable.type.bytes // 4)
        for function in reachable(context.unit, kernel)
        if function.body is not None
        for node in walk(function.body)
        if isinstance(node, s.Declare) and node.variable.storage == "local"
    )
    return min(_TEMPORARY + words, limits(context.arch).registers_per_thread)


def _most(arch: int, count: int, shared: int) -> int:
    """The most bytes per block, in units of 1 KiB, with which half of the warps fit; 0 if there are none."""
    for kilobytes in range(shared // 1024, 0, -1):
        if occupancy(arch, count, shared_bytes=kilobytes * 1024).fraction >= OCCUPANCY.value:
            return kilobytes * 1024
    return 0


def _pipelined(context: Context, kernel: Function) -> bool:
    """Whether the kernel hides latency within a warp: matrix tiles, asynchronous copies."""
    return any(
        _is_pipelined(node)
        for function in reachable(context.unit, kernel)
        if function.body is not None
        for node in walk(function.body)
    )


def _is_pipelined(node: Node) -> bool:
    match node:
        case e.Call(name=name):
            return name in _PIPELINED or "mma" in name
        case s.Opaque(text=text):
            return any(word in text for word in _ASSEMBLY)
    return False
