"""Memory as bytes. An address is a number: the object in the upper bits, the offset in the lower 32."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tools.interpreter.stop import stop

OFFSET = 0xFFFFFFFF
PRIVATE = 1 << 20  # objects from this number on are seen by one thread only, or never change
GLOBAL = 1 << 10  # objects from this number on, below PRIVATE, are global memory; below it shared
_MOST = 1 << 26  # bytes an object may grow to
_PATTERN = 1 << 16  # bytes after which the contents of an object repeat, about


@dataclass
class Thing:
    """An object: how many bytes it starts with, what they hold (repeated), and whether it may grow."""

    size: int
    pattern: bytes
    grows: bool


@dataclass
class Memory:
    """All objects of a run; `reset` gives them back the contents they started with."""

    bytes: dict[int, bytearray] = field(default_factory=dict)
    things: dict[int, Thing] = field(default_factory=dict)
    next: dict[int, int] = field(default_factory=lambda: {0: 1, GLOBAL: GLOBAL, PRIVATE: PRIVATE})

    def create(self, kind: int, size: int, pattern: bytes = b"\0", grows: bool = False) -> int:
        """The address of a new object. One that grows has room below its address too."""
        number = self.next[kind]
        self.next[kind] += 1
        guard = len(pattern) if grows else 0
        self.things[number] = Thing(size + guard, pattern, grows)
        self._fill(number)
        return (number << 32) + guard

    def reset(self) -> None:
        """Every object as it was made."""
        for number in self.things:
            self._fill(number)

    def clear_shared(self) -> None:
        """Shared memory as a block finds it."""
        for number in self.things:
            if number < GLOBAL:
                self._fill(number)

    def _fill(self, number: int) -> None:
        thing = self.things[number]
        repeats = -(-thing.size // len(thing.pattern))
        self.bytes[number] = bytearray((thing.pattern * repeats)[: thing.size])

    def reach(self, address: int, size: int) -> bytearray:
        """The bytes of an object, made long enough for an access past its end."""
        number, end = address >> 32, (address & OFFSET) + size
        held = self.bytes.get(number)
        if held is None:
            stop("a pointer to nothing")
        if end > len(held):
            thing = self.things.get(number)
            if thing is None or not thing.grows or end > _MOST:
                stop("an access outside of its object")
            length = len(thing.pattern)
            want = -(-max(end, 2 * len(held)) // length) * length
            whole = len(held) // length * length
            held[whole:] = held[whole:] + (thing.pattern * ((want - whole) // length))[len(held) - whole :]
        return held


def repeated(element: bytes) -> int:
    """How many elements of that size a pattern holds."""
    return max(1, _PATTERN // max(1, len(element)))


Load = Callable[[Any, int, int], Any]
Store = Callable[[Any, int, Any, int], Any]

_WIDTHS = {"b": 8, "B": 8, "h": 16, "H": 16, "i": 32, "I": 32, "q": 64, "Q": 64}


def fitted(code: str, value: Any) -> Any:
    """A number in the range of its type."""
    if code == "?":
        return value != 0
    if code in "fd":
        if code == "f" and abs(value) > 3.4e38:
            return float("inf") if value > 0 else float("-inf")
        return float(value)
    width = _WIDTHS[code]
    value = int(value) & ((1 << width) - 1)
    return value - (1 << width) if code.islower() and value >> (width - 1) else value


def loader(memory: Memory, code: str) -> Load:
    """load(thread, address, site): a scalar's value; what other threads could see is logged."""
    packer = struct.Struct("<" + code)
    unpack, size, held = packer.unpack_from, packer.size, memory.bytes

    def load(thread: Any, address: int, site: int) -> Any:
        number = address >> 32
        try:
            value = unpack(held[number], address & OFFSET)[0]
        except (struct.error, KeyError):
            value = unpack(memory.reach(address, size), address & OFFSET)[0]
        if number < PRIVATE:
            thread.log.append((site, address, None))
        return value

    return load


def storer(memory: Memory, code: str) -> Store:
    """store(thread, address, value, site): the value, written and logged."""
    packer = struct.Struct("<" + code)
    pack, size, held = packer.pack_into, packer.size, memory.bytes

    def store(thread: Any, address: int, value: Any, site: int) -> Any:
        number = address >> 32
        try:
            pack(held[number], address & OFFSET, value)
        except (struct.error, KeyError, OverflowError):
            value = fitted(code, value)
            pack(memory.reach(address, size), address & OFFSET, value)
        if number < PRIVATE:
            thread.log.append((site, address, value))
        return value

    return store


def copier(memory: Memory) -> tuple[Callable[..., bytes], Callable[..., bytes]]:
    """Load and store of whole records."""

    def load(thread: Any, address: int, size: int, site: int) -> bytes:
        at = address & OFFSET
        value = bytes(memory.reach(address, size)[at : at + size])
        if address >> 32 < PRIVATE:
            thread.log.append((site, address, None))
        return value

    def store(thread: Any, address: int, value: bytes, site: int) -> bytes:
        at = address & OFFSET
        memory.reach(address, len(value))[at : at + len(value)] = value
        if address >> 32 < PRIVATE:
            thread.log.append((site, address, value))
        return value

    return load, store
