"""
## What it does
Finds accesses in blocks fewer than 32 threads wide, where a warp covers several rows of an array and its
piece of each row does not fill whole sectors, or fills sectors but not whole cache lines.

## Why it costs
A warp of a 4x64 block covers 8 rows with 4 threads each. Four floats are 16 bytes, half a sector: 8 sectors
where the same bytes in one row are 4. On an H200 a pass over an image of floats took 1.64 times as long in
such blocks as in blocks of 32x8, and 3.35 times as long in blocks of 2x128.

Rows of 8 floats are whole sectors. L1 looks up one 128-byte line per clock, and each row is in another line:
a copy of a cube took 1.13 to 1.28 times as long in blocks 8 wide as in blocks 32 wide, a window of 7 points
1.34 times, one of 21 points 2.17 times; in blocks 16 wide 1.07, 1.05 and 1.19 times
(experiments/short_rows.cu, H200).

## Example
```cuda
int x = blockIdx.x * blockDim.x + threadIdx.x;
int y = blockIdx.y * blockDim.y + threadIdx.y;
out[y * 1024 + x] = in[y * 1024 + x];
// launched with dim3(4, 64): 8 sectors/request (ideal 4)
```

## Instead
Make blockDim.x a multiple of 32, or at least wide enough that a row's piece fills a cache line: 16 doubles,
32 floats. `dim3(32, 8)` has as many threads as `dim3(4, 64)`.

## Limits
- Small elements cost least: on an H200 byte pixels in blocks 16 wide took 1.05 times as long as in blocks 32
  wide.
- Silent where the launched block is not known, and for two rows of whole sectors: they cost a copy 7%, a
  window of 21 points 19%.
- Where the pieces are whole sectors the impact says what the lines cost: nothing where memory is busier.
- One finding for each block width in a file, at the kernel with the largest impact: one edit of the launches
  fixes all.

## Source
003 'Exposing Parallelism' (block shapes and load efficiency); experiments/short_rows.cu.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.cuda.warp import WARP
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
    LINE,
    SECTOR,
    Pattern,
    Site,
    evidence,
    ideal_lines,
    in_excess,
    lines,
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
    made=False,
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
            (
                site,
                kernel,
                _of_rows(context.impact(Saving(Basis.SECTORS, excess=site.accesses), kernel), site),
            )
            for site, kernel in sorted(same, key=lambda one: place(one[0].worst))
        ]
        first, kernel, impact = max(judged, key=lambda one: one[2].high)
        yield _finding(first, kernel, [site for site, _, _ in judged if site is not first], impact)


def _site(kernel: KernelFacts) -> Site | None:
    """The accesses of a kernel with short rows."""
    costly = [access for site in sites(kernel.accesses, Pattern.SHORT_ROWS) for access in site.accesses]
    if not costly:
        return None
    return Site(max(costly, key=_excess), tuple(costly))


def _of_rows(impact: Impact, site: Site) -> Impact:
    """What wide rows save. Rows of whole sectors have more of them only because each starts inside one, and
    one wide row does so, too: one part remains of as many as there are rows.
    """
    access = site.worst
    lanes, _ = access.layout.row_breaks or (0, 0)
    most = access.transactions.upper or access.transactions.per_request or 0.0
    if not lanes or lanes * access.bytes % SECTOR or most <= (access.transactions.ideal or most):
        return impact
    share = 1 - lanes / WARP
    return replace(impact, low=impact.low * share, high=impact.high * share)


def _excess(access: Access) -> tuple[float, float]:
    sectors = (access.transactions.per_request or 0) / (access.transactions.ideal or 1)
    return sectors, lines(access) / ideal_lines(access)


def _launches(found: list[Site]) -> list[Span]:
    """Where the kernels are launched with these rows."""
    shapes = (access.configuration for site in found for access in site.accesses)
    return list(dict.fromkeys(one.where for one in shapes if one is not None and one.where is not None))


def _kernels(others: list[Site]) -> tuple[str, ...]:
    count = len({other.worst.span for other in others})
    if not count:
        return ()
    return (f"{count} more kernel{'s' if count > 1 else ''} in this file with rows as short",)


def _cost(access: Access) -> str:
    """What a request takes above its ideal: sectors, or else lines of L1 to look up."""
    if in_excess(access.transactions):
        return per_request(access, "sectors")
    return f"{lines(access)} cache lines/request (ideal {ideal_lines(access)})"


def _unit(access: Access) -> str:
    return f"{SECTOR}-byte sectors" if in_excess(access.transactions) else f"{LINE}-byte cache lines"


def _finding(site: Site, kernel: KernelFacts, others: list[Site], impact: Impact) -> Finding:
    access = site.worst
    lanes, pitch = access.layout.row_breaks or (0, 0)
    enough = -(-LINE // access.bytes)
    return RULE.finding(
        access.span,
        f"short rows: {_cost(access)}, a warp's {site.operation} covers rows of {lanes} threads",
        notes=(
            f"blockDim.x is {lanes}: {lanes * access.bytes} bytes per row do not fill {_unit(access)}",
            *_kernels(others),
        ),
        help="make blockDim.x a multiple of 32" + (f", or at least {enough}" if enough < WARP else ""),
        kernel=kernel.name,
        evidence={**evidence(access), "lines": lines(access), "row_lanes": lanes, "pitch": abs(pitch)},
        impact=impact,
        related=(
            *same_pattern(site),
            *repeated((one.worst for one in others), "rows as short"),
            *at_spans(_launches([site, *others]), f"launched with rows of {lanes} threads"),
        ),
        standing=on_access(access),
    )
