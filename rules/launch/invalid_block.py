"""
## What it does
Finds launches that the runtime rejects: more threads per block than the hardware allows (1,024), a dimension
of the block or the grid beyond its limit (64 for z of the block, 65,535 for y and z of the grid), or a
dimension of zero.

## Why it costs
The kernel does not run at all. The launch itself returns nothing, so without a check of cudaGetLastError()
the program continues with the old contents of its buffers, and a benchmark reports an excellent time.

## Example
```cuda
dim3 block(64, 32);         // 2,048 threads
blur<<<grid, block>>>(out, in);  // invalid configuration argument
```

## Instead
```cuda
dim3 block(32, 32);
blur<<<grid, block>>>(out, in);
```
Use at most 1,024 threads per block and cover the rest with more blocks or with a loop in the kernel. Where a
dimension may be zero for small inputs, round the division up, or skip the launch.

## Limits
- Reported only for known numbers, and only for launches that are reached. Where the command line may say
  them, they are those of a run without words, or of the one that a Makefile names; the finding says so.
- Not reported where the same number was compared with an unknown one before, such as a limit queried from the
  device: the program may check it itself.

## Source
001 'Execution configuration'; the tables of technical specifications by compute capability.
"""

import math
from collections.abc import Iterator

from cudalint.gpu.capabilities import Capability, limits
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.launched_sizes import with_run
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU503",
    name="invalid-block",
    severity=Severity.ERROR,
    summary="the launch configuration exceeds the limits of the hardware",
    guides=("001",),
    made=False,
)

Extent = tuple[int | None, int | None, int | None]


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for the first limit that a launch exceeds, always or as the program is run."""
    capability = limits(context.arch)
    told = set()
    for launch, run in with_run(host, context.lines):
        if run and launch.span in told:
            continue
        wrong = _threads(launch.block, capability) or _extents(launch, capability)
        wrong = (None if run else _zero(launch)) or wrong
        if wrong is not None:
            told.add(launch.span)
            yield _finding(launch, wrong, run)


def _finding(launch: LaunchFact, wrong: "Wrong", run: str) -> Finding:
    what, value, limit, help_ = wrong
    return RULE.finding(
        launch.span,
        f"invalid launch: {what}",
        notes=(
            "the launch fails with cudaErrorInvalidConfiguration and the kernel does not run",
            *((f"sizes of {run}",) if run else ()),
        ),
        help=help_,
        kernel=launch.name,
        evidence={"value": value, "limit": limit, "block": list(launch.block), "grid": list(launch.grid)},
        confidence=Confidence.MEDIUM if run else None,
    )


Wrong = tuple[str, int, int, str]  # the message, the number, its limit, the help


def _zero(launch: LaunchFact) -> Wrong | None:
    for name, extent in (("block", launch.block), ("grid", launch.grid)):
        for axis, value in zip("xyz", extent, strict=True):
            if value == 0:
                help_ = "round the division up, or skip the launch when there is nothing to do"
                return f"{name} dimension {axis} is 0", 0, 1, help_
    return None


def _threads(block: Extent, capability: Capability) -> Wrong | None:
    """More threads than a block can have; an unknown dimension counts as 1, the least it can be."""
    threads = math.prod(n for n in block if n is not None)
    limit = capability.max_threads_per_block
    if threads <= limit:
        return None
    written = " x ".join(str(n) for n in block if n not in (None, 1))
    shown = written if written == str(threads) else f"{written} = {threads}"
    return (
        f"{shown} threads per block, the limit is {limit}",
        threads,
        limit,
        f"use at most {limit} threads per block, and more blocks or a loop in the kernel",
    )


def _extents(launch: LaunchFact, capability: Capability) -> Wrong | None:
    checks = (("block", launch.block, capability.max_block), ("grid", launch.grid, capability.max_grid))
    for name, extent, most in checks:
        for axis, value, limit in zip("xyz", extent, most, strict=True):
            if value is not None and value > limit:
                return (
                    f"{name} dimension {axis} is {value}, the limit is {limit}",
                    value,
                    limit,
                    "put the long dimension in x, or loop over the rest in the kernel",
                )
    return None
