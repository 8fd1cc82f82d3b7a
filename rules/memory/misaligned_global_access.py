"""
## What it does
Finds warps that access neighbouring elements, as they should, but start inside a 32-byte sector, so that
each request touches one sector more than its bytes need.

## Why it costs
32 neighbouring floats are 4 sectors when the first one starts a sector, and 5 when it does not.
Neighbouring warps share the fifth sector, so caches hide part of it for loads; partly written sectors of
stores are dearer.

## Example
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x + 3;
out[i] = in[i];  // 5 sectors a request, ideal 4
```

## Instead
Start at a multiple of 32 bytes (8 floats, 4 doubles): shift the range so that thread 0 stands at an aligned
element and let the first and last warp mask out what is not theirs, or pad the front of the buffer. Memory
from `cudaMalloc` starts on 256 bytes.

## Limits
Silent when the start is not known or depends on the sizes passed, when it is on a sector for some warps
only, and for loads that read a neighbourhood: where the same kernel also loads the same buffer at another
offset, at most one of them can be aligned. One finding for each buffer of a kernel.

## Source
000 section 9.2 (sequential but misaligned accesses); 004 'Coalescing: Misaligned Accesses'.
"""

from collections.abc import Iterator

from cudalint.findings import Finding, Severity
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Access, KernelFacts
from cudalint.simt.pattern import (
    SECTOR,
    Pattern,
    also,
    amount,
    confidence,
    evidence,
    more,
    number,
    sites,
    standing,
)

RULE = Rule(
    code="CU102",
    name="misaligned-global-access",
    severity=Severity.NOTE,
    summary="a warp's neighbouring elements start inside a 32-byte sector",
    guides=("000 9.2", "004"),
)


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each buffer whose start is off a sector."""
    candidates = [access for access in kernel.accesses if not _neighbourhood(access, kernel)]
    for site in sites(candidates, Pattern.MISALIGNED):
        access = site.worst
        ideal = number(access.transactions.ideal or 0.0)
        offset = access.offset or 0
        yield RULE.finding(
            access.span,
            f"misaligned global {site.operation}: {amount(access.transactions)} sectors a request,"
            f" ideal {ideal} (starts {offset} bytes into a sector)",
            notes=(
                f"neighbouring lanes access neighbouring elements, but each warp starts {offset} bytes past a"
                f" multiple of {SECTOR}",
                *more(site),
                *standing(access),
            ),
            help=f"start the range at a multiple of {SECTOR} bytes ({SECTOR // access.bytes or 1} elements)",
            kernel=kernel.name,
            evidence={**evidence(access), "offset": offset},
            related=also(site),
            confidence=confidence(access),
        )


def _neighbourhood(access: Access, kernel: KernelFacts) -> bool:
    """Whether the kernel loads the same buffer at another offset too (a stencil, a shifted pair)."""
    return access.operation == "load" and any(
        other.buffer == access.buffer
        and other.operation == "load"
        and other.space == "global"
        and other.offset is not None
        and other.offset != access.offset
        for other in kernel.accesses
    )
