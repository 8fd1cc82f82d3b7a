"""What fixes read of the source: the parts of a call as they are written, outside macros."""

import re

from cudalint.analyses.device_code import Body
from cudalint.ir.expressions import Assign, Binary, Call, Cast, Expression
from cudalint.ir.statements import Declare, Return
from cudalint.rule.rule import Context
from cudalint.source.span import Span

_WORD = re.compile(r"[A-Za-z_][\w.]*|\d+(?:\.\d*)?f?")


def arguments(call: Call, context: Context) -> tuple[str, tuple[str, ...]] | None:
    """The callee and the arguments of a call that is written out at its place; None in a macro's body."""
    texts = tuple(context.text(argument.span) for argument in call.arguments)
    inside = r"\s*,\s*".join(rf"\(*{re.escape(text)}\)*" for text in texts)
    pattern = rf"((?:std::|::)?{re.escape(call.name)})\s*\(\s*{inside}\s*\)"
    match = re.fullmatch(pattern, context.text(call.span))
    return (match.group(1), texts) if match and all(texts) else None


def operand(text: str) -> str:
    """The text as an operand of any operator."""
    return text if _WORD.fullmatch(text) else f"({text})"


def in_place(text: str, node: Expression, body: Body, context: Context) -> str:
    """The text of an operation as it may stand where the node does: bare where that is seen to be right."""
    inside, parent = node, body.parent(node)
    while isinstance(parent, Cast) and parent.implicit:
        inside, parent = parent, body.parent(parent)
    before = _before(node.span, context)
    match parent:
        case Declare() | Return() | Assign(operator=None):
            bare = before.endswith(("=", "return"))
        case Binary(operator="+" | "<" | ">" | "<=" | ">=" | "==" | "!=" as operator):
            bare = before.endswith((operator, "=", "return")) or inside is parent.left
            bare = bare and not before.endswith(("(", ",", "*", "/", "-"))
        case Call(name=name, arguments=values) if inside in values:
            bare = before.endswith(("(", ",")) and context.text(parent.span).startswith((name, "std::"))
        case _:
            bare = False
    return text if bare else f"({text})"


def _before(span: Span, context: Context) -> str:
    """What stands on the line before the span."""
    lines = context.lines.get(span.path, ())
    return lines[span.line - 1][: span.column - 1].rstrip() if len(lines) >= span.line else ""


def after_name(call: Call, callee: str) -> Span:
    """The empty place behind the callee's name."""
    start, column = call.span, call.span.column + len(callee)
    return Span(start.path, start.line, column, start.line, column)
