"""
## What it does
Finds barriers of a block across which nothing passes between threads: no thread touches after one what
another thread touched before it, with a write on either side. Tells besides those across which only threads
of one warp hand something on, where `__syncwarp()` is enough.

## Why it costs
All warps of the block wait for the slowest one, and the instructions of two phases that could overlap do
not.

## Example
```cuda
float x = in[i];
__syncthreads();  // nobody has written anything yet
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
All barriers that it tells of one kernel may go together. Silent in a kernel with a call that cannot be seen
into, inline assembly, a loop that waits for memory, an access that no run came to, a read of shared memory
that nobody wrote (CU207), or a clock; at a barrier in a loop that the model cuts short, one that returns a
number of threads, one of blocks that are no larger than a warp, one of a function that another kernel needs,
and the first and the last one of a device function, which guard it against what its callers do; and beside
loops of 64 rounds and more with a barrier that is needed, where it is not felt. Fences,
volatile accesses and atomics on global memory count as if they met every other access to it. So do accesses
whose place hangs on data, or on a number that nobody knows, with all those of the same array. Where no launch
gives the shape, several quite different ones have to agree. A barrier that only keeps warps close together,
for the sake of a cache, is told as well.

## Source
000 'Synchronization functions' (`__syncthreads()`, `__syncwarp()`).
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.barrier_use.idle_barriers import IdleBarrier
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU308",
    name="redundant-barrier",
    severity=Severity.NOTE,
    summary="nothing passes between threads across a `__syncthreads()`, or only inside a warp",
    guides=("000",),
)


def check(kernel: KernelFacts, idle: tuple[IdleBarrier, ...], context: Context) -> Iterator[Finding]:
    """A finding for each barrier that the kernel can do without."""
    for barrier in idle:
        yield _nothing(barrier) if barrier.passes == "nothing" else _warp(barrier)


def _finding(barrier: IdleBarrier, message: str, note: str, help: str, **evidence: object) -> Finding:
    return RULE.finding(
        barrier.span,
        message,
        notes=(note, barrier.configuration.note()),
        help=help,
        kernel=barrier.kernel,
        evidence={"passes": barrier.passes, "executed": barrier.executed, **evidence},
        confidence=Confidence.MEDIUM if barrier.configuration.origin == "usual shape" else Confidence.HIGH,
    )


def _nothing(barrier: IdleBarrier) -> Finding:
    return _finding(
        barrier,
        "nothing passes between threads across this barrier",
        "of all accesses between the barriers round it that are needed, no two of different threads meet at"
        " one place with a write",
        "leave the barrier out",
        before=barrier.before,
        after=barrier.after,
    )


def _warp(barrier: IdleBarrier) -> Finding:
    first, second = barrier.threads
    return _finding(
        barrier,
        f"only threads of one warp meet across this barrier: {first} and {second} at `{barrier.index}`",
        "no two threads of different warps touch one place, one before it and one after it, with a write",
        "`__syncwarp()` is enough here",
        index=barrier.index,
        threads=[list(first.thread), list(second.thread)],
    )
