"""Types as bytes: struct codes of scalars, the scalars of a record, and made-up contents."""

import struct

from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from tools.interpreter.memory import GLOBAL, Memory, repeated

_CODES = {
    ("signed", 1): "b", ("signed", 2): "h", ("signed", 4): "i", ("signed", 8): "q",
    ("unsigned", 1): "B", ("unsigned", 2): "H", ("unsigned", 4): "I", ("unsigned", 8): "Q",
    ("float", 4): "f", ("float", 8): "d", ("bool", 1): "?", ("float", 2): "h",
}  # fmt: skip
Leaf = tuple[int, t.Type]


def code(kind: t.Type) -> str | None:
    """The struct code of a scalar or pointer; None for records and arrays."""
    if isinstance(kind, t.Pointer | t.Reference):
        return "Q"
    if isinstance(kind, t.Scalar):
        return _CODES.get((kind.kind, kind.bytes))
    if isinstance(kind, t.Opaque) and kind.bytes == 8:
        return "Q"
    return None


def word(letter: str) -> str:
    """A struct code as a part of a Python name."""
    return "bool" if letter == "?" else letter


def leaves(unit: Unit, kind: t.Type, at: int = 0) -> list[Leaf]:
    """The scalars of a type with their offsets."""
    if isinstance(kind, t.Record):
        layout = unit.records.get(kind.name)
        fields = layout.fields if layout is not None else ()
        return [leaf for f in fields for leaf in leaves(unit, f.type, at + f.offset)]
    if isinstance(kind, t.Array):
        step = kind.element.bytes
        return [leaf for i in range(kind.count or 0) for leaf in leaves(unit, kind.element, at + i * step)]
    return [(at, kind)]


def scattered(n: int) -> int:
    """A made-up number for a number."""
    n = (n * 2654435761 + 40503) & 0xFFFFFFFF
    n ^= n >> 15
    return (n * 2246822519 & 0xFFFFFFFF) >> 13


class Contents:
    """Made-up contents: small integers below `least`, floats between 0 and 4, pointers to made-up buffers."""

    def __init__(self, unit: Unit, memory: Memory, least: int) -> None:
        self.unit, self.memory, self.least = unit, memory, least
        self._patterns: dict[str, bytes] = {}
        self._depth = 0

    def buffer(self, pointee: t.Type) -> int:
        """The address of a new buffer in global memory for elements of that type."""
        pattern = self.pattern(pointee)
        return self.memory.create(GLOBAL, len(pattern), pattern, grows=True)

    def pattern(self, kind: t.Type) -> bytes:
        """Elements of the type, one after the other."""
        while isinstance(kind, t.Array):
            kind = kind.element
        found = self._patterns.get(repr(kind))
        if found is None:
            found = self._patterns[repr(kind)] = self._made(kind)
        return found

    def _made(self, kind: t.Type) -> bytes:
        one = bytearray(max(1, kind.bytes))
        places = leaves(self.unit, kind) or [(0, t.CHAR)]
        if not isinstance(kind, t.Record) and code(kind) is None:
            places = [(0, t.CHAR)]
        shared = {at: self._pointer(leaf) for at, leaf in places if isinstance(leaf, t.Pointer)}
        count = repeated(one)
        whole = bytearray()
        for n in range(count):
            for at, leaf in places:
                value = shared[at] if at in shared else self.scalar(leaf, n * len(places) + at)
                letter = code(leaf)
                if letter is not None and at + struct.calcsize(letter) <= len(one):
                    struct.pack_into("<" + letter, one, at, value)
            whole += one
        return bytes(whole)

    def _pointer(self, kind: t.Pointer) -> int:
        if self._depth > 2:
            return 0
        self._depth += 1
        address = self.buffer(kind.pointee)
        self._depth -= 1
        return address

    def scalar(self, kind: t.Type, n: int) -> int | float | bool:
        """The n-th made-up number of a type."""
        number = scattered(n)
        if isinstance(kind, t.Scalar) and kind.kind == "float":
            return number % 64 if kind.bytes == 2 else number % 4096 / 1024.0
        if isinstance(kind, t.Scalar) and kind.kind == "bool":
            return bool(number & 1)
        return number % self.least
