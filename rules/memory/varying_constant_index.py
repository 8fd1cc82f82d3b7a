"""
## What it does
Finds loads from `__constant__` arrays where lanes of a warp read different elements: an index that varies
within a warp, such as `weights[threadIdx.x]`.

## Why it costs
The constant cache broadcasts one address to the whole warp. Different addresses are served one after the
other. On an H200 a dependent load takes 40 clocks where all lanes read one element, 51 for two, 73 for four
and 380 for 32; the same 32 neighbouring words take 34 clocks from shared memory and 46 from global memory
through L1. With eight warps each different address takes 2 clocks of the unit, 64 per request of 32, while L1
serves all 32 words at once. Words that are 256 bytes apart no longer fit the small first-level constant
cache: such a request took 2,600 clocks.

## Example
```cuda
__constant__ float weights[256];
sum += weights[threadIdx.x] * in[i];  // 32 addresses/request (ideal 1)
```

## Instead
Let all lanes read the same element at a time (an index from a loop or from blockIdx), which is what constant
memory is for. Keep a table with a varying index in shared memory, or in global memory as
`const __restrict__`:
```cuda
__global__ void smooth(float *out, const float *in, const float *__restrict__ weights)
```

## Limits
- Silent for up to two different addresses per request, which cost no more than a load through L1.
- Where the index comes from loaded data, the finding gives the most, and its impact begins at 0.
- Silent for loads that a block stages once in shared memory and reads there repeatedly.
- One finding for each array of a kernel, at its worst load.

## Source
000 section 9.2 (constant memory: as fast as a register where all threads of a warp read one place); 004
'Texture and Constant Memory Performance'. The clocks were measured on an H200, CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.cuda.warp import WARP
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.significance.thresholds import CONSTANT_ADDRESSES
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import amount, depends_on_sizes, lowest, never_run, number
from cudalint.simt.query.staging import staged

RULE = Rule(
    code="CU112",
    name="varying-constant-index",
    severity=Severity.WARNING,
    summary="lanes of a warp read different elements of constant memory in the same load",
    guides=("000 9.2", "004"),
    speed=True,
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each constant array with serialised loads."""
    groups: dict[str, list[Access]] = {}
    serialised = [access for access in accesses if _serialised(access)]
    copied = staged(kernel, context.unit) if serialised else frozenset()
    for access in serialised:
        if access.span not in copied:
            groups.setdefault(access.buffer, []).append(access)
    for loads in groups.values():
        worst = max(loads, key=lambda access: access.transactions.per_request or 0.0)
        impact = context.impact(Saving(Basis.LINES, excess=tuple(loads)), kernel)
        yield _finding(worst, [access for access in loads if access is not worst], kernel.name, impact)


def _serialised(access: Access) -> bool:
    """Whether a request has more than a few different addresses, or loaded data decides how many."""
    if access.space != "constant" or never_run(access):
        return False
    fewest = lowest(access.transactions)
    certain = fewest is not None and not access.basis.data_dependent and fewest > CONSTANT_ADDRESSES.value
    return certain or _by_data(access)


def _by_data(access: Access) -> bool:
    """Whether loaded data decides which elements the lanes load."""
    unknown = access.transactions.certainty == "unknown" and access.basis.data_dependent
    return access.basis.made_up or unknown


def _finding(access: Access, others: list[Access], kernel: str, impact: Impact) -> Finding:
    by_data = _by_data(access)
    addresses = f"up to {WARP}" if by_data else amount(access.transactions)
    sizes = ", for the sizes tried" if depends_on_sizes(access) else ""
    array = f"`{access.buffer}`" if access.buffer else "the array"
    return RULE.finding(
        access.span,
        f"varying index into constant memory: {addresses} addresses/request (ideal 1{sizes}) for"
        f" `{access.expression}`{', whose index depends on loaded data' if by_data else ''}",
        notes=(
            "the constant cache serves one address at a time: from 3 on, global memory through L1 is faster",
            *_more(others),
        ),
        help=f"keep {array} in shared memory, or in global memory as `const __restrict__`",
        kernel=kernel,
        impact=impact,
        evidence={
            "passes": number(access.transactions.per_request or 0.0),
            "ideal": 1,
            "certainty": access.transactions.certainty,
            "bytes": access.bytes,
            "active_lanes": number(access.lanes.active),
        },
        related=repeated(others, lambda other: f"same pattern: load of `{other.expression}`"),
        standing=on_access(access),
    )


def _more(others: list[Access]) -> tuple[str, ...]:
    count = len(others)
    return (f"same pattern in {count} more load{'s' if count > 1 else ''} of this array",) if count else ()
