"""Types as memory instructions see them: scalars of a record or array, innermost elements, pieces."""

from cudalint.ir.types import Array, Record, Type
from cudalint.ir.unit import Unit


def leaves(unit: Unit, type: Type, offset: int = 0, limit: int = 64) -> list[tuple[int, Type]]:
    """The scalars of a type with their byte offsets; at most `limit` of them."""
    found: list[tuple[int, Type]] = []
    stack: list[tuple[int, Type]] = [(offset, type)]
    while stack and len(found) < limit:
        at, current = stack.pop()
        match current:
            case Record(name=name):
                layout = unit.records.get(name)
                if layout is not None:
                    stack.extend((at + f.offset, f.type) for f in reversed(layout.fields))
            case Array(element=element, count=count):
                step = element.bytes
                stack.extend((at + i * step, element) for i in reversed(range(min(count or 0, limit))))
            case _:
                found.append((at, current))
    return found


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
