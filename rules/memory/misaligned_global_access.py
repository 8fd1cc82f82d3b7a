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
Speaks where the start is surely inside a sector and the access is part of what the kernel moves. Silent when
the start is not known, stands on loaded data or depends on the sizes passed, when it is on a sector for some
warps only, and when a launch does not pass a pointer that is known to start a sector: into a buffer at a
known offset, or as a parameter of the launching function, which is taken for the start of an allocation.
Silent where the kernel also accesses the same buffer at another offset: neighbours (a stencil,
`ends[i + 1]` beside `ends[i]`) come from the same sectors, and at most one of them can be aligned. Silent
for rims: grids known to be of fewer than 64 blocks, accesses under a comparison with one thread, row or
block, and those made less than a quarter as often as the kernel's most frequent one. Accesses in inlined
functions are not told. One finding a line, for what starts at the same place. Opt-in, for caches hide
most of it: a step over 67 million floats that starts 4 bytes into a sector took 1.04 times as long on an H200
as one that starts on it.

## Source
000 section 9.2 (sequential but misaligned accesses); 004 'Coalescing: Misaligned Accesses'.
"""

from collections.abc import Iterator
from math import prod

from cudalint.rule.access_notes import also, confidence
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import MOST_BLOCKS_OF_SMALL_GRID, RARE_REQUESTS
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.query.alignment import known_place, one_row_only, whole_sector
from cudalint.simt.query.pattern import (
    SECTOR,
    Pattern,
    Site,
    amount,
    evidence,
    more,
    number,
    sites,
    standing,
    strides,
)

RULE = Rule(
    code="CU102",
    name="misaligned-global-access",
    severity=Severity.NOTE,
    summary="a warp's neighbouring elements start inside a 32-byte sector",
    guides=("000 9.2", "004"),
    default=False,
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each line whose start is off a sector."""
    if any(_is_small(configuration) for configuration in kernel.configurations):
        return
    most = max((access.requests for access in accesses if access.space == "global"), default=0)
    lines: dict[tuple[str, int], list[Site]] = {}
    for site in sites(accesses, Pattern.MISALIGNED):
        access = site.worst
        rare = access.requests * RARE_REQUESTS.value < most
        if not rare and not _neighbourhood(access, kernel) and _is_sure(access, kernel, context):
            lines.setdefault((access.span.path, access.span.line), []).append(site)
    for found in lines.values():
        together = tuple(access for site in found for access in site.accesses)
        yield _finding(Site(found[0].worst, together), kernel)


def _is_small(configuration: Configuration) -> bool:
    known = [extent for extent in configuration.grid if extent is not None]
    return len(known) == len(configuration.grid) and prod(known) < MOST_BLOCKS_OF_SMALL_GRID.value


def _is_sure(access: Access, kernel: KernelFacts, context: Context) -> bool:
    """Whether the start is inside a sector whatever the data, for more than one row of threads."""
    if any(at is not None and at < 0 for at in access.worst_lanes):
        return False  # before what the pointer points to: it is not the start of its buffer
    return (
        known_place(kernel.function, access.span)
        and not one_row_only(kernel.function, access.span)
        and whole_sector(kernel.function, access.buffer, context.host.launches, SECTOR)
    )


def _finding(site: Site, kernel: KernelFacts) -> Finding:
    access = site.worst
    same = Site(access, tuple(other for other in site.accesses if other.offset == access.offset))
    ideal = number(access.transactions.ideal or 0.0)
    offset = access.offset or 0
    return RULE.finding(
        access.span,
        f"misaligned global {same.operation}: {amount(access.transactions)} sectors a request,"
        f" ideal {ideal} (starts {offset} bytes into a sector)",
        notes=(
            f"neighbouring lanes access neighbouring elements, but each warp starts {offset} bytes past a"
            f" multiple of {SECTOR}",
            *more(same),
            *standing(access),
        ),
        help=f"start the range at a multiple of {SECTOR} bytes ({SECTOR // access.bytes or 1} elements)",
        kernel=kernel.name,
        evidence={**evidence(access), "offset": offset},
        related=also(same),
        confidence=confidence(access),
    )


def _neighbourhood(access: Access, kernel: KernelFacts) -> bool:
    """Whether the kernel accesses the same buffer at another place too (a stencil, a shifted pair, rims)."""
    return any(
        other.buffer == access.buffer
        and other.space == "global"
        and strides(other) == (other.bytes,)
        and other.expression != access.expression
        for other in kernel.accesses
    )
