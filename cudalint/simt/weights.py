"""What a number of a run stands for: blocks of the grid that were not run, and the part of all that the
kernel asks of memory.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cudalint.simt.record import AccessSite
from cudalint.simt.worlds import Worlds

_WORD = 4  # bytes of a bank
Extents = tuple[int | None, int | None, int | None]


def weights(worlds: Worlds, grid: Extents) -> np.ndarray:
    """How many blocks of the real grid each block run stands for: those at the same edges, shared with the
    others run there; the last for itself. An unknown grid is nothing but blocks between.
    """
    count = len(worlds.blocks)
    total = 1
    for extent in grid:
        total = total * extent if extent is not None and total else 0
    if count == 1:
        return np.ones(1)
    if total <= 0:
        inner = worlds.blocks[1]
        return np.array(
            [float(all(at or not i for at, i in zip(b, inner, strict=True))) for b in worlds.blocks]
        )
    sizes = [_alike(block, worlds.grid) for block in worlds.blocks]
    edges = [tuple(at == 0 for at in block) for block in worlds.blocks]
    row = np.array([size / edges.count(edge) for size, edge in zip(sizes, edges, strict=True)])
    if worlds.blocks[-1] == tuple(extent - 1 for extent in worlds.grid):
        row[-1] = 1.0
    return row


def _alike(block: tuple[int, int, int], grid: tuple[int, int, int]) -> float:
    """How many blocks of the grid lie at the same edges: with the same of their indices zero."""
    return float(math.prod(max(1, extent - 1) if at else 1 for at, extent in zip(block, grid, strict=True)))


def per_valuation(worlds: Worlds, grid: Extents, numbers: np.ndarray) -> np.ndarray:
    """Weighted sums over the blocks, one a valuation."""
    table = numbers.reshape(worlds.valuations, len(worlds.blocks))
    return np.asarray((table * weights(worlds, grid)).sum(axis=1))


def shares(worlds: Worlds, grid: Extents, sites: Mapping[Any, AccessSite]) -> dict[Any, float]:
    """The part of what the kernel asks of memory that each site asks for, by the valuation in which it is
    largest: of the sectors, for global and local memory; of sectors and wavefronts, for shared memory. What
    has no number counts as if its lanes were neighbours.
    """
    own = {
        key: site for key, site in sites.items() if site.space != "constant" and site.booked == site.node.span
    }
    asked = {key: per_valuation(worlds, grid, _asked(worlds, site)) for key, site in own.items()}
    if not any(row.any() for row in asked.values()):  # by the first block only
        asked = {key: _asked(worlds, site) for key, site in own.items()}
    moved = sum((row for key, row in asked.items() if own[key].space != "shared"), np.zeros(1))
    total = sum(asked.values(), np.zeros(1))
    return {
        key: float((row / np.maximum(total if own[key].space == "shared" else moved, 1e-9)).max())
        for key, row in asked.items()
    }


def sectors(worlds: Worlds, grid: Extents, site: AccessSite) -> float | None:
    """Of a launch, at most: those that the block asks for which asks for most, times the blocks. None where
    how many there are, or how often they come to the site, is not known.
    """
    sure = not (site.guessed or site.loose or site.doubtful or site.unknown)
    if not sure or any(extent is None for extent in grid):
        return None
    return float(_asked(worlds, site).max()) * math.prod(extent or 1 for extent in grid)


def _asked(worlds: Worlds, site: AccessSite) -> np.ndarray:
    """Sectors or wavefronts by world, with those of iterations that no run made."""
    requests = float(site.requests.sum())
    least = site.width / _WORD if site.space == "shared" else site.width
    each = float(site.total.sum()) / requests if requests else least
    return np.zeros(worlds.count) + site.passes * each
