"""
## What it does
Finds a `__syncthreads()` that some threads of a block cannot reach while others wait in it: behind a branch
or a loop that not all threads take, or after an early return.

## Why it costs
A block-wide barrier has to be executed by all threads of the block that have not exited. Otherwise the
behaviour is undefined: the kernel hangs, or goes on with data that is not there yet.

## Example
```cuda
if (threadIdx.x < 64) {
    tile[threadIdx.x] += tile[threadIdx.x + 64];
    __syncthreads();  // threads 64 and up never come
}
```

## Instead
```cuda
if (threadIdx.x < 64) {
    tile[threadIdx.x] += tile[threadIdx.x + 64];
}
__syncthreads();
```
Replace an early `return` of some threads by a guard round the work, so that all of them reach the barriers.

## Limits
Silent when the condition is the same for the whole block (blockIdx, kernel parameters), and when it depends
on numbers that the model does not know.

## Source
001 'Thread synchronization'; 003 'Synchronization'.
"""

from collections.abc import Iterator

from cudalint.findings import Finding, Related, Severity
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Barrier

RULE = Rule(
    code="CU302",
    name="divergent-barrier",
    severity=Severity.ERROR,
    summary="some threads of a block cannot reach a barrier that others wait in",
    guides=("001", "003"),
)


def check(barrier: Barrier, context: Context) -> Iterator[Finding]:
    """A finding for a barrier that some threads surely miss."""
    if barrier.reached_by != "some" or not barrier.certain:
        return
    reaching = f"thread {barrier.reaching}" if barrier.reaching else "one thread"
    missing = f"thread {barrier.missing}" if barrier.missing else "another"
    related = (Related(barrier.cause, f"this keeps {missing} away"),) if barrier.cause is not None else ()
    condition = f" (`{barrier.condition}`)" if barrier.condition else ""
    notes = [f"threads of one block go different ways{condition}, and each has to reach the barrier"]
    if barrier.configuration is not None:
        notes.append(f"seen for {barrier.configuration.describe()}")
    yield RULE.finding(
        barrier.span,
        f"divergent barrier: {reaching} waits here, {missing} of the same block never comes",
        notes=tuple(notes),
        help="move the barrier out of the branch, and guard the work instead of returning early",
        kernel=barrier.kernel,
        evidence={
            "reaching": list(barrier.reaching.thread) if barrier.reaching else None,
            "missing": list(barrier.missing.thread) if barrier.missing else None,
        },
        related=related,
    )
