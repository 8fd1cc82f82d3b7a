"""Calls of a symbolic run: device functions run inline, what is known by name does what it does, and
everything else is said to be lost.
"""

from collections.abc import Callable

import z3

from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import Array, Record, Reference, Scalar, Type
from cudalint.ir.types import Pointer as PointerType
from cudalint.ir.unit import Function
from cudalint.prove import arithmetic
from cudalint.prove.evaluate import (
    condition,
    converted,
    evaluate,
    numeric,
    opaque_result,
    place,
    pointer_value,
)
from cudalint.prove.execute import execute
from cudalint.prove.given import is_full_mask
from cudalint.prove.groups import group_call, warp_barrier
from cudalint.prove.machine import Claim, Frame, Left, Machine, Ticket
from cudalint.prove.memory import read, write
from cudalint.prove.values import Aggregate, Number, Pointer, Target, Value, negate, number, whole_of

_MOST_DEPTH = 16
_ASSUMPTIONS = ("__builtin_assume",)
_ENDS = ("__assert_fail", "__assertfail", "__trap", "__builtin_unreachable", "__builtin_trap")


def run_call(m: Machine, node: e.Call | e.Construct) -> Value:
    """The result of a call, with its effects; of one that returns a reference, its address."""
    if isinstance(node, e.Construct):
        return _construct(m, node)
    function = m.unit.defined(node.key)
    return _inline(m, node, function) if function is not None else _by_name(m, node)


def _construct(m: Machine, node: e.Construct) -> Value:
    """An object made by its constructor, or of its fields when the arguments match them."""
    function = m.unit.defined(node.key)
    if function is None:
        return _from_parts(m, node.type, [(evaluate(m, a), a.type) for a in node.arguments])
    memory = m.private("object")
    _inline(m, node, function, whole_of(memory))
    return read(m, whole_of(memory), node.type, node)


# --- calls into the program ---


def _inline(m: Machine, node: e.Call | e.Construct, function: Function, made: Pointer | None = None) -> Value:
    """Run a function's body where it is called; a returned reference is a pointer."""
    if len(m.frames) >= _MOST_DEPTH or any(f.function.key == function.key for f in m.frames):
        m.lose(f"recursion in {function.name}", node.span)
        _clobber(m, node)
        return m.unknown_value("recursion", node.type)
    _bind(m, node, function, made)
    if m.path is None or function.body is None:
        return m.unknown_value("not reached", node.type)
    frame = Frame(function)
    m.frames.append(frame)
    execute(m, function.body)
    m.frames.pop()
    ways = list(frame.returns)
    if m.path is not None:
        ways.append(Left(m.path, m.env))
    value = m.merge(ways)
    return value if value is not None else m.unknown_value("no value returned", node.type)


def _bind(m: Machine, node: e.Call | e.Construct, function: Function, made: Pointer | None) -> None:
    bound: list[tuple[e.Variable, Value | None, Pointer | None]] = []
    if function.this is not None:
        if made is None and isinstance(node, e.Call) and node.receiver is not None:
            made = place(m, node.receiver)
        bound.append((function.this, made or Pointer((), "an unknown object"), None))
    for parameter, argument in zip(function.parameters, node.arguments, strict=False):
        if isinstance(parameter.type, Reference):
            bound.append((parameter, None, place(m, argument)))
            continue
        value = evaluate(m, argument)
        if isinstance(value, Number):
            value = converted(m, value, argument.type, parameter.type)
        bound.append((parameter, value, None))
    for variable, given, reference in bound:
        m.bound.pop(variable.id, None)
        if reference is not None:
            m.bound[variable.id] = reference
            continue
        m.variables[variable.id] = m.private(variable.name)
        if given is not None:
            write(m, whole_of(m.variables[variable.id]), given, variable.type, node)


# --- what is known by name ---


def _by_name(m: Machine, node: e.Call) -> Value:
    name = node.name
    found = group_call(m, node)
    if found is not None:
        return found
    handler = _NAMED.get(name)
    if handler is not None:
        return handler(m, node)
    pointers = node.arguments and isinstance(node.arguments[0].type, PointerType)
    if name.startswith(effects.ATOMIC_PREFIXES) and pointers:
        return _atomic(m, node)
    return _unseen(m, node)


def _barrier(m: Machine, node: e.Call) -> Value:
    values = [evaluate(m, a) for a in node.arguments]
    if name_of_part(node) and values:
        m.lose("barrier for part of a block", node.span)
        return number(0)
    m.barrier(node.span)
    if node.name.startswith("__syncthreads_"):
        return m.fresh("vote", "b", 0, None, "a vote of the block")
    return number(0)


def name_of_part(node: e.Call) -> bool:
    """Whether the barrier takes a number of its own: not all threads need wait in it."""
    return node.name == "__barrier_sync" or node.name in effects.PART_BARRIERS


def _silent(m: Machine, node: e.Call) -> Value:
    for argument in node.arguments:
        evaluate(m, argument)
    return m.unknown(f"result of {node.name}", node.type) if node.type.bytes else number(0)


def _expect(m: Machine, node: e.Call) -> Value:
    values = [evaluate(m, argument) for argument in node.arguments]
    return values[0]


def _warp_barrier(m: Machine, node: e.Call) -> Value:
    for argument in node.arguments:
        evaluate(m, argument)
    warp_barrier(m, node, full=not node.arguments or is_full_mask(node.arguments[0]))
    return number(0)


def _assumption(m: Machine, node: e.Call) -> Value:
    path = m.path
    with m.quietly():
        test = condition(m, node.arguments[0])
    m.path = path
    m.fact(test if z3.is_true(m.here) else z3.Implies(m.here, test))
    return number(0)


def _end(m: Machine, node: e.Call) -> Value:
    """The launch ends here with an error: no run of interest comes here."""
    m.fact(negate(m.here))
    m.path = None
    return number(0)


def _load(m: Machine, node: e.Call) -> Value:
    pointer = node.arguments[0]
    kind = pointer.type.pointee if isinstance(pointer.type, PointerType) else node.type
    return read(m, pointer_value(m, pointer), kind, node)


def _store(m: Machine, node: e.Call) -> Value:
    pointer = node.arguments[0]
    kind = pointer.type.pointee if isinstance(pointer.type, PointerType) else node.arguments[1].type
    where = pointer_value(m, pointer)
    write(m, where, evaluate(m, node.arguments[1]), kind, node)
    return number(0)


def _atomic(m: Machine, node: e.Call) -> Value:
    pointer = node.arguments[0]
    where = pointer_value(m, pointer)
    values = [evaluate(m, argument) for argument in node.arguments[1:]]
    kind: Type = node.type
    if isinstance(pointer.type, PointerType):
        kind = pointer.type.pointee
    if not where.targets:
        m.lose(f"atomic through {where.lost or 'a null pointer'}", node.span)
    for target in where.targets:
        if target.object.space == "local":
            m.forget(target.object)
        m.access(target, max(1, kind.bytes), "atomic", None, node.span, _atomic_text(node))
    result = m.unknown_value("result of an atomic", node.type)
    if node.name.startswith("atomicAdd") and isinstance(result, Number) and len(where.targets) == 1:
        _draw_ticket(m, result, where.targets[0], values[0])
    if isinstance(result, Number) and len(where.targets) == 1 and not m.silent:
        _note_claim(m, node, result, where.targets[0], values)
    return result


def _note_claim(m: Machine, node: e.Call, result: Number, target: Target, values: list[Value]) -> None:
    """Note an exchange of constants, which only one thread can win."""
    constants = [value.constant if isinstance(value, Number) else None for value in values]
    name = node.name.removesuffix("_block").removesuffix("_system")
    free: int | None
    left: int
    match name, constants:
        case "atomicCAS", [int() as free, int() as left] if free != left:
            pass
        case "atomicExch", [int() as left]:
            free = None
        case _:
            return
    m.claims.append(Claim(str(result.term), target.object, target.offset.term, free, left, m.position))


def _draw_ticket(m: Machine, result: Number, target: Target, added: Value) -> None:
    """Note that what an atomic addition returns is different for all who add."""
    step = added.constant if isinstance(added, Number) else None
    if step is not None and step > 0 and not m.silent and target.object.space != "local":
        m.tickets.append(Ticket(str(result.term), target.object, target.offset.term, step, m.position))


def _atomic_text(node: e.Call) -> str:
    from cudalint.ir.render import render

    pointer = node.arguments[0]
    if isinstance(pointer, e.AddressOf):
        return render(pointer.operand)
    return f"*{render(pointer)}"


def _extreme(m: Machine, node: e.Call) -> Value:
    if len(node.arguments) != 2:
        return _pure(m, node)
    kinds = [a.type for a in node.arguments]
    values = [numeric(m, a) for a in node.arguments]
    if not all(arithmetic.is_integer(kind) for kind in kinds):
        return opaque_result(m, node.name, values, node.type)
    left, right = (
        arithmetic.actual(converted(m, value, kind, node.type), node.type)
        for value, kind in zip(values, kinds, strict=True)
    )
    least = node.name in effects.MINIMA
    return arithmetic.minimum(left, right) if least else arithmetic.maximum(left, right)


def _absolute(m: Machine, node: e.Call) -> Value:
    value = numeric(m, node.arguments[0])
    if not arithmetic.is_integer(node.arguments[0].type):
        return opaque_result(m, node.name, [value], node.type)
    return arithmetic.absolute(value)


def _product(m: Machine, node: e.Call) -> Value:
    left, right = (numeric(m, a) for a in node.arguments)
    return arithmetic.binary("*", left, right, node.type)


def _lost_result(m: Machine, node: e.Call) -> Value:
    for argument in node.arguments:
        evaluate(m, argument)
    return m.unknown_value(f"result of {node.name}", node.type)


def _async_copy(m: Machine, node: e.Call) -> Value:
    to, source = pointer_value(m, node.arguments[0]), pointer_value(m, node.arguments[1])
    size = numeric(m, node.arguments[2]).constant if len(node.arguments) > 2 else None
    if size is None:
        m.lose("copy of unknown size", node.span)
        return number(0)
    kind = Scalar("bytes", "unsigned", max(1, size))
    read(m, source, kind, node)
    write(m, to, m.unknown("copied data"), kind, node)
    return number(0)


def _copy(m: Machine, node: e.Call) -> Value:
    """memcpy of a constant size."""
    to, source = pointer_value(m, node.arguments[0]), pointer_value(m, node.arguments[1])
    size = numeric(m, node.arguments[2]).constant
    if size is None or size > 1 << 20:
        m.lose(f"{node.name} of unknown size", node.span)
        return to
    for pointer, kind in ((source, "read"), (to, "write")):
        if not pointer.targets:
            m.lose(f"{node.name} through an unknown pointer", node.span)
        for target in pointer.targets:
            if target.object.space == "local" and kind == "write":
                m.forget(target.object)
            elif size:
                value = m.unknown("copied data") if kind == "write" else None
                m.access(target, size, kind, value, node.span, f"{node.name}(...)")
    return to


def _fill(m: Machine, node: e.Call) -> Value:
    """memset of a constant size."""
    to, value = pointer_value(m, node.arguments[0]), evaluate(m, node.arguments[1])
    size = numeric(m, node.arguments[2]).constant
    if size is None or size > 1 << 20 or not to.targets:
        m.lose(f"{node.name} of unknown size or address", node.span)
        return to
    for target in to.targets:
        if target.object.space == "local":
            m.forget(target.object)
        elif size:
            m.access(target, size, "write", value, node.span, f"{node.name}(...)")
    return to


_NAMED: dict[str, Callable[[Machine, e.Call], Value]] = {
    **dict.fromkeys(effects.SILENT, _silent),
    **dict.fromkeys(effects.BLOCK_BARRIERS | effects.PART_BARRIERS, _barrier),
    **dict.fromkeys(effects.WARP_BARRIERS, _warp_barrier),
    **dict.fromkeys(effects.FENCES, _silent),
    **dict.fromkeys(effects.LOADS, _load),
    **dict.fromkeys(effects.STORES, _store),
    **dict.fromkeys(effects.MINIMA, _extreme),
    **dict.fromkeys(effects.MAXIMA, _extreme),
    **dict.fromkeys(effects.ABSOLUTES, _absolute),
    **dict.fromkeys(effects.PRODUCTS, _product),
    **dict.fromkeys(effects.CLOCKS, _lost_result),
    **dict.fromkeys(effects.VOTES, _lost_result),
    **dict.fromkeys(effects.SHUFFLES, _lost_result),
    **dict.fromkeys(_ASSUMPTIONS, _assumption),
    **dict.fromkeys(_ENDS, _end),
    **dict.fromkeys(("move", "forward", "__builtin_expect", "__cvta_generic_to_shared"), _expect),
    **dict.fromkeys(("memcpy", "__builtin_memcpy", "memmove"), _copy),
    **dict.fromkeys(("memset", "__builtin_memset"), _fill),
    **dict.fromkeys(("__match_any_sync", "__match_all_sync", "__match_any", "__match_all"), _lost_result),
    "__pipeline_memcpy_async": _async_copy,
}


# --- calls that are not seen into ---


def _unseen(m: Machine, node: e.Call) -> Value:
    if node.name.startswith("make_") or (isinstance(node.type, Record) and not node.arguments):
        return _from_parts(m, node.type, [(evaluate(m, a), a.type) for a in node.arguments])
    if effects.is_pure(node.name) or node.name in effects.ROUNDINGS or node.name in effects.CONVERSIONS:
        return _pure(m, node)
    if node.name in effects.FUNCTIONS or node.name in effects.BITS:
        return _pure(m, node)
    if node.name == "operator*" and len(node.operands) == 2:
        return _pure(m, node)
    for argument in node.arguments:
        place(m, argument) if isinstance(argument.type, Array) else evaluate(m, argument)
    if node.name in effects.WRITERS or node.name.startswith(("curand", "skipahead")):
        return _writer(m, node)
    if effects.is_changing(node.name):
        m.lose(f"call of {node.name}, which writes through its arguments", node.span)
    else:
        m.lose(f"call of {node.name}, whose definition is not visible", node.span)
    _clobber(m, node)
    if m.path is not None:
        maybe = m.doubt(f"call of {node.name}, which may contain a barrier", "b")
        m.barrier(node.span, path=(*m.path, maybe), checked=False)
    return m.unknown_value(f"result of {node.name}", node.type)


def _pure(m: Machine, node: e.Call) -> Value:
    """A function of its arguments that touches no memory: the same for the same arguments."""
    values = [evaluate(m, a) for a in node.operands]
    numbers = [v for v in values if isinstance(v, Number)]
    if len(numbers) == len(values) and isinstance(node.type, Scalar) and not _is_object(node.name):
        return opaque_result(m, node.name, numbers, node.type)
    if _is_object(node.name) and node.name.startswith("surf") and "write" in node.name:
        m.lose("write to a surface", node.span)
    if isinstance(node.type, Record):
        parts: dict[int, Number | Pointer] = {}
        for at, kind in leaves(m.unit, node.type):
            parts[at] = m.unknown(f"result of {node.name}", kind)
        return Aggregate(parts)
    return m.unknown_value(f"result of {node.name}", node.type)


def _writer(m: Machine, node: e.Call) -> Value:
    """A function that writes through the pointers it is handed, and does nothing else."""
    for argument in node.arguments:
        if not isinstance(argument.type, PointerType):
            evaluate(m, argument)
            continue
        where = pointer_value(m, argument)
        if not where.targets:
            m.lose(f"{node.name} through an unknown pointer", node.span)
        for target in where.targets:
            if target.object.space == "local":
                m.forget(target.object)
            width = max(1, argument.type.pointee.bytes)
            m.access(
                target, width, "write", m.unknown(f"written by {node.name}"), node.span, f"{node.name}(...)"
            )
    return m.unknown_value(f"result of {node.name}", node.type)


def _is_object(name: str) -> bool:
    """Whether it reads or writes an object whose contents its arguments do not tell."""
    return name.startswith(("tex", "surf"))


def _clobber(m: Machine, node: e.Call | e.Construct) -> None:
    """A function that is not seen may write what its arguments reach."""
    for argument in node.operands if isinstance(node, e.Call) else node.arguments:
        reached: Pointer | None = None
        with m.quietly():
            if isinstance(argument.type, PointerType):
                reached = pointer_value(m, argument)
            elif isinstance(argument, e.VariableReference | e.Index | e.Member | e.Dereference | e.Cast):
                reached = place(m, argument)
        for target in reached.targets if reached is not None else ():
            if target.object.space == "local":
                m.forget(target.object)
            elif target.object.space != "constant":
                m.written.add(target.object.name)


def _from_parts(m: Machine, type: Type, values: list[tuple[Value, Type]]) -> Value:
    """`make_float4(x, y, z, w)`, `dim3(a, b)`: fields in order."""
    if len(values) == 1 and isinstance(values[0][0], Aggregate):
        return values[0][0]
    if not isinstance(type, Record):
        return values[0][0] if values else number(0)
    fields = leaves(m.unit, type)
    parts: dict[int, Number | Pointer] = {}
    if len(values) <= len(fields):
        for (at, kind), (value, source) in zip(fields, values, strict=False):
            if isinstance(value, Number):
                parts[at] = converted(m, value, source, kind)
            elif isinstance(value, Pointer):
                parts[at] = value
    return Aggregate(parts)
