"""The block that a kernel's shared arrays are made for: where each thread has an element of its own,
`tile[threadIdx.y][threadIdx.x]`, the extents of the array are those of the block.
"""

import math
from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.simt.shapes import Shape

_PADDED = 8  # extents of one more than a multiple of it have a padding element
_MOST = 1024  # threads of a block


def fitting_block(function: Function, axes: int) -> Shape | None:
    """The block's shape, where the arrays tell every one of the axes that the kernel reads; else None."""
    if function.body is None:
        return None
    nodes = list(walk(function.body))
    names = dict(_named_axes(nodes))
    extents: dict[str, list[int]] = {}
    for node in nodes:
        for axis, extent in _extents(node, names):
            extents.setdefault(axis, []).append(extent)
    if any(axis not in extents for axis in "xyz"[:axes]):
        return None
    x, y, z = (min(extents[axis]) if axis in extents else 1 for axis in "xyz")
    return (x, y, z) if 1 < math.prod((x, y, z)) <= _MOST else None


def _named_axes(nodes: list[e.Expression | s.Statement]) -> Iterator[tuple[int, str]]:
    """Variables (by identity) that stand for an axis of threadIdx: set once, and never changed."""
    changed = {
        node.target.variable.id
        for node in nodes
        if isinstance(node, e.Assign) and isinstance(node.target, e.VariableReference)
    }
    for node in nodes:
        if isinstance(node, s.Declare) and node.initial is not None and node.variable.id not in changed:
            axis = _axis(node.initial, {})
            if axis:
                yield node.variable.id, axis


def _axis(node: e.Expression, names: dict[int, str]) -> str:
    """The axis of threadIdx that the expression is, '' for any other."""
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.Builtin) and node.name == "threadIdx":
        return node.axis
    return names.get(node.variable.id, "") if isinstance(node, e.VariableReference) else ""


def _extents(node: e.Expression | s.Statement, names: dict[int, str]) -> Iterator[tuple[str, int]]:
    """(axis, extent) of an index into a shared array."""
    if not isinstance(node, e.Index):
        return
    indexed = node.base
    while isinstance(indexed, e.Cast):
        indexed = indexed.operand
    axis = _axis(node.index, names)
    if axis and isinstance(indexed.type, Array) and _is_shared(indexed):
        count = indexed.type.count
        if count:
            yield axis, count - 1 if count > _PADDED and count % _PADDED == 1 else count


def _is_shared(node: e.Expression) -> bool:
    while isinstance(node, e.Index | e.Cast):
        node = node.base if isinstance(node, e.Index) else node.operand
    return isinstance(node, e.VariableReference) and node.variable.storage == "shared"
