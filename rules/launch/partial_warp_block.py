"""
## What it does
Finds launches whose block size x * y * z is not a multiple of 32, so that the last warp of every block is
partly empty.

## Why it costs
The hardware schedules warps of 32 lanes. A block of 100 threads takes four warps, 128 lanes, and 28 of them
are idle in every block of the grid, while their registers and issue slots are allocated. Threads of the next
block do not fill them.

## Example
```cuda
scale<<<n / 100, 100>>>(data);  // 4 warps per block, 28 idle lanes in the last one
```

## Instead
```cuda
scale<<<(n + 127) / 128, 128>>>(data, n);  // with `if (i < n)` in the kernel
```
Round the block size up to the next multiple of 32, let the grid cover the data, and guard the index. In two
dimensions, rows of 32 threads also keep the accesses of a warp in one row. A kernel that does not read
blockDim is written for its block size: let one block do the work of several.

## Limits
- Reported only for known block sizes, where the same launch is never made with unknown sizes or whole warps.
- Not reported: less than a tenth of the lanes idle; so few warps that each has its own scheduler (CU504);
  kernels that compute with blockDim other than to number threads, or of which all blocks but one exit at
  once; blocks below a warp that are the maximum of `__launch_bounds__`; short kernels launched once beside
  loops of launches; launches that the program does not measure while it measures others; blocks whose shared
  memory, grown to whole warps, would more than halve occupancy.
- The fix is unsafe: the kernel must handle threads past the end of the data.

## Source
000, 001, 003 and 004: block sizes that are multiples of the warp size.
"""

import math
import re
from collections.abc import Iterator
from typing import cast

from cudalint.analyses.kernel_queries import reachable, reads_extent
from cudalint.analyses.lone_block import goes_on_alone
from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.analyses.trip_counts import constant_trips
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import occupancy
from cudalint.host.facts import LaunchFact
from cudalint.host.one_off_launches import once_beside_loops
from cudalint.host.shape import blocks, shapes, volume
from cudalint.host.timing import is_preparation
from cudalint.ir.expressions import Assign, Binary, Builtin, Cast, Expression
from cudalint.ir.statements import Loop
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Confidence, Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import LONG_LOOP, PARTIAL_IDLE, SMALL_BLOCK

RULE = Rule(
    code="CU501",
    name="partial-warp-block",
    severity=Severity.WARNING,
    summary="the block size is not a multiple of the warp size",
    fixes=("unsafe",),
    guides=("000", "001", "003", "004"),
)

_SCHEDULERS = 4  # of a multiprocessor; whitepapers of compute capability 5.0 and later
_LITERAL = re.compile(r"(\d+)([uUlL]*)")


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding for a known block size that leaves lanes of the last warp idle."""
    if not launch.reached or None in launch.block:
        return
    block = cast("tuple[int, int, int]", launch.block)
    threads = math.prod(block)
    capability = limits(context.arch)
    warp = capability.warp
    if threads <= 0 or threads % warp == 0 or threads > capability.max_threads_per_block:
        return
    warps = math.ceil(threads / warp)
    idle = warps * warp - threads
    if (
        _is_small(launch, threads, context)
        or idle < PARTIAL_IDLE.value * warps * warp
        or _varies(launch, warp, context)
    ):
        return
    better = rounded(block, warp)
    kernel = context.unit.functions.get(launch.key or "")
    if kernel is not None and (
        goes_on_alone(kernel) or _crowds_out(launch, kernel, threads, math.prod(better), context)
    ):
        return
    if is_preparation(launch.span, context.host) or _is_reported_before(launch, context):
        return
    if (
        kernel is not None
        and _is_short(kernel, context.unit)
        and once_beside_loops(launch.span, context.host)
    ):
        return
    if kernel is not None and (_has_meaning(kernel) or _is_designed(kernel, threads, capability.warp)):
        return
    subject = "thread per block leaves" if threads == 1 else "threads per block leave"
    general = kernel is not None and reads_extent(context.unit, kernel)
    yield RULE.finding(
        launch.span,
        f"partial warp: {_shape(block)} {subject} {idle} of {warps * warp} lanes idle",
        notes=(
            f"a block occupies {_plural(warps, 'whole warp')} of {warp} lanes: "
            f"{idle / (warps * warp):.0%} of the allocated lanes are idle",
        ),
        help=f"use {_shape(better)} threads per block, let the grid cover the data, and guard the index"
        if general
        else "let one block do the work of several, so that its threads fill whole warps",
        kernel=launch.name,
        confidence=Confidence.MEDIUM if threads == 1 else None,
        evidence={"threads": threads, "block": list(block), "idle": idle, "next": math.prod(better)},
        fix=_fix(launch, better, context) if general else None,
    )


def _is_small(launch: LaunchFact, threads: int, context: Context) -> bool:
    """Whether each warp has a scheduler to itself, so that fewer warps would not help."""
    count = blocks(launch)
    warps = math.ceil(threads / limits(context.arch).warp)
    return count is not None and (count == 1 or count * warps <= _SCHEDULERS * (context.multiprocessors or 1))


def _is_short(kernel: Function, unit: Unit) -> bool:
    """Whether the kernel has no loop of many or unknown iterations."""
    return all(
        (constant_trips(node) or LONG_LOOP.value) < LONG_LOOP.value
        for function in reachable(unit, kernel)
        for node in (walk(function.body) if function.body is not None else ())
        if isinstance(node, Loop)
    )


def _is_reported_before(launch: LaunchFact, context: Context) -> bool:
    """Whether an earlier launch of the same function takes its block from the same variable: one edit fixes
    both.
    """
    name = context.text(launch.block_expression) if launch.block_expression is not None else ""
    return name.isidentifier() and any(
        (other.function, other.block) == (launch.function, launch.block)
        and (other.span.line, other.span.column) < (launch.span.line, launch.span.column)
        and other.block_expression is not None
        and context.text(other.block_expression) == name
        for other in context.host.launches
    )


def _has_meaning(kernel: Function) -> bool:
    """Whether the kernel computes with blockDim other than to number threads or as a stride, so that the
    result depends on the block size.
    """
    parts = list(walk(kernel.body)) if kernel.body is not None else []
    extents = sum(isinstance(part, Builtin) and part.name == "blockDim" for part in parts)
    products = [part for part in parts if isinstance(part, Binary) and part.operator == "*"]
    sums = [part for part in parts if isinstance(part, Assign) and part.operator == "+"]
    numbering = sum(_numbers(part.left, part.right) for part in products)
    steps = sum(_plain(part.value) == "blockDim" for part in sums)
    return extents > numbering + steps


def _is_designed(kernel: Function, threads: int, warp: int) -> bool:
    """Whether the block is smaller than a warp, and the maximum of the kernel's `__launch_bounds__`."""
    return threads < warp and kernel.launch_bounds[:1] == (threads,)


def _numbers(left: Expression, right: Expression) -> bool:
    """Whether the two factors are blockDim and blockIdx or gridDim."""
    return {_plain(left), _plain(right)} in ({"blockDim", "blockIdx"}, {"blockDim", "gridDim"})


def _plain(node: Expression) -> str:
    """The name of a built-in variable; '' for anything else."""
    while isinstance(node, Cast):
        node = node.operand
    return node.name if isinstance(node, Builtin) else ""


def _varies(launch: LaunchFact, warp: int, context: Context) -> bool:
    """Whether the same launch is also made with blocks of unknown size, or of whole warps."""
    sizes = [volume(other.block) for other in shapes(launch, context.host.launches)]
    return any(size is None or size % warp == 0 for size in sizes)


def _crowds_out(launch: LaunchFact, kernel: Function, now: int, then: int, context: Context) -> bool:
    """Whether whole warps, with proportionally more shared memory, more than halve occupancy."""
    shared = static_shared_bytes(context.unit, kernel) + (launch.dynamic_shared_bytes or 0)
    before = occupancy(context.arch, now, shared_bytes=shared)
    after = occupancy(context.arch, then, shared_bytes=shared * then // now)
    return 2 * after.warps < before.warps


def rounded(block: tuple[int, int, int], warp: int) -> tuple[int, int, int]:
    """The block with x raised until it fills whole warps."""
    x, y, z = block
    step = warp // math.gcd(warp, y * z)
    return -(-x // step) * step, y, z


def _shape(block: tuple[int, int, int]) -> str:
    x, y, z = block
    if y == z == 1:
        return str(x)
    return f"{x} x {y} x {z} = {x * y * z}" if z > 1 else f"{x} x {y} = {x * y}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _fix(launch: LaunchFact, better: tuple[int, int, int], context: Context) -> Fix | None:
    """The fix that replaces a literal at the launch; a size defined elsewhere has other uses, and a single
    warp is a small block (CU502).
    """
    span = launch.block_expression
    if span is None or better[1:] != (1, 1) or better[0] < SMALL_BLOCK.value:
        return None
    written = _LITERAL.fullmatch(context.text(span))
    if written is None or int(written[1]) != launch.block[0]:
        return None
    return Fix((Edit(span, f"{better[0]}{written[2]}"),), safe=False)
