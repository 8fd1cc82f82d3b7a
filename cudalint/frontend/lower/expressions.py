"""Expression cursors to IR."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from cudalint.frontend.lower import allocations, calls, clang, kinds, lambdas, literals, member_pointers
from cudalint.frontend.lower.context import Context, expression_children
from cudalint.frontend.lower.conversions import explicit_cast, implicit, object_lvalue, undecayed
from cudalint.frontend.lower.initializers import empty_list, init_list
from cudalint.frontend.lower.launches import by_device
from cudalint.frontend.lower.promotions import compound, stepped
from cudalint.frontend.lower.types import is_unresolved
from cudalint.frontend.lower.variables import builtin_name, local_constant, variable
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_AXES = frozenset("xyz")


def lower(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """The IR of an expression cursor."""
    handler = _HANDLERS.get(cursor.kind)
    if handler is not None:
        return handler(ctx, cursor)
    operands = tuple(
        ctx.expression(ctx, c)
        for c in expression_children(cursor)
        if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION
    )
    return ctx.unknown(f"expression of kind {cursor.kind}", cursor, operands)


def _transparent(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 1:
        return ctx.unknown("parentheses without an expression", cursor)
    return lower(ctx, inner[0])


def _unexposed(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) == 1 and kinds.FIRST_EXPRESSION <= inner[0].kind <= kinds.LAST_EXPRESSION:
        return implicit(ctx, cursor, lower(ctx, inner[0]))
    if not inner:
        return _childless(ctx, cursor)
    if ctx.refused and (launch := by_device(ctx, ctx.places.span(cursor))) is not None:
        return launch
    operands = tuple(
        lower(ctx, c) for c in inner if kinds.FIRST_EXPRESSION <= c.kind <= kinds.LAST_EXPRESSION
    )
    if not ctx.frame.dependent and (constant := literals.evaluated(ctx, cursor)) is not None:
        return constant
    if len(operands) == 2 and operands[0].type == operands[1].type == ctx.types.of(cursor):
        return e.Conditional(operands[0], operands[0], operands[1], operands[0].type, ctx.places.span(cursor))
    return ctx.unknown("expression without IR", cursor, operands)


def _childless(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    """A type trait, a value initialisation or something clang could not make sense of."""
    kind = clang.type_of(cursor).kind
    if kind in (kinds.T_DEPENDENT, kinds.T_OVERLOAD):
        return ctx.unknown("unresolved name", cursor)
    constant = literals.evaluated(ctx, cursor)
    if constant is not None:
        return constant
    kind_of_value = ctx.types.of(cursor)
    if isinstance(kind_of_value, t.Record):
        return empty_list(ctx, kind_of_value, ctx.places.span(cursor))
    if isinstance(kind_of_value, t.Array):  # `member()` of a constructor: all zeros
        return e.InitList((), kind_of_value, ctx.places.span(cursor))
    if isinstance(kind_of_value, t.Pointer):
        return e.Literal(0, kind_of_value, ctx.places.span(cursor))
    return ctx.unknown("expression without parts", cursor)


_FUNCTION_TYPES = (kinds.T_FUNCTION_PROTO, kinds.T_FUNCTION_NO_PROTO)


def _declaration_reference(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    declaration = clang.referenced(cursor)
    match declaration.kind:
        case kinds.VAR_DECL | kinds.PARM_DECL:
            return variable_reference(ctx, cursor, declaration)
        case kinds.ENUM_CONSTANT_DECL:
            if ctx.errors and _doubtful_enumerator(ctx, declaration):
                return ctx.unknown("enumerator without a value", cursor)
            constant = literals.folded(ctx, cursor, clang.enum_value(declaration))
            return constant or ctx.unknown("enumerator without a value", cursor)
        case kinds.FUNCTION_DECL | kinds.CXX_METHOD:
            callee = ctx.callee(declaration)
            ctx.want(callee)
            return e.FunctionReference(callee.key, callee.name, ctx.types.of(cursor), ctx.places.span(cursor))
        case kinds.TEMPLATE_NON_TYPE_PARAMETER:
            if ctx.frame.defaults and (default := expression_children(declaration)):
                return lower(ctx, default[0])
            return ctx.unknown(f"template parameter '{clang.spelling(declaration)}'", cursor)
        case kinds.FIELD_DECL:
            return member_pointers.of_data(ctx, cursor, declaration)
    if declaration.kind == kinds.UNEXPOSED_DECL and clang.has_global_storage(declaration) >= 0:
        return variable_reference(ctx, cursor, declaration)  # an instantiated variable template
    if clang.type_of(cursor).kind == kinds.T_OVERLOAD:  # its children are template arguments
        return ctx.unknown("unresolved name", cursor)
    inner = expression_children(cursor)
    if len(inner) == 1 and kinds.FIRST_EXPRESSION <= inner[0].kind <= kinds.LAST_EXPRESSION:
        # A template parameter with its argument in place of it.
        constant = None if ctx.frame.dependent else literals.evaluated(ctx, cursor)
        return constant or lower(ctx, inner[0])
    if declaration.kind == kinds.UNEXPOSED_DECL:
        bound = ctx.bindings.get(declaration.a or 0)
        if bound is not None:
            return bound
        return ctx.unknown("structured binding", cursor)
    if clang.type_of(cursor).kind in (kinds.T_DEPENDENT, kinds.T_OVERLOAD):
        return ctx.unknown("unresolved name", cursor)
    return ctx.unknown("reference to something without IR", cursor)


def _doubtful_enumerator(ctx: Context, declaration: clang.Cursor) -> bool:
    """Whether an error stands in the enumeration up to this enumerator: it, or one that it counts on from."""
    whole = ctx.places.span(clang.semantic_parent(declaration))
    own = ctx.places.span(declaration)
    return any(place <= (own.end_line, 1 << 30) for place in ctx.errors_within(whole))


def variable_reference(ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor) -> e.Expression:
    """A use of a variable: a builtin, a folded constant or a reference."""
    if declaration.kind == kinds.VAR_DECL:
        builtin = builtin_name(ctx, declaration)
        if builtin:
            return _builtin(ctx, cursor, builtin)
    made = variable(ctx, declaration)
    if made.const and isinstance(made.type, t.Scalar):
        value = local_constant(ctx, declaration, made)
        if value is not None:
            kind = made.type
            return e.Literal(value, kind, ctx.places.span(cursor), None, literals.in_macro(cursor))
    kind_ = made.type.target if isinstance(made.type, t.Reference) else made.type
    if is_unresolved(kind_):
        return ctx.unknown(kind_.name, cursor)  # type: ignore[union-attr]
    return e.VariableReference(made, kind_, ctx.places.span(cursor))


def _named(ctx: Context, cursor: clang.Cursor) -> str:
    """'threadIdx' or the like where nothing but that is referred to, else ''."""
    if cursor.kind != kinds.DECL_REF_EXPR:
        return ""
    declaration = clang.referenced(cursor)
    return builtin_name(ctx, declaration) if declaration.kind == kinds.VAR_DECL else ""


def _builtin(ctx: Context, cursor: clang.Cursor, name: str) -> e.Expression:
    span = ctx.places.span(cursor)
    if name == "warpSize":
        return e.Builtin("warpSize", "", t.INT, span)
    axes = tuple(e.Builtin(name, axis, t.UINT, span) for axis in "xyz")  # type: ignore[arg-type]
    return e.InitList(axes, ctx.types.of(cursor), span)


def _member(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    declaration = clang.referenced(cursor)
    inner = expression_children(cursor)
    if declaration.kind == kinds.FIELD_DECL:
        return _field(ctx, cursor, declaration, inner)
    if declaration.kind == kinds.VAR_DECL:
        return variable_reference(ctx, cursor, declaration)
    if declaration.kind == kinds.ENUM_CONSTANT_DECL:
        constant = literals.folded(ctx, cursor, clang.enum_value(declaration))
        if constant is not None:
            return constant
    if declaration.kind in kinds.FUNCTION_DECLS:
        callee = ctx.callee(declaration)
        ctx.want(callee)
        return e.FunctionReference(callee.key, callee.name, ctx.types.of(cursor), ctx.places.span(cursor))
    operands = tuple(lower(ctx, c) for c in inner)
    return ctx.unknown(f"member '{clang.spelling(cursor)}' of an unresolved type", cursor, operands)


def _field(
    ctx: Context, cursor: clang.Cursor, declaration: clang.Cursor, inner: list[clang.Cursor]
) -> e.Expression:
    span = ctx.places.span(cursor)
    name = clang.spelling(declaration)
    if name in _AXES and inner and (named := _named(ctx, inner[0])):
        return e.Builtin(named, name, t.UINT, span)  # type: ignore[arg-type]
    base = lower(ctx, inner[0]) if inner else this(ctx, cursor)
    match base:
        case e.InitList(elements=(e.Builtin() as builtin, *_)) if name in _AXES:
            return e.Builtin(builtin.name, name, t.UINT, span)
    declared = ctx.types.of(declaration)
    kind = declared.target if isinstance(declared, t.Reference) else declared
    target: e.Expression = object_lvalue(base)
    record = target.type
    if not isinstance(record, t.Record):
        return ctx.unknown(f"member '{name}' of an unresolved type", cursor, (base,))
    ctx.types.adopt(record, clang.semantic_parent(declaration))
    offset = ctx.types.member_offset(record, declaration)
    volatile = bool(clang.is_volatile(clang.canonical_type(clang.type_of(declaration))))
    if isinstance(target, e.Member) and not target.name:
        offset += target.offset
        target = target.base
    if isinstance(declared, t.Reference):
        pointer = t.Pointer(kind, declared.const)
        return e.Dereference(e.Member(target, name, offset, pointer, span), kind, span)
    return e.Member(target, name, offset, kind, span, volatile)


def this(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    if ctx.frame.this is None:
        return ctx.unknown("'this' outside a method", cursor)
    return e.VariableReference(ctx.frame.this, ctx.frame.this.type, ctx.places.span(cursor))


def _subscript(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 2:
        return ctx.unknown("subscript without two operands", cursor)
    base, index = (undecayed(lower(ctx, part)) for part in inner)
    if isinstance(index.type, (t.Pointer, t.Array)) and isinstance(base.type, t.Scalar):
        base, index = index, base  # 3[a]
    if isinstance(base.type, t.Pointer):
        kind = base.type.pointee
    elif isinstance(base.type, t.Array):
        kind = base.type.element
    else:
        return ctx.unknown("subscript of an unresolved type", cursor, (base, index))
    if is_unresolved(kind):
        return ctx.unknown("subscript of an unresolved type", cursor, (base, index))
    return e.Index(base, index, kind, ctx.places.span(cursor))


def _binary(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 2:
        return ctx.unknown("operator without two operands", cursor)
    code = clang.binary_operator(cursor)
    left, right = lower(ctx, inner[0]), lower(ctx, inner[1])
    span = ctx.places.span(cursor)
    if code == kinds.ASSIGN:
        forget_callee(ctx, left)
        return e.Assign(left, right, None, left.type, span)
    operator = kinds.BINARY_OPERATORS.get(code)
    if operator is None:
        return member_pointers.member(ctx, cursor, left, right, code == kinds.MEMBER_OF_POINTER)
    kind = ctx.types.of(cursor)
    if isinstance(kind, t.Opaque) and ctx.frame.dependent:
        kind = dependent_type(operator, left.type, right.type) or kind
    if operator in ("%", "/") and literals.is_always_zero(operator, left, right, kind):
        return e.Literal(0, kind, span)
    return e.Binary(operator, left, right, kind, span)


def dependent_type(operator: str, left: t.Type, right: t.Type) -> t.Type | None:
    """A guess-free type for an operator inside an uninstantiated template: only where both sides have one."""
    if operator in ("==", "!=", "<", ">", "<=", ">=", "&&", "||"):
        return t.BOOL
    return left if left == right else None


def forget_callee(ctx: Context, target: e.Expression) -> None:
    """A function pointer or argument array that is assigned to no longer has its initialiser."""
    match target:
        case e.VariableReference(variable=made) | e.Index(base=e.VariableReference(variable=made)):
            ctx.frame.callees.pop(made.id, None)
            ctx.frame.arrays.pop(made.id, None)


def _compound(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 2:
        return ctx.unknown("operator without two operands", cursor)
    operator = kinds.COMPOUND_OPERATORS.get(clang.binary_operator(cursor))
    left, right = lower(ctx, inner[0]), lower(ctx, inner[1])
    if operator is None:
        return ctx.unknown("assignment without IR", cursor, (left, right))
    return compound(left, right, operator, ctx.places.span(cursor))


def _unary(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 1:
        return ctx.unknown("operator without an operand", cursor)
    code = clang.unary_operator(cursor)
    operand = lower(ctx, inner[0])
    span = ctx.places.span(cursor)
    match code:
        case kinds.POST_INCREMENT | kinds.PRE_INCREMENT | kinds.POST_DECREMENT | kinds.PRE_DECREMENT:
            operator = "+" if code in (kinds.POST_INCREMENT, kinds.PRE_INCREMENT) else "-"
            return stepped(operand, operator, span, code in (kinds.POST_INCREMENT, kinds.POST_DECREMENT))
        case kinds.ADDRESS_OF:
            return _address(ctx, cursor, operand)
        case kinds.DEREFERENCE:
            return _dereference(ctx, cursor, operand)
    symbol = kinds.UNARY_OPERATORS.get(code)
    if symbol is not None:
        kind_ = ctx.types.of(cursor)
        if isinstance(kind_, t.Opaque):
            kind_ = t.BOOL if symbol == "!" else operand.type
        return e.Unary(symbol, operand, kind_, span)  # type: ignore[arg-type]
    if code == 13:  # __extension__
        return operand
    return ctx.unknown("operator without IR", cursor, (operand,))


def _address(ctx: Context, cursor: clang.Cursor, operand: e.Expression) -> e.Expression:
    if isinstance(operand, (e.FunctionReference, e.Literal)):  # a function, or a member of a class
        return operand
    if isinstance(operand, e.Unknown):
        return ctx.unknown(operand.reason, cursor, operand.operands)
    kind = ctx.types.of(cursor)
    if not isinstance(kind, t.Pointer):
        kind = t.Pointer(operand.type)
    return e.AddressOf(operand, kind, ctx.places.span(cursor))


def _dereference(ctx: Context, cursor: clang.Cursor, operand: e.Expression) -> e.Expression:
    if clang.canonical_type(clang.type_of(cursor)).kind in _FUNCTION_TYPES:
        return operand  # `(*f)(x)` calls what `f(x)` does
    match operand.type:
        case t.Pointer(pointee=kind) | t.Array(element=kind) if not is_unresolved(kind):
            return e.Dereference(operand, kind, ctx.places.span(cursor))
    if isinstance(operand, e.FunctionReference):
        return operand
    return ctx.unknown("dereference of an unresolved type", cursor, (operand,))


def _conditional(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    if len(inner) != 3:
        return ctx.unknown("conditional without three operands", cursor)
    condition, then, otherwise = (lower(ctx, c) for c in inner)
    kind = ctx.types.of(cursor)
    if isinstance(kind, t.Opaque):
        kind = then.type
    return e.Conditional(condition, then, otherwise, kind, ctx.places.span(cursor))


def _sizeof(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    constant = None if ctx.frame.dependent else literals.evaluated(ctx, cursor)
    if ctx.frame.dependent and constant is None:
        constant = literals.evaluated(ctx, cursor)
    if constant is None:
        return ctx.unknown("sizeof of an unresolved type", cursor)
    operand = expression_children(cursor)
    measured = ctx.types.of(operand[0]) if operand else None
    return replace(constant, size_of=measured, in_macro=False)  # a number that is nowhere written


def _this(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    return this(ctx, cursor)


def _delete(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = tuple(lower(ctx, c) for c in expression_children(cursor))
    return e.Call(None, "operator delete", "operator delete", inner, None, t.VOID, ctx.places.span(cursor))


def _compound_literal(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    inner = expression_children(cursor)
    return lower(ctx, inner[-1]) if inner else ctx.unknown("expression without parts", cursor)


def _throw(ctx: Context, cursor: clang.Cursor) -> e.Expression:
    return ctx.unknown("throw", cursor, tuple(lower(ctx, c) for c in expression_children(cursor)))


Handler = Callable[[Context, clang.Cursor], e.Expression]

_HANDLERS: dict[int, Handler] = {
    kinds.UNEXPOSED_EXPR: _unexposed,
    kinds.DECL_REF_EXPR: _declaration_reference,
    kinds.MEMBER_REF_EXPR: _member,
    kinds.CALL_EXPR: calls.call,
    kinds.INTEGER_LITERAL: literals.number,
    kinds.FLOATING_LITERAL: literals.number,
    kinds.CHARACTER_LITERAL: literals.number,
    kinds.STRING_LITERAL: literals.string,
    kinds.BOOL_LITERAL: literals.boolean,
    kinds.NULLPTR_LITERAL: literals.null_pointer,
    kinds.GNU_NULL: literals.null_pointer,
    kinds.PAREN_EXPR: _transparent,
    kinds.UNARY_OPERATOR: _unary,
    kinds.ARRAY_SUBSCRIPT_EXPR: _subscript,
    kinds.BINARY_OPERATOR: _binary,
    kinds.COMPOUND_ASSIGNMENT: _compound,
    kinds.CONDITIONAL_OPERATOR: _conditional,
    kinds.INIT_LIST_EXPR: init_list,
    kinds.PAREN_LIST_INIT: init_list,
    kinds.COMPOUND_LITERAL: _compound_literal,
    kinds.SIZEOF_EXPR: _sizeof,
    kinds.SIZE_OF_PACK: _sizeof,
    kinds.THIS_EXPR: _this,
    kinds.NEW_EXPR: allocations.new,
    kinds.DELETE_EXPR: _delete,
    kinds.THROW_EXPR: _throw,
    kinds.LAMBDA_EXPR: lambdas.lambda_,
    kinds.STMT_EXPR: lambdas.statement_expression,
    **dict.fromkeys(kinds.EXPLICIT_CASTS, explicit_cast),
}
