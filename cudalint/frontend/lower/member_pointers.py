"""Pointers to members, as they are laid out: to data, an offset in bytes from the start of the object; to a
method, the method.
"""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.frontend.lower.conversions import object_lvalue
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_BYTES = t.Pointer(t.CHAR)


def of_data(ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor) -> e.Expression:
    """The operand of `&Class::member`."""
    record = ctx.types.of(clang.semantic_parent(declaration))
    if not isinstance(record, t.Record):
        return ctx.unknown("pointer to member", cursor)
    ctx.types.adopt(record, clang.semantic_parent(declaration))
    return e.Literal(ctx.types.member_offset(record, declaration), t.LONG, ctx.places.span(cursor))


def member(
    ctx: Context, cursor: clang.Cursor, whole: e.Expression, pointer: e.Expression, arrow: bool
) -> e.Expression:
    """`whole.*pointer`, or `whole->*pointer`."""
    span, kind = ctx.places.span(cursor), ctx.types.of(cursor)
    if isinstance(kind, t.Opaque) or not isinstance(pointer.type, t.Scalar):
        return ctx.unknown("pointer to member", cursor, (whole, pointer))
    start = whole if arrow else e.AddressOf(whole, t.Pointer(whole.type), span)
    if not isinstance(start.type, t.Pointer):
        return ctx.unknown("pointer to member", cursor, (whole, pointer))
    place = e.Binary("+", e.Cast(start, _BYTES, span), pointer, _BYTES, span)
    return e.Dereference(e.Cast(place, t.Pointer(kind), span), kind, span)


def method(ctx: Context, callee: clang.Cursor) -> tuple[e.Expression, e.Expression] | None:
    """The object and the pointer of `(object.*pointer)(...)`; None for other calls."""
    while callee.kind == kinds.PAREN_EXPR or callee.kind == kinds.UNEXPOSED_EXPR:
        inner = expression_children(callee)
        if len(inner) != 1:
            return None
        callee = inner[0]
    if callee.kind != kinds.BINARY_OPERATOR or clang.binary_operator(callee) not in kinds.MEMBER_POINTERS:
        return None
    whole, pointer = (ctx.expression(ctx, part) for part in expression_children(callee))
    return object_lvalue(whole), pointer
