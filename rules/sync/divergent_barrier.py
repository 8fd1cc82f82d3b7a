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
on numbers that the model does not know. Without a known block shape it speaks only where lanes of the first
warp part, which they do in a block of any size. Barriers that one condition makes divergent are one finding.

Threads that have ended are not waited for on compute capability 7.0 and up, so an early return often works
there by luck of the hardware; the language still asks all threads of the block to come, and what the missing
threads should have written is missing. It is a warning with medium confidence there, an error below.

## Source
001 'Thread synchronization'; 003 'Synchronization'.
"""

from collections.abc import Iterator

from cudalint.findings import Confidence, Finding, Related, Severity
from cudalint.ir.source import Span
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Barrier, KernelFacts

RULE = Rule(
    code="CU302",
    name="divergent-barrier",
    severity=Severity.ERROR,
    summary="some threads of a block cannot reach a barrier that others wait in",
    guides=("001", "003"),
)


_WARP = 32
_INDEPENDENT_THREADS = 70  # from compute capability 7.0 on, threads that have ended are not waited for
_MOST_RELATED = 8


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each condition that surely keeps threads from barriers."""
    groups: dict[Span | None, list[Barrier]] = {}
    for barrier in kernel.barriers:
        if barrier.reached_by == "some" and barrier.certain and _shape_matters_not(barrier):
            groups.setdefault(barrier.cause, []).append(barrier)
    for barriers in groups.values():
        barriers.sort(key=lambda barrier: (barrier.span.path, barrier.span.line, barrier.span.column))
        yield _finding(barriers[0], barriers[1:], kernel, context)


def _shape_matters_not(barrier: Barrier) -> bool:
    """Whether the shape was given, or any shape parts these threads."""
    configuration = barrier.configuration
    if configuration is None or configuration.origin != "usual shape":
        return True
    if configuration.block[1:] != (1, 1) or barrier.reaching is None or barrier.missing is None:
        return False
    return max(barrier.reaching.thread[0], barrier.missing.thread[0]) < _WARP


def _finding(barrier: Barrier, others: list[Barrier], kernel: KernelFacts, context: Context) -> Finding:
    reaching = f"thread {barrier.reaching}" if barrier.reaching else "one thread"
    missing = f"thread {barrier.missing}" if barrier.missing else "another"
    condition = f" (`{barrier.condition}`)" if barrier.condition else ""
    ended = barrier.returned
    tolerated = ended and context.arch >= _INDEPENDENT_THREADS
    notes = [f"threads of one block go different ways{condition}, and each has to reach the barrier"]
    if ended:
        notes = [f"{missing} has left by an earlier return{condition}; each thread has to reach the barrier"]
    if tolerated:
        notes.append("from compute capability 7.0 on, threads that have ended are not waited for")
    if others:
        notes.append(f"{len(others)} more barrier{'s' if len(others) > 1 else ''} miss the same threads")
    if barrier.configuration is not None:
        notes.append(f"seen for {barrier.configuration.describe()}")
    what = "under this it returned" if ended else f"this keeps {missing} away"
    cause = () if barrier.cause is None else (Related(barrier.cause, what),)
    return RULE.finding(
        barrier.span,
        f"divergent barrier: {reaching} waits here, {missing} of the same block never comes",
        notes=tuple(notes),
        help="guard the work instead of returning early, so that every thread reaches the barrier"
        if ended
        else "move the barrier out of the branch, and guard only the work",
        kernel=kernel.name,
        evidence={
            "reaching": list(barrier.reaching.thread) if barrier.reaching else None,
            "missing": list(barrier.missing.thread) if barrier.missing else None,
            "barriers": len(others) + 1,
        },
        related=(*cause, *(Related(other.span, "and not here") for other in others[:_MOST_RELATED])),
        severity=Severity.WARNING if tolerated else Severity.ERROR,
        confidence=Confidence.MEDIUM if tolerated else Confidence.HIGH,
    )
