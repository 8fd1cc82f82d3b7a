"""Conversions of scalars as Python text."""

from cudalint.ir import types as t


def wrapped(text: str, kind: t.Type) -> str:
    """An integer in the range of its type."""
    if not isinstance(kind, t.Scalar) or kind.kind not in ("signed", "unsigned"):
        return text
    mask = (1 << 8 * kind.bytes) - 1
    if kind.kind == "unsigned":
        return f"({text} & {mask})"
    half = 1 << 8 * kind.bytes - 1
    return f"(({text} + {half} & {mask}) - {half})"


def conversion(text: str, source: t.Type, target: t.Type) -> str:
    """A scalar's value as another type."""
    if source == target or not isinstance(target, t.Scalar) or not isinstance(source, t.Scalar | t.Pointer):
        return text
    if target.kind == "bool":
        return text if isinstance(source, t.Scalar) and source.kind == "bool" else f"({text} != 0)"
    if target.kind not in ("signed", "unsigned"):
        return text
    if isinstance(source, t.Pointer) or source.kind == "bool":
        return text
    if source.kind == "float":
        return wrapped(f"integer({text})", target)
    narrow = source.bytes < target.bytes and (source.kind == "unsigned" or target.kind == "signed")
    return text if narrow else wrapped(text, target)


def is_float(kind: t.Type) -> bool:
    return isinstance(kind, t.Scalar) and kind.kind == "float"


def _rank(kind: t.Type) -> tuple[int, int, int]:
    if not isinstance(kind, t.Scalar):
        return 0, 8, 0
    return kind.kind == "float", kind.bytes, kind.kind == "unsigned"


def common(left: t.Type, right: t.Type) -> t.Type:
    """The type in which an operation on both is done."""
    found = max(left, right, key=_rank)
    if isinstance(found, t.Scalar) and found.kind != "float" and found.bytes < 4:
        return t.INT
    return found
