"""Function definitions to IR functions."""

from __future__ import annotations

import re
import sys

from msgspec.structs import replace

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.begun_anew import apart
from cudalint.frontend.lower.bounds import launch_bounds
from cudalint.frontend.lower.context import Context, Frame
from cudalint.frontend.lower.definitions import definition_of
from cudalint.frontend.lower.inherited import given, inherited, is_inherited
from cudalint.frontend.lower.members import default_members
from cudalint.frontend.lower.variables import variable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Problem
from cudalint.source.span import NOWHERE, Span

_DEEPEST = 6000  # Python frames: an expression nests at most a few frames a level

_NAME = re.compile(r"operator\W*|\w+")


def lower_function(
    ctx: Context, declaration: clang.Cursor, dependent: bool = False, defaults: bool = False
) -> Function | None:
    """The Function of a declaration that has a body somewhere in the unit. Never raises. defaults: as it is
    written, its template parameters stand for their defaults.
    """
    definition, is_template = definition_of(declaration)
    if definition is None:
        return None
    callee = ctx.callee(declaration)
    ctx.queued.add(callee.key)
    known = ctx.functions.get(callee.key)
    if known is not None:
        return known
    frame = ctx.frame
    ctx.frame = Frame(dependent=dependent or is_template, key=callee.key, defaults=defaults)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        made = _lower(ctx, definition, callee.key)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        made = _failed(ctx, definition, callee.key, error)
    finally:
        sys.setrecursionlimit(limit)
        ctx.frame = frame
    ctx.functions[callee.key] = made
    return made


def lower_destructor(ctx: Context, pattern: clang.Cursor, record: str) -> str:
    """The key of the destructor of an instance of a class template: clang shows the template's alone, so its
    members are found by their names.
    """
    key = f"{ctx.callee(pattern).key}<{record}>"
    kind = ctx.types.record(record)
    definition, _ = definition_of(pattern)
    if key in ctx.functions or kind is None or definition is None:
        return key
    this = ctx.temporary("this", t.Pointer(kind), ctx.places.span(definition))
    frame, ctx.frame = ctx.frame, Frame(key=key, this=this)
    try:
        body = _body(ctx, definition, clang.children(definition))
    finally:
        ctx.frame = frame
    name = ctx.callee(pattern).name
    span = name_span(ctx, definition, name)
    extent = ctx.places.span(definition)
    ctx.functions[key] = Function(
        key, name, ctx.callee(pattern).qualified, (), body, t.VOID, span, extent, this=this
    )
    return key


def _failed(ctx: Context, definition: clang.Cursor, key: str, error: Exception) -> Function:
    callee = ctx.callees[definition.a or 0] if (definition.a or 0) in ctx.callees else ctx.callee(definition)
    span = ctx.places.span(definition)
    reason = "nested too deeply" if isinstance(error, RecursionError) else f"{type(error).__name__}: {error}"
    ctx.problems.append(Problem(f"'{callee.name}' could not be lowered ({reason})", span))
    ctx.unknowns[f"function failed: {reason}"] += 1
    kernel = any(c.kind == kinds.CUDA_GLOBAL_ATTR for c in clang.children(definition))
    return Function(
        key, callee.name, callee.qualified, (), None, t.VOID, span, span, kernel=kernel, device=not kernel
    )


def _lower(ctx: Context, definition: clang.Cursor, key: str) -> Function:
    parts = clang.children(definition)
    attributes = {c.kind for c in parts}
    callee = ctx.callee(definition)
    this = _this(ctx, definition)
    ctx.frame.this = this
    heir = definition.kind == kinds.CONSTRUCTOR and is_inherited(definition)
    declared = given(definition) if heir else [c for c in parts if c.kind == kinds.PARM_DECL]
    parameters = tuple(variable(ctx, c) for c in declared)
    kernel = kinds.CUDA_GLOBAL_ATTR in attributes
    device = kinds.CUDA_DEVICE_ATTR in attributes
    ctx.frame.device = kernel or device
    host = not kernel and (not device or kinds.CUDA_HOST_ATTR in attributes)
    body = _body(ctx, definition, parts) if host or not ctx.host_only else None
    if body is not None and ctx.frame.device:
        body = apart(body, lambda one: ctx.register(replace(one, id=ctx.fresh())))
    return Function(
        key=key,
        name=callee.name,
        qualified=callee.qualified,
        parameters=parameters,
        body=body,
        returns=ctx.types.lower(clang.result_type_of(definition)),
        span=name_span(ctx, definition, callee.name),
        extent=ctx.places.span(definition),
        kernel=kernel,
        device=device,
        host=host,
        dependent=ctx.frame.dependent,
        this=this,
        launch_bounds=launch_bounds(definition) if kernel else (),
        template_arguments=ctx.template_arguments(definition),
        lambda_=callee.name == "operator()" and "(lambda" in callee.qualified,
        overrides=_overrides(ctx, definition) if this is not None and host else (),
    )


def _overrides(ctx: Context, method: clang.Cursor) -> tuple[str, ...]:
    """The keys of the methods of all base classes that a virtual one overrides."""
    if not clang.is_virtual_method(method):
        return ()
    found: dict[str, None] = {}
    left = clang.overridden(method)
    while left:
        base = left.pop()
        key = ctx.callee(base).key
        if key not in found:
            found[key] = None
            left += clang.overridden(base)
    return tuple(found)


def name_span(ctx: Context, definition: clang.Cursor, name: str) -> Span:
    """Where the function's name stands."""
    raw = clang.location(definition).raw
    place = ctx.places.place(raw)
    if place.file is None:
        return NOWHERE
    column = place.file.column(place.line, place.column)
    length = len(name) if place.file.data.startswith(name.encode(), place.offset) else 1
    return Span(place.file.path, place.line, column, place.line, column + length)


def _this(ctx: Context, definition: clang.Cursor) -> e.Variable | None:
    if definition.kind not in kinds.METHOD_DECLS or clang.is_static_method(definition):
        return None
    parent = clang.semantic_parent(definition)
    if parent.kind not in kinds.RECORD_DECLS:
        return None
    record = ctx.types.of(parent)
    if isinstance(record, t.Record) and record.name.startswith("(lambda"):
        return None
    return ctx.temporary("this", t.Pointer(record), ctx.places.span(definition))


def _body(ctx: Context, definition: clang.Cursor, parts: list[clang.Cursor]) -> s.Block | None:
    block = next((c for c in reversed(parts) if c.kind == kinds.COMPOUND_STMT), None)
    if block is None:
        block = next((c for c in reversed(parts) if c.kind == kinds.TRY_STMT), None)
        if block is None and definition.kind != kinds.CONSTRUCTOR:
            return None
    before: list[s.Statement] = []
    if definition.kind == kinds.CONSTRUCTOR:
        before = _member_initialisers(ctx, definition, parts)
    if block is None:
        return s.Block(tuple(before), ctx.places.span(definition))
    lowered = ctx.statement(ctx, block)
    body = lowered if isinstance(lowered, s.Block) else s.Block((lowered,), lowered.span)
    return s.Block((*before, *body.body), body.span) if before else body


def _member_initialisers(
    ctx: Context, definition: clang.Cursor, parts: list[clang.Cursor]
) -> list[s.Statement]:
    """`: a(1), Base(2)` and members' own initialisers as assignments, members in the order of the layout."""
    this = ctx.frame.this
    if this is None or not isinstance(this.type, t.Pointer) or not isinstance(this.type.pointee, t.Record):
        return []
    record = this.type.pointee
    found: list[s.Statement] = []
    named: set[int | str] = set()
    pending: clang.Cursor | None = None
    for part in parts:
        if part.kind in (kinds.MEMBER_REF, kinds.TYPE_REF, kinds.TEMPLATE_REF):
            pending = part
        elif kinds.FIRST_EXPRESSION <= part.kind <= kinds.LAST_EXPRESSION and pending is not None:
            made = _initialiser(ctx, this, record, pending, part, named)
            if made is not None:
                found.append(made)
            pending = None
    span = ctx.places.span(definition)
    whole = e.Dereference(e.VariableReference(this, this.type, span), record, span)
    if is_inherited(definition):
        found += inherited(ctx, definition, whole, record, named)
    return [*default_members(ctx, whole, record, named), *found]


def _initialiser(
    ctx: Context,
    this: e.Variable,
    record: t.Record,
    target: clang.Cursor,
    value: clang.Cursor,
    named: set[int | str],
) -> s.Statement | None:
    span = ctx.places.span(value)
    whole = e.Dereference(e.VariableReference(this, this.type, span), record, span)
    declaration = clang.referenced(target)
    if target.kind != kinds.MEMBER_REF:
        base = ctx.types.of(value)
        initial = ctx.expression(ctx, value)
        if not isinstance(base, t.Record):
            return None
        if base == record:  # a delegating constructor
            return s.Evaluate(e.Assign(whole, initial, None, record, span), span)
        named.add(base.name)
        if base.name in ctx.types.declarations:
            ctx.types.adopt(record, ctx.types.declarations[base.name])
        offset = ctx.types.base_offset(record, base)
        if offset is None:
            return s.Evaluate(initial, span)
        place = e.Member(whole, "", offset, base, span)
        return s.Evaluate(e.Assign(place, initial, None, base, span), span)
    named.add(declaration.a or 0)
    declared = ctx.types.of(declaration)
    kind = declared.target if isinstance(declared, t.Reference) else declared
    offset = ctx.types.member_offset(record, declaration)
    initial = ctx.expression(ctx, value)
    if isinstance(declared, t.Reference):
        declared = t.Pointer(kind, declared.const)
        initial = e.AddressOf(initial, declared, span)
    member = e.Member(whole, clang.spelling(declaration), offset, declared, span)
    return s.Evaluate(e.Assign(member, initial, None, declared, span), span)
