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
- Reported only for known block sizes. How much whole warps give is between nothing (the kernel waits for
  memory) and all idle lanes (it is bound by the issue of instructions).
- Where whole warps need more shared memory per block, fewer blocks are resident: weigh both.
- The fix is unsafe: the kernel must handle threads past the end of the data.

## Source
000, 001, 003 and 004: block sizes that are multiples of the warp size.
"""

import math
import re
from collections.abc import Iterator
from typing import cast

from cudalint.analyses.kernel_queries import reads_extent
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import LaunchFact
from cudalint.host.shape import blocks, plural, spelled
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import full_warps

RULE = Rule(
    code="CU501",
    name="partial-warp-block",
    severity=Severity.WARNING,
    summary="the block size is not a multiple of the warp size",
    fixes=("unsafe",),
    guides=("000", "001", "003", "004"),
    speed=True,
    made=False,
)

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
    lanes = warps * warp
    better = rounded(block, warp)
    kernel = context.unit.functions.get(launch.key or "")
    general = kernel is not None and reads_extent(context.unit, kernel)
    subject = "thread per block leaves" if threads == 1 else "threads per block leave"
    yield RULE.finding(
        launch.span,
        f"partial warp: {spelled(block)} {subject} {lanes - threads} of {lanes} lanes idle",
        notes=(
            f"a block occupies {plural(warps, 'whole warp')} of {warp} lanes: "
            f"{1 - threads / lanes:.0%} of the allocated lanes are idle",
        ),
        help=f"use {spelled(better)} threads per block, let the grid cover the data, and guard the index"
        if general
        else "let one block do the work of several, so that its threads fill whole warps",
        kernel=launch.name,
        evidence={
            "threads": threads,
            "block": list(block),
            "idle": lanes - threads,
            "next": math.prod(better),
        },
        impact=context.launch_impact(full_warps(threads, blocks(launch)), launch),
        fix=_fix(launch, better, context) if general else None,
    )


def rounded(block: tuple[int, int, int], warp: int) -> tuple[int, int, int]:
    """The block with x raised until it fills whole warps."""
    x, y, z = block
    step = warp // math.gcd(warp, y * z)
    return -(-x // step) * step, y, z


def _fix(launch: LaunchFact, better: tuple[int, int, int], context: Context) -> Fix | None:
    """The fix that replaces a literal at the launch; a size defined elsewhere has other uses, and a single
    warp is a small block (CU502).
    """
    span = launch.block_expression
    if span is None or better[1:] != (1, 1) or better[0] <= limits(context.arch).warp:
        return None
    written = _LITERAL.fullmatch(context.text(span))
    if written is None or int(written[1]) != launch.block[0]:
        return None
    return Fix((Edit(span, f"{better[0]}{written[2]}"),), safe=False)
