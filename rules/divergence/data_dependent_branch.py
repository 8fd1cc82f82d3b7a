"""
## What it does
Finds branches and loops on loaded data that hold more than a few instructions: which lanes go which way, or
how often, is known only when the kernel runs.

## Why it costs
A warp runs every way that one of its lanes takes, and a loop as often as its slowest lane. Where neighbouring
data differ at random, two ways of equal length take twice the time, and with 32 independent lanes even a way
that is taken one time in ten is run by 97% of the warps.

## Example
```cuda
if (kind[i] == 0)
    x = expf(x) * logf(x + 1.0f) + tanhf(x) * x + atanf(x);
else
    x = tanf(x) + coshf(x) * sinhf(x) - logf(x + 2.0f) + x * x;
```

## Instead
Bring equal data together: sort or partition the elements by kind first and let each warp have one kind, or
queue the rare ones and work them off in a second pass. For rows of different lengths, let a warp share one
row. Where the sides differ only in numbers, select the numbers and run one way.

## Limits
Opt-in: that a branch hangs on data says nothing of how often the data of one warp differ. Both ways of an
`if` have to be more than about seven instructions (14 operations of the model), or the only one more than
twice that; shorter ones the compiler predicates. A loop has to have such a body too.

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
    summary="loaded data decides which way, or how often, lanes of a warp go",
    confidence=Confidence.MEDIUM,
    default=False,
    guides=("001",),
)

_KINDS = ("if", "switch", "conditional", "loop")


def check(branch: Branch, context: Context) -> Iterator[Finding]:
    """A finding for a long branch or loop on loaded data."""
    if branch.kind not in _KINDS or branch.divergence != "data-dependent" or branch.boundary:
        return
    one, two = branch.then_cost, branch.else_cost
    if min(one, two) < PREDICATED and max(one, two) < (
        PREDICATED if branch.kind == "loop" else 2 * PREDICATED
    ):
        return
    if branch.kind == "loop":
        message = (
            f"data-dependent loop: `{branch.condition}` lets each lane go round as often as its data says"
        )
        note = f"a warp stays until its last lane leaves; one round is about {one} operations"
    else:
        message = f"data-dependent branch: `{branch.condition}` sends lanes by their data"
        note = f"a warp with both kinds runs about {one} + {two} operations instead of {max(one, two)}"
    yield RULE.finding(
        branch.span,
        message,
        notes=(note,),
        help="bring equal data together, so that the lanes of a warp go one way",
        kernel=branch.kernel,
        evidence={"then_cost": one, "else_cost": two, "kind": branch.kind},
    )
