"""The values that loads from shared, global and constant memory give."""

from typing import Any, cast

import numpy as np

from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import Pointer, Record, Scalar, Type
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import loaded_pointer
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Value, unknown
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples, free_value, invented
from cudalint.simt.values.state import Aggregate, Result

_SEAMS = 8  # warps of which at most one loads from two places: the end of a row and the start of the next
_SMALL = 0  # what a word that the kernel updates holds: conditions on data go both ways


def loaded_value(m: Machine, memory: Memory, address: Value, type: Type, node: e.Expression) -> Result:
    """What a load from memory without contents gives: a free number when it is one a warp, else unknown."""
    if isinstance(type, Record):
        return Aggregate(
            {at: _loaded(m, memory, address, at, kind, node) for at, kind in leaves(m.unit, type)}
        )
    return _loaded(m, memory, address, 0, type, node)


def _loaded(m: Machine, memory: Memory, address: Value, at: int, type: Type, node: e.Expression) -> Value:
    state = m.state
    if m.contents is not None:
        made_up = _made_up(m, m.contents, memory, address, at, type, node)
        if made_up is not None:
            return made_up
    if address.known is not True or (state.any_doubt and memory.space == "shared"):
        return unknown("loaded data")
    if isinstance(address.data, np.ndarray):
        if _first_varies(address.data, state.mask):
            return unknown("loaded data")
        rows = np.where(state.mask, address.data, np.int64(-1)).reshape(-1, WARP)
        top = rows.max(axis=1, keepdims=True)
        several = ((rows != top) & (rows != -1)).any(axis=1)
        count = np.count_nonzero(several)
        if count * _SEAMS > np.count_nonzero(top != -1) or (count and isinstance(type, Pointer)):
            return unknown("loaded data")
        known = np.repeat(~several, WARP) if count else True
        if isinstance(type, Pointer):
            return _pointer_of_block(m, memory, top, at, type, _inherited(address))
        spread = np.broadcast_to(((top - memory.base + at) // max(type.bytes, 1)) % 13, rows.shape).ravel()
        base = free_value(state.samples, memory.number * 5, type)
        if isinstance(type, Scalar) and type.kind == "bool":
            return Value(base.data, known, base.free, "loaded data") if count else base
        data = base.data + 64 * spread if not isinstance(base.data, float) else base.data + spread
        free = _spread_over(m, memory, top) | lanes.CHOSEN | _inherited(address)
        return Value(lanes.wrap(data, type), known, free, "loaded data" if count else "")
    offset = int(address.data) - memory.base + at
    if isinstance(type, Pointer):
        return loaded_pointer(m, memory, offset, type)
    if m.data is not None and memory.space == "global" and m.data.changes(memory, node):
        return lanes.convert(Value(_SMALL, free=lanes.CHOSEN | lanes.DATA), type)
    free = lanes.CHOSEN | (lanes.BY_BLOCK if _changes(m, memory) else 0) | _inherited(address)
    return free_value(state.samples, memory.number * 5 + offset // max(type.bytes, 1), type, free)


def _pointer_of_block(
    m: Machine, memory: Memory, top: np.ndarray, at: int, type: Pointer, inherited: int
) -> Value:
    """A pointer of an array that has one for each block: like one that is loaded from one place, but where it
    points each block's is another. top: the addresses, by warp, -1 for none.
    """
    if not _one_a_block(top, m.state.samples):
        return unknown("pointer loaded by a varying index")
    first = int(top[top >= 0].flat[0]) - memory.base + at
    pointer = loaded_pointer(m, memory, first, type)
    return Value(pointer.data, True, pointer.free | lanes.BY_BLOCK | inherited)


def _first_varies(addresses: np.ndarray, mask: Bools) -> bool:
    """Whether active lanes of the first warp that has any load from several places: most loads are such."""
    start = int(mask.argmax()) // WARP * WARP
    warp = slice(start, start + WARP)
    some = addresses[warp][mask[warp]]
    return bool(np.count_nonzero(some[1:] != some[:-1]))


def _inherited(address: Value) -> int:
    """What is loaded where each warp or block has a place of its own is a number of its own."""
    return address.free & (lanes.BY_WARP | lanes.BY_BLOCK)


def _changes(m: Machine, memory: Memory) -> bool:
    """Whether a place may hold one number for one block, or at one time, and another for another."""
    return memory.space == "shared" or (memory.space == "global" and memory.written and m.data is None)


def _spread_over(m: Machine, memory: Memory, top: np.ndarray) -> int:
    """What has a number of its own: nothing where all warps load from one address. top: as above."""
    samples = m.state.samples
    if not _one_a_block(top, samples):
        return lanes.BY_WARP
    whole_grid = _alike(top, samples.valuations) and not _changes(m, memory)
    return 0 if whole_grid else lanes.BY_BLOCK


def _one_a_block(top: np.ndarray, samples: Samples) -> bool:
    """Whether the warps of each block that load at all load from one address. top: by warp, -1 for none."""
    return _alike(top, samples.count)


def _alike(top: np.ndarray, parts: int) -> bool:
    """Whether all addresses in each of so many equal parts are the same, but for -1."""
    warps = top.reshape(parts, -1)
    most = warps.max(axis=1, keepdims=True)
    return bool(((warps == most) | (warps == -1)).all())


def _made_up(
    m: Machine,
    contents: Contents,
    memory: Memory,
    address: Value,
    at: int,
    type: Type,
    node: e.Expression,
) -> Value | None:
    """What shared memory is known to hold; for other lanes with places of their own, made-up numbers."""
    held = None
    if memory.space == "shared" and address.known is True:
        held = contents.load(memory, cast(Any, address.data) + at, type, m.state.mask)
        if held is not None and not (m.state.mask & ~np.asarray(held.known)).any():
            return held
    if not isinstance(address.data, np.ndarray) or not contents.inventing:
        return held
    if m.data is not None:
        made_up = m.data.load(memory, address.data + at, type, node)
    else:
        made_up = invented(m.state.samples, address.data + at, type)
    known = lanes.both_known(made_up.known, address.known)
    made_up = Value(made_up.data, known, made_up.free | lanes.CHOSEN, made_up.why)
    return made_up if held is None else lanes.select(np.asarray(held.known), held, made_up)
