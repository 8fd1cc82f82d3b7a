"""Brace lists. libclang shows them as written, so elided braces and designators are resolved here."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.frontend.lower.members import is_made_of_members, made_by_itself, own_value, zero
from cudalint.frontend.lower.overloads import chosen
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.source.span import Span

_PLACES = e.VariableReference | e.Index | e.Member | e.Dereference


def init_list(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    kind = ctx.types.of(cursor)
    return init_list_as(ctx, cursor, kind)


def init_list_as(ctx: Context, cursor: clang.Cursor, kind: t.Type) -> e.Expression:
    parts = clang.children(cursor)
    span = ctx.places.span(cursor)
    if isinstance(kind, (t.Scalar, t.Pointer)):
        inner = [c for c in parts if c.kind not in kinds.REFERENCES]
        if inner:
            return chosen(ctx, inner[0], kind) or ctx.expression(ctx, inner[0])
        return e.Literal(0.0 if isinstance(kind, t.Scalar) and kind.kind == "float" else 0, kind, span)
    reader = _Reader(ctx, parts)
    if isinstance(kind, t.Array):
        elements = reader.array(kind)
    elif isinstance(kind, t.Record):
        elements = reader.record(kind)
    else:
        elements = tuple(ctx.expression(ctx, c) for c in expression_children(cursor))
    if len(elements) == 1 and elements[0].type == kind and isinstance(kind, t.Record):
        return elements[0]  # T{other}: a copy
    return e.InitList(elements, kind, span)


def empty_list(ctx: Context, kind: t.Record, span: Span) -> e.InitList:
    """`T{}`: every field has the value of its initialiser in the class, else zero."""
    return e.InitList(_Reader(ctx, []).record(kind), kind, span)


class _Reader:
    """Hands out the written parts of one brace list to the elements they initialise."""

    __slots__ = ("_ctx", "_parts", "_position")

    def __init__(self, ctx: Context, parts: list[clang.Cursor]) -> None:
        self._ctx = ctx
        self._parts = [c for c in parts if c.kind not in kinds.REFERENCES]
        self._position = 0

    def _more(self) -> bool:
        return self._position < len(self._parts)

    def array(self, kind: t.Array) -> tuple[e.Expression, ...]:
        found: list[e.Expression] = []
        while self._more() and (kind.count is None or len(found) < kind.count):
            found.append(self._element(kind.element))
        return tuple(found)

    def record(self, kind: t.Record) -> tuple[e.Expression, ...]:
        layout = self._ctx.types.layout(kind)
        if any(_designated(c) for c in self._parts[self._position :]):
            return self._designated_fields(kind, layout)
        found: list[e.Expression] = []
        for field in layout.fields[:1] if layout.union else layout.fields:
            if not self._more():
                break
            if not found and len(self._parts) - self._position == 1:
                only = self._parts[self._position]
                if only.kind != kinds.INIT_LIST_EXPR and self._ctx.types.of(only) == kind:
                    self._position += 1
                    return (self._ctx.expression(self._ctx, only),)
            found.append(self._element(field.type))
        if not layout.union and len(found) < len(layout.fields):
            found.extend(self._defaults(kind, layout)[len(found) :])
        if not layout.fields:
            while self._more():
                found.append(self._ctx.expression(self._ctx, self._parts[self._position]))
                self._position += 1
        return tuple(found)

    def _defaults(self, kind: t.Record, layout: t.Layout) -> tuple[e.Expression, ...]:
        """The values of all fields that are not written, where one has an initialiser in the class."""
        declaration = self._ctx.types.declarations.get(kind.name)
        if declaration is None:
            return ()
        declared = clang.fields(clang.canonical_type(clang.type_of(declaration)))
        values = {clang.spelling(c): self._default(c) for c in declared}
        if not any(value is not None for value in values.values()):
            return ()
        given = ((values.get(field.name), field.type) for field in layout.fields)
        return tuple(zero(type_) if value is None else value for value, type_ in given)

    def _default(self, field: clang.Cursor) -> e.Expression | None:
        """What a field holds by itself: also an object that its constructor makes, or whose fields do."""
        kind, span = self._ctx.types.of(field), self._ctx.places.span(field)
        made = own_value(self._ctx, field) or made_by_itself(self._ctx, kind, span)
        if made is None and isinstance(kind, t.Record) and is_made_of_members(self._ctx, kind):
            made = empty_list(self._ctx, kind, span)
        return made if not isinstance(made, e.InitList) or made.elements else None

    def _designated_fields(self, kind: t.Record, layout: t.Layout) -> tuple[e.Expression, ...]:
        by_name: dict[str, e.Expression] = {}
        while self._more():
            part = self._parts[self._position]
            self._position += 1
            inner = clang.children(part)
            names = [clang.spelling(c) for c in inner if c.kind == kinds.MEMBER_REF]
            values = [c for c in inner if c.kind not in kinds.REFERENCES]
            if len(names) == 1 and values:
                by_name[names[0]] = self._ctx.expression(self._ctx, values[-1])
        found: list[e.Expression] = []
        defaults = self._defaults(kind, layout)
        for index, field in enumerate(layout.fields):
            if not by_name and not defaults:
                break
            value = by_name.pop(field.name, defaults[index] if defaults else None)
            found.append(_bound(value, field.type) if value is not None else zero(field.type))
        return tuple(found)

    def _element(self, kind: t.Type) -> e.Expression:
        part = self._parts[self._position]
        if part.kind == kinds.INIT_LIST_EXPR:
            self._position += 1
            return init_list_as(self._ctx, part, kind)
        if isinstance(kind, (t.Array, t.Record)) and self._elided(part, kind):
            inner = self.array(kind) if isinstance(kind, t.Array) else self.record(kind)
            return e.InitList(inner, kind, self._ctx.places.span(part))
        self._position += 1
        return chosen(self._ctx, part, kind) or _bound(self._ctx.expression(self._ctx, part), kind)

    def _elided(self, part: clang.Cursor, kind: t.Type) -> bool:
        """Whether a part initialises a piece of an aggregate whose braces are left out."""
        own = self._ctx.types.of(part)
        if isinstance(kind, t.Array):
            return not isinstance(own, t.Array)
        return (
            own != kind
            and isinstance(own, (t.Scalar, t.Pointer))
            and bool(isinstance(kind, t.Record) and self._ctx.types.layout(kind).fields)
        )


def _bound(value: e.Expression, kind: t.Type) -> e.Expression:
    """What a member of the type holds: one that is a reference, the address of what it is bound to."""
    if not isinstance(kind, t.Reference) or not isinstance(value, _PLACES):
        return value
    return e.AddressOf(value, t.Pointer(kind.target, kind.const), value.span)


def _designated(part: clang.Cursor) -> bool:
    if part.kind != kinds.UNEXPOSED_EXPR:
        return False
    return any(c.kind == kinds.MEMBER_REF for c in clang.children(part))
