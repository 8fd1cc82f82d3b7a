"""
## What it does
Finds a `__syncthreads()`, or a barrier of a cluster or of the grid, that some threads cannot reach while
others wait in it: behind a branch, a `?:` or a loop that not all threads take, after an early return, `break`
or `continue`, or in one arm of an `if` whose other arm has a barrier of its own.

## Why it costs
A block-wide barrier has to be executed by all threads of the block that have not exited, a grid-wide one by
those of all blocks. Otherwise the behaviour is undefined: the kernel hangs, or goes on with data that is not
there yet. Two barriers in the two arms of a branch are two barriers, not one.

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
Silent when the condition is the same for the whole block: blockIdx, kernel parameters, what all threads load
from one address, what `__syncthreads_or` and its kin return. Silent too when it depends on data that differs
between threads. Without a known block shape it speaks only where lanes of the first warp part, which they do
in a block of any size; of blocks that part at a barrier of the grid only where the grid is known. Where only
some sizes part the threads, it is a warning with medium confidence that names one, and the block shape has to
be known. Barriers that one condition makes divergent are one finding.

Threads that have ended are not waited for on compute capability 7.0 and up, so an early return often works
there by luck of the hardware; the language still asks all threads of the block to come, and what the missing
threads should have written is missing. It is a warning with medium confidence there, an error below.

## Source
001 'Thread synchronization'; 003 'Synchronization'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

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
_GIVEN = ("launch", "assumption")  # origins of a shape that is the program's


def check(kernel: KernelFacts, barriers: tuple[Barrier, ...], context: Context) -> Iterator[Finding]:
    """One finding for each condition that surely keeps threads from barriers."""
    groups: dict[Span | None, list[Barrier]] = {}
    for barrier in barriers:
        if barrier.reached_by == "some" and _shape_matters_not(barrier):
            groups.setdefault(barrier.cause, []).append(barrier)
    for group in groups.values():
        first, *more = sorted(group, key=lambda b: (not b.certain, b.span.path, b.span.line, b.span.column))
        yield _finding(first, more, kernel, context)


def _shape_matters_not(barrier: Barrier) -> bool:
    """Whether the shape was given, or any shape parts these threads."""
    configuration, reaching, missing = barrier.configuration, barrier.reaching, barrier.missing
    if configuration is None:
        return barrier.certain
    if reaching is None or missing is None:
        return False
    if any(
        extent is None and here != there
        for extent, here, there in zip(configuration.grid, reaching.block, missing.block, strict=True)
    ):
        return False  # the grid may have one block there
    if configuration.origin != "usual shape":
        return barrier.certain or configuration.origin in _GIVEN
    if not barrier.certain or configuration.block[1:] != (1, 1):
        return False
    return max(reaching.thread[0], missing.thread[0]) < _WARP


def _finding(barrier: Barrier, others: list[Barrier], kernel: KernelFacts, context: Context) -> Finding:
    elsewhere = next((other for other in others if _instead(barrier, other)), None)
    tolerated = _ended(barrier) and context.arch >= _INDEPENDENT_THREADS
    sure = barrier.certain and not tolerated
    return RULE.finding(
        barrier.span,
        _message(barrier, elsewhere),
        notes=tuple(_notes(barrier, others, elsewhere, tolerated)),
        help=_help(barrier, elsewhere),
        kernel=kernel.name,
        evidence={
            "reaching": list(barrier.reaching.thread) if barrier.reaching else None,
            "missing": list(barrier.missing.thread) if barrier.missing else None,
            "blocks": [list(t.block) for t in (barrier.reaching, barrier.missing) if t] or None,
            "condition": barrier.condition or None,
            "seen_for": barrier.configuration.describe() if barrier.configuration else None,
            "barriers": len(others) + 1,
        },
        related=tuple(_related(barrier, others, elsewhere)),
        severity=Severity.NOTE if tolerated else Severity.ERROR if sure else Severity.WARNING,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
    )


def _instead(barrier: Barrier, other: Barrier) -> bool:
    """Whether the threads that one of the two misses wait at the other."""
    if barrier.reaching is None or barrier.missing is None:
        return False
    return (other.reaching, other.missing) == (barrier.missing, barrier.reaching)


def _ended(barrier: Barrier) -> bool:
    """Whether the missing thread has ended, but not its whole block."""
    return barrier.returned and _same_block(barrier)


def _same_block(barrier: Barrier) -> bool:
    if barrier.reaching is None or barrier.missing is None:
        return True
    return barrier.reaching.block == barrier.missing.block


def _named(thread: Thread | None, barrier: Barrier, otherwise: str) -> str:
    if thread is None:
        return otherwise
    return f"thread {thread}" if _same_block(barrier) else f"thread {thread} of block {thread.block}"


def _message(barrier: Barrier, elsewhere: Barrier | None) -> str:
    reaching = _named(barrier.reaching, barrier, "one thread")
    missing = _named(barrier.missing, barrier, "another")
    team = f" of the same {'block' if _same_block(barrier) else barrier.scope}"
    if elsewhere is None:
        return f"divergent barrier: {reaching} waits here, {missing}{team} never comes"
    way = " through another call" if elsewhere.span == barrier.span else f" at line {elsewhere.span.line}"
    return f"divergent barrier: {reaching} waits here, {missing}{team} waits{way} instead"


def _notes(
    barrier: Barrier, others: list[Barrier], elsewhere: Barrier | None, tolerated: bool
) -> Iterator[str]:
    condition = f" (`{barrier.condition}`)" if barrier.condition else ""
    if barrier.returned:
        missing = _named(barrier.missing, barrier, "another")
        yield f"{missing} has left by an earlier return{condition}; each thread has to reach the barrier"
    elif _same_block(barrier):
        yield f"threads of one block go different ways{condition}, and each has to reach the barrier"
    else:
        yield f"blocks go different ways{condition}, and each block of the {barrier.scope} has to reach it"
    if tolerated:
        yield "from compute capability 7.0 on, threads that have ended are not waited for"
    if not barrier.certain:
        yield "only for some sizes" + (f", such as {barrier.sizes}" if barrier.sizes else "")
    rest = len(others) - (elsewhere is not None)
    if rest:
        yield f"{rest} more barrier{'s' if rest > 1 else ''} miss the same threads"
    if barrier.configuration is not None:
        yield barrier.configuration.note()


def _help(barrier: Barrier, elsewhere: Barrier | None) -> str:
    if barrier.returned:
        return "guard the work instead of returning early, so that every thread reaches the barrier"
    if elsewhere is not None:
        return "put one barrier behind the branch in place of the two, and leave only the work in the arms"
    return "move the barrier out of the branch, and guard only the work"


def _related(barrier: Barrier, others: list[Barrier], elsewhere: Barrier | None) -> Iterator[Related]:
    yield Related(barrier.span, f"{_named(barrier.reaching, barrier, 'one thread')} waits here")
    if barrier.cause is not None:
        missing = _named(barrier.missing, barrier, "another")
        yield Related(
            barrier.cause, "under this it returned" if barrier.returned else f"this keeps {missing} away"
        )
    if barrier.call is not None:
        yield Related(barrier.call, "the barrier is in the function that is called here")
    for other in others[:_MOST_RELATED]:
        place = other.call if other.call is not None and other.span == barrier.span else other.span
        yield Related(
            place, "and not here" if other is not elsewhere else f"thread {barrier.missing} waits here"
        )
