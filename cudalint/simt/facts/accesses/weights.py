"""What a number of a run stands for: blocks of the grid that were not run, and the part of all that the
kernel asks of memory.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from cudalint.simt.requests.sites import AccessSite
from cudalint.simt.values.samples import Samples

_WORD = 4  # bytes of a bank
_FIRST, _BETWEEN, _LAST = range(3)
Block = tuple[int, int, int]
Extents = tuple[int | None, int | None, int | None]
Kind = tuple[int, ...]  # an edge an axis


def weights(samples: Samples, grid: Extents) -> np.ndarray:
    """How many blocks of the real grid each block run stands for: those at the same edges, and those at edges
    where none was run and that it is most like; shared with the others of which that is so. An unknown grid
    is nothing but blocks between.
    """
    return _weights(samples.blocks, samples.grid, grid)


@lru_cache(maxsize=64)
def _weights(run: tuple[Block, ...], whole: Block, grid: Extents) -> np.ndarray:
    if len(run) == 1:
        return np.ones(1)
    if not all(grid):
        inner = run[1]
        return np.array([float(all(at or not i for at, i in zip(b, inner, strict=True))) for b in run])
    last = [max(b[axis] for b in run) == whole[axis] - 1 for axis in range(3)]
    edges = [_edges(block, whole, last) for block in run]
    row = np.zeros(len(edges))
    for kind, blocks in _kinds(whole, last):
        unlike = np.array([_unlikeness(kind, edge) for edge in edges])
        alike = unlike == unlike.min()
        row[alike] += blocks / alike.sum()
    return row


def _edges(block: Block, grid: Block, last: list[bool]) -> Kind:
    """At which edges a block lies; the last one is told from those between where it was run."""
    return tuple(
        _FIRST if at == 0 else _LAST if ran_last and at == extent - 1 else _BETWEEN
        for at, extent, ran_last in zip(block, grid, last, strict=True)
    )


def _kinds(grid: Block, last: list[bool]) -> Iterator[tuple[Kind, int]]:
    """Every kind of block that the grid has, and how many there are."""
    axes = [
        [(_FIRST, 1), (_BETWEEN, extent - 1 - ran_last), (_LAST, int(ran_last))]
        if extent > 1
        else [(_FIRST, 1)]
        for extent, ran_last in zip(grid, last, strict=True)
    ]
    for parts in itertools.product(*axes):
        blocks = math.prod(number for _, number in parts)
        if blocks:
            yield tuple(edge for edge, _ in parts), blocks


def _unlikeness(kind: Kind, other: Kind) -> int:
    """Of two kinds: the last block of an axis is one of a kind, as its threads may have nothing to do."""
    return sum(0 if a == b else 2 if _LAST in (a, b) else 1 for a, b in zip(kind, other, strict=True))


def per_valuation(samples: Samples, grid: Extents, numbers: np.ndarray) -> np.ndarray:
    """Weighted sums over the blocks, one a valuation."""
    table = numbers.reshape(samples.valuations, len(samples.blocks))
    return np.asarray((table * weights(samples, grid)).sum(axis=1))


def shares(samples: Samples, grid: Extents, sites: Mapping[Any, AccessSite]) -> dict[Any, float]:
    """The part of what the kernel asks of memory that each site asks for, by the valuation in which it is
    largest: of the sectors, for global and local memory; of sectors and wavefronts, for shared memory. What
    has no number counts as if its lanes were neighbours.
    """
    own = {
        key: site
        for key, site in sites.items()
        if site.space != "constant" and site.attributed_to == site.node.span
    }
    asked = {key: per_valuation(samples, grid, _asked(samples, site)) for key, site in own.items()}
    if not any(row.any() for row in asked.values()):  # by the first block only
        asked = {key: _asked(samples, site) for key, site in own.items()}
    moved = sum((row for key, row in asked.items() if own[key].space != "shared"), np.zeros(1))
    total = sum(asked.values(), np.zeros(1))
    return {
        key: float((row / np.maximum(total if own[key].space == "shared" else moved, 1e-9)).max())
        for key, row in asked.items()
    }


def sectors(samples: Samples, grid: Extents, site: AccessSite) -> float | None:
    """Of a launch, at most: those that the block asks for which asks for most, times the blocks. None where
    how many there are, or how often they come to the site, is not known.
    """
    sure = not (site.guessed or site.sampled or site.doubtful or site.unknown)
    if not sure or any(extent is None for extent in grid):
        return None
    return float(_asked(samples, site).max()) * math.prod(extent or 1 for extent in grid)


def _asked(samples: Samples, site: AccessSite) -> np.ndarray:
    """Sectors or wavefronts by sample, with those of iterations that no run made."""
    requests = float(site.requests.sum())
    least = site.width / _WORD if site.space == "shared" else site.width
    each = float(site.total.sum()) / requests if requests else least
    return np.zeros(samples.count) + site.passes * each
