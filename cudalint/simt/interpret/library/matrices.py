"""Warp matrix loads and stores: the tile that a warp touches is known, how its lanes share it is not.

For races each lane is given a part of the tile, and lanes of one warp are not compared; for transactions such
an access has no number.
"""

import re
from typing import cast

import numpy as np
from msgspec import Struct

from cudalint.cuda import effects
from cudalint.cuda.spaces import Operation
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.layout import innermost
from cudalint.ir.types import Array, Pointer, Record, Type
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.state import Result

_FRAGMENT = re.compile(r"fragment<(?:\w+::)*(\w+), (\d+), (\d+), (\d+), (.*)>$")
_NARROW = ("::s4", "::u4", "::b1")  # less than a byte: several elements in what the pointer points to
_WHY = "warp matrix access: the lanes' addresses are not documented"


class Tile(Struct, frozen=True):
    """lines: runs of elements that are next to each other, `length` elements each."""

    lines: int
    length: int


def matrix_access(m: Machine, node: e.Call, values: list[Result]) -> None:
    """`load_matrix_sync(fragment, pointer, pitch)` and its kin, layout last where the fragment has none."""
    position, operation = effects.MATRIX_ACCESSES[node.name]
    m.events.warp_barrier(m.state.mask)
    if len(node.arguments) <= position:
        return
    element = _element(node.arguments[position].type)
    if not element:
        return
    address, done = values[position], cast(Operation, operation)
    found = objects_of(m, address) if isinstance(address, Value) and address.known is True else []
    space = found[0].space if found else "global"
    m.recorder.lost(node, m.state.attributed_to(node.span), space, done, element, m.state.mask, _WHY)
    tile = _tile(node.arguments[1 - position].type, values[3] if len(values) > 3 else None)
    pitch = values[2] if len(values) > 2 else None
    if tile is not None and isinstance(address, Value) and isinstance(pitch, Value):
        _log(m, node.arguments[position], done, address, pitch, tile, element)


def _element(pointer: Type) -> int:
    """The bytes of what it points to; 0 where it is no pointer."""
    if isinstance(pointer, Array):
        return innermost(pointer).bytes
    return pointer.pointee.bytes if isinstance(pointer, Pointer) else 0


def _tile(fragment: Type, layout: Result | None) -> Tile | None:
    """What a fragment is loaded from or stored to; None where that is not known or no whole share a lane."""
    shape = _FRAGMENT.search(fragment.name) if isinstance(fragment, Record) else None
    if shape is None or any(word in shape[5] for word in _NARROW):
        return None
    rows, columns, inner = int(shape[2]), int(shape[3]), int(shape[4])
    if shape[1] == "matrix_a":
        columns = inner
    elif shape[1] == "matrix_b":
        rows = inner
    if layout is None:
        by_column = "col_major" in shape[5]
    elif isinstance(layout, Value) and layout.is_scalar and not layout.free:
        by_column = bool(layout.data)  # mem_row_major, mem_col_major
    else:
        return None
    tile = Tile(columns, rows) if by_column else Tile(rows, columns)
    return tile if WARP % tile.lines == 0 and tile.length % (WARP // tile.lines) == 0 else None


def _log(
    m: Machine, node: e.Expression, done: Operation, address: Value, pitch: Value, tile: Tile, element: int
) -> None:
    """One access in which the lanes of each whole warp make up the tile."""
    if address.known is not True or pitch.known is not True:
        return
    state = m.state
    lane = np.arange(state.samples.lanes, dtype=np.int64) % WARP
    parts = WARP // tile.lines  # of a line
    share = tile.length // parts * element
    at = np.asarray(address.data) + lane // parts * np.asarray(pitch.data) * element + lane % parts * share
    mask = np.repeat(state.mask.reshape(-1, WARP).all(axis=1), WARP)
    doubt = np.repeat(state.doubt.reshape(-1, WARP).any(axis=1), WARP) if state.any_doubt else None
    for memory in objects_of(m, address):
        if done == "store":
            memory.written = True
            if m.contents is not None and memory.space == "shared":
                m.contents.forget(memory)
        m.events.access(
            node,
            memory,
            done,
            at,
            share,
            mask,
            doubt,
            free=address.free | pitch.free,
            under=state.doubts[-1] if state.doubts else None,
            collective=True,
            counted=False,
        )
