"""Kernel launches: triple chevrons and the runtime's launch functions."""

from __future__ import annotations

from cudalint.frontend.lower import clang
from cudalint.frontend.lower.context import Context
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.source.span import Span

# name -> (kernel, grid, block, arguments, shared, stream): positions of the parameters, None where there is
# none
_POSITIONS: dict[str, tuple[int, int, int, int, int, int]] = {
    "cudaLaunchKernel": (0, 1, 2, 3, 4, 5),
    "cudaLaunchCooperativeKernel": (0, 1, 2, 3, 4, 5),
    "hipLaunchKernel": (0, 1, 2, 3, 4, 5),
    "hipLaunchCooperativeKernel": (0, 1, 2, 3, 4, 5),
}
_COOPERATIVE = frozenset({"cudaLaunchCooperativeKernel", "hipLaunchCooperativeKernel"})
_CONFIGURED = frozenset({"cudaLaunchKernelEx", "cudaLaunchKernelExC"})
API_NAMES = frozenset(_POSITIONS) | _CONFIGURED


def make(
    ctx: Context,
    cursor: clang.Cursor,
    kernel: clang.Cursor | None,
    target: e.Expression | None,
    shape: tuple[e.Expression, ...],
    written: list[bool],
    arguments: tuple[e.Expression, ...],
    overloaded: str,
) -> e.Expression:
    """A `<<<...>>>` launch; `written` tells which parts of the configuration stand in the source."""
    span = ctx.places.span(cursor)
    key: str | None = None
    name = overloaded or clang.spelling(cursor)
    if kernel is not None:
        callee = ctx.callee(kernel)
        key, name = callee.key, callee.name
    elif target is not None:
        function = _function_of(ctx, target)
        if function is not None:
            key, name = function.key, function.name
    parts = list(shape) + [None] * (4 - len(shape))
    grid, block = parts[0], parts[1]
    if grid is None or block is None:
        return ctx.unknown("launch without a configuration", cursor, arguments)
    shared = parts[2] if len(written) > 2 and written[2] else None
    stream = parts[3] if len(written) > 3 and written[3] else None
    pointer = target if key is None else None
    return e.Launch(key, name, grid, block, shared, stream, arguments, t.VOID, span, kernel=pointer)


def by_device(ctx: Context, span: Span) -> e.Launch | None:
    """The launch by code of the device that starts here, of which clang tells no more than the name."""
    name = ctx.refused.get((span.path, span.line, span.column))
    if name is None:
        return None
    shape = e.Unknown("launch from device code", t.UINT, span)
    return e.Launch(None, name, shape, shape, None, None, None, t.VOID, span)


def _function_of(ctx: Context, value: e.Expression) -> e.FunctionReference | None:
    """The function a pointer expression stands for, when that is certain."""
    match value:
        case e.FunctionReference():
            return value
        case e.Cast(operand=inner) | e.AddressOf(operand=inner) | e.Dereference(pointer=inner):
            return _function_of(ctx, inner)
        case e.VariableReference(variable=variable):
            return ctx.frame.callees.get(variable.id)
    return None


def from_api(ctx: Context, call: e.Call) -> e.Expression:
    """cudaLaunchKernel and its variants as launches; the call itself where a part is missing."""
    if call.name in _CONFIGURED:
        return _configured(ctx, call)
    kernel_at, grid_at, block_at, values_at, shared_at, stream_at = _POSITIONS[call.name]
    given = call.arguments
    if len(given) <= values_at:
        return call
    function = _function_of(ctx, given[kernel_at])
    return e.Launch(
        function.key if function else None,
        function.name if function else _name_of(given[kernel_at]),
        given[grid_at],
        given[block_at],
        given[shared_at] if len(given) > shared_at else None,
        given[stream_at] if len(given) > stream_at else None,
        _arguments_of(ctx, given[values_at]),
        call.type,
        call.span,
        call.name in _COOPERATIVE,
        given[kernel_at] if function is None else None,
    )


def _name_of(value: e.Expression) -> str:
    match value:
        case e.Cast(operand=inner) | e.AddressOf(operand=inner):
            return _name_of(inner)
        case e.VariableReference(variable=variable):
            return variable.name
    return ""


def _arguments_of(ctx: Context, value: e.Expression) -> tuple[e.Expression, ...] | None:
    """The kernel's arguments from `void* args[] = {&a, &b}` of the same function."""
    match value:
        case e.Cast(operand=inner):
            return _arguments_of(ctx, inner)
        case e.AddressOf(operand=e.Index(base=inner, index=e.Literal(value=0))):
            return _arguments_of(ctx, inner)
        case e.VariableReference(variable=variable):
            pointers = ctx.frame.arrays.get(variable.id)
        case e.InitList(elements=elements):
            pointers = elements
        case e.Literal(value=0):
            return ()
        case _:
            return None
    if pointers is None:
        return None
    found = []
    for pointer in pointers:
        while isinstance(pointer, e.Cast):
            pointer = pointer.operand
        if isinstance(pointer, e.Literal):
            break
        if not isinstance(pointer, e.AddressOf):
            return None
        found.append(pointer.operand)
    return tuple(found)


def _configured(ctx: Context, call: e.Call) -> e.Expression:
    """cudaLaunchKernelEx(&configuration, kernel, arguments...): the shape stands in a struct."""
    if len(call.arguments) < 2:
        return call
    pointer = call.arguments[0]
    config = pointer.operand if isinstance(pointer, e.AddressOf) else None
    if config is None and isinstance(pointer.type, t.Pointer):
        config = e.Dereference(pointer, pointer.type.pointee, pointer.span)
    if config is None:
        config = pointer
    if not isinstance(config.type, t.Record):
        return call
    layout = ctx.types.layout(config.type)

    def part(name: str) -> e.Expression | None:
        field = layout.field(name)
        return e.Member(config, name, field.offset, field.type, call.span) if field else None

    grid, block = part("gridDim"), part("blockDim")
    if grid is None or block is None:
        return call
    function = _function_of(ctx, call.arguments[1])
    if call.name == "cudaLaunchKernelExC":
        values = _arguments_of(ctx, call.arguments[2]) if len(call.arguments) > 2 else ()
    else:
        values = call.arguments[2:]
    return e.Launch(
        function.key if function else None,
        function.name if function else _name_of(call.arguments[1]),
        grid,
        block,
        part("dynamicSmemBytes"),
        part("stream"),
        values,
        call.type,
        call.span,
        kernel=call.arguments[1] if function is None else None,
    )
