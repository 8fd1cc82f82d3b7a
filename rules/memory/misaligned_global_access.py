"""
## What it does
Finds warps that access consecutive elements, as they should, but start inside a 32-byte sector, so that each
request touches one sector more than its bytes need.

## Why it costs
32 consecutive floats are 4 sectors when the first one starts a sector, and 5 when it does not. Neighbouring
warps share the fifth sector, so caches hide part of the cost for loads; partially written sectors of stores
cost more. A pass over 67 million floats that starts 4 bytes into a sector took 1.04 times as long on an H200
as an aligned one.

## Example
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x + 3;
out[i] = in[i];  // 5 sectors/request (ideal 4)
```

## Instead
Start at a multiple of 32 bytes (8 floats, 4 doubles): shift the range so that thread 0 has an aligned
element, and mask out the surplus threads of the first and last warp; or pad the front of the buffer. Memory
from `cudaMalloc` is aligned to 256 bytes.

## Limits
- Silent where the start address is not known, depends on loaded data or sizes, or is misaligned for some
  warps of a block only; and where a launch passes a pointer of unknown alignment. A pointer parameter of
  the launching function counts as the start of an allocation.
- Of rows of blocks that start at different offsets, the first has to start inside a sector.
- Silent where the kernel also accesses the buffer at another offset: the sectors are shared, and at most
  one access can be aligned.
- Silent for accesses restricted to one thread, row or block.
- Neighbouring warps share the extra sector: whether L1 still has it is open in a load's impact.

## Source
000 section 9.2 (sequential but misaligned accesses); 004 'Coalescing: Misaligned Accesses'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.related import same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.alignment import one_row_only, whole_sector
from cudalint.simt.query.pattern import (
    SECTOR,
    Pattern,
    Site,
    evidence,
    per_request,
    sites,
    strides,
)

RULE = Rule(
    code="CU102",
    name="misaligned-global-access",
    severity=Severity.NOTE,
    summary="a warp accesses consecutive elements that start inside a 32-byte sector",
    guides=("000 9.2", "004"),
    speed=True,
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each line with a misaligned start."""
    lines: dict[tuple[str, int], list[Site]] = {}
    for site in sites(accesses, Pattern.MISALIGNED):
        access = site.worst
        if not _neighbourhood(access, kernel) and _is_sure(access, kernel, context):
            lines.setdefault((access.span.path, access.span.line), []).append(site)
    for same_line in lines.values():
        merged = tuple(access for site in same_line for access in site.accesses)
        impact = context.impact(Saving(Basis.SECTORS, excess=merged, again=merged), kernel)
        yield _finding(Site(same_line[0].worst, merged), kernel, impact)


def _is_sure(access: Access, kernel: KernelFacts, context: Context) -> bool:
    """Whether the start is inside a sector of the buffer, for more than one row of threads."""
    if any(at is not None and at < 0 for at in access.lanes.worst):
        return False  # below the pointer: it is not the start of its buffer
    places = {access.span, *(one.attributed_to for one in kernel.accesses if one.span == access.span)}
    return not any(one_row_only(kernel.function, place) for place in places) and whole_sector(
        context.unit, kernel.function, access.buffer, context.host.launches, SECTOR
    )


def _finding(site: Site, kernel: KernelFacts, impact: Impact) -> Finding:
    access, offset = site.worst, _offset(site.worst)
    same = Site(access, tuple(other for other in site.accesses if _offset(other) == offset))
    who, others = ("each warp", "") if access.layout.offset else ("the first block", ", others elsewhere")
    return RULE.finding(
        access.span,
        f"misaligned global {same.operation}: {per_request(access, 'sectors')}, starts {offset} bytes into a"
        f" sector{' in the first block' if others else ''}",
        notes=(
            f"lanes access consecutive elements, but {who} starts {offset} bytes past a multiple of"
            f" {SECTOR} bytes{others}",
        ),
        help=f"start the range at a multiple of {SECTOR} bytes ({SECTOR // access.bytes or 1} elements)",
        kernel=kernel.name,
        evidence={**evidence(access), "offset": offset},
        impact=impact,
        related=same_pattern(same),
        standing=on_access(access),
    )


def _offset(access: Access) -> int:
    """Bytes past a sector at which each warp starts, or those of the first block."""
    return access.layout.offset or access.layout.first_offset or 0


def _neighbourhood(access: Access, kernel: KernelFacts) -> bool:
    """Whether the kernel also accesses the buffer at another offset (a stencil, a shifted pair, a border)."""
    return any(
        other.buffer == access.buffer
        and other.space == "global"
        and strides(other) == (other.bytes,)
        and _is_another(other, access)
        for other in kernel.accesses
    )


def _is_another(one: Access, other: Access) -> bool:
    """Whether they are two accesses of the source: by other words, or by other calls of one helper."""
    called = one.span == other.span and not one.own and not other.own
    return one.expression != other.expression or (called and one.attributed_to != other.attributed_to)
