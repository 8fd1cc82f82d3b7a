"""
## What it does
Finds two threads of a block that touch the same bytes of shared memory, one of them writing, with no
barrier between: a read of what another thread has not surely written yet, a write over what another thread
may still have to read (also from one loop iteration to the next), or two writes of different threads. Names
two such threads.

## Why it costs
Warps of a block run in any order. Without `__syncthreads()` between write and read the result depends on
timing: it may be right on one GPU and wrong on the next, or wrong once in a thousand runs.

## Example
```cuda
tile[threadIdx.x] = in[i];
out[i] = tile[blockDim.x - 1 - threadIdx.x];  // thread 0 reads what thread 255 writes
```

## Instead
```cuda
tile[threadIdx.x] = in[i];
__syncthreads();
out[i] = tile[blockDim.x - 1 - threadIdx.x];
```
In a loop that fills and uses a tile, two barriers are needed: one after filling it, one before the next
fill.

## Limits
Silent for atomics, for writes of the same value, and for a read and a write within one warp (missing warp
barriers are a matter of their own). A race that depends on a number nobody knows says on which, with medium
confidence.

## Source
000 section 9.2 (shared memory in matrix multiplication); 001 'Thread synchronization'.
"""

from collections.abc import Iterator

from cudalint.findings import Confidence, Finding, Related, Severity
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Race, RaceSide

RULE = Rule(
    code="CU301",
    name="shared-memory-race",
    severity=Severity.ERROR,
    summary="two threads touch one shared address with no barrier between",
    guides=("000 9.2", "001"),
)

_VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}


def check(race: Race, context: Context) -> Iterator[Finding]:
    """A finding for a race in shared memory between threads of different warps, or between two writers."""
    if race.space != "shared" or (race.same_warp and race.kind == "read-write"):
        return
    later, earlier = _ordered(race)
    yield RULE.finding(
        later.span,
        f"race on `{race.index}`: thread {later.thread} {_VERBS[later.operation]} what"
        f" thread {earlier.thread} {_VERBS[earlier.operation]}, with no barrier between",
        notes=tuple(_notes(race, later, earlier)),
        help=_help(race),
        kernel=race.kernel,
        evidence={
            "kind": race.kind,
            "threads": [list(later.thread.thread), list(earlier.thread.thread)],
            "index": race.index,
        },
        related=(
            Related(
                earlier.span,
                f"thread {earlier.thread} {_VERBS[earlier.operation]} `{earlier.expression}`{_when(earlier)}",
            ),
        ),
        confidence=Confidence.HIGH if race.certain else Confidence.MEDIUM,
    )


def _ordered(race: Race) -> tuple[RaceSide, RaceSide]:
    """(the side further down in the source, the other)."""

    def place(side: RaceSide) -> tuple[int, int]:
        return side.span.line, side.span.column

    if place(race.second) >= place(race.first):
        return race.second, race.first
    return race.first, race.second


def _when(side: RaceSide) -> str:
    return f" ({side.iteration})" if side.iteration else ""


def _notes(race: Race, later: RaceSide, earlier: RaceSide) -> Iterator[str]:
    place = "warp" if race.same_warp else "block"
    yield (
        f"thread {later.thread} {_VERBS[later.operation]} `{later.expression}`{_when(later)}, thread"
        f" {earlier.thread} {_VERBS[earlier.operation]} `{earlier.expression}` at line {earlier.span.line}"
        f"{_when(earlier)}: the same bytes, by different threads of one {place}"
    )
    if race.back_edge:
        yield "they meet across the loop's back edge: one thread is already in the next iteration"
    if race.configuration is not None:
        yield f"seen for {race.configuration.describe()}"
    if not race.certain and race.condition:
        yield f"only when {race.condition}"


def _help(race: Race) -> str:
    if race.back_edge:
        return "put a `__syncthreads()` at the end of the loop's body, before the memory is used again"
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    return "put a `__syncthreads()` between the two, where every thread of the block reaches it"
