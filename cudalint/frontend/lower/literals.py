"""Literals and folded constants, with the token as it is written."""

from __future__ import annotations

import ast
import re

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.variables import scalar_value
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import find
from cudalint.source.span import Span

_NUMBER = re.compile(
    rb"(?:0[xX][0-9a-fA-F.'pP]*(?:(?<=[pP])[+-][0-9]+)?|[0-9.](?:[0-9.'a-df-zA-DF-Z_]|[eE][+-]?)*)\w*"
)
_NAME = re.compile(rb"[A-Za-z_]\w*(\s*\()?")
_CHARACTER = re.compile(rb"(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'")


def _token(ctx: Context, cursor: clang.Cursor, pattern: re.Pattern[bytes]) -> tuple[str | None, Span]:
    """The literal's token when it is written at its place (also in a macro's argument), and its span: of what
    a macro writes the whole expansion, or the macro's name where clang does not tell that.
    """
    extent = clang.extent(cursor)
    place = ctx.places.place(extent.begin)
    span = ctx.places.span_of(extent.begin, extent.end)
    if place.file is None:
        return None, span
    match = pattern.match(place.file.data, place.offset)
    if match is not None:
        token = match.group().decode("ascii", "replace")
        return token, _begun(span, len(token)) if extent.begin & clang.MACRO_BIT else span
    name = _NAME.match(place.file.data, place.offset)
    empty = (span.line, span.column) == (span.end_line, span.end_column)
    if name is None or (name.group(1) and not empty):
        return None, span
    return None, _begun(span, len(name.group().rstrip(b"( \t\r\n")))


def _begun(span: Span, length: int) -> Span:
    """The span's first characters. The end of a macro's argument is that of the whole expansion."""
    return Span(span.path, span.line, span.column, span.line, span.column + length)


def number(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """An integer, floating or character literal."""
    kind = ctx.types.of(cursor)
    value = clang.evaluate(cursor)
    pattern = _CHARACTER if cursor.kind == kinds.CHARACTER_LITERAL else _NUMBER
    spelling, span = _token(ctx, cursor, pattern)
    in_macro = spelling is None
    if value is None or not isinstance(kind, t.Scalar):
        return ctx.unknown("literal without a value", cursor)
    return e.Literal(scalar_value(value, kind), kind, span, spelling, in_macro)


def boolean(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    value = clang.evaluate(cursor)
    extent = clang.extent(cursor)
    place = ctx.places.place(extent.begin)
    word = "true" if value else "false"
    written = place.file is not None and place.file.data.startswith(word.encode(), place.offset)
    return e.Literal(bool(value), t.BOOL, ctx.places.span(cursor), word if written else None, not written)


def null_pointer(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    return e.Literal(0, t.Pointer(t.VOID), ctx.places.span(cursor), None, in_macro(cursor))


def string(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    text = clang.spelling(cursor)
    try:
        value = ast.literal_eval(text) if text.startswith('"') else text
    except (SyntaxError, ValueError):
        value = text.strip('"')
    return e.Literal(str(value), ctx.types.of(cursor), ctx.places.span(cursor), None, in_macro(cursor))


def in_macro(cursor: clang.Cursor) -> bool:
    return bool(clang.extent(cursor).begin & clang.MACRO_BIT)


def folded(ctx: Context, cursor: clang.Cursor, value: int | float | None) -> e.Literal | None:
    """A Literal for a constant expression of scalar type."""
    kind = ctx.types.of(cursor)
    if value is None or not isinstance(kind, t.Scalar):
        return None
    return e.Literal(scalar_value(value, kind), kind, ctx.places.span(cursor), None, in_macro(cursor))


def evaluated(ctx: Context, cursor: clang.Cursor) -> e.Literal | None:
    """Ask clang for the constant of a scalar expression."""
    kind = ctx.types.of(cursor)
    if not isinstance(kind, t.Scalar) or kind.kind == "void":
        return None
    return folded(ctx, cursor, clang.evaluate(cursor))


def is_always_zero(operator: str, left: e.Expression, right: e.Expression, kind: t.Type) -> bool:
    """Whether `left / right` or `left % right` of integers is 0 whatever the variables in it are: of nothing,
    or the rest of a product of which a factor is a multiple of the divisor.
    """
    if not isinstance(kind, t.Scalar) or kind.kind not in ("signed", "unsigned"):
        return False
    if any(True for side in (left, right) for _ in find(side, e.Assign, e.Call, e.Unknown)):
        return False  # what they do is done all the same
    if isinstance(left, e.Literal) and left.value == 0:
        return not isinstance(right, e.Literal)  # else a mistake that stays as it is written
    divisor = right.value if isinstance(right, e.Literal) else None
    if operator != "%" or not isinstance(divisor, int) or divisor <= 0:
        return False
    wraps = kind.kind == "unsigned" and divisor & (divisor - 1)  # a wrapped product is a multiple no more
    return not wraps and _has_factor(left, divisor)


def _has_factor(node: e.Expression, divisor: int) -> bool:
    if isinstance(node, e.Binary) and node.operator == "*":
        return _has_factor(node.left, divisor) or _has_factor(node.right, divisor)
    return isinstance(node, e.Literal) and isinstance(node.value, int) and node.value % divisor == 0
