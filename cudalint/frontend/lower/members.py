"""What members and bases hold that a constructor does not name: the values of their initialisers in the
class, and objects that are made without arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.frontend.lower.definitions import definition_of
from cudalint.frontend.lower.types import base_types
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.source.span import NOWHERE, Span

_MOST_ELEMENTS = 8  # of an array of objects that are made one by one
_DEEPEST = 4  # members of members that are made
_TEMPLATES = (kinds.CLASS_TEMPLATE, kinds.CLASS_TEMPLATE_PARTIAL)


def default_members(
    ctx: Context, whole: e.Expression, record: t.Record, named: set[int | str], depth: int = 0
) -> Iterator[s.Statement]:
    """Make the members and bases of an object that nothing else makes. named: those that something does, by
    the members' declarations and the bases' names.
    """
    declaration = ctx.types.declarations.get(record.name)
    if declaration is None or depth > _DEEPEST:
        return
    for base in base_types(declaration):
        kind = ctx.types.lower(base)
        offset = ctx.types.base_offset(record, kind) if isinstance(kind, t.Record) else None
        if isinstance(kind, t.Record) and offset is not None and kind.name not in named:
            yield from _made(ctx, e.Member(whole, "", offset, kind, whole.span), kind, whole.span, depth)
    for field in clang.fields(clang.canonical_type(clang.type_of(declaration))):
        if (field.a or 0) in named or clang.is_bit_field(field):
            continue
        kind, span = ctx.types.of(field), ctx.places.span(field)
        member = e.Member(whole, clang.spelling(field), ctx.types.member_offset(record, field), kind, span)
        initial = own_value(ctx, field)
        if initial is not None:
            yield s.Evaluate(e.Assign(member, initial, None, kind, span), span)
        else:
            yield from _made(ctx, member, kind, span, depth)


def _made(ctx: Context, place: e.Expression, kind: t.Type, span: Span, depth: int) -> Iterator[s.Statement]:
    """Make an object without arguments, or the first elements of an array of such."""
    if isinstance(kind, t.Array) and isinstance(kind.element, (t.Array, t.Record)):
        for index in range(min(kind.count or 0, _MOST_ELEMENTS)):
            element = e.Index(place, e.Literal(index, t.INT, span), kind.element, span)
            yield from _made(ctx, element, kind.element, span, depth + 1)
        return
    initial = made_by_itself(ctx, kind, span)
    if initial is not None:
        yield s.Evaluate(e.Assign(place, initial, None, kind, span), span)
    elif isinstance(kind, t.Record) and is_made_of_members(ctx, kind):
        yield from default_members(ctx, place, kind, set(), depth + 1)


def made_by_itself(ctx: Context, kind: t.Type, span: Span) -> e.Construct | None:
    """An object that a constructor of its class makes, which needs no arguments and has a body."""
    declaration = ctx.types.declarations.get(kind.name) if isinstance(kind, t.Record) else None
    for part in clang.children(declaration) if declaration is not None else ():
        own = part.kind == kinds.CONSTRUCTOR and clang.is_default_constructor(part)
        if own and definition_of(part)[0] is not None:
            callee = ctx.callee(part)
            ctx.want(callee)
            given = [clang.argument(part, index) for index in range(clang.argument_count(part))]
            defaults = [expression_children(parameter)[-1:] for parameter in given]
            values = tuple(ctx.expression(ctx, value) for parts in defaults for value in parts)
            return e.Construct(callee.key, values, kind, span)
    return None


def is_made_of_members(ctx: Context, kind: t.Record) -> bool:
    """Whether a class has no constructor of its own: an object is its members, each made for itself."""
    declaration = ctx.types.declarations.get(kind.name)
    if declaration is None or ctx.types.layout(kind).union:
        return False
    template = clang.specialized_template(declaration)
    written = template if template.kind in _TEMPLATES else declaration
    own = (kinds.CONSTRUCTOR, kinds.FUNCTION_TEMPLATE)
    return not any(part.kind in own for part in (*clang.children(declaration), *clang.children(written)))


def own_value(ctx: Context, field: clang.Cursor) -> e.Expression | None:
    """The value of `int n = 0;` inside a class; None where the member has no initialiser."""
    text = ctx.places.text(field)
    if "=" not in text and "{" not in text:
        return None
    parts = [c for c in clang.children(field) if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION]
    if not parts:
        return None
    value = ctx.expression(ctx, parts[-1])
    kind = ctx.types.of(field)
    if isinstance(value, e.InitList) and not value.elements:
        return zero(kind)
    return value


def zero(kind: t.Type) -> e.Expression:
    """The value a member has that a brace list leaves out."""
    if isinstance(kind, t.Scalar):
        return e.Literal(0.0 if kind.kind == "float" else 0, kind, NOWHERE)
    if isinstance(kind, t.Pointer):
        return e.Literal(0, kind, NOWHERE)
    return e.InitList((), kind, NOWHERE)
