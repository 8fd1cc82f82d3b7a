"""
## What it does
Finds long branches and loops on loaded data: which lanes take which path, or how many iterations they run, is
known only at run time.

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
- Opt-in: how often data differs within a warp is not known.
- Both sides of an `if` have to be longer than about seven instructions (14 operations of the source), or its
  only side twice as long; the compiler predicates shorter ones. A loop body has to be as long.

## Source
001 'Branch divergence'.
"""

from collections.abc import Iterator

from cudalint.analyses.instructions import PREDICATED
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch

RULE = Rule(
    code="CU404",
    name="data-dependent-branch",
    severity=Severity.NOTE,
    summary="loaded data decides which path lanes of a warp take, or how many iterations they run",
    confidence=Confidence.MEDIUM,
    default=False,
    guides=("001",),
)

_KINDS = ("if", "switch", "conditional", "loop")


def check(branch: Branch, context: Context) -> Iterator[Finding]:
    """A finding for a long branch or loop on loaded data."""
    if branch.kind not in _KINDS or branch.divergence != "data-dependent" or branch.split.boundary:
        return
    one, two = branch.cost.then, branch.cost.otherwise
    if min(one, two) < PREDICATED and max(one, two) < (
        PREDICATED if branch.kind == "loop" else 2 * PREDICATED
    ):
        return
    if branch.kind == "loop":
        message = (
            f"data-dependent loop: `{branch.condition}` depends on loaded data, so that lanes of a warp may"
            " run different numbers of iterations"
        )
        note = f"a warp iterates until its last lane is done; one iteration is about {one} operations"
    else:
        message = (
            f"data-dependent branch: `{branch.condition}` depends on loaded data, so that warps may diverge"
        )
        note = f"a warp that diverges executes about {one} + {two} operations instead of {max(one, two)}"
    yield RULE.finding(
        branch.span,
        message,
        notes=(note,),
        help="group equal data, so that the lanes of a warp take the same path",
        kernel=branch.kernel,
        evidence={"then_cost": one, "else_cost": two, "kind": branch.kind},
    )
