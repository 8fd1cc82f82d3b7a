"""
## What it does
Finds block barriers that no data crosses: no thread accesses after the barrier what another thread accessed
before it, with a write on either side. Also finds barriers that data crosses only between threads of one
warp, and those of blocks that are one warp, where `__syncwarp()` is enough.

## Why it costs
All warps of the block wait for the slowest one, and the instructions before and after the barrier cannot
overlap.

## Example
```cuda
float x = in[i];
__syncthreads();  // redundant: nothing has been written yet
tile[threadIdx.x] = x;
__syncthreads();
out[i] = tile[blockDim.x - 1 - threadIdx.x];
```

## Instead
```cuda
tile[threadIdx.x] = in[i];
__syncthreads();
out[i] = tile[blockDim.x - 1 - threadIdx.x];
```

## Limits
- All barriers reported in one kernel can be removed together.
- But for a barrier right after another, silent in kernels with inline assembly, calls that cannot be
  analysed, spin loops, clock reads, accesses that no run executes, or uninitialised reads (CU207).
- Silent for barriers with a result (`__syncthreads_count()`), in truncated loops that touch what the kernel
  writes, in functions that another kernel needs them in, next to a loop that executes a needed barrier 64
  times, and most at either end of a device function.
- Fences, volatile accesses and global atomics conflict with every access.
- Without a launch, several block shapes must agree.
- Barriers that only keep warps together for the cache are reported.

## Source
000 'Synchronization functions' (`__syncthreads()`, `__syncwarp()`); timings on an H100.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import BARRIER_EXECUTIONS
from cudalint.simt.facts.barrier_use.idle_barriers import IdleBarrier
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU308",
    name="redundant-barrier",
    severity=Severity.NOTE,
    summary="no data crosses a `__syncthreads()`, or only within a warp",
    guides=("000",),
)


def check(kernel: KernelFacts, idle: tuple[IdleBarrier, ...], context: Context) -> Iterator[Finding]:
    """A finding for each barrier that can be removed, or replaced by one of a warp."""
    of_one = [barrier for barrier in idle if barrier.passes == "one warp"]
    if of_one:
        yield _of_one_warp(*of_one)
    for barrier in idle:
        if barrier.passes == "one warp" or barrier.outweighed >= BARRIER_EXECUTIONS.value:
            continue
        yield _redundant(barrier) if barrier.passes == "nothing" else _within_warp(barrier)


def _finding(barrier: IdleBarrier, message: str, note: str, help: str, **evidence: object) -> Finding:
    return RULE.finding(
        barrier.span,
        message,
        notes=(note,),
        help=help,
        kernel=barrier.kernel,
        evidence={"passes": barrier.passes.replace(" ", "_"), "executed": barrier.executed, **evidence},
        standing=on_shape(barrier.configuration),
    )


def _of_one_warp(first: IdleBarrier, *others: IdleBarrier) -> Finding:
    found = _finding(
        first,
        "barrier wider than needed: the block is one warp",
        "every launch has blocks of at most 32 threads, and a barrier of the warp takes less time",
        "use `__syncwarp()` instead",
    )
    return replace(found, related=repeated(others, "another barrier of the one warp"))


def _redundant(barrier: IdleBarrier) -> Finding:
    return _finding(
        barrier,
        "redundant barrier: no data crosses it",
        "between the needed barriers before and after it, no thread accesses what another thread writes",
        "remove the barrier",
        before=barrier.before,
        after=barrier.after,
    )


def _within_warp(barrier: IdleBarrier) -> Finding:
    first, second = barrier.threads
    return _finding(
        barrier,
        "barrier wider than needed: only threads of one warp exchange data across it",
        f"threads {first} and {second} access `{barrier.index}`; no threads of two warps exchange data",
        "use `__syncwarp()` instead",
        index=barrier.index,
        threads=[list(first.thread), list(second.thread)],
    )
