"""
## What it does
Finds loads of `__constant__` arrays whose lanes want several different elements at once: an index that
varies inside a warp, such as `weights[threadIdx.x]`.

## Why it costs
The constant cache hands one address to the whole warp. Where lanes want different ones, the load is done
once for each. On an H200 a load that hangs on the one before takes 40 clocks where all lanes want one
element, 51 for two, 73 for four and 380 for 32; the same 32 neighbouring words take 34 clocks from shared
memory and 46 from global memory through the L1 cache. With eight warps each different address takes 2 clocks
of the unit, 64 a request of 32, while the L1 cache serves all 32 words in one go. Where the words that a warp
wants lie 256 bytes apart they no longer fit the small cache in front, and a request took 2,600 clocks.

## Example
```cuda
__constant__ float weights[256];
sum += weights[threadIdx.x] * in[i];  // 32 passes a request
```

## Instead
Let all lanes read one element at a time (an index from a loop or from blockIdx), which is what constant
memory is for. A table that is read by a varying index belongs into shared memory, or into global memory as
`const __restrict__`:
```cuda
__global__ void smooth(float *out, const float *in, const float *__restrict__ weights)
```

## Limits
Silent up to two different addresses a request, which cost no more than a load through L1, for an index that
comes out of loaded data (nobody knows how the lanes' numbers fall), and where what the lanes want is not
known. Silent, too, for a load that a block stages once in shared memory, to read it there in a loop or at
several places, and where the passes cannot be felt (see CU101; a pass takes two clocks, about as long as a
sector): before a loop over memory that goes round nobody knows how often, say, or beside long arithmetic. One
finding for each array of a kernel, at its worst load. The number is of passes, whatever the array's size.

## Source
000 section 9.2 (constant memory: as fast as a register where all threads of a warp read one place); 004
'Texture and Constant Memory Performance'. The clocks were measured on an H200, CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.rule.access_notes import confidence
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.negligible import unfelt
from cudalint.significance.thresholds import CONSTANT_ADDRESSES
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import amount, lowest, never_run, number, standing, tried
from cudalint.simt.query.staging import staged

RULE = Rule(
    code="CU112",
    name="varying-constant-index",
    severity=Severity.WARNING,
    summary="lanes of a warp read different elements of constant memory in one load",
    guides=("000 9.2", "004"),
)

_MOST_RELATED = 8


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each constant array with loads that are served address by address."""
    groups: dict[str, list[Access]] = {}
    serialised = [access for access in accesses if _serialised(access)]
    copied = staged(kernel, context.unit) if serialised else frozenset()
    for access in serialised:
        if access.span not in copied:
            groups.setdefault(access.buffer, []).append(access)
    for found in groups.values():
        if unfelt(found, kernel, context.unit, context.host):
            continue
        worst = max(found, key=lambda access: access.transactions.per_request or 0.0)
        yield _finding(worst, [access for access in found if access is not worst], kernel.name)


def _serialised(access: Access) -> bool:
    """Whether more than a few different addresses are sure in a request."""
    fewest = lowest(access.transactions)
    if access.space != "constant" or fewest is None or access.data_dependent or never_run(access):
        return False
    return fewest > CONSTANT_ADDRESSES.value


def _finding(access: Access, others: list[Access], kernel: str) -> Finding:
    passes = amount(access.transactions)
    return RULE.finding(
        access.span,
        f"varying index into constant memory: {passes} passes a request{tried(access)}, ideal 1"
        f" (`{access.expression}` differs between the lanes of a warp)",
        notes=(
            "the constant cache serves one address at a time; from 3 on, global memory through L1 is faster",
            *_more(others),
            *standing(access),
        ),
        help=f"keep `{access.buffer}` in shared memory, or in global memory behind `const __restrict__`",
        kernel=kernel,
        evidence={
            "passes": number(access.transactions.per_request or 0.0),
            "ideal": 1,
            "certainty": access.transactions.certainty,
            "bytes": access.bytes,
            "active_lanes": number(access.active_lanes),
        },
        related=tuple(
            Related(other.span, f"load of `{other.expression}` in the same way")
            for other in others[:_MOST_RELATED]
        ),
        confidence=confidence(access),
    )


def _more(others: list[Access]) -> tuple[str, ...]:
    count = len(others)
    return (f"{count} more load{'s' if count > 1 else ''} of the array the same",) if count else ()
