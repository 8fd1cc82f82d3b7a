"""Branches that only blocks on the diagonal of the grid split at."""

import numpy as np

from cudalint.simt.values.samples import Samples


def share(samples: Samples, executed: np.ndarray, split: np.ndarray) -> float | None:
    """The share of warps that split where only blocks do whose indices are equal; None where others do too,
    or where no run can tell. Rows are indexed by block.
    """
    axes = [axis for axis in range(3) if len({block[axis] for block in samples.blocks}) > 1]
    if len(axes) < 2:
        return None
    equal = np.array([len({block[axis] for axis in axes}) == 1 for block in samples.blocks])
    off = ~equal & (executed > 0)
    if not off.any() or split[off].any() or not (split[equal] > 0)[:2].all():
        return None
    extents = [samples.grid[axis] for axis in axes]
    return float(split[equal].sum() / executed[equal].sum() * min(extents) / np.prod(extents))
