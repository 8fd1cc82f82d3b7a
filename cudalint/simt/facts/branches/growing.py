"""Sums over a grid of what grows from block to block, as the rounds of a loop up to the thread's index do."""

import numpy as np

from cudalint.simt.facts.accesses.weights import Extents
from cudalint.simt.values.samples import Samples

_TWO = 2  # blocks that are run of a grid of unknown size


def idle(samples: Samples, grid: Extents, needed: np.ndarray, stayed: np.ndarray) -> float | None:
    """The share of what lanes stay for that they do not need, where both change by as much from each block to
    the next; in a grid of unknown size, what it comes to with ever more blocks. None of others. needed,
    stayed: by the block that was run.
    """
    axes = [axis for axis in range(3) if samples.grid[axis] > 1]
    if len(axes) != 1:
        return None
    at = np.array([block[axes[0]] for block in samples.blocks])
    extent = grid[axes[0]]
    if extent is None and len(at) == _TWO:
        return 0.0 if _grow_alike(needed, stayed) else None
    own, whole = (_sum(at, np.asarray(row, dtype=float), extent) for row in (needed, stayed))
    return 1.0 - own / whole if own is not None and whole else None


def _grow_alike(needed: np.ndarray, stayed: np.ndarray) -> bool:
    """Whether the second of two blocks needs and stays for as much more: what is idle does not grow."""
    return bool(needed[1] > needed[0] and needed[1] - needed[0] == stayed[1] - stayed[0])


def _sum(at: np.ndarray, row: np.ndarray, extent: int | None) -> float | None:
    """Over all blocks, or the growth where their number is not known."""
    for ragged in (False, True):  # the last block may have fewer threads with work
        run = len(at) - ragged
        slope = _slope(at[:run], row[:run])
        if slope and (not ragged or at[-1] == at.max()):
            if extent is None:
                return slope
            blocks = extent - ragged
            first = row[0] - slope * at[0]
            return float(blocks * first + slope * blocks * (blocks - 1) / 2 + ragged * row[-1])
    return None


def _slope(at: np.ndarray, row: np.ndarray) -> float | None:
    """What a block has more than the one before; None where three blocks and more are on no line."""
    if len(at) <= _TWO or at[0] == at[1]:
        return None
    slope = (row[1] - row[0]) / (at[1] - at[0])
    return float(slope) if np.allclose(row, row[0] + slope * (at - at[0])) else None
