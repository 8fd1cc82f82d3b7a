"""
## What it does
Finds accesses in blocks fewer than 32 threads wide, where a warp covers several rows of an array and its
piece of each row does not fill whole sectors.

## Why it costs
A warp of a 4x64 block covers 8 rows with 4 threads each. Four floats are 16 bytes, half a sector: 8 sectors
where the same bytes in one row are 4. On an H200 a pass over an image of floats took 1.64 times as long in
such blocks as in blocks of 32x8, and 3.35 times as long in blocks of 2x128.

## Example
```cuda
int x = blockIdx.x * blockDim.x + threadIdx.x;
int y = blockIdx.y * blockDim.y + threadIdx.y;
out[y * 1024 + x] = in[y * 1024 + x];
// launched with dim3(4, 64): 8 sectors/request (ideal 4)
```

## Instead
Make blockDim.x a multiple of 32, or at least wide enough that a row's piece fills whole sectors: 8 floats, 16
halves. `dim3(32, 8)` has as many threads as `dim3(4, 64)`.

## Limits
- Small elements cost least: on an H200 byte pixels in blocks 16 wide took 1.05 times as long as in blocks 32
  wide.
- Silent where the launched block is not known, and where the pieces are whole sectors (though they may be
  misaligned).
- One finding for each block width in a file, at the kernel with the largest impact: one edit of the launches
  fixes all.

## Source
003 'Exposing Parallelism' (block shapes and load efficiency).
"""

from collections.abc import Iterator

from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding
from cudalint.rule.related import at_spans, repeated, same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import (
    SECTOR,
    Pattern,
    Site,
    evidence,
    per_request,
    place,
    sites,
)
from cudalint.source.span import Span

RULE = Rule(
    code="CU105",
    name="short-block-row",
    severity=Severity.WARNING,
    summary="a block narrower than a warp splits its accesses over rows",
    guides=("003",),
    speed=True,
)


def check(unit: Unit, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each block width: one edit fixes all kernels that share it."""
    widths: dict[tuple[str, int], list[tuple[Site, KernelFacts]]] = {}
    for kernel in context.kernels:
        site = _site(kernel)
        if site is not None:
            lanes, _ = site.worst.layout.row_breaks or (0, 0)
            widths.setdefault((site.worst.span.path, lanes), []).append((site, kernel))
    for same in widths.values():
        judged = [
            (site, kernel, context.impact(Saving(Basis.SECTORS, excess=site.accesses), kernel))
            for site, kernel in sorted(same, key=lambda one: place(one[0].worst))
        ]
        first, kernel, impact = max(judged, key=lambda one: one[2].high)
        yield _finding(first, kernel, [site for site, _, _ in judged if site is not first], impact)


def _site(kernel: KernelFacts) -> Site | None:
    """The accesses of a kernel with short rows."""
    costly = [access for site in sites(kernel.accesses, Pattern.SHORT_ROWS) for access in site.accesses]
    if not costly:
        return None
    return Site(
        max(costly, key=lambda a: (a.transactions.per_request or 0) / (a.transactions.ideal or 1)),
        tuple(costly),
    )


def _launches(found: list[Site]) -> list[Span]:
    """Where the kernels are launched with these rows."""
    shapes = (access.configuration for site in found for access in site.accesses)
    return list(dict.fromkeys(one.where for one in shapes if one is not None and one.where is not None))


def _kernels(others: list[Site]) -> tuple[str, ...]:
    count = len({other.worst.span for other in others})
    if not count:
        return ()
    return (f"{count} more kernel{'s' if count > 1 else ''} in this file with rows as short",)


def _finding(site: Site, kernel: KernelFacts, others: list[Site], impact: Impact) -> Finding:
    access = site.worst
    lanes, pitch = access.layout.row_breaks or (0, 0)
    return RULE.finding(
        access.span,
        f"short rows: {per_request(access, 'sectors')}, a warp's {site.operation} covers rows of {lanes}"
        " threads",
        notes=(
            f"blockDim.x is {lanes}: {lanes * access.bytes} bytes per row do not fill {SECTOR}-byte sectors",
            *_kernels(others),
        ),
        help=f"make blockDim.x a multiple of 32, or at least {-(-SECTOR // access.bytes)}",
        kernel=kernel.name,
        evidence={**evidence(access), "row_lanes": lanes, "pitch": abs(pitch)},
        impact=impact,
        related=(
            *same_pattern(site),
            *repeated((one.worst for one in others), "rows as short"),
            *at_spans(_launches([site, *others]), f"launched with rows of {lanes} threads"),
        ),
        standing=on_access(access),
    )
