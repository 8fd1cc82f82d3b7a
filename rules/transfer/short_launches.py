"""
## What it does
Finds loops of the host that only launch kernels, one after the other, where each kernel takes less time than
its launch: a grid of at most 512 threads for each multiprocessor, a quarter of what it holds, whose threads
do little.

## Why it costs
A launch takes the host and the device about 3 us even if the queue is full. A kernel that runs for a
microsecond leaves the device idle for the rest, however many of them are queued: 12,000 launches take 36 ms,
one launch that does the same work well below one.

## Example
```cuda
for (int row = 0; row < rows; ++row) {
    scale<<<160, 256>>>(data, row);  // 40,960 threads, about a microsecond
}
```

## Instead
```cuda
scale_all<<<dim3(160, rows), 256>>>(data);  // row = blockIdx.y
```
Steps that depend on each other: put the loop into the kernel, with a grid-wide barrier where blocks exchange
data, or capture the loop once as a CUDA graph and launch that.

## Limits
- The grid has to be that small; loops of the kernel have at most 16 iterations. Where nobody knows the
  grid, the loop is reported with that condition if its launches follow each other on one stream.
- Not reported where the host copies, waits, reads or runs unseen code between the launches, in
  captured graphs and in loops of fewer than 100 iterations, which nests of loops make together.
- Not reported where a loop repeats one launch to time it.
- Where only the command line decides on the grid, it is that of the run in a build file, or of one without
  words.
- The kernel's time is estimated from its threads, not its instructions.

## Source
000 'Graphs'; the CUDA programming guide, 'CUDA Graphs'.
"""

from collections.abc import Iterator
from math import inf

from msgspec.structs import replace

from cudalint.analyses.definitions import definitions
from cudalint.analyses.remainder_loops import remainder_trips
from cudalint.host.facts import HostCall, HostFacts, LaunchFact, Rounds
from cudalint.host.query.short_launches import LaunchingLoop, launching_loops
from cudalint.host.shape import as_run, blocks, threads
from cudalint.host.walks import run_of
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.thresholds import LAUNCHES_IN_LOOP, SHORT_LOOP
from cudalint.simt.facts.branches.branch import Branch
from cudalint.source.span import Span

RULE = Rule(
    code="CU714",
    name="short-launches",
    severity=Severity.WARNING,
    summary="a loop launches kernels that take less time than their launches",
    confidence=Confidence.MEDIUM,
    guides=("000",),
    speed=True,
)

_LAUNCH = 3.0  # microseconds: an empty kernel in a full queue (H200)
_SHORTEST, _LONGEST = 0.3, 2.0  # microseconds that so few threads take without their launch
_BY_FACTORS = ("*", "/", "<<", ">>")
_FEW = 512  # threads for each multiprocessor, a quarter of what it holds


def check(host: HostFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """One finding per loop, at its first launch."""
    seen: set[Span] = set()
    for found in launching_loops(host, LAUNCHES_IN_LOOP.value):
        if _takes_up_a_rest(found.loop, context.unit):
            continue
        span = found.launches[0].span
        written = [call.launch for call in found.launches if call.launch is not None]
        made = [as_run(fact, host.defaults) for fact in written] if found.chained else written
        if span not in seen and all(_is_short(fact, branches, context) for fact in made):
            seen.add(span)
            condition = f"the sizes are those of {run_of(host)}" if made != written else None
            yield _finding(found.loop, made, condition, _impact(found.launches, context))
        elif span not in seen and _is_open(found, made, branches, context):
            seen.add(span)
            yield _conditional(found.loop, made, context)


def _is_short(fact: LaunchFact, branches: tuple[Branch, ...], context: Context) -> bool:
    """Whether a launch has few threads, which do not loop for long."""
    if fact.key not in context.unit.functions:
        return False
    count, size = blocks(fact), threads(fact)
    if not count or not size or count * size > context.target.multiprocessors * _FEW:
        return False
    return _loops_are_short(fact, branches)


def _loops_are_short(fact: LaunchFact, branches: tuple[Branch, ...]) -> bool:
    loops = [b.loop for b in branches if b.kind == "loop" and b.kernel == fact.name]
    return all(loop.trips is not None and loop.trips[1] <= SHORT_LOOP.value for loop in loops)


def _is_open(
    found: LaunchingLoop, made: list[LaunchFact], branches: tuple[Branch, ...], context: Context
) -> bool:
    """Whether only the sizes decide if the launches of a loop are short."""
    may_be = all(_may_be_short(fact, branches, context) for fact in made)
    loops = (found.loop, *found.inner)
    return found.chained and may_be and not any(_multiplies(loop, context.unit) for loop in loops)


def _may_be_short(fact: LaunchFact, branches: tuple[Branch, ...], context: Context) -> bool:
    """Whether a launch is short, or would be with few threads, where nobody knows how many it has."""
    open_ = blocks(fact) is None or threads(fact) is None
    known = fact.key in context.unit.functions and fact.reached
    return _is_short(fact, branches, context) or (open_ and known and _loops_are_short(fact, branches))


def _multiplies(loop: Rounds, unit: Unit) -> bool:
    """Whether each iteration multiplies or divides a number: such a loop has few of them."""
    steps = (change for node, _ in _written(loop, unit) for change in find(node.step, e.Assign))
    return any(change.operator in _BY_FACTORS for change in steps)


def _takes_up_a_rest(loop: Rounds, unit: Unit) -> bool:
    """Whether it makes the iterations that a loop of larger steps before it has left."""
    if loop.count is not None:
        return False
    return any(remainder_trips(node, definitions(unit, at)) < inf for node, at in _written(loop, unit))


def _written(loop: Rounds, unit: Unit) -> Iterator[tuple[s.Loop, Function]]:
    """The loop as it is written, with the function."""
    for function in unit.functions.values():
        for node in find(function.body, s.Loop):
            if node.span == loop.span:
                yield node, function


def _conditional(loop: Rounds, launches: list[LaunchFact], context: Context) -> Finding:
    """Of launches of which some have a size that nobody knows."""
    few = context.target.multiprocessors * _FEW
    most = 1 - _SHORTEST / _LAUNCH
    condition = f"each launch has fewer than {few:,} threads"
    found = _finding(loop, launches, condition, Impact(0.0, most, Basis.LAUNCHES))
    return replace(found, notes=(f"a launch takes about {_LAUNCH:g} us; {few:,} threads take less (H200)",))


def _impact(launches: tuple[HostCall, ...], context: Context) -> Impact:
    """What remains without the launches is what the kernels take: by the roofline, at least a barrier's
    or a load's time for each step, at most what so few threads can take.
    """
    least = most = 0.0
    for call in launches:
        fast, slow = (1e6 * seconds for seconds in context.seconds(call))
        least += min(max(fast - _LAUNCH, _SHORTEST), _LONGEST)
        most += min(max(slow, _SHORTEST), _LONGEST)
    whole = _LAUNCH * len(launches)
    return Impact(1 - most / whole, 1 - least / whole, Basis.LAUNCHES)


def _finding(loop: Rounds, launches: list[LaunchFact], condition: str | None, impact: Impact) -> Finding:
    names = ", ".join(dict.fromkeys(f"`{fact.name}`" for fact in launches))
    fact = launches[0]
    total = (blocks(fact) or 0) * (threads(fact) or 0)
    often = f"{loop.count:,} iterations" if loop.count is not None else "every iteration"
    open_ = any(blocks(one) is None or threads(one) is None for one in launches)
    return RULE.finding(
        launches[0].span,
        f"{'possibly ' * open_}short launches: a loop launches {names} in {often}, each"
        f"{' perhaps' * open_} shorter than its launch",
        notes=(f"a launch takes about {_LAUNCH:g} us; {total:,} threads take less (H200)",),
        help="make the loop a dimension of the grid, or move it into the kernel; launch steps that depend on "
        "each other as a CUDA graph",
        evidence={"launches": len(launches), "rounds": loop.count, "threads": None if open_ else total},
        impact=impact,
        condition=condition,
        related=(Related(loop.span, "this loop"),),
    )
