"""The block that a kernel's shared arrays are made for: where each thread has an element of its own,
`tile[threadIdx.y][threadIdx.x]`, the extents of the array are those of the block; with a halo,
`tile[threadIdx.y + 1][threadIdx.x + 1]`, they are larger by its width, on one side or on both.
"""

import math
from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.simt.launch.shapes import Shape

_PADDED = 8  # extents of one more than a multiple of it have a padding element
_MOST = 1024  # threads of a block

_Place = tuple[str, int]  # an axis of threadIdx, and what is added to it


def fitting_block(function: Function, axes: int) -> Shape | None:
    """The block's shape, where the arrays tell every one of the axes that the kernel reads; else None."""
    if function.body is None:
        return None
    nodes = list(walk(function.body))
    names = _named_axes(nodes)
    extents: dict[str, list[int]] = {}
    for node in nodes:
        for axis, extent in _extents(node, names):
            extents.setdefault(axis, []).append(extent)
    if any(axis not in extents for axis in "xyz"[:axes]):
        return None
    x, y, z = (min(extents[axis]) if axis in extents else 1 for axis in "xyz")
    return (x, y, z) if 1 < math.prod((x, y, z)) <= _MOST else None


def _named_axes(nodes: list[e.Expression | s.Statement]) -> dict[int, _Place]:
    """Variables (by identity) that stand for an axis of threadIdx: set once, and never changed."""
    changed = {
        node.target.variable.id
        for node in nodes
        if isinstance(node, e.Assign) and isinstance(node.target, e.VariableReference)
    }
    names: dict[int, _Place] = {}
    for node in nodes:
        if isinstance(node, s.Declare) and node.initial is not None and node.variable.id not in changed:
            place = _place(node.initial, names)
            if place:
                names[node.variable.id] = place
    return names


def _place(node: e.Expression, names: dict[int, _Place]) -> _Place | None:
    """The axis of threadIdx that the expression is, with what is added to it; None for any other."""
    match node:
        case e.Cast(operand=operand):
            return _place(operand, names)
        case e.Builtin(name="threadIdx", axis=axis):
            return axis, 0
        case e.VariableReference(variable=variable):
            return names.get(variable.id)
        case e.Binary(operator="+", left=left, right=right):
            number, other = (left, right) if _number(left) is not None else (right, left)
            halo, place = _number(number), _place(other, names)
            return (place[0], place[1] + halo) if place and halo is not None and halo > 0 else None
    return None


def _number(node: e.Expression) -> int | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return int(node.value) if isinstance(node, e.Literal) and isinstance(node.value, int) else None


def _extents(node: e.Expression | s.Statement, names: dict[int, _Place]) -> Iterator[tuple[str, int]]:
    """(axis, extent) of an index into a shared array."""
    if not isinstance(node, e.Index):
        return
    indexed = node.base
    while isinstance(indexed, e.Cast):
        indexed = indexed.operand
    place = _place(node.index, names)
    if place and isinstance(indexed.type, Array) and indexed.type.count and _is_shared(indexed):
        axis, halo = place
        yield axis, _without_halo(indexed.type.count, halo)


def _without_halo(count: int, halo: int) -> int:
    """The block's extent: without a padding element, and without a halo on both sides or on one, which is
    narrower than the block.
    """
    if halo:
        return next((n for n in (count - 2 * halo, count - halo) if n > halo and _is_usual(n)), count)
    return count - 1 if count > _PADDED and count % _PADDED == 1 else count


def _is_usual(extent: int) -> bool:
    return extent % _PADDED == 0 or extent & (extent - 1) == 0


def _is_shared(node: e.Expression) -> bool:
    while isinstance(node, e.Index | e.Cast):
        node = node.base if isinstance(node, e.Index) else node.operand
    return isinstance(node, e.VariableReference) and node.variable.storage == "shared"
