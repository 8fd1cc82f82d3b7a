"""Constructors that a class has by `using Base::Base`: clang does not show what they do."""

from __future__ import annotations

from collections.abc import Iterator

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.members import default_members
from cudalint.frontend.lower.types import base_types
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t

_DEEPEST = 4  # bases of bases that are looked into


def is_inherited(constructor: clang.Cursor) -> bool:
    """Whether it is called as a base class is: clang makes one in the class that inherits it."""
    name = clang.spelling(constructor).partition("<")[0]
    return name != clang.spelling(clang.semantic_parent(constructor)).partition("<")[0]


def given(constructor: clang.Cursor) -> list[clang.Cursor]:
    """Its parameters."""
    return [clang.argument(constructor, index) for index in range(max(clang.argument_count(constructor), 0))]


def inherited(
    ctx: Context,
    constructor: clang.Cursor,
    whole: e.Expression,
    record: t.Record,
    named: set[int | str],
    depth: int = 0,
) -> Iterator[s.Statement]:
    """Make the base of an object by the constructor that the class has from it, or from a base of it. named:
    takes the base's name.
    """
    declaration = ctx.types.declarations.get(record.name)
    for base in base_types(declaration) if declaration is not None and depth < _DEEPEST else ():
        kind = ctx.types.lower(base)
        offset = ctx.types.base_offset(record, kind) if isinstance(kind, t.Record) else None
        if not isinstance(kind, t.Record) or offset is None:
            continue
        place = e.Member(whole, "", offset, kind, whole.span)
        key = _same(ctx, constructor, kind)
        if key:
            passed = (variable(ctx, one) for one in given(constructor))
            values = tuple(e.VariableReference(one, one.type, whole.span) for one in passed)
            made = e.Construct(key, values, kind, whole.span)
            named.add(kind.name)
            yield s.Evaluate(e.Assign(place, made, None, kind, whole.span), whole.span)
            return
        inner: set[int | str] = set()
        deeper = list(inherited(ctx, constructor, place, kind, inner, depth + 1))
        if deeper:
            named.add(kind.name)
            yield from default_members(ctx, place, kind, inner)
            yield from deeper
            return


def _same(ctx: Context, constructor: clang.Cursor, base: t.Record) -> str:
    """The key of the constructor of a base that has these parameters; '' where it has none. The members of an
    instance of a class template are not shown: there it is one that was lowered, by clang's name for it.
    """
    declaration = ctx.types.declarations.get(base.name)
    if declaration is None:
        return ""
    name, types = clang.spelling(constructor).partition("<")[0], _types(ctx, constructor)
    for part in clang.children(declaration):
        own = part.kind == kinds.CONSTRUCTOR and clang.spelling(part).partition("<")[0] == name
        if own and _types(ctx, part) == types:
            callee = ctx.callee(part)
            ctx.want(callee)
            return callee.key
    heir = clang.usr(clang.semantic_parent(constructor))
    key = clang.usr(declaration) + clang.usr(constructor).removeprefix(heir)
    return key if key in ctx.functions else ""


def _types(ctx: Context, constructor: clang.Cursor) -> list[t.Type]:
    return [ctx.types.lower(clang.type_of(parameter)) for parameter in given(constructor)]
