"""Types as memory instructions see them: scalars of a record or array, innermost elements, pieces."""

from cudalint.ir.types import Array, Record, Type
from cudalint.ir.unit import Unit


def members(unit: Unit, type: Type, least: int = 0, limit: int = 64) -> list[tuple[int, Type]]:
    """The elements of an array or fields of a record, in the order of a brace list, with their byte offsets.

    least, limit: of an array, as many elements as it has up to `limit`, but `least` at least.
    """
    match type:
        case Record(name=name):
            layout = unit.records.get(name)
            return [(f.offset, f.type) for f in layout.fields] if layout is not None else []
        case Array(element=element, count=count):
            return [(i * element.bytes, element) for i in range(max(least, min(count or 0, limit)))]
    return []


def leaves(unit: Unit, type: Type, offset: int = 0, limit: int = 64) -> list[tuple[int, Type]]:
    """The scalars of a type with their byte offsets; at most `limit` of them."""
    found: list[tuple[int, Type]] = []
    stack: list[tuple[int, Type]] = [(offset, type)]
    while stack and len(found) < limit:
        at, current = stack.pop()
        if isinstance(current, Record | Array):
            stack.extend((at + start, kind) for start, kind in reversed(members(unit, current, limit=limit)))
        else:
            found.append((at, current))
    return found


def part_name(unit: Unit, type: Type, at: int) -> str:
    """How the source names the part of an object at a byte offset: '.shape.sizes[2]'."""
    match type:
        case Record(name=name) if name in unit.records:
            fields = [f for f in unit.records[name].fields if f.offset <= at < f.offset + f.type.bytes]
            inner = min(fields, key=lambda f: f.type.bytes, default=None)
            return "" if inner is None else f".{inner.name}{part_name(unit, inner.type, at - inner.offset)}"
        case Array(element=element) if element.bytes:
            return f"[{at // element.bytes}]{part_name(unit, element, at % element.bytes)}"
    return ""


def innermost(type: Type) -> Type:
    """The element of (nested) arrays."""
    while isinstance(type, Array):
        type = type.element
    return type


def chunk(type: Type) -> int:
    """Bytes of one memory instruction for a value of the type: a record moves in pieces of its alignment."""
    if isinstance(type, Record):
        return max(1, min(16, type.align, type.bytes))
    return max(1, min(type.bytes, 16))
