"""`__launch_bounds__`: libclang hides the attribute's arguments, but prints them with template arguments in
place.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.scoped import with_numbers

_ATTRIBUTE = re.compile(r"launch_bounds\(")
_SUFFIX = re.compile(r"\b(\d+)[uUlL]+\b")
_CAST = re.compile(r"\((?:unsigned|int|long|size_t|unsigned int|unsigned long)\)")
_CHOICE = re.compile(r"((?:\([^()?]*\)|[^()?:,])+)\?([^()?:]*):([^()?:]*)")
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: int(a / b),
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def launch_bounds(ctx: Context, definition: clang.Cursor) -> tuple[int, ...]:
    """(max threads[, min blocks]) as far as they are constants; () without the attribute."""
    if not any(c.kind == kinds.UNEXPOSED_ATTR for c in clang.children(definition)):
        return ()
    text = clang.declaration_text(definition)
    match = _ATTRIBUTE.search(text)
    if match is None:
        return ()
    found = []
    for part in _arguments(text[match.end() :]):
        value = _value(ctx, with_numbers(ctx, definition, part))
        if value is None or value <= 0:
            break
        found.append(value)
    return tuple(found)


def _arguments(text: str) -> list[str]:
    depth, start = 1, 0
    found = []
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 or (letter == "," and depth == 1):
            found.append(text[start:index])
            start = index + 1
            if depth == 0:
                break
    return found


def _value(ctx: Context, text: str) -> int | None:
    text = _CAST.sub("", _SUFFIX.sub(r"\1", text))
    text = _CHOICE.sub(r"((\2) if (\1) else (\3))", text).strip()
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    try:
        return _fold(ctx, tree)
    except (ArithmeticError, ValueError):
        return None


def _fold(ctx: Context, node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return _named(ctx, name)
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            holds = _fold(ctx, test)
            return None if holds is None else _fold(ctx, body if holds else otherwise)
        case (
            ast.BinOp(left=left, op=kind, right=right)
            | ast.Compare(left=left, ops=[kind], comparators=[right])
        ):
            first, second = _fold(ctx, left), _fold(ctx, right)
            call = _OPERATORS.get(type(kind))
            return None if first is None or second is None or call is None else call(first, second)
    return None


def _named(ctx: Context, name: str) -> int | None:
    """A constant of that name, when the unit has exactly one value for it."""
    values = {
        ctx.constants[v.id]
        for v in ctx.by_id.values()
        if v.name == name and ctx.constants.get(v.id) is not None
    }
    value = values.pop() if len(values) == 1 else None
    return value if isinstance(value, int) else None
