"""
## What it does
Finds branches on the thread index at which warps diverge and both sides are long.

## Why it costs
A warp executes one instruction at a time for its lanes. When some lanes take one side and the rest the other,
the warp executes both sides one after the other, each with the other lanes inactive: the time is the sum of
the sides.

## Example
```cuda
if (threadIdx.x % 2 == 0) {
    value = sinf(x) * cosf(x) + expf(x);
} else {
    value = logf(x) * sqrtf(x) + tanf(x);
}
```

## Instead
```cuda
if ((threadIdx.x / 32) % 2 == 0) {
```
Make the condition the same for all 32 lanes of a warp, by giving whole warps one kind of work, or compute
what both sides share before the branch and select the rest.

## Limits
- Both sides of an `if` must have 14 operations of the source or more, with those of functions they call (the
  compiler predicates shorter ones), of a `switch` two cases.
- Work that both sides share, or that a kernel parameter may skip, does not count.
- An `if` without `else` is reported only with a second `if` on the opposite condition.
- Not reported: fewer than a quarter of the warps diverge (those at an edge), a guessed 2D block, diagonal
  blocks (`x == y`).
- A chain of `else if` is one finding. Loaded data: CU404; fewer lanes each iteration: CU403.

## Source
000 sections 12.1 and 12.2; 001 'Branch divergence'; 002 'Control Flow'; 003 'Warp Divergence'; 004 'Control
flow'.
"""

from collections.abc import Iterator

from cudalint.analyses.instructions import PREDICATED
from cudalint.ir.statements import Block, If
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.compaction import scattered
from cudalint.significance.divergence import of_branches
from cudalint.significance.thresholds import DIVERGENT_WARPS
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import guessed_rows
from cudalint.source.span import Span

RULE = Rule(
    code="CU401",
    name="divergent-branch",
    severity=Severity.WARNING,
    summary="warps diverge at a branch whose sides are both long",
    guides=("000 12", "001", "002", "003", "004"),
    speed=True,
)

_KINDS = ("if", "switch", "conditional")


def check(kernel: KernelFacts, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """One finding for each branch, or pair of complementary branches, where a warp executes both sides."""
    candidates = [branch for branch in branches if _diverges(branch)]
    chained = _later_links(kernel)
    paired: set[int] = set()
    for index, branch in enumerate(candidates):
        if _links_back(branch, chained, candidates):
            continue
        if branch.kind == "switch":
            if sum(cost >= PREDICATED for cost, _ in branch.split.ways) > 1:
                yield _of_switch(branch, kernel, context)
        elif _both_long(*branch.cost.guarded):
            yield _finding(branch, kernel, context)
        elif index not in paired and (other := _complement(branch, candidates[index + 1 :])) is not None:
            paired.add(candidates.index(other))
            yield _finding(branch, kernel, context, other)


def _diverges(branch: Branch) -> bool:
    """Whether warps diverge by known thread indices, elsewhere than at an edge."""
    if branch.kind not in _KINDS or branch.divergence != "divergent" or branch.split.boundary:
        return False
    if branch.split.share is not None and branch.split.share < DIVERGENT_WARPS.value:
        return False
    return not scattered(branch) and not guessed_rows(branch.configuration)  # CU403 reports scattered ones


def _both_long(one: int, two: int) -> bool:
    """Whether the compiler makes a branch of it, and no predicated instructions."""
    return min(one, two) >= PREDICATED


def _links_back(branch: Branch, chained: dict[Span, Span], candidates: list[Branch]) -> bool:
    """Whether an earlier condition of the same `else if` chain is a candidate too."""
    spans = {other.span for other in candidates}
    link = chained.get(branch.span)
    while link is not None and link not in spans:
        link = chained.get(link)
    return link is not None


def _later_links(kernel: KernelFacts) -> dict[Span, Span]:
    """The condition of each `else if`, with the condition of the `if` before it."""
    links: dict[Span, Span] = {}
    for node in find(kernel.function.body, If):
        if node.otherwise is not None:
            link = node.otherwise
            while isinstance(link, Block) and len(link.body) == 1:
                link = link.body[0]
            if isinstance(link, If):
                links[link.condition.span] = node.condition.span
    return links


def _complement(branch: Branch, others: list[Branch]) -> Branch | None:
    """A later one-sided branch on the opposite of the condition, both long."""
    if branch.cost.otherwise:
        return None
    this = branch.condition
    for other in others:
        that = other.condition
        negated = that in (f"!{this}", f"!({this})") or this in (f"!{that}", f"!({that})")
        if negated and not other.cost.otherwise and _both_long(branch.cost.then, other.cost.then):
            return other
    return None


def _of_switch(branch: Branch, kernel: KernelFacts, context: Context) -> Finding:
    """The finding for a switch of which a warp executes several cases, one after the other."""
    taken = [way for way in branch.split.ways if way[0]]
    costs = [operations for operations, _ in taken]
    lanes = ", ".join(str(count) for _, count in taken)
    executed = " + ".join(map(str, costs))
    return RULE.finding(
        branch.span,
        f"divergent branch: a warp executes {len(taken)} cases of `{branch.condition}` ({lanes} lanes)",
        notes=(f"{_warps(branch)}, and each of these executes about {executed} operations of the source",),
        help="make the case uniform within each warp, or share the common work and select the rest",
        kernel=kernel.name,
        evidence={
            "cases": len(taken),
            "operations": sum(costs),
            "longest": max(costs),
            "divergent_warps": _share(branch),
        },
        impact=context.impact(of_branches((branch,), kernel, context.unit), kernel),
        standing=on_shape(branch.configuration),
    )


def _share(branch: Branch) -> float | None:
    return round(branch.split.share, 4) if branch.split.share is not None else None


def _warps(branch: Branch) -> str:
    share = branch.split.share
    return f"{100 * share:.0f}% of the warps diverge here" if share is not None else "warps diverge here"


def _finding(branch: Branch, kernel: KernelFacts, context: Context, other: Branch | None = None) -> Finding:
    one = branch.cost.then
    two = branch.cost.otherwise if other is None else other.cost.then
    both = (branch,) if other is None else (branch, other)
    taken, not_taken = branch.split.sides or (0, 0)
    lanes = f" ({taken} lanes take it, {not_taken} do not)" if branch.split.sides else ""
    related = (Related(other.span, f"`{other.condition}` holds for the other lanes"),) if other else ()
    return RULE.finding(
        branch.span,
        f"divergent branch: warps diverge on `{branch.condition}` and both sides are long{lanes}",
        notes=(f"{_warps(branch)}, and each of these executes about {one} + {two} operations of the source",),
        help="make the condition uniform within each warp, or share the common work and select the rest",
        kernel=kernel.name,
        evidence={
            "then_cost": one,
            "else_cost": two,
            "divergent_warps": _share(branch),
            "taken": taken,
            "not_taken": not_taken,
        },
        impact=context.impact(of_branches(both, kernel, context.unit), kernel),
        related=related,
        standing=on_shape(branch.configuration),
    )
