"""Loops. libclang leaves absent parts of a `for` out of its children, so the semicolons are counted."""

from __future__ import annotations

from msgspec.structs import replace

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.bindings import bound, is_binding
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.iterated import iteration
from cudalint.frontend.lower.promotions import stepped
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import ranges
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find
from cudalint.source.span import Span

_COMPARISONS = frozenset(range(10, 17)) | {20, 21}
_MAPS = ("std::map<", "std::unordered_map<")
_INDEXED = (
    "std::vector<",
    "std::deque<",
    "std::list<",
    "thrust::host_vector<",
    *_MAPS,
)  # by `[i]` and size()
_COMPARING = frozenset("operator!= operator< operator<= operator> operator>=".split())


def for_loop(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = clang.children(cursor)
    span = ctx.places.span(cursor)
    if not parts:
        return s.Opaque("for without a body", (), span)
    heads = _head_positions(ctx, cursor, parts)
    initial: s.Statement | None = None
    before: list[s.Statement] = []
    condition: e.Expression | None = None
    step: e.Expression | None = None
    for head, position in zip(parts[:-1], heads, strict=True):
        if position == 0:
            initial = ctx.statement(ctx, head)
        elif head.kind == kinds.VAR_DECL:
            made, condition = _condition_variable(ctx, head)
            before.append(made)
        elif position == 1 and condition is None:
            condition = ctx.expression(ctx, head)
        elif position == 1:
            continue  # the condition variable's own test
        else:
            step = ctx.expression(ctx, head)
    body = ctx.statement(ctx, parts[-1])
    loop = s.Loop("for", initial, condition, step, body, span)
    return s.Block((*before, loop), span) if before else loop


def _head_positions(ctx: Context, cursor: clang.Cursor, parts: list[clang.Cursor]) -> list[int]:
    """0, 1 or 2 for each part before the body: initialisation, condition, step."""
    heads = parts[:-1]
    if len(heads) == 3:
        return [0, 1, 2]
    extent = clang.extent(cursor)
    start = ctx.places.place(extent.begin)
    offsets = []
    for head in heads:
        begin = clang.extent(head).begin
        place = ctx.places.place(begin)
        if (begin | extent.begin) & clang.MACRO_BIT or place.file is not start.file or place.file is None:
            return [_guess(head, index) for index, head in enumerate(heads)]
        offsets.append(place.offset)
    if start.file is None or not start.file.data.startswith(b"for", start.offset):
        return [_guess(head, index) for index, head in enumerate(heads)]
    return [_semicolons(start.file.data[start.offset : offset]) for offset in offsets]


def _semicolons(text: bytes) -> int:
    """Semicolons at the level of a for's own parentheses, in code."""
    count = depth = position = 0
    while position < len(text):
        letter = text[position : position + 1]
        if text.startswith(b"//", position):
            position = text.find(b"\n", position)
            if position < 0:
                break
        elif text.startswith(b"/*", position):
            position = text.find(b"*/", position) + 1
            if position <= 0:
                break
        elif letter in (b'"', b"'"):
            position += 1
            while position < len(text) and text[position : position + 1] != letter:
                position += 2 if text[position : position + 1] == b"\\" else 1
        elif letter in b"([{":
            depth += 1
        elif letter in b")]}":
            depth -= 1
        elif letter == b";" and depth == 1:
            count += 1
        position += 1
    return min(count, 2)


def _guess(head: clang.Cursor, index: int) -> int:
    """Inside a macro or the prelude there is no text to count in: tell the parts by what they are."""
    if head.kind == kinds.DECL_STMT:
        return 0
    if head.kind == kinds.BINARY_OPERATOR and clang.binary_operator(head) in _COMPARISONS:
        return 1
    if head.kind == kinds.UNEXPOSED_EXPR or clang.spelling(head) in _COMPARING:
        return 1
    if head.kind == kinds.BINARY_OPERATOR and index == 0:
        return 0
    return 2


def _condition_variable(ctx: Context, head: clang.Cursor) -> tuple[s.Declare, e.Expression]:
    """`while (T v = f())`: declared before the loop, assigned by each test."""
    made = variable(ctx, head)
    span = ctx.places.span(head)
    initializer = clang.variable_initializer(head)
    value = ctx.expression(ctx, initializer)
    reference = e.VariableReference(made, made.type, span)
    assigned = e.Assign(reference, value, None, made.type, span)
    return s.Declare(made, None, span), e.Binary(
        ",", assigned, e.Cast(reference, t.BOOL, span, implicit=True), t.BOOL, span
    )


def while_loop(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = clang.children(cursor)
    span = ctx.places.span(cursor)
    if len(parts) == 3 and parts[0].kind == kinds.VAR_DECL:
        made, condition = _condition_variable(ctx, parts[0])
        body = ctx.statement(ctx, parts[2])
        return s.Block((made, s.Loop("while", None, condition, None, body, span)), span)
    if len(parts) != 2:
        return s.Opaque("while without a condition", (), span)
    condition = ctx.expression(ctx, parts[0])
    return s.Loop("while", None, condition, None, ctx.statement(ctx, parts[1]), span)


def do_loop(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = clang.children(cursor)
    span = ctx.places.span(cursor)
    if len(parts) != 2:
        return s.Opaque("do without a condition", (), span)
    body = ctx.statement(ctx, parts[0])
    return s.Loop("do", None, ctx.expression(ctx, parts[1]), None, body, span)


def range_loop(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    """Over an array or a standard container: an index loop; on the device over an object of a class of the
    program: one of its iterators. Over anything else: a loop whose trips and elements are unknown.
    """
    parts = clang.children(cursor)
    span = ctx.places.span(cursor)
    declared = next((c for c in parts if c.kind == kinds.VAR_DECL or is_binding(c)), None)
    heads = [c for c in parts[:-1] if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION]
    if not heads:
        return s.Opaque("range-based for", (), span)
    over = _elements(ctx, ctx.expression(ctx, heads[-1]))
    element: s.Declare | None = None
    if declared is not None and isinstance(over.type, t.Record) and over.type.name.startswith(_INDEXED):
        return _indexed(ctx, over, declared, parts[-1], span)
    if isinstance(over.type, t.Array) and over.type.count is not None:
        index = ctx.temporary("__index", t.INT, span)
        reference = e.VariableReference(index, t.INT, span)
        if declared is not None:
            made = _element(ctx, declared)
            element = s.Declare(made, e.Index(over, reference, over.type.element, over.span), made.span)
        body = _with(element, ctx.statement(ctx, parts[-1]))
        condition = e.Binary("<", reference, e.Literal(over.type.count, t.INT, over.span), t.BOOL, over.span)
        step = stepped(reference, "+", over.span, postfix=False)
        initial = s.Declare(index, e.Literal(0, t.INT, over.span), over.span)
        return s.Loop("for", initial, condition, step, body, span)
    if declared is not None and ctx.frame.device:
        made = _element(ctx, declared)
        kind = made.type.target if isinstance(made.type, t.Reference) else made.type
        if (by := iteration(ctx, over, heads[-1], kind)) is not None:
            body = _with(s.Declare(made, by.element, made.span), ctx.statement(ctx, parts[-1]))
            return s.Loop("for", by.initial, by.condition, by.step, body, span)
    ctx.unknowns["range-based for"] += 1
    if declared is not None:
        made = _element(ctx, declared)
        kind = made.type.target if isinstance(made.type, t.Reference) else made.type
        element = s.Declare(made, e.Unknown(ranges.ELEMENT, kind, made.span), made.span)
    inner = ctx.statement(ctx, parts[-1])
    body = _with(element, inner)
    reason = ranges.USED if element is None else _use(element.variable, inner)
    condition_ = e.Unknown(reason, t.BOOL, over.span, (over,))
    return s.Loop("for", None, condition_, None, body, span)


def _element(ctx: Context, declared: clang.Cursor) -> e.Variable:
    """The variable of a range-based `for`: one without a name where its parts have names."""
    return bound(ctx, declared) if is_binding(declared) else variable(ctx, declared)


def _use(element: e.Variable, body: s.Statement) -> str:
    """What a loop does with the elements of a range: reads or overwrites them, or maybe both."""
    if not isinstance(element.type, t.Reference) or element.type.const:
        return ranges.READ
    targets = [node.target for node in find(body, e.Assign) if node.operator is None]
    overwritten = {id(node) for node in targets if isinstance(node, e.VariableReference)}
    uses = find(body, e.VariableReference)
    return ranges.WRITTEN if all(id(n) in overwritten for n in uses if n.variable == element) else ranges.USED


def _elements(ctx: Context, over: e.Expression) -> e.Expression:
    """The array inside a std::array; anything else is itself. In a template's destructor a member has the
    type that the template writes: that of this class is in its layout.
    """
    if (
        isinstance(over, e.Member)
        and isinstance(over.type, t.Opaque)
        and isinstance(over.base.type, t.Record)
    ):
        known = next((f for f in ctx.types.layout(over.base.type).fields if f.name == over.name), None)
        over = over if known is None else replace(over, type=known.type, offset=known.offset)
    if not isinstance(over.type, t.Record) or not over.type.name.startswith("std::array<"):
        return over
    fields = ctx.types.layout(over.type).fields
    if not fields or not isinstance(fields[0].type, t.Array):
        return over
    return e.Member(over, fields[0].name, 0, fields[0].type, over.span)


def _indexed(
    ctx: Context, over: e.Expression, declared: clang.Cursor, body: clang.Cursor, span: Span
) -> s.Statement:
    """Over a standard container: a loop over its indices, `T &x = range[index]` first in the body."""
    whole = ctx.temporary("__range", t.Reference(over.type), span)
    index = ctx.temporary("__index", t.ULONG, span)
    range_ = e.VariableReference(whole, over.type, over.span)
    place = e.VariableReference(index, t.ULONG, over.span)
    made = _element(ctx, declared)
    kind = made.type.target if isinstance(made.type, t.Reference) else made.type
    name = over.type.name.split("<", 1)[0] if isinstance(over.type, t.Record) else ""
    access = "cudalint_element" if f"{name}<" in _MAPS else "operator[]"  # a map's own [] takes a key
    item = e.Call(None, access, f"{name}::{access}", (place,), range_, kind, over.span)
    element = s.Declare(made, item, made.span)
    count = e.Call(None, "size", f"{name}::size", (), range_, t.ULONG, over.span)
    condition = e.Binary("<", place, count, t.BOOL, over.span)
    initial = s.Block(
        (
            s.Declare(whole, over, over.span),
            s.Declare(index, e.Literal(0, t.ULONG, over.span), over.span),
        ),
        over.span,
    )
    step = stepped(place, "+", over.span, postfix=False)
    return s.Loop("for", initial, condition, step, _with(element, ctx.statement(ctx, body)), span)


def _with(first: s.Statement | None, body: s.Statement) -> s.Statement:
    if first is None:
        return body
    rest = body.body if isinstance(body, s.Block) else (body,)
    return s.Block((first, *rest), body.span)
