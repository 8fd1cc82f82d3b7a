"""`new` expressions: how many bytes they ask for.

clang does not tell an array from one object, and in an instance of a template the expression ends with the
word `new`; so what follows it is read in the file.
"""

from __future__ import annotations

import re

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_PLACEMENT = re.compile(rb"\s*(?=\()")
_COMPUTED_TYPE = (b"decltype", b"typeof", b"__typeof__")


def new(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """A call of `operator new` with the bytes of the object or of the array, and the object if it is one of a
    class.
    """
    kind = ctx.types.of(cursor)
    span = ctx.places.span(cursor)
    size = _bytes(ctx, cursor, kind)
    made = () if isinstance(size, e.Binary) else _object(ctx, cursor, kind)
    return e.Call(None, "operator new", "operator new", (size, *made), None, kind, span)


def _object(ctx: Context, cursor: clang.Cursor, kind: t.Type) -> tuple[e.Expression, ...]:
    """What a constructor makes of the arguments; none for plain data."""
    parts = [c for c in expression_children(cursor) if c.kind == kinds.CALL_EXPR]
    if not parts or not isinstance(kind, t.Pointer) or not isinstance(kind.pointee, t.Record):
        return ()
    value = ctx.expression(ctx, parts[-1])
    return (value,) if value.type == kind.pointee else ()


def _bytes(ctx: Context, cursor: clang.Cursor, kind: t.Type) -> e.Expression:
    parts = [c for c in expression_children(cursor) if c.kind >= kinds.FIRST_EXPRESSION]
    place = ctx.places.place(clang.extent(cursor).begin)
    form = _form(place.file.data, place.offset) if place.file is not None else None
    if place.file is not None and not place.file.data:  # a bundled header: its `new` makes one object
        form = b"(", place.offset
    size = kind.pointee.bytes if isinstance(kind, t.Pointer) else 0
    if form is None or not size:
        return ctx.unknown("size of a new object", cursor, tuple(ctx.expression(ctx, c) for c in parts))
    letter, at = form
    one = e.Literal(size, t.ULONG, ctx.places.span(cursor))
    if letter != b"[":
        return one
    behind = [c for c in parts if ctx.places.place(clang.extent(c).begin).offset > at]
    if not behind:
        return ctx.unknown("size of a new array", cursor)
    return e.Binary("*", ctx.expression(ctx, behind[0]), one, t.ULONG, one.span)


def _form(data: bytes, offset: int) -> tuple[bytes, int] | None:
    """The letter that ends the type of a `new` that stands at the offset, with its place: `[` is an array."""
    if not data.startswith(b"new", offset):
        return None
    start = offset + 3
    group = _PLACEMENT.match(data, start)
    if group is not None:  # placement arguments, or a type in parentheses
        start = _closed(data, group.end())
        if re.compile(rb"\s*[\w:]").match(data, start) is None:
            return None
    depth = 0
    for at in range(start, len(data)):
        letter = data[at : at + 1]
        depth += (letter == b"<") - (letter == b">")
        if depth == 0 and letter in b"[({;,)":
            return (
                None if letter == b"(" and data[start:at].rstrip().endswith(_COMPUTED_TYPE) else (letter, at)
            )
    return None


def _closed(data: bytes, opened: int) -> int:
    """The place behind the parenthesis that closes the one that is opened here."""
    depth = 0
    for at in range(opened, len(data)):
        depth += (data[at : at + 1] == b"(") - (data[at : at + 1] == b")")
        if depth == 0:
            return at + 1
    return len(data)
