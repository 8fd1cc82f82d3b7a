"""
## What it does
Finds arrays in shared memory that no two threads share: every element is written and read by one thread, and
each thread has one element, or a few that constants tell apart.

## Why it costs
A register does the same without a store and a load: on an H200 shared memory has a latency of about 30
clocks. The array also takes space from other blocks, out of the 228 KB of an SM, or from its L1 cache. How
much is gained depends on what else the kernel does: on an H200 a matrix product with its sums in shared
memory took 1.03 times as long as one with variables; on an H100 a tridiagonal solver with 16 levels of its
column in shared memory, behind barriers that no one needs, took 2.06 times as long.

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
- Silent where a thread has more than 128 bytes, or several elements that a run-time index chooses from, for
  atomics, volatile and dynamic shared memory, and where accesses have no known address or were not reached.
- Silent for kernels with calls without a visible body or uninitialised reads (CU207), and where launches
  differ. In loops whose iterations are not all run, each access has to go where it went before.
- The impact begins at 0: what else hides the store and the load is not known.
- A large kernel may keep a value in shared memory because registers are short; the rule cannot tell.
- Blocks of other sizes than those launched may share elements.

## Source
000 'Shared Memory' (what it is for: data that threads of a block share).
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.rule.findings import Finding
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.private_arrays import PrivateArray

RULE = Rule(
    code="CU206",
    name="private-shared-array",
    severity=Severity.NOTE,
    summary="each element of a shared array is used by one thread only",
    guides=("000",),
    speed=True,
)


def check(
    kernel: KernelFacts,
    accesses: tuple[Access, ...],
    arrays: tuple[PrivateArray, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding for each array that could be a register."""
    for array in arrays:
        if array.span.path in context.lines:
            uses = [one for one in accesses if one.space == "shared" and one.span in array.uses]
            saving = Saving(Basis.WAVEFRONTS, removed=tuple(Removed(one, 1.0) for one in uses))
            yield _finding(array, replace(context.impact(saving, kernel), low=0.0))


def _finding(array: PrivateArray, impact: Impact) -> Finding:
    several = array.each > 1
    if array.threads == 1 and not several:
        message = f"only one thread of each block uses `{array.name}`"
    else:
        each = f"{array.threads} threads use {array.each if several else 'one'} each"
        message = f"no two threads share an element of `{array.name}`: {each}"
    return RULE.finding(
        array.span,
        message,
        notes=(f"{array.bytes:,} bytes of shared memory per block for values that fit in registers",),
        help="make it a local array" if several else "make it a local variable",
        kernel=array.kernel,
        evidence={
            "bytes": array.bytes,
            "threads": array.threads,
            "each": array.each,
            "places": len(array.uses),
        },
        impact=impact,
        related=at_spans(array.uses, "used by the owning thread only"),
        standing=on_shape(array.configuration),
    )
