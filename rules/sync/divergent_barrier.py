"""
## What it does
Finds a `__syncthreads()`, or a cluster or grid barrier, that some threads never reach while others wait at
it: inside a branch, a `?:` or a loop that not all threads enter, after an early `return`, `break` or
`continue`, or in one arm of an `if` whose other arm has a barrier of its own.

## Why it costs
All threads of the block that have not exited must execute a block barrier, and all blocks a grid barrier.
Otherwise the behaviour is undefined: the kernel hangs, or continues with data that is not ready. Barriers in
the two arms of a branch are two different barriers, not one.

## Example
```cuda
if (threadIdx.x < 64) {
    tile[threadIdx.x] += tile[threadIdx.x + 64];
    __syncthreads();  // threads 64 and up never reach it
}
```

## Instead
```cuda
if (threadIdx.x < 64) {
    tile[threadIdx.x] += tile[threadIdx.x + 64];
}
__syncthreads();
```
Replace an early `return` by a guard around the work, so that every thread reaches the barriers.

## Limits
- Silent where the condition is the same for the whole block (`blockIdx`, kernel parameters, one address
  loaded by all, `__syncthreads_or()`).
- A condition on loaded data is a warning: that the data differs between threads, or the number ends among
  those of a block.
- Without a known block shape, threads of the first warp must diverge; at a grid barrier, the grid must be
  known.
- Divergence for some sizes only is a warning that states the condition (`n % 256 != 0`) or names such a size;
  the block shape must be known.
- From compute capability 7.0 on, an early `return` is a note, or a warning where threads read shared memory
  that nobody wrote.

## Source
001 'Thread synchronization'; 003 'Synchronization'.
"""

from collections.abc import Iterator

from cudalint.cuda.warp import WARP
from cudalint.rule.empty_reads import used
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

RULE = Rule(
    code="CU302",
    name="divergent-barrier",
    severity=Severity.ERROR,
    summary="some threads of a block never reach a barrier that others wait at",
    guides=("001", "003"),
)


_INDEPENDENT_THREADS = 70  # from compute capability 7.0 on, barriers do not wait for exited threads
_DATA = "the loaded data differs between threads"
_ENDS = "the loaded number ends among the threads of a block"
_MOST_BARRIERS = 8  # further ones that are named
_GIVEN = (Origin.LAUNCH, Origin.ASSUMPTION)  # origins of a shape that is the program's


def check(
    kernel: KernelFacts,
    barriers: tuple[Barrier, ...],
    empty: tuple[EmptyRead, ...],
    accesses: tuple[Access, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding per condition that keeps threads from barriers."""
    unwritten = any(True for _ in used(kernel, context))
    groups: dict[Span | None, list[Barrier]] = {}
    for barrier in barriers:
        if barrier.reached_by == "some" and _independent_of_guesses(barrier):
            groups.setdefault(barrier.cause, []).append(barrier)
    for group in groups.values():
        first, *more = sorted(group, key=lambda b: (not b.certain, b.span.path, b.span.line, b.span.column))
        yield _finding(first, more, kernel, context, unwritten)


def _independent_of_guesses(barrier: Barrier) -> bool:
    """Whether the shape is the program's own, or the threads diverge under any shape."""
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
    if configuration.origin != Origin.USUAL:
        return barrier.certain or configuration.origin in _GIVEN
    if not barrier.certain or configuration.block[1:] != (1, 1):
        return False
    return max(reaching.thread[0], missing.thread[0]) < WARP


def _finding(
    barrier: Barrier, others: list[Barrier], kernel: KernelFacts, context: Context, unwritten: bool
) -> Finding:
    """unwritten: threads read what no thread has written."""
    elsewhere = next((other for other in others if _swapped(barrier, other)), None)
    tolerated = _exited(barrier) and context.arch >= _INDEPENDENT_THREADS
    harmless = tolerated and not unwritten
    sure = barrier.certain and not tolerated
    remainder = barrier.remainder
    return RULE.finding(
        barrier.span,
        _message(barrier, elsewhere) + (f", {remainder.unless}" if remainder else ""),
        notes=tuple(_notes(barrier, others, elsewhere, tolerated, unwritten)),
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
        severity=Severity.NOTE if harmless else Severity.ERROR if sure else Severity.WARNING,
        condition=remainder.condition if remainder else _data(barrier),
        standing=Standing((barrier.configuration.note(),) if barrier.configuration else (), sure),
    )


def _data(barrier: Barrier) -> str | None:
    """What loaded data has to be for it."""
    return _DATA if barrier.by_data else _ENDS if barrier.by_block else None


def _swapped(barrier: Barrier, other: Barrier) -> bool:
    """Whether the threads that miss one of the two barriers wait at the other."""
    if barrier.reaching is None or barrier.missing is None:
        return False
    return (other.reaching, other.missing) == (barrier.missing, barrier.reaching)


def _exited(barrier: Barrier) -> bool:
    """Whether the missing thread has exited, but not its whole block."""
    return barrier.returned and _same_block(barrier)


def _same_block(barrier: Barrier) -> bool:
    if barrier.reaching is None or barrier.missing is None:
        return True
    return barrier.reaching.block == barrier.missing.block


def _name(thread: Thread | None, barrier: Barrier, otherwise: str) -> str:
    if thread is None:
        return otherwise
    return f"thread {thread}" if _same_block(barrier) else f"thread {thread} of block {thread.block}"


def _message(barrier: Barrier, elsewhere: Barrier | None) -> str:
    reaching = _name(barrier.reaching, barrier, "one thread")
    missing = _name(barrier.missing, barrier, "another")
    team = f" of the same {'block' if _same_block(barrier) else barrier.scope}"
    if elsewhere is None:
        return f"divergent barrier: {reaching} waits here, {missing}{team} does not reach it"
    where = "in another call" if elsewhere.span == barrier.span else f"at line {elsewhere.span.line}"
    return f"divergent barrier: {reaching} waits here, {missing}{team} waits {where}"


def _notes(
    barrier: Barrier, others: list[Barrier], elsewhere: Barrier | None, tolerated: bool, unwritten: bool
) -> Iterator[str]:
    condition = f" (`{barrier.condition}`)" if barrier.condition else ""
    if barrier.returned:
        missing = _name(barrier.missing, barrier, "another")
        yield f"{missing} exits by an early return{condition}, but every thread must reach the barrier"
    elif _same_block(barrier):
        yield f"threads of one block diverge{condition}, but every thread must reach the barrier"
    else:
        yield f"blocks take different paths{condition}, but every block of the {barrier.scope} must reach it"
    if tolerated:
        yield "from compute capability 7.0 on, the barrier does not wait for exited threads" + (
            ", but threads read shared memory that these should have written" if unwritten else ""
        )
    if barrier.by_data:
        yield "for some loaded data: the condition depends on what each thread loads"
    elif barrier.by_block:
        yield "for some loaded data: the condition depends on a number that the block loads"
    elif not barrier.certain and barrier.remainder is None:
        yield "only for some sizes" + (f", e.g. {barrier.sizes}" if barrier.sizes else "")
    rest = len(others) - (elsewhere is not None)
    if rest:
        yield f"the same threads miss {rest} more barrier{'s' if rest > 1 else ''}"


def _help(barrier: Barrier, elsewhere: Barrier | None) -> str:
    if barrier.returned:
        return "guard the work instead of returning early, so that every thread reaches the barrier"
    if elsewhere is not None:
        return "replace the two barriers by one after the branch, and keep only the work in the arms"
    return "move the barrier out of the branch and guard only the work"


def _related(barrier: Barrier, others: list[Barrier], elsewhere: Barrier | None) -> Iterator[Related]:
    yield Related(barrier.span, f"{_name(barrier.reaching, barrier, 'one thread')} waits here")
    if barrier.cause is not None:
        missing = _name(barrier.missing, barrier, "another")
        yield Related(
            barrier.cause, f"{missing} {'returns' if barrier.returned else 'takes the other path'} here"
        )
    if barrier.call is not None:
        yield Related(barrier.call, "the barrier is in the function called here")
    for other in others[:_MOST_BARRIERS]:
        place = other.call if other.call is not None and other.span == barrier.span else other.span
        yield Related(
            place, "not reached either" if other is not elsewhere else f"thread {barrier.missing} waits here"
        )
