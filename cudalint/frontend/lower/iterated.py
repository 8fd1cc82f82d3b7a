"""A range-based `for` over an object of the program's own class, by its begin() and end() on the device."""

from __future__ import annotations

from msgspec import Struct

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.context import Callee, Context
from cudalint.frontend.lower.promotions import stepped
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.source.span import Span


class Iteration(Struct, frozen=True):
    """The parts of the loop that does the same: what comes first, its test and step, and the element."""

    initial: s.Statement
    condition: e.Expression
    step: e.Expression
    element: e.Expression


def iteration(ctx: Context, over: e.Expression, range_: clang.Cursor, element: t.Type) -> Iteration | None:
    """None where the class is not the program's, or not all of it is seen. element: what an iteration has."""
    record = clang.type_declaration(clang.canonical_type(clang.type_of(range_)))
    begin, end = _method(ctx, record, "begin"), _method(ctx, record, "end")
    if not isinstance(over.type, t.Record) or begin is None or end is None:
        return None
    made = clang.canonical_type(clang.result_type_of(begin.declaration))
    kind, span = ctx.types.lower(made), over.span
    whole = ctx.temporary("__range", t.Reference(over.type), span)
    first, last = (ctx.temporary(name, kind, span) for name in ("__begin", "__end"))
    object_ = e.VariableReference(whole, over.type, span)
    at, stop = e.VariableReference(first, kind, span), e.VariableReference(last, kind, span)
    initial = s.Block(
        (
            s.Declare(whole, over, span),
            s.Declare(first, _call(ctx, begin, (), object_, kind, span), span),
            s.Declare(last, _call(ctx, end, (), object_, kind, span), span),
        ),
        span,
    )
    if isinstance(kind, t.Pointer):
        condition = e.Binary("!=", at, stop, t.BOOL, span)
        step = stepped(at, "+", span, postfix=False)
        return Iteration(initial, condition, step, e.Dereference(at, kind.pointee, span))
    iterator = clang.type_declaration(made)
    differs = _method(ctx, iterator, "operator!=", 1)
    on, value = _method(ctx, iterator, "operator++", 0), _method(ctx, iterator, "operator*", 0)
    if not isinstance(kind, t.Record) or differs is None or on is None or value is None:
        return None
    test = _call(ctx, differs, (stop,), at, t.BOOL, span)
    next_ = _call(ctx, on, (), at, ctx.types.lower(clang.result_type_of(on.declaration)), span)
    return Iteration(initial, test, next_, _call(ctx, value, (), at, element, span))


def _method(ctx: Context, record: clang.Cursor, name: str, parameters: int = 0) -> Callee | None:
    """A method of a class of the project that runs on the device, with a body."""
    for member in clang.children(record):
        if member.kind != kinds.CXX_METHOD or clang.spelling(member) != name:
            continue
        parts = clang.children(member)
        file = ctx.places.place(clang.location(member).raw).file
        here = file is not None and file.project
        device = any(part.kind == kinds.CUDA_DEVICE_ATTR for part in parts)
        count = sum(part.kind == kinds.PARM_DECL for part in parts)
        if here and device and count == parameters and clang.definition(member).kind == kinds.CXX_METHOD:
            return ctx.callee(member)
    return None


def _call(
    ctx: Context,
    callee: Callee,
    values: tuple[e.Expression, ...],
    receiver: e.Expression,
    kind: t.Type,
    span: Span,
) -> e.Call:
    ctx.want(callee)
    return callee.call(values, receiver, kind, span)
