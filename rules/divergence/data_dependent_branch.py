"""
## What it does
Finds long branches and loops on loaded data: which lanes take which path, or how many iterations they run, is
known only at run time. Also loops that go on until a number with a fraction that each thread computes has
come far enough: a walk, or an iteration until convergence.

## Why it costs
A warp executes every path that one of its lanes takes, and as many iterations as its slowest lane. Where
neighbouring data is random, two paths of equal length take twice the time; with 32 independent lanes, 97% of
the warps execute even a path that is taken one time in ten.

## Example
```cuda
if (kind[i] == 0)
    x = expf(x) * logf(x + 1.0f) + tanhf(x) * x + atanf(x);
else
    x = tanf(x) + coshf(x) * sinhf(x) - logf(x + 2.0f) + x * x;
```

## Instead
Group equal data: sort or partition the elements by kind so that each warp has one kind, or queue the rare
ones and process them in a second pass. For rows of different lengths, let a warp share a row. Where the paths
differ only in numbers, select the numbers and execute one path.

## Limits
- How often data differs within a warp is not known: between nothing and all lanes but one waiting.
- The compiler predicates short branches: both sides of an `if` must exceed about seven instructions (14
  operations of the source), or one twice that.
- One finding per kernel, with the impact of all branches.
- Loops on computed numbers count where the thread index goes into the condition and the iterations are not
  known.
- Silent for loops that retry an atomic (CU116), tests that nearly all data pass (`x != 0.0f`, `isnan(x)`,
  bounds, alignment), and ways that print, assert or trap.
- What lanes miss after an early `return`, `break` or `continue` is not counted.

## Source
001 'Branch divergence'.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from cudalint.analyses.computed_trips import computed_trips
from cudalint.analyses.counted_bits import counts_bits
from cudalint.analyses.instructions import CASE, PREDICATED
from cudalint.analyses.origin import has_origin
from cudalint.analyses.retries import retries
from cudalint.analyses.usual_data import tells_of_an_error, usual
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.divergence import branch_nodes, of_branches
from cudalint.significance.impact import Impact
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.read_back import ReadBack
from cudalint.source.span import Span

RULE = Rule(
    code="CU404",
    name="data-dependent-branch",
    severity=Severity.NOTE,
    summary="loaded data decides which path lanes of a warp take, or how many iterations they run",
    confidence=Confidence.MEDIUM,
    guides=("001",),
    speed=True,
)

_WRITTEN = 4  # cases of a switch whose operations are written one by one
_KINDS = ("if", "switch", "conditional", "loop")


def check(
    kernel: KernelFacts, branches: tuple[Branch, ...], read_back: tuple[ReadBack, ...], context: Context
) -> Iterator[Finding]:
    """One finding for all branches on loaded data that are not predicated, and all loops: at the one that
    costs most.
    """
    own = frozenset(load.span for load in read_back)
    found = [branch for branch in branches if _depends(branch) and _differs(branch, own, kernel, context)]
    if not found:
        return

    def cost(branch: Branch) -> float:
        return context.impact(of_branches((branch,), kernel, context.unit), kernel).high

    first, *others = sorted(found, key=cost, reverse=True) if len(found) > 1 else found
    impact = context.impact(of_branches(tuple(found), kernel, context.unit), kernel)
    computed = _is_computed(first, branch_nodes(first, kernel, context.unit), own, kernel, context)
    if computed:  # neighbours may well end together
        impact = replace(impact, low=0.0)
    yield _finding(first, others, kernel, computed, impact)


def _depends(branch: Branch) -> bool:
    """Whether data decide, elsewhere than at an edge, or nobody knows how often a loop goes round."""
    by_data = branch.divergence == "data-dependent" and not branch.split.boundary
    return branch.kind in _KINDS and (by_data or _is_open(branch))


def _is_open(branch: Branch) -> bool:
    """Whether it is a loop whose number of iterations the model does not tell, or by a number tried."""
    loop = branch.loop
    return branch.kind == "loop" and branch.divergence == "uniform" and (loop.idle is None or loop.chosen)


def _differs(branch: Branch, own: frozenset[Span], kernel: KernelFacts, context: Context) -> bool:
    """Whether it is a branch of the machine code that lanes of a warp may well take differently: where
    nothing loaded or returned is in its condition, what is not known of it is no data. own: loads of what
    the thread has stored.
    """
    nodes = branch_nodes(branch, kernel, context.unit)
    loops = [node for node in nodes if isinstance(node, s.Loop)]
    if _is_computed(branch, nodes, own, kernel, context):
        return any(computed_trips(context.unit, kernel.function, loop) for loop in loops)
    if branch.kind == "loop":
        return not any(retries(loop) or counts_bits(loop) for loop in loops)
    shorter, longer = sorted((branch.cost.then, branch.cost.otherwise))
    predicated = shorter < PREDICATED and longer < 2 * PREDICATED and not _adds_up(branch)
    return not predicated and not any(
        _is_rare(node) for node in nodes if isinstance(node, s.If | e.Conditional)
    )


def _is_computed(
    branch: Branch, nodes: Sequence[Node], own: frozenset[Span], kernel: KernelFacts, context: Context
) -> bool:
    """Whether no data is in the condition, but numbers that threads compute may be."""
    loaded = branch.divergence == "data-dependent" and (
        not nodes or has_origin(context.unit, kernel.function, branch.span, own)
    )
    return not loaded


def _adds_up(branch: Branch) -> bool:
    """Whether it is a switch whose shorter cases are as much together, with the jumps to each of them."""
    return sum(cost + CASE for cost in branch.cost.ways[1:]) >= 2 * PREDICATED


def _is_rare(node: s.If | e.Conditional) -> bool:
    """Whether one of the ways is hardly ever taken."""
    return usual(node.condition) or tells_of_an_error(node.then) or tells_of_an_error(node.otherwise)


def _finding(
    branch: Branch, others: list[Branch], kernel: KernelFacts, computed: bool, impact: Impact
) -> Finding:
    """computed: the threads compute what the first of them depends on."""
    one, two = branch.cost.then, branch.cost.otherwise
    if branch.kind == "loop":
        kind = "lane-dependent" if computed else "data-dependent"
        source = "what each thread computes" if computed else "loaded data"
        message = (
            f"{kind} loop: `{branch.condition}` depends on {source}, so that lanes of a warp may run"
            " different numbers of iterations"
        )
        note = f"a warp iterates until its last lane is done; one iteration is about {one} operations"
    else:
        message = (
            f"data-dependent branch: `{branch.condition}` depends on loaded data, so that warps may diverge"
        )
        note = f"a warp that diverges executes about {_ways(branch)} operations instead of {max(one, two)}"
        if min(one, two) == 0 and len(branch.cost.ways) <= 2:
            note = f"lanes that do not take it wait for about {max(one, two)} operations of those that do"
    return RULE.finding(
        branch.span,
        message,
        notes=(note,),
        help="let a lane that is done begin its next piece of work at once, or group pieces of like length"
        if computed
        else "group equal data, so that the lanes of a warp take the same path",
        kernel=branch.kernel,
        evidence={"then_cost": one, "else_cost": two, "kind": branch.kind, "places": 1 + len(others)},
        impact=impact,
        related=repeated(others, lambda other: f"`{other.condition}` may differ between lanes, too"),
    )


def _ways(branch: Branch) -> str:
    """The operations of all that a warp may execute: '14 + 20', or '60 (13 cases)'."""
    ways = branch.cost.ways
    if len(ways) > _WRITTEN:
        return f"{sum(ways)} ({len(ways)} cases)"
    return " + ".join(map(str, ways)) if len(ways) > 2 else f"{branch.cost.then} + {branch.cost.otherwise}"
