"""The different values of an array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def different(values: NDArray[Any]) -> NDArray[Any]:
    """The different values, ascending, as one row: np.unique of a few hundred values takes several times as
    long, and of newer numpy it imports numpy.ma, a tenth of what a small file costs.
    """
    ordered = np.sort(values, axis=None)
    if len(ordered) < 2:
        return ordered
    first = np.empty(len(ordered), dtype=np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
