"""Names of several functions in brace lists, which clang shows as they are written, before it has chosen one:
`{"wide", &step<128>}`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.names import template_arguments

_ROUND = (kinds.UNARY_OPERATOR, kinds.PAREN_EXPR, kinds.UNEXPOSED_EXPR)
_TRUTH = ("false", "true")


def chosen(ctx: Context, cursor: clang.Cursor, kind: t.Type) -> e.FunctionReference | None:
    """The one function that such a name can stand for. kind: of the pointer that it initialises."""
    if not isinstance(kind, t.Pointer) or clang.type_of(cursor).kind != kinds.T_OVERLOAD:
        return None
    name = cursor
    while name.kind in _ROUND and len(inner := clang.children(name)) == 1:
        name = inner[0]
    several = [part for part in clang.children(name) if part.kind == kinds.OVERLOADED_DECL_REF]
    if len(several) != 1:
        return None
    written = template_arguments(ctx.places.text(name))
    fitting = {
        callee.key: callee
        for callee in map(ctx.callee, _functions(ctx, several[0]))
        if _has(callee.template_arguments, written)
        and ctx.types.lower(clang.type_of(callee.declaration)) == kind.pointee
    }
    if len(fitting) != 1:
        return None
    (callee,) = fitting.values()
    ctx.want(callee)
    type_ = ctx.types.lower(clang.type_of(callee.declaration))
    return e.FunctionReference(callee.key, callee.name, type_, ctx.places.span(cursor))


def _functions(ctx: Context, name: clang.Cursor) -> Iterator[clang.Cursor]:
    """The functions of a name, of templates those that clang has made."""
    for index in range(clang.overload_count(name)):
        one = clang.overload(name, index)
        if one.kind == kinds.FUNCTION_TEMPLATE:
            yield from ctx.made.get(clang.canonical_cursor(one).a, ())
        elif one.kind in kinds.FUNCTION_DECLS:
            yield one


def _has(arguments: tuple[int | str, ...], written: tuple[str, ...]) -> bool:
    """Whether an instance has the template arguments that are written: a number or the name of a type; a name
    of something else may be any number.
    """
    if len(written) > len(arguments):
        return False
    return all(map(_is, arguments, written))


def _is(argument: int | str, written: str) -> bool:
    if isinstance(argument, str):
        return _plain(argument) == _plain(written)
    if written in _TRUTH:
        return _TRUTH.index(written) == bool(argument)  # clang gives a bit with a sign
    try:
        return int(written, 0) == argument
    except ValueError:
        return not written[:1].isdigit()


def _plain(name: str) -> str:
    """The name of a type without the scopes that it stands in."""
    return name.removeprefix("struct ").rpartition("::")[2].replace(" ", "")
