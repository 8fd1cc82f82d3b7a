"""The block that a kernel's block-wide functions are made for: CUB's take its extents as template arguments,
and all of its threads have to call them (CCCL documentation, "Block-Wide 'Collective' Primitives").
"""

import math

from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir.names import template_arguments
from cudalint.ir.types import Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

# Which template arguments of a class are BLOCK_DIM_X, Y and Z.
_EXTENTS = {
    "cub::BlockAdjacentDifference": (1, 2, 3),
    "cub::BlockDiscontinuity": (1, 2, 3),
    "cub::BlockExchange": (1, 4, 5),
    "cub::BlockHistogram": (1, 5, 6),
    "cub::BlockLoad": (1, 4, 5),
    "cub::BlockMergeSort": (1, 4, 5),
    "cub::BlockRadixSort": (1, 8, 9),
    "cub::BlockReduce": (1, 3, 4),
    "cub::BlockScan": (1, 3, 4),
    "cub::BlockShuffle": (1, 2, 3),
    "cub::BlockStore": (1, 4, 5),
}
_MOST = 1024  # threads of a block


def collective_block(unit: Unit, function: Function) -> tuple[int, int, int] | None:
    """The extents that all block-wide functions of a kernel, and of what it calls, agree on; None without
    any.
    """
    found = {
        _extents(node.type.name)
        for one in reachable(unit, function)
        for node in find(one.body, e.Construct)
        if isinstance(node.type, Record)
    }
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def _extents(name: str) -> tuple[int, int, int] | None:
    """(256, 1, 1) of `cub::BlockScan<int, 256>`."""
    places = _EXTENTS.get(name.partition("<")[0])
    arguments = template_arguments(name)
    if places is None or not arguments:
        return None
    given = [arguments[at] if at < len(arguments) else "1" for at in places]
    if not all(map(str.isdecimal, given)):
        return None
    x, y, z = map(int, given)
    return (x, y, z) if 0 < math.prod((x, y, z)) <= _MOST else None
