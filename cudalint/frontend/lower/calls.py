"""Calls: functions, methods, operators, constructors, launches."""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds, launches, member_pointers
from cudalint.frontend.lower.context import Callee, Context
from cudalint.frontend.lower.conversions import object_lvalue
from cudalint.frontend.lower.definitions import definition_of
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_CONFIGURATION = frozenset({"cudaConfigureCall", "__cudaPushCallConfiguration", "hipConfigureCall"})
_OPERATOR_PREFIX = "operator"
_COMPOUND = ("operator+=", "operator-=", "operator*=", "operator/=")
_SMALL = (1, 2, 4)  # bytes of the library's numbers that are no type of the language
_DEPENDENT_OPERATORS = frozenset(kinds.BINARY_OPERATORS.values())


def call(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    parts = [c for c in clang.children(cursor) if c.kind not in kinds.REFERENCES]
    declaration = clang.referenced(cursor)
    if len(parts) > 1 and parts[1].kind == kinds.CALL_EXPR and clang.spelling(parts[1]) in _CONFIGURATION:
        return _launch(ctx, cursor, declaration, parts)
    match declaration.kind:
        case kinds.CONSTRUCTOR:
            return construct(ctx, cursor, declaration, parts)
        case kinds.FUNCTION_DECL:
            return _function_call(ctx, cursor, declaration, parts)
        case kinds.CXX_METHOD | kinds.CONVERSION_FUNCTION | kinds.DESTRUCTOR:
            return _method_call(ctx, cursor, declaration, parts)
    if not parts:
        return ctx.unknown("call without a callee", cursor)
    if declaration.kind in (kinds.VAR_DECL, kinds.PARM_DECL, kinds.FIELD_DECL):
        return _pointer_call(ctx, cursor, parts)
    through = member_pointers.method(ctx, parts[0])
    if through is not None:
        return _member_call(ctx, cursor, *through, arguments(ctx, parts[1:], None))
    return _unresolved(ctx, cursor, parts)


def arguments(
    ctx: Context, parts: list[clang.Cursor], declaration: clang.Cursor | None
) -> tuple[e.Expression, ...]:
    """Argument expressions; a default argument is the parameter's own expression."""
    found = []
    for index, part in enumerate(parts):
        if part.kind == kinds.UNEXPOSED_EXPR and not clang.extent(part).begin and declaration is not None:
            found.append(_default_argument(ctx, part, declaration, index))
        else:
            found.append(ctx.expression(ctx, part))
    return tuple(found)


def _default_argument(
    ctx: Context, part: clang.Cursor, declaration: clang.Cursor, index: int
) -> e.Expression:
    value = None
    kind = ctx.types.of(part)
    if isinstance(kind, t.Scalar) and not ctx.frame.dependent:
        value = clang.evaluate(part)
        if value is not None:
            return e.Literal(
                float(value) if kind.kind == "float" else int(value), kind, ctx.places.span(part)
            )
    for candidate in (declaration, clang.specialized_template(declaration)):
        if candidate.kind in kinds.INVALID_KINDS or index >= clang.argument_count(candidate):
            continue
        written = [
            c
            for c in clang.children(clang.argument(candidate, index))
            if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION
        ]
        if written and clang.extent(written[-1]).begin:
            return ctx.expression(ctx, written[-1])
    return ctx.expression(ctx, part)


def _function_call(
    ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor, parts: list[clang.Cursor]
) -> e.Expression:
    callee = ctx.callee(declaration)
    ctx.want(callee)
    rest = parts[1:]
    if callee.name.startswith(_OPERATOR_PREFIX):
        rest = _without_callee(parts, declaration)
    values = arguments(ctx, rest, declaration)
    if callee.name in _COMPOUND and len(values) == 2 and _is_number_unseen(values[0].type, declaration):
        return _changed(ctx, cursor, callee, values[0], values)
    made = make_call(ctx, cursor, callee, values, None)
    if callee.name in launches.API_NAMES:
        return launches.from_api(ctx, made)
    return made


def make_call(
    ctx: Context,
    cursor: clang.Cursor,
    callee: Callee,
    values: tuple[e.Expression, ...],
    receiver: e.Expression | None,
) -> e.Call:
    return callee.call(values, receiver, ctx.types.of(cursor), ctx.places.span(cursor))


def _without_callee(parts: list[clang.Cursor], declaration: clang.Cursor) -> list[clang.Cursor]:
    """The operands of an overloaded operator: its name stands among them in source order."""
    for index, part in enumerate(parts):
        if part.kind in (kinds.UNEXPOSED_EXPR, kinds.DECL_REF_EXPR):
            inner = clang.referenced(part)
            if inner.a == declaration.a and _names_function(part):
                return parts[:index] + parts[index + 1 :]
    return parts[1:]


def _names_function(part: clang.Cursor) -> bool:
    while part.kind == kinds.UNEXPOSED_EXPR:
        inner = clang.children(part)
        if len(inner) != 1:
            return False
        part = inner[0]
    return part.kind == kinds.DECL_REF_EXPR


def _method_call(
    ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor, parts: list[clang.Cursor]
) -> e.Expression:
    callee = ctx.callee(declaration)
    if not parts:
        return ctx.unknown("call without a callee", cursor)
    named = _member_callee(parts[0], declaration)
    if named is not None:
        static = clang.is_static_method(declaration)
        receiver = None if static else _receiver(ctx, cursor, named)
        values = arguments(ctx, parts[1:], declaration)
    elif callee.name.startswith(_OPERATOR_PREFIX):
        rest = _without_callee(parts, declaration)
        if not rest:
            return ctx.unknown("operator without operands", cursor)
        receiver = object_of(ctx.expression(ctx, rest[0]))
        values = arguments(ctx, rest[1:], declaration)
        if callee.name == "operator=" and len(values) == 1 and clang.is_defaulted(declaration):
            return e.Assign(receiver, values[0], None, receiver.type, ctx.places.span(cursor))
        if callee.name == "operator=" and len(values) == 1 and _is_number_unseen(receiver.type, declaration):
            return _changed(ctx, cursor, callee, receiver, values)
    else:
        receiver = None
        values = arguments(ctx, parts[1:], declaration)
    if receiver is not None and _is_conversion_unseen(declaration):
        values, receiver = (receiver,), None  # it reads the whole object
    ctx.want(callee)
    return make_call(ctx, cursor, callee, values, receiver)


def _is_number_unseen(kind: t.Type, declaration: clang.Cursor) -> bool:
    """Whether an operator is one of the library's small numbers, of which only the declaration is known."""
    return isinstance(kind, t.Record) and kind.bytes in _SMALL and definition_of(declaration)[0] is None


def _changed(
    ctx: Context, cursor: clang.Cursor, callee: Callee, target: e.Expression, values: tuple[e.Expression, ...]
) -> e.Assign:
    """What an unseen operator writes: what it makes of its operands."""
    span = ctx.places.span(cursor)
    name = callee.name.removesuffix("=")
    if name == _OPERATOR_PREFIX:
        made: e.Expression = e.Construct(callee.key, values, target.type, span)
    else:
        made = e.Call(None, name, name, values, None, target.type, span)
    return e.Assign(target, made, None, target.type, span)


def _is_conversion_unseen(declaration: clang.Cursor) -> bool:
    """Whether it is a conversion to another type of which only the declaration is known: of 16-bit floats."""
    return declaration.kind == kinds.CONVERSION_FUNCTION and definition_of(declaration)[0] is None


def object_of(receiver: e.Expression) -> e.Expression:
    return receiver


def _member_callee(part: clang.Cursor, declaration: clang.Cursor) -> clang.Cursor | None:
    """The MEMBER_REF_EXPR that names the method, through parentheses and conversions."""
    while part.kind in (kinds.UNEXPOSED_EXPR, kinds.PAREN_EXPR):
        inner = [c for c in clang.children(part) if c.kind not in kinds.REFERENCES]
        if len(inner) != 1:
            return None
        part = inner[0]
    if part.kind == kinds.MEMBER_REF_EXPR and clang.referenced(part).a == declaration.a:
        return part
    return None


def _receiver(ctx: Context, cursor: clang.Cursor, named: clang.Cursor) -> e.Expression:
    """The object, with which the call begins; of `f<256>(x)` in a method clang shows just the arguments."""
    inner = [c for c in clang.children(named) if c.kind not in kinds.REFERENCES]
    if inner and _begin_together(ctx, inner[0], named):
        return object_lvalue(ctx.expression(ctx, inner[0]))
    this = ctx.frame.this
    if this is None:
        return ctx.unknown("'this' outside a method", cursor)
    span = ctx.places.span(cursor)
    pointee = this.type.pointee if isinstance(this.type, t.Pointer) else this.type
    return e.Dereference(e.VariableReference(this, this.type, span), pointee, span)


def _begin_together(ctx: Context, part: clang.Cursor, whole: clang.Cursor) -> bool:
    first, all_ = ctx.places.span(part), ctx.places.span(whole)
    return (first.path, first.line, first.column) == (all_.path, all_.line, all_.column)


def construct(
    ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor, parts: list[clang.Cursor]
) -> e.Expression:
    """A constructor call; copies and moves that only copy the members are the operand itself."""
    kind = ctx.types.of(cursor)
    given = clang.argument_count(cursor)
    if 0 <= given < len(parts):
        parts = parts[len(parts) - given :]  # before them stand the arguments of a written template
    if (
        len(parts) == 1
        and clang.is_defaulted(declaration)
        and (clang.is_copy_constructor(declaration) or clang.is_move_constructor(declaration))
    ):
        return ctx.expression(ctx, parts[0])
    values = arguments(ctx, parts, declaration)
    callee = ctx.callee(declaration)
    ctx.want(callee)
    return e.Construct(callee.key, values, kind, ctx.places.span(cursor))


def _pointer_call(ctx: Context, cursor: clang.Cursor, parts: list[clang.Cursor]) -> e.Expression:
    target = ctx.expression(ctx, parts[0])
    return _through(ctx, cursor, target, arguments(ctx, parts[1:], None), clang.spelling(cursor))


def _through(
    ctx: Context, cursor: clang.Cursor, target: e.Expression, values: tuple[e.Expression, ...], name: str
) -> e.Call:
    """A call of what an expression names: a function, what a pointer is known to hold, or anything."""
    kind, span = ctx.types.of(cursor), ctx.places.span(cursor)
    known = ctx.frame.callees.get(target.variable.id) if isinstance(target, e.VariableReference) else target
    if isinstance(known, e.FunctionReference):
        return e.Call(known.key, known.name, known.name, values, None, kind, span)
    return e.Call(None, name, name, values, None, kind, span, target)


def _member_call(
    ctx: Context,
    cursor: clang.Cursor,
    receiver: e.Expression,
    pointer: e.Expression,
    values: tuple[e.Expression, ...],
) -> e.Call:
    """A call of the method that a pointer to a member names."""
    kind, span = ctx.types.of(cursor), ctx.places.span(cursor)
    if isinstance(pointer, e.FunctionReference):
        return e.Call(pointer.key, pointer.name, pointer.name, values, receiver, kind, span)
    return e.Call(None, "", "", values, receiver, kind, span, pointer)


def _unresolved(ctx: Context, cursor: clang.Cursor, parts: list[clang.Cursor]) -> e.Expression:
    """A call inside a template that nothing instantiates, or of a name that is not declared."""
    for index, part in enumerate(parts):
        name = _overloaded_name(part)
        if not name:
            continue
        rest = parts[:index] + parts[index + 1 :]
        values = tuple(ctx.expression(ctx, c) for c in rest)
        operator = name.removeprefix(_OPERATOR_PREFIX)
        span = ctx.places.span(cursor)
        kind = ctx.types.of(cursor)
        if operator != name and operator in _DEPENDENT_OPERATORS and len(values) == 2:
            if operator in ("==", "!=", "<", ">", "<=", ">=", "&&", "||"):
                kind = t.BOOL
            elif values[0].type == values[1].type:
                kind = values[0].type
            return e.Binary(operator, values[0], values[1], kind, span)
        return e.Call(None, name, name, values, None, kind, span)
    target = ctx.expression(ctx, parts[0])
    values = tuple(ctx.expression(ctx, c) for c in parts[1:])
    name = clang.spelling(cursor) or clang.spelling(parts[0])
    return _through(ctx, cursor, target, values, name)


def _overloaded_name(part: clang.Cursor) -> str:
    """The name of an overload set that is not resolved, '' for anything else."""
    if part.kind not in (kinds.DECL_REF_EXPR, kinds.UNEXPOSED_EXPR):
        return ""
    inner = clang.children(part)
    for child in inner:
        if child.kind == kinds.OVERLOADED_DECL_REF:
            return clang.spelling(child)
    if len(inner) == 1 and part.kind == kinds.UNEXPOSED_EXPR:
        return _overloaded_name(inner[0])
    return ""


def _launch(
    ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor, parts: list[clang.Cursor]
) -> e.Expression:
    configuration = [c for c in clang.children(parts[1]) if c.kind not in kinds.REFERENCES]
    inner = clang.referenced(parts[1])
    shape = arguments(ctx, configuration[1:], inner)
    known = declaration if declaration.kind == kinds.FUNCTION_DECL else None
    values = arguments(ctx, parts[2:], known)
    written = [bool(clang.extent(c).begin) for c in configuration[1:]]
    target: e.Expression | None = None
    if known is None:
        target = ctx.expression(ctx, parts[0])
    else:
        ctx.want(ctx.callee(known))
    return launches.make(ctx, cursor, known, target, shape, written, values, _overloaded_name(parts[0]))
