"""The model's address space and the private memory of lanes.

Addresses are plain integers: object number << 40, plus a byte offset. So pointer arithmetic, casts and
comparisons need no rules of their own. Private objects (variables, local arrays, structs) keep a value per
byte offset; what global, shared and constant memory hold is not kept.
"""

from typing import cast

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Space
from cudalint.ir.types import Scalar, Type
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools, Value, select, unknown

OBJECT_BITS = 40
_HALF = 1 << (OBJECT_BITS - 1)
_NEAR = 1 << 14  # bytes that the offsets of an array span, at most, where each is counted
_MAX_OFFSETS = 64  # different offsets of one private access that are followed one by one


class Memory(Struct, eq=False):
    """One object. For private ones `slots` maps a byte offset to the value stored there and its width."""

    number: int
    name: str
    space: Space
    bytes: int
    element: int = 0  # bytes of the innermost element, 0 when unknown
    aligned: bool = True
    slots: dict[int, Value] = field(default_factory=dict)
    touched: bool = False  # a store through an unknown offset happened
    zero: bool = False  # unwritten bytes read as zero
    several: bool = False  # reached through several parameters
    restrict: bool = False  # reached through a `__restrict__` parameter only
    read_only: bool = False  # which is a pointer to const, too
    written: bool = False  # by the run, so far
    own: bool = False  # surely no other object's memory
    buffer: int = -1  # of the host's buffers, where that is known, by its number
    host: bool = False  # of the host, reached over the bus
    given: bool = False  # a struct that the launch passes by value

    @property
    def base(self) -> int:
        return self.number << OBJECT_BITS


def apart(one: Memory, other: Memory) -> bool:
    """Whether two objects have surely nothing in common, or are parts of one buffer and the code promises
    that.
    """
    known = min(one.buffer, other.buffer) >= 0
    promised = one.restrict and other.restrict
    return (one.own and other.own) or (known and (promised or one.buffer != other.buffer))


def object_number(address: int) -> int:
    """The object an address points into (also from a little before its start)."""
    return (address + _HALF) >> OBJECT_BITS


def offset_of(address: int) -> int:
    return address - (object_number(address) << OBJECT_BITS)


def leads_out(memory: Memory, addresses: np.ndarray, most: int) -> bool:
    """Whether any of the addresses, in bytes, lies outside of an object of at most so many bytes."""
    end = memory.base + (memory.bytes or most)
    return bool(addresses.size and (addresses.min() < memory.base or addresses.max() >= end))


class Journal(dict[tuple[int, int], tuple[Memory, Value | None]]):
    """The values that slots had before the code being watched wrote them, by (object, offset)."""

    def enter(self, key: tuple[int, int], memory: Memory, old: Value | None, mask: Bools) -> None:
        """The lanes of the mask write a slot."""
        if key not in self:
            self[key] = memory, old


class LaneJournal(Journal):
    """A journal that remembers which lanes wrote each slot, too."""

    def __init__(self) -> None:
        super().__init__()
        self.lanes: dict[tuple[int, int], Bools] = {}

    def enter(self, key: tuple[int, int], memory: Memory, old: Value | None, mask: Bools) -> None:
        super().enter(key, memory, old, mask)
        known = self.lanes.get(key)
        self.lanes[key] = mask if known is None or known is mask else known | mask


def read(memory: Memory, offset: int, type: Type) -> Value:
    """The value at a known offset."""
    value = memory.slots.get(offset)
    if value is None:
        if memory.zero and not memory.touched:
            return Value(0.0 if isinstance(type, Scalar) and type.kind == "float" else 0)
        return unknown("uninitialised or lost local value")
    return value


def distinct_offsets(offsets: np.ndarray, mask: Bools) -> list[int] | None:
    """The different offsets of the active lanes; None when they are too many to follow."""
    active = offsets[mask]
    if not len(active):
        return []
    start = int(active.min())
    if int(active.max()) - start < _NEAR:  # counting is faster than sorting
        found = np.flatnonzero(np.bincount(active - start)) + start
    else:
        found = different(active)
    return None if len(found) > _MAX_OFFSETS else [int(o) for o in found]


def gather(memory: Memory, offsets: np.ndarray, mask: Bools, type: Type) -> Value:
    """A read whose offset differs between lanes."""
    choices = distinct_offsets(offsets, mask)
    if choices is None or memory.touched:
        return unknown("local array indexed by too many values")
    result: Value | None = None
    for offset in choices:
        value = read(memory, offset, type)
        result = value if result is None else select(cast(Bools, offsets == offset), value, result)
    return result if result is not None else unknown("no active lane")
