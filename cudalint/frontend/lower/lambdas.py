"""Lambdas and statement expressions: bodies that stand inside an expression."""

from __future__ import annotations

from typing import Literal as Choice

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import find

Capture = Choice["copy", "reference"]


def lambda_(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """A closure; its body becomes a function. An init-capture is an assignment before the closure is made."""
    first_own = ctx.serial + 1
    kind = ctx.types.of(cursor)
    span = ctx.places.span(cursor)
    parts = clang.children(cursor)
    parameters = tuple(variable(ctx, c) for c in parts if c.kind == kinds.PARM_DECL)
    explicit = [clang.referenced(c) for c in parts if c.kind == kinds.VARIABLE_REF]
    body_cursor = next((c for c in parts if c.kind == kinds.COMPOUND_STMT), None)
    if body_cursor is None:
        return ctx.unknown("lambda without a body", cursor)
    default, modes, initialised = _capture_list(ctx, cursor)
    pairs = [(c, variable(ctx, c)) for c in explicit if c.kind in (kinds.VAR_DECL, kinds.PARM_DECL)]
    named = [v for _, v in pairs]
    made = {v.name for v in named if v.id >= first_own} | initialised
    assignments = _init_captures(ctx, [(c, v) for c, v in pairs if v.name in made])
    callee_key, returns, attributes, generic = _call_operator(ctx, cursor, kind)
    around = ctx.frame.device
    ctx.frame.device = around or kinds.CUDA_DEVICE_ATTR in attributes
    device = ctx.frame.device
    body = ctx.statement(ctx, body_cursor)
    ctx.frame.device = around
    block = body if isinstance(body, s.Block) else s.Block((body,), span)
    used = _outer_variables(block, first_own)
    captured: dict[int, tuple[e.Variable, Capture]] = {}
    for outer in [*named, *used]:
        if outer.name == "this":
            captured[outer.id] = (outer, "copy")
        else:
            captured.setdefault(outer.id, (outer, modes.get(outer.name, default)))
    ctx.functions[callee_key] = Function(
        callee_key,
        "operator()",
        "lambda::operator()",
        parameters,
        block,
        returns,
        span,
        span,
        lambda_=True,
        device=device,
        dependent=generic,
    )
    ctx.queued.add(callee_key)
    closure: e.Expression = e.Lambda(callee_key, tuple(captured.values()), kind, span)
    for assignment in reversed(assignments):
        closure = e.Binary(",", assignment, closure, kind, span)
    return closure


def _init_captures(ctx: Context, made: list[tuple[clang.Cursor, e.Variable]]) -> list[e.Assign]:
    """`[z = j + 1]`: the initialisers of variables that are new."""
    found = []
    for cursor, target in made:
        initial = clang.variable_initializer(cursor)
        if initial.kind not in kinds.INVALID_KINDS:
            reference = e.VariableReference(target, target.type, target.span)
            value = ctx.expression(ctx, initial)
            found.append(e.Assign(reference, value, None, target.type, target.span))
    return found


def _capture_list(ctx: Context, cursor: clang.Cursor) -> tuple[Capture, dict[str, Capture], set[str]]:
    """(default mode, mode by name, names with initialisers) read from the text between the brackets."""
    text = ctx.places.text(cursor)
    if not text.startswith("["):
        return "reference", {}, set()
    depth, end = 0, len(text)
    for index, letter in enumerate(text):
        depth += (letter in "[({") - (letter in "])}")
        if not depth:
            end = index
            break
    default: Capture = "copy"
    modes: dict[str, Capture] = {}
    initialised: set[str] = set()
    for item in _split(text[1:end]):
        item = item.strip()
        if item == "&":
            default = "reference"
        elif item and item != "=":
            name, equals, _ = item.partition("=")
            name = name.strip()
            modes[name.lstrip("&* ").removesuffix("...")] = "reference" if name.startswith("&") else "copy"
            if equals:
                initialised.add(name.lstrip("& "))
    return default, modes, initialised


def _split(text: str) -> list[str]:
    """Split at the commas of the outermost level."""
    found, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        depth += (letter in "[({<") - (letter in "])}>")
        if letter == "," and depth == 0:
            found.append(text[start:index])
            start = index + 1
    return [*found, text[start:]]


def _outer_variables(block: s.Block, first_own: int) -> list[e.Variable]:
    """Automatic variables that the body uses and that are older than the closure."""
    found: dict[int, e.Variable] = {}
    for node in find(block, e.VariableReference, e.Lambda):
        match node:
            case e.VariableReference(variable=used) if used.id < first_own:
                if used.storage in ("local", "parameter"):
                    found.setdefault(used.id, used)
            case e.Lambda(captures=captures):
                for used, _ in captures:
                    if used.id < first_own:
                        found.setdefault(used.id, used)
    return list(found.values())


def _call_operator(ctx: Context, cursor: clang.Cursor, kind: t.Type) -> tuple[str, t.Type, set[int], bool]:
    """The key of the closure's operator(), what it returns, the kinds of the attributes it is given, and
    whether it is a template, whose instances stand for themselves.
    """
    closure = clang.type_declaration(clang.type_of(cursor))
    for member in clang.children(closure):
        if member.kind in (kinds.CXX_METHOD, kinds.FUNCTION_TEMPLATE) and clang.spelling(member).startswith(
            "operator()"
        ):
            returns = ctx.types.lower(clang.result_type_of(member))
            attributes = {part.kind for part in clang.children(member)}
            return ctx.callee(member).key, returns, attributes, member.kind == kinds.FUNCTION_TEMPLATE
    name = kind.name if isinstance(kind, (t.Record, t.Opaque)) else "lambda"
    return f"{name}@{closure.a}", t.Opaque("auto"), set(), False


def statement_expression(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """`({ ...; value; })` as a call of a closure that captures everything by reference."""
    first_own = ctx.serial + 1
    span = ctx.places.span(cursor)
    kind = ctx.types.of(cursor)
    body_cursor = next((c for c in clang.children(cursor) if c.kind == kinds.COMPOUND_STMT), None)
    body = ctx.statement(ctx, body_cursor) if body_cursor is not None else None
    if not isinstance(body, s.Block):
        return ctx.unknown("statement expression without a body", cursor)
    if find(body, s.Return, s.Opaque):
        return ctx.unknown("statement expression that leaves its function", cursor)
    statements = body.body
    if statements and isinstance(statements[-1], s.Evaluate) and kind != t.VOID:
        last = statements[-1]
        statements = (*statements[:-1], s.Return(last.expression, last.span))
    block = s.Block(statements, body.span)
    key = f"statement-expression@{ctx.fresh()}"
    ctx.functions[key] = Function(
        key, "statement expression", "", (), block, kind, span, span, lambda_=True, device=True
    )
    captures = tuple((v, "reference") for v in _outer_variables(block, first_own))
    closure = e.Lambda(key, captures, t.Opaque("closure"), span)  # type: ignore[arg-type]
    return e.Call(key, "operator()", "lambda::operator()", (), closure, kind, span)
