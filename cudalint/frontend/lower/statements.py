"""Statement cursors to IR."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from cudalint.frontend.lower import asm_values, assembly, clang, kinds, launches, literals
from cudalint.frontend.lower.bindings import structured_binding
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.loops import do_loop, for_loop, range_loop, while_loop
from cudalint.frontend.lower.lost import with_lost
from cudalint.frontend.lower.types import is_unresolved
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find

_CONSTEXPR_IF = re.compile(r"if\s+constexpr\b")
_UNROLL = re.compile(
    r"\s*(?:#\s*pragma|_Pragma\s*\(\s*\")\s*(?:GCC\s+|clang\s+loop\s+|nv_diag\w*\s+)?unroll\b(?:\s*\(?\s*(\w+))?"
)


def lower(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    """The IR of a statement cursor; an expression cursor becomes Evaluate."""
    handler = _HANDLERS.get(cursor.kind)
    if handler is not None:
        return handler(ctx, cursor)
    if kinds.FIRST_EXPRESSION <= cursor.kind <= kinds.LAST_EXPRESSION:
        return s.Evaluate(ctx.expression(ctx, cursor), ctx.places.span(cursor))
    return opaque(ctx, cursor, f"statement of kind {cursor.kind}")


def opaque(ctx: Context, cursor: clang.Cursor, reason: str) -> s.Opaque:
    ctx.unknowns[reason] += 1
    operands = tuple(
        ctx.expression(ctx, c)
        for c in clang.children(cursor)
        if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION
    )
    return s.Opaque(reason, operands, ctx.places.span(cursor))


def compound(ctx: Context, cursor: clang.Cursor) -> s.Block:
    made: list[tuple[clang.Cursor, list[s.Statement]]] = []
    for child in clang.children(cursor):
        if child.kind == kinds.DECL_STMT:
            made.append((child, declarations(ctx, child)))
        elif child.kind == kinds.NULL_STMT:
            made.append((child, []))
        elif not kinds.FIRST_ATTR <= child.kind <= kinds.LAST_ATTR:
            made.append((child, [lower(ctx, child)]))
    doubtful = ctx.types.doubtful or ctx.refused
    found = with_lost(ctx, made, cursor) if doubtful else [n for _, nodes in made for n in nodes]
    return s.Block(tuple(found), ctx.places.span(cursor))


def declarations(ctx: Context, cursor: clang.Cursor) -> list[s.Statement]:
    found: list[s.Statement] = []
    parts = clang.children(cursor)
    for child in parts:
        if child.kind == kinds.VAR_DECL:
            made = declare(ctx, child, cursor if len(parts) == 1 else child)
            if is_unresolved(made.variable.type):
                found.append(s.Opaque(made.variable.type.name, (), made.span))  # type: ignore[union-attr]
            else:
                found.append(made)
        elif child.kind == kinds.UNEXPOSED_DECL:
            found += structured_binding(ctx, child)
    return found


def declare(ctx: Context, cursor: clang.Cursor, whole: clang.Cursor) -> s.Declare:
    """One variable's declaration, and what a later launch may want of its initialiser. whole: with an
    initialiser that clang dropped.
    """
    made = variable(ctx, cursor)
    span = ctx.places.span(cursor)
    if made.storage == "shared":
        return s.Declare(made, None, span)
    initializer = clang.variable_initializer(cursor)
    missing = initializer.kind in kinds.INVALID_KINDS
    scalar = isinstance(made.type, t.Scalar)
    wrong = ctx.errors_within(span)
    cut = len(ctx.errors_within(ctx.places.span(whole))) > len(wrong)  # the declaration ends before an error
    if (missing and scalar and made.const) or ((missing or scalar) and wrong) or cut:
        # clang drops an initialiser that it could not read, or puts a zero or a default constructor in its
        # place; a constant has one.
        return s.Declare(made, ctx.unknown("initialiser with an error", cursor), span)
    if missing:
        return s.Declare(made, None, span)
    if _does_nothing(ctx, cursor, initializer):
        return s.Declare(made, None, span)
    initial = ctx.expression(ctx, initializer)
    if made.const and not ctx.frame.dependent and find(initial, e.Call):
        initial = literals.evaluated(ctx, initializer) or initial  # by a constexpr function
    _remember(ctx, made, initial)
    return s.Declare(made, initial, span)


def _does_nothing(ctx: Context, cursor: clang.Cursor, initializer: clang.Cursor) -> bool:
    """Default construction of plain data leaves it uninitialised."""
    if initializer.kind != kinds.CALL_EXPR or clang.children(initializer):
        return False
    declaration = clang.referenced(initializer)
    if declaration.kind != kinds.CONSTRUCTOR or not clang.is_defaulted(declaration):
        return False
    clang_type = clang.canonical_type(clang.type_of(cursor))
    while clang_type.kind == kinds.T_CONSTANT_ARRAY:
        clang_type = clang.canonical_type(clang.array_element(clang_type))
    text = ctx.places.text(cursor)
    return bool(clang.is_pod(clang_type)) and not text.rstrip().endswith((")", "}"))


def _remember(ctx: Context, made: e.Variable, initial: e.Expression) -> None:
    match made.type, initial:
        case t.Array(element=t.Pointer()), e.InitList(elements=elements):
            ctx.frame.arrays[made.id] = elements
        case t.Pointer() | t.Opaque(), _:
            value = initial
            while isinstance(value, e.Cast):
                value = value.operand
            if isinstance(value, e.FunctionReference):
                ctx.frame.callees[made.id] = value


def _declaration_statement(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    found = declarations(ctx, cursor)
    if len(found) == 1:
        return found[0]
    return s.Block(tuple(found), ctx.places.span(cursor))


def _if(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = clang.children(cursor)
    before, parts = split_head(ctx, parts)
    span = ctx.places.span(cursor)
    if len(parts) < 2:
        return opaque(ctx, cursor, "if without a condition")
    if _CONSTEXPR_IF.match(ctx.places.line_text(ctx.places.place(clang.extent(cursor).begin))):
        value = None if ctx.frame.dependent else literals.evaluated(ctx, parts[0])
        if value is not None:
            taken = parts[1] if value.value else parts[2] if len(parts) > 2 else None
            arm: s.Statement = lower(ctx, taken) if taken is not None else s.Block((), span)
            return s.Block((*before, arm), span) if before else arm
    condition = ctx.expression(ctx, parts[0])
    then = lower(ctx, parts[1])
    otherwise = lower(ctx, parts[2]) if len(parts) > 2 else None
    made = s.If(condition, then, otherwise, span)
    return s.Block((*before, made), span) if before else made


def split_head(ctx: Context, parts: list[clang.Cursor]) -> tuple[list[s.Statement], list[clang.Cursor]]:
    """Declarations in the parentheses of if and switch, lowered, and the other parts."""
    before: list[s.Statement] = []
    rest = list(parts)
    while rest and rest[0].kind in (kinds.DECL_STMT, kinds.VAR_DECL):
        head = rest.pop(0)
        before += declarations(ctx, head) if head.kind == kinds.DECL_STMT else [declare(ctx, head, head)]
    return before, rest


def _switch(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    before, parts = split_head(ctx, clang.children(cursor))
    span = ctx.places.span(cursor)
    if len(parts) != 2:
        return opaque(ctx, cursor, "switch without a body")
    subject = ctx.expression(ctx, parts[0])
    cases: list[s.Case] = []
    body: list[s.Statement] = []
    inner = clang.children(parts[1]) if parts[1].kind == kinds.COMPOUND_STMT else [parts[1]]
    for child in inner:
        _switch_part(ctx, child, cases, body)
    made = s.Switch(subject, tuple(cases), tuple(body), span)
    return s.Block((*before, made), span) if before else made


def _switch_part(ctx: Context, cursor: clang.Cursor, cases: list[s.Case], body: list[s.Statement]) -> None:
    """One statement of a switch body; labels are taken off it and note where they enter."""
    while cursor.kind in (kinds.CASE_STMT, kinds.DEFAULT_STMT, kinds.UNEXPOSED_STMT):
        parts = clang.children(cursor)
        if cursor.kind == kinds.UNEXPOSED_STMT:
            parts = [c for c in parts if not kinds.FIRST_ATTR <= c.kind <= kinds.LAST_ATTR]
            if not parts:
                return
            cursor = parts[-1]
            continue
        if cursor.kind == kinds.DEFAULT_STMT:
            cases.append(s.Case(None, len(body)))
        else:
            _case_values(ctx, parts[:-1], cases, len(body))
        if not parts:
            return
        cursor = parts[-1]
    if cursor.kind == kinds.DECL_STMT:
        body.extend(declarations(ctx, cursor))
    elif cursor.kind != kinds.NULL_STMT:
        body.append(lower(ctx, cursor))


_LARGEST_CASE_RANGE = 256


def _case_values(ctx: Context, values: list[clang.Cursor], cases: list[s.Case], index: int) -> None:
    found = [v.value for v in (literals.evaluated(ctx, c) for c in values) if v is not None]
    whole = [int(v) for v in found if isinstance(v, (int, float))]
    if len(whole) == 2 and 0 <= whole[1] - whole[0] < _LARGEST_CASE_RANGE:  # GNU `case 1 ... 3:`
        cases.extend(s.Case(v, index) for v in range(whole[0], whole[1] + 1))
    elif whole:
        cases.append(s.Case(whole[0], index))
    else:
        ctx.unknowns["case label without a value"] += 1


def _return(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = [c for c in clang.children(cursor) if c.kind not in kinds.REFERENCES]
    value = ctx.expression(ctx, parts[0]) if parts else None
    return s.Return(value, ctx.places.span(cursor))


def _attributed(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    """`#pragma unroll` and statement attributes wrap the statement."""
    parts = [c for c in clang.children(cursor) if not kinds.FIRST_ATTR <= c.kind <= kinds.LAST_ATTR]
    if len(parts) != 1:
        return opaque(ctx, cursor, "statement without IR")
    made = lower(ctx, parts[0])
    if isinstance(made, s.Loop):
        unroll = _unroll(ctx, cursor)
        if unroll is not None:
            return s.Loop(made.kind, made.initial, made.condition, made.step, made.body, made.span, unroll)
    return made


def _unroll(ctx: Context, cursor: clang.Cursor) -> int | None:
    place = ctx.places.place(clang.extent(cursor).begin)
    if place.file is None:
        return None
    start = place.file.data.rfind(b"\n", 0, place.offset) + 1
    end = place.file.data.find(b"\n", place.offset)
    text = place.file.text(start, end if end >= 0 else len(place.file.data))
    match = _UNROLL.search(text)
    if match is None:
        return None
    word = match.group(1)
    if not word:
        return 0
    return int(word, 0) if word.isdigit() else None


def _label(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    parts = [c for c in clang.children(cursor) if c.kind not in kinds.REFERENCES]
    span = ctx.places.span(cursor)
    ctx.unknowns["label"] += 1
    head: s.Statement = s.Opaque("label", (), span)
    return s.Block((head, *(lower(ctx, c) for c in parts)), span)


def _try(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    """The tried block; a thrown exception is not followed."""
    parts = clang.children(cursor)
    if not parts:
        return opaque(ctx, cursor, "try without a block")
    return lower(ctx, parts[0])


def _asm(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    text = ctx.places.text(cursor)
    found = opaque(ctx, cursor, "inline assembly")
    plain = assembly.statement(ctx, text, found.operands, found.span)
    plain = plain or asm_values.statement(text, found.operands, found.span)
    if plain is None:
        return replace(found, text=text)
    ctx.unknowns["inline assembly"] -= 1
    return plain


def _goto(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    return opaque(ctx, cursor, "goto")


def _break(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    return s.Break(ctx.places.span(cursor))


def _continue(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    return s.Continue(ctx.places.span(cursor))


def _null(ctx: Context, cursor: clang.Cursor) -> s.Statement:
    """Nothing, or, as an arm of an if, what clang left out."""
    span = ctx.places.span(cursor)
    launch = launches.by_device(ctx, span)
    return s.Evaluate(launch, span) if launch is not None else s.Block((), span)


Handler = Callable[[Context, clang.Cursor], s.Statement]

_HANDLERS: dict[int, Handler] = {
    kinds.COMPOUND_STMT: compound,
    kinds.DECL_STMT: _declaration_statement,
    kinds.IF_STMT: _if,
    kinds.FOR_STMT: for_loop,
    kinds.WHILE_STMT: while_loop,
    kinds.DO_STMT: do_loop,
    kinds.FOR_RANGE_STMT: range_loop,
    kinds.SWITCH_STMT: _switch,
    kinds.RETURN_STMT: _return,
    kinds.BREAK_STMT: _break,
    kinds.CONTINUE_STMT: _continue,
    kinds.NULL_STMT: _null,
    kinds.UNEXPOSED_STMT: _attributed,
    kinds.LABEL_STMT: _label,
    kinds.GOTO_STMT: _goto,
    kinds.INDIRECT_GOTO_STMT: _goto,
    kinds.ASM_STMT: _asm,
    kinds.MS_ASM_STMT: _asm,
    kinds.TRY_STMT: _try,
}
