"""Values that registers still hold: the compiler loads them once, so later loads of them are no requests.

A loaded or stored value is held while nothing that may write its memory has run since, for the lanes that
were active then. What an arm or an iteration loads is forgotten after it: it was not loaded on every way
there. Source: the requests that Nsight Compute counts of tests/hardware/requests.cu on an H200.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.ir.layout import leaves
from cudalint.ir.types import Type
from cudalint.ir.unit import Unit
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory

Integers = np.ndarray[Any, np.dtype[np.int64]]
_ROOM = 1024  # accesses whose parts are kept
Key = tuple[int, int, int]  # object, bytes, a sum of the lanes' addresses


class _Held(Struct):
    memory: Memory
    addresses: Integers | int
    mask: Bools
    bytes: int


class _Known(Struct, frozen=True, eq=False):
    """The parts of an access, and what they are told by: kept, so that identities stay theirs."""

    addresses: Integers
    mask: Bools
    type: Type
    parts: "list[Part]"


class _Gap(Struct, frozen=True, eq=False):
    """How far one access is behind another, and what it is told by: kept, so that identities stay theirs."""

    one: Integers
    other: Integers
    gap: int | None


class Registers(Struct):
    """The values held, by object. `scopes`: what each arm or iteration round the current statement added."""

    held: dict[int, dict[Key, _Held]] = field(default_factory=dict)
    scopes: list[list[Key]] = field(default_factory=list)
    _parts: dict[tuple[int, ...], "_Known"] = field(default_factory=dict)  # by identity
    _gaps: dict[tuple[int, int], "_Gap"] = field(default_factory=dict)  # likewise, of two accesses

    def enter(self) -> None:
        """An arm or an iteration begins."""
        self.scopes.append([])

    def leave(self) -> None:
        """It ends: what it added may not be there on other ways."""
        for key in self.scopes.pop():
            self.held.get(key[0], {}).pop(key, None)

    def parts_of(
        self, unit: Unit, memory: Memory, addresses: Integers | int, type: Type, mask: Bools
    ) -> "list[Part]":
        """As below; what a loop comes by again is known."""
        if not isinstance(addresses, np.ndarray):
            return parts_of(unit, memory, addresses, type, mask)
        key = memory.number, id(addresses), id(type), id(mask)
        known = self._parts.get(key)
        if known is None or known.mask is not mask or known.addresses is not addresses:
            if len(self._parts) >= _ROOM:
                self._parts.clear()
            parts = parts_of(unit, memory, addresses, type, mask)
            known = self._parts[key] = _Known(addresses, mask, type, parts)
        return known.parts

    def holds(self, parts: "list[Part]", mask: Bools) -> bool:
        """Whether every scalar of the value is held for all lanes of the mask."""
        return all(any(self._holds(part, key, mask) for key in part.keys) for part in parts)

    def _holds(self, part: "Part", key: Key, mask: Bools) -> bool:
        found = self.held.get(key[0], {}).get(key)
        if found is None or not _same(found.addresses, part.addresses, mask):
            return False
        return found.mask is mask or not bool(np.count_nonzero(mask & ~found.mask))

    def hold(self, memory: Memory, parts: "list[Part]", mask: Bools) -> None:
        """The value of that memory is in registers now."""
        of_memory = self.held.setdefault(memory.number, {})
        for part in parts:
            held = _Held(memory, part.addresses, mask, part.bytes)
            for key in part.keys:
                of_memory[key] = held
                if self.scopes:
                    self.scopes[-1].append(key)

    def written(self, memory: Memory, addresses: Integers | int, size: int) -> None:
        """Something stores to the memory: values that it may change are lost."""
        for number in [number for number, some in self.held.items() if some and _may_meet(some, memory)]:
            if number != memory.number:
                del self.held[number]
        own = self.held.get(memory.number)
        if own and not memory.read_only:
            clear = [key for key, held in own.items() if self._clear_of(held, addresses, size)]
            if len(clear) < len(own):
                self.held[memory.number] = {key: own[key] for key in clear}

    def anything_written(self) -> None:
        """A barrier, an atomic or a call that nobody sees into: only what nothing writes stays."""
        self.held = {number: some for number, some in self.held.items() if some and _of(some).read_only}

    def _clear_of(self, held: _Held, addresses: Integers | int, size: int) -> bool:
        """As below; the distance between two accesses that a loop comes by again is known."""
        if not (isinstance(addresses, np.ndarray) and isinstance(held.addresses, np.ndarray)):
            return clear_of(held.addresses, held.bytes, addresses, size)
        key = id(held.addresses), id(addresses)
        known = self._gaps.get(key)
        if known is None or known.one is not held.addresses or known.other is not addresses:
            if len(self._gaps) >= _ROOM:
                self._gaps.clear()
            gap = _distance(held.addresses, addresses)
            known = self._gaps[key] = _Gap(held.addresses, addresses, gap)
        return _clear(known.gap, held.bytes, size)


class Part(Struct, frozen=True):
    """A scalar of an accessed value. keys: by the addresses of all lanes, and of those that access it: what
    the others would access may be anything.
    """

    keys: tuple[Key, ...]
    addresses: Integers | int
    bytes: int


def parts_of(unit: Unit, memory: Memory, addresses: Integers | int, type: Type, mask: Bools) -> list[Part]:
    """The scalars of a value of that type at lane addresses."""
    found = []
    for at, kind in leaves(unit, type):
        moved = addresses + at if at else addresses
        totals = {int(moved.sum()), int(moved[mask].sum())} if isinstance(moved, np.ndarray) else {moved}
        keys = tuple((memory.number, kind.bytes, total) for total in totals)
        found.append(Part(keys, moved, kind.bytes))
    return found


def _same(first: Integers | int, second: Integers | int, mask: Bools) -> bool:
    """Whether the lanes of the mask access the same places."""
    if first is second:
        return True
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return bool((first == second)[mask].all())
    return not isinstance(first, np.ndarray) and not isinstance(second, np.ndarray) and first == second


def _of(held: dict[Key, _Held]) -> Memory:
    """The object that they are values of."""
    return next(iter(held.values())).memory


def _may_meet(held: dict[Key, _Held], memory: Memory) -> bool:
    """Whether, for all that the compiler can see, a store to `memory` may change values held of another."""
    other = _of(held)
    if other.read_only or other.space != memory.space:
        return False
    return not (memory.space == "shared" or other.restrict or memory.restrict)


def clear_of(one: Integers | int, bytes: int, other: Integers | int, size: int) -> bool:
    """Whether two accesses of one memory are the same distance apart in all lanes, and do not overlap."""
    return _clear(_distance(one, other), bytes, size)


def _distance(one: Integers | int, other: Integers | int) -> int | None:
    """How far the first is behind the second; None where that differs between lanes."""
    gap = np.asarray(one) - np.asarray(other)
    first = gap.flat[0]
    return int(first) if bool((gap == first).all()) else None


def _clear(gap: int | None, bytes: int, size: int) -> bool:
    return gap is not None and (gap >= size or -gap >= bytes)
