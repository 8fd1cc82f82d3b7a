"""Implicit conversions and explicit casts."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.frontend.lower.initializers import empty_list
from cudalint.ir import expressions as e
from cudalint.ir import types as t


def object_lvalue(base: e.Expression) -> e.Expression:
    """The object of `base.x` or `base->x`: a pointer is dereferenced, an array decays to its first
    element.
    """
    match base.type:
        case t.Pointer(pointee=kind) | t.Array(element=kind):
            if isinstance(base, e.AddressOf):
                return base.operand
            return e.Dereference(base, kind, base.span)
    return base


def undecayed(operand: e.Expression) -> e.Expression:
    """The array where the operand is one that has become a pointer, else the operand."""
    if isinstance(operand, e.Cast) and operand.implicit and isinstance(operand.operand.type, t.Array):
        return operand.operand
    return operand


def implicit(ctx: Context, cursor: clang.Cursor, operand: e.Expression) -> e.Expression:
    """What an implicit conversion leaves: a Cast where the scalar type changes, else the operand."""
    target = ctx.types.of(cursor)
    return converted(ctx, target, operand)


def converted(ctx: Context, target: t.Type, operand: e.Expression) -> e.Expression:
    source = operand.type
    if source == target:
        return operand
    match target, source:
        case t.Scalar(kind="void"), _:
            return operand
        case t.Scalar(), t.Scalar() | t.Pointer() | t.Array():
            return e.Cast(operand, target, operand.span, implicit=True)
        case t.Pointer(pointee=pointee), t.Array(element=element) if pointee == element:
            return operand if isinstance(operand, e.Literal) else e.Cast(operand, target, operand.span, True)
        case t.Pointer(), t.Scalar():
            if isinstance(operand, e.Literal):
                return e.Literal(operand.value, target, operand.span, operand.spelling, operand.in_macro)
            return e.Cast(operand, target, operand.span, implicit=True)
        case t.Pointer(pointee=t.Record() as base), t.Pointer(pointee=t.Record() as derived):
            if base != derived:
                return _upcast_pointer(ctx, operand, target, derived, base)
            return operand
        case t.Record() as base, t.Record() as derived:
            offset = _offset_of(ctx, derived, base)
            return e.Member(operand, "", offset, base, operand.span) if offset else operand
        case t.Pointer(), t.Pointer():
            if isinstance(operand, e.Literal):
                return e.Literal(operand.value, target, operand.span, operand.spelling, operand.in_macro)
    return operand


def _upcast_pointer(
    ctx: Context, operand: e.Expression, target: t.Pointer, derived: t.Record, base: t.Record
) -> e.Expression:
    offset = _offset_of(ctx, derived, base)
    if offset:
        whole = object_lvalue(operand)
        return e.AddressOf(e.Member(whole, "", offset, base, operand.span), target, operand.span)
    return e.Cast(operand, target, operand.span, implicit=True)


def _offset_of(ctx: Context, derived: t.Record, base: t.Record) -> int | None:
    """Bytes from a record's start to its base's; None when it is not a base of it."""
    if base.name in ctx.types.declarations:
        ctx.types.adopt(derived, ctx.types.declarations[base.name])
    return ctx.types.base_offset(derived, base)


def explicit_cast(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """A cast as written. A cast to a reference type reads the same memory as another type."""
    inner = expression_children(cursor)
    target = ctx.types.of(cursor)
    span = ctx.places.span(cursor)
    if not inner:
        return (
            empty_list(ctx, target, span)
            if isinstance(target, t.Record)
            else ctx.unknown("empty cast", cursor)
        )
    part = inner[-1]
    operand = ctx.expression(ctx, part)
    if isinstance(operand, e.Cast) and operand.implicit and operand.type == target:
        operand = operand.operand
        if cursor.kind != kinds.REINTERPRET_CAST:
            return e.Cast(operand, target, span)
    if _to_reference(cursor, part, target, operand):
        pointer = e.Cast(e.AddressOf(operand, t.Pointer(operand.type), operand.span), t.Pointer(target), span)
        return e.Dereference(pointer, target, span)
    if isinstance(target, (t.Record, t.Array)):
        return operand
    if operand.type == target and cursor.kind == kinds.FUNCTIONAL_CAST and isinstance(operand, e.Literal):
        return operand
    return e.Cast(operand, target, span)


def _to_reference(cursor: clang.Cursor, part: clang.Cursor, target: t.Type, operand: e.Expression) -> bool:
    source = operand.type
    if source == target or isinstance(target, t.Opaque) or isinstance(source, t.Opaque):
        return False
    if isinstance(target, t.Record) or isinstance(source, t.Record):
        # A conversion by constructor or operator shows as a call below the cast.
        return (
            cursor.kind in (kinds.REINTERPRET_CAST, kinds.CSTYLE_CAST)
            and not isinstance(operand, (e.Construct, e.Call, e.InitList, e.Lambda))
            and target != t.VOID
        )
    if isinstance(target, t.Array):
        return cursor.kind in (kinds.REINTERPRET_CAST, kinds.CSTYLE_CAST)
    if isinstance(target, t.Scalar) and isinstance(source, t.Scalar):
        if target.kind == "void" or cursor.kind not in (kinds.REINTERPRET_CAST, kinds.CSTYLE_CAST):
            return False
        # Conversions of values show as an implicit conversion below the cast, except those of enumerations.
        enums = (
            clang.canonical_type(clang.type_of(cursor)).kind,
            clang.canonical_type(clang.type_of(part)).kind,
        )
        return kinds.T_ENUM not in enums and isinstance(
            operand, (e.VariableReference, e.Index, e.Dereference, e.Member)
        )
    if cursor.kind == kinds.REINTERPRET_CAST and isinstance(target, t.Pointer):
        return False
    return False
