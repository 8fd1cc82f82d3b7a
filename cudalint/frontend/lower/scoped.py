"""Constants by the names that clang prints: `Traits<4>::threads`, and calls that return one: `lanes()`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context

_SCOPED = re.compile(r"((?:\w+::)+)(\w+)")
_CALL = re.compile(r"((?:\w+::)*)(\w+)\(\)")
_NAMESPACES = re.compile(r"^(?:\w+::)+")
_SCOPES = kinds.RECORD_DECLS | {kinds.NAMESPACE}


def with_numbers(ctx: Context, definition: clang.Cursor, text: str) -> str:
    """The text of a declaration with numbers for constants of its template arguments and of plain classes,
    and for calls without arguments.
    """
    for spelling, declaration in _template_types(definition):
        bare = _NAMESPACES.sub("", spelling)  # clang prints the one or the other
        pattern = rf"\b(?:{re.escape(spelling)}|{re.escape(bare)})::(\w+)\b(?!::)"
        text = re.sub(pattern, lambda m, d=declaration: _number(d, m[1], m[0]), text)  # type: ignore[misc]
    text = _CALL.sub(lambda m: _called(ctx, definition, m), text)
    return _SCOPED.sub(lambda m: _plain(definition, m), text)


def _template_types(definition: clang.Cursor) -> Iterator[tuple[str, clang.Cursor]]:
    for index in range(max(clang.template_argument_count(definition), 0)):
        if clang.template_argument_kind(definition, index) == kinds.TEMPLATE_ARGUMENT_TYPE:
            given = clang.template_argument_type(definition, index)
            yield clang.type_spelling(given), clang.type_declaration(clang.canonical_type(given))


def _plain(definition: clang.Cursor, match: re.Match[str]) -> str:
    """A constant of a class that is found by its name, in the scopes round the declaration."""
    values = (_constant(scope, match[2]) for scope in _scopes(definition, match[1]))
    value = next((value for value in values if value is not None), None)
    return match[0] if value is None else f"({value})"


def _called(ctx: Context, definition: clang.Cursor, match: re.Match[str]) -> str:
    """What a function without parameters returns, where that is all that it does."""
    for scope in _scopes(definition, match[1]):
        key = scope.a or 0, match[2]
        if key not in ctx.returned:
            named = (c for c in clang.children(scope) if clang.spelling(c) == match[2])
            values = (_returned(c) for c in named if c.kind == kinds.FUNCTION_DECL)
            ctx.returned[key] = next((value for value in values if value is not None), None)
        if ctx.returned[key] is not None:
            return f"({ctx.returned[key]})"
    return match[0]


def _returned(function: clang.Cursor) -> int | None:
    body = [c for c in clang.children(function) if c.kind == kinds.COMPOUND_STMT]
    statements = clang.children(body[0]) if body else []
    if len(statements) != 1 or statements[0].kind != kinds.RETURN_STMT:
        return None
    value = clang.evaluate(clang.children(statements[0])[0]) if clang.children(statements[0]) else None
    return value if isinstance(value, int) else None


def _scopes(definition: clang.Cursor, path: str) -> Iterator[clang.Cursor]:
    """Those that a path of names (`a::B::`, or none) may lead to, in the scopes round the declaration: a
    namespace may be opened several times.
    """
    around = clang.semantic_parent(definition)
    while around.kind not in kinds.INVALID_KINDS:
        found = [around]
        for name in path.split("::")[:-1]:
            found = [inner for scope in found for inner in _inner(scope, name)]
        yield from found
        around = clang.semantic_parent(around)


def _inner(scope: clang.Cursor, name: str) -> list[clang.Cursor]:
    return [c for c in clang.children(scope) if c.kind in _SCOPES and clang.spelling(c) == name]


def _number(declaration: clang.Cursor, name: str, unknown: str) -> str:
    value = _constant(declaration, name)
    return unknown if value is None else f"({value})"


def _constant(declaration: clang.Cursor, name: str) -> int | None:
    """The value of a static member or an enumerator of a class or its bases."""
    for child in clang.children(declaration):
        found: int | float | None = None
        if child.kind == kinds.VAR_DECL and clang.spelling(child) == name:
            found = clang.evaluate(child)
        elif child.kind == kinds.ENUM_DECL:
            values = (c for c in clang.children(child) if clang.spelling(c) == name)
            found = next(map(clang.enum_value, values), None)
        elif child.kind == kinds.CXX_BASE_SPECIFIER:
            base = clang.type_declaration(clang.canonical_type(clang.type_of(child)))
            found = _constant(base, name)
        if isinstance(found, int):
            return int(found)
    return None
