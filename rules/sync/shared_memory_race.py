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
fill. The same holds for a function that ends by reading its scratch array and is called again.

## Limits
Silent for atomics, for a loop that polls what atomics change, for writes of the same value, and for a read
and a write within one warp (missing warp barriers are a matter of their own). A race that depends on a
number nobody knows says on which, with medium confidence. Where no launch, launch bounds or assumption gives
the block's shape, it speaks only of kernels with a one-dimensional block and no barrier at all: a tile that
fits the shape the author had in mind looks like a race under any other. One finding for each array and kind
of race in a kernel; the other places stand with it.

## Source
000 section 9.2 (shared memory in matrix multiplication); 001 'Thread synchronization'.
"""

from collections.abc import Iterator

from cudalint.findings import Confidence, Finding, Related, Severity
from cudalint.ir.source import Span
from cudalint.rule import Context, Rule
from cudalint.simt.facts import KernelFacts, Race, RaceSide

RULE = Rule(
    code="CU301",
    name="shared-memory-race",
    severity=Severity.ERROR,
    summary="two threads touch one shared address with no barrier between",
    guides=("000 9.2", "001"),
)

_VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}
_MOST_RELATED = 8


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each array, kind and direction of race between threads of the kernel."""
    groups: dict[tuple[str, str, bool], list[Race]] = {}
    for race in kernel.races:
        if _speaks(race, kernel):
            groups.setdefault((race.index.split("[")[0], race.kind, _comes_round(race)), []).append(race)
    for races in groups.values():
        races.sort(key=lambda race: (not race.certain, *map(_place, reversed(_in_source_order(race)))))
        yield _finding(races[0], races[1:])


def _speaks(race: Race, kernel: KernelFacts) -> bool:
    """Whether the race is one in shared memory that surely crosses warps, or has two writers."""
    if race.space != "shared" or (race.same_warp and race.kind == "read-write"):
        return False
    return _shape_matters_not(race, kernel) and not _polls(race, kernel)


def _shape_matters_not(race: Race, kernel: KernelFacts) -> bool:
    """Whether the shape was given, or the kernel is one that no usual shape makes right."""
    if race.configuration is None:
        return True
    _, rows, layers = race.configuration.block
    line = rows == layers == 1
    match race.configuration.origin:
        case "usual shape":
            return line and race.certain and not kernel.barriers
        case "launch bounds":
            return line  # the bounds hold the number of threads; how they stand in rows is a guess
        case _:
            return True


def _polls(race: Race, kernel: KernelFacts) -> bool:
    """Whether one side is an atomic and the other the read of a loop that waits for it."""
    if {race.first.operation, race.second.operation} != {"atomic", "load"}:
        return False
    read = race.first if race.first.operation == "load" else race.second
    return any(branch.kind == "loop" and _within(read.span, branch.span) for branch in kernel.branches)


def _within(inner: Span, outer: Span) -> bool:
    return (
        inner.path == outer.path
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


def _place(side: RaceSide) -> tuple[str, int, int]:
    return side.span.path, side.span.line, side.span.column


def _comes_round(race: Race) -> bool:
    """Whether the access that ran second stands first in the source: a loop, or a function called again."""
    return race.back_edge or _place(race.second) < _place(race.first)


def _in_source_order(race: Race) -> tuple[RaceSide, RaceSide]:
    """(the side further up in the source, the other)."""
    if _place(race.second) >= _place(race.first):
        return race.first, race.second
    return race.second, race.first


def _finding(race: Race, others: list[Race]) -> Finding:
    upper, lower = _in_source_order(race)
    return RULE.finding(
        lower.span,
        _message(race, lower, upper),
        notes=tuple(_notes(race, lower, upper, len(others))),
        help=_help(race),
        kernel=race.kernel,
        evidence={
            "kind": race.kind,
            "threads": [list(lower.thread.thread), list(upper.thread.thread)],
            "index": race.index,
            "sites": len(others) + 1,
        },
        related=(
            Related(
                upper.span,
                f"thread {upper.thread} {_VERBS[upper.operation]} `{upper.expression}`{_when(upper)}",
            ),
            *_related(others, {lower.span, upper.span}),
        ),
        confidence=Confidence.HIGH if race.certain and _given(race) else Confidence.MEDIUM,
    )


def _given(race: Race) -> bool:
    return race.configuration is None or race.configuration.origin != "usual shape"


def _related(others: list[Race], told: set[Span]) -> Iterator[Related]:
    """The other accesses that race on the same array, each place once."""
    places: dict[Span, str] = {}
    for race in others:
        for side in _in_source_order(race):
            if side.span not in told:
                places.setdefault(side.span, f"`{side.expression}` races too")
    for span, message in list(places.items())[:_MOST_RELATED]:
        yield Related(span, message)


def _message(race: Race, lower: RaceSide, upper: RaceSide) -> str:
    when = " in the next round" if _comes_round(race) and race.kind == "read-write" else ""
    return (
        f"race on `{race.index}`: thread {lower.thread} {_VERBS[lower.operation]} what thread {upper.thread}"
        f" {_VERBS[upper.operation]}{when}, with no barrier between"
    )


def _when(side: RaceSide) -> str:
    return f" ({side.iteration})" if side.iteration else ""


def _notes(race: Race, lower: RaceSide, upper: RaceSide, others: int) -> Iterator[str]:
    place = "warp" if race.same_warp else "block"
    yield (
        f"thread {lower.thread} {_VERBS[lower.operation]} `{lower.expression}`{_when(lower)}, thread"
        f" {upper.thread} {_VERBS[upper.operation]} `{upper.expression}` at line {upper.span.line}"
        f"{_when(upper)}: the same bytes, by different threads of one {place}"
    )
    if _comes_round(race):
        yield (
            f"line {upper.span.line} runs again, in the loop's next iteration or the function's next call,"
            f" while another thread may still be at line {lower.span.line}"
        )
    if others:
        yield f"{others} more pair{'s' if others > 1 else ''} of accesses to this array meet in the same way"
    if race.configuration is not None:
        yield f"seen for {race.configuration.describe()}"
    if not race.certain and race.condition:
        yield f"only when {race.condition}"


def _help(race: Race) -> str:
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    if _comes_round(race):
        return (
            "put a `__syncthreads()` after the last use, at the end of the loop's body or before the function"
            " is called again"
        )
    return "put a `__syncthreads()` between the two, where every thread of the block reaches it"
