"""
## What it does
Finds arrays in shared memory that no two threads share: every element is written and read by one thread, and
each thread has one.

## Why it costs
A register does the same without a store and a load: on an H200 a value comes back from shared memory after
about 30 clocks. The array also takes room from other blocks, of the 228 KB that a multiprocessor has for all
of them, or from its L1 cache.

## Example
```cuda
__shared__ float mine[256];
mine[threadIdx.x] = in[i];
out[i] = 2.0f * mine[threadIdx.x];
```

## Instead
```cuda
float mine = in[i];
out[i] = 2.0f * mine;
```

## Limits
Silent where a thread has more than one element: shared memory is a good place for an array of a thread whose
index varies (CU111). Silent for atomics, volatile and dynamic shared memory, where an access has no address
or no run came to it, in loops that the model cuts short, in kernels with calls that cannot be seen into, with
reads of what nobody wrote (CU207) or with a barrier that nothing passes across (CU308 speaks), and where
different launches show different things. Where no launch gives the shape, several quite different ones have
to agree. A large kernel may park a value in shared memory because registers are short; the rule cannot tell.
Opt-in: launches are seen with the sizes that the program tells, and other blocks may share what these do not;
and little is won. On an H200 a product of matrices whose sums lie in shared memory took 1.03 times as long as
one with variables.

## Source
000 'Shared Memory' (what it is for: data that threads of a block share).
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.barrier_use.idle_barriers import IdleBarrier
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.private_arrays import PrivateArray

RULE = Rule(
    code="CU206",
    name="private-shared-array",
    severity=Severity.NOTE,
    summary="each element of a shared array is used by one thread only",
    guides=("000",),
    default=False,
)

_MOST_RELATED = 8


def check(
    kernel: KernelFacts, arrays: tuple[PrivateArray, ...], idle: tuple[IdleBarrier, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array that could be a register; none where CU308 speaks of a barrier round it."""
    if any(barrier.passes == "nothing" for barrier in idle):
        return
    for array in arrays:
        if array.span.path in context.lines:
            yield _finding(array)


def _finding(array: PrivateArray) -> Finding:
    if array.threads == 1:
        message = f"only one thread of a block uses `{array.name}`"
    else:
        message = f"no two threads share an element of `{array.name}`: {array.threads} threads use one each"
    return RULE.finding(
        array.span,
        message,
        notes=(
            f"{array.bytes:,} bytes of shared memory a block hold what each thread could keep in a register",
            f"seen for {array.configuration.describe()}",
        ),
        help="make it a variable of the thread",
        kernel=array.kernel,
        evidence={"bytes": array.bytes, "threads": array.threads, "places": len(array.uses)},
        related=tuple(
            Related(span, "used by the thread that owns it") for span in array.uses[:_MOST_RELATED]
        ),
        confidence=Confidence.MEDIUM if array.configuration.origin == "usual shape" else Confidence.HIGH,
    )
