"""Structured bindings: `auto [a, b] = f();` declares one object without a name, and names for its parts."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds, tuples
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t


def structured_binding(ctx: Context, cursor: clang.Cursor) -> list[s.Statement]:
    """The declaration of the nameless object; its parts are remembered for their uses.

    Parts of a tuple-like class other than std::tuple stay unknown: they are calls of `get` that clang does
    not show.
    """
    parts = clang.children(cursor)
    values = [c for c in parts if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION]
    if not is_binding(cursor) or not values:
        return []
    span = ctx.places.span(cursor)
    whole = bound(ctx, cursor)
    if isinstance(whole.type, t.Array):
        return [s.Opaque("structured binding of a copied array", (), span)]
    return [s.Declare(whole, ctx.expression(ctx, values[-1]), span)]


def is_binding(cursor: clang.Cursor) -> bool:
    """Whether a declaration gives names to parts."""
    return cursor.kind == kinds.UNEXPOSED_DECL and bool(_names(cursor))


def bound(ctx: Context, cursor: clang.Cursor) -> e.Variable:
    """The nameless object of a structured binding, after its parts are remembered."""
    whole, names = variable(ctx, cursor), _names(cursor)
    kind = whole.type.target if isinstance(whole.type, t.Reference) else whole.type
    base = e.VariableReference(whole, kind, ctx.places.span(cursor))
    for name, part in zip(names, _parts(ctx, cursor, base, len(names)), strict=False):
        ctx.bindings[name.a or 0] = part
    return whole


def _names(cursor: clang.Cursor) -> list[clang.Cursor]:
    return [c for c in clang.children(cursor) if c.kind == kinds.UNEXPOSED_DECL]


def _parts(ctx: Context, cursor: clang.Cursor, base: e.VariableReference, count: int) -> list[e.Expression]:
    """The elements of an array or of a tuple, or the members of a plain record, in order; none where they do
    not match.
    """
    if isinstance(base.type, t.Array) and base.type.count == count:
        element, span = base.type.element, base.span
        return [e.Index(base, e.Literal(i, t.INT, span), element, span) for i in range(count)]
    if not isinstance(base.type, t.Record):
        return []
    record = base.type
    declared = clang.canonical_type(clang.type_of(cursor))
    if declared.kind in (kinds.T_LVALUE_REFERENCE, kinds.T_RVALUE_REFERENCE):
        declared = clang.canonical_type(clang.pointee_type(declared))
    if elements := tuples.elements(declared):
        kinds_of = [ctx.types.lower(element) for _, element in elements]
        if len(elements) != count or any(isinstance(kind, t.Reference) for kind in kinds_of):
            return []
        return [
            e.Member(base, f"{at}", offset, kind, base.span)
            for at, ((offset, _), kind) in enumerate(zip(elements, kinds_of, strict=True))
        ]
    fields = clang.fields(declared)
    if len(fields) != count or any(isinstance(ctx.types.of(f), t.Reference) for f in fields):
        return []
    return [
        e.Member(base, clang.spelling(f), ctx.types.member_offset(record, f), ctx.types.of(f), base.span)
        for f in fields
    ]
