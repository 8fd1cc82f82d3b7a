"""Calls: device functions run inline; what the model knows by name; everything else is unknown and says
so.
"""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Pointer, Record, Reference, Scalar, Type
from cudalint.ir.unit import Function
from cudalint.simt import effects, groups, lanes
from cudalint.simt.evaluate import evaluate, number, place, pointed
from cudalint.simt.facts import Operation
from cudalint.simt.lanes import UNKNOWN, Value, unknown
from cudalint.simt.machine import Machine, fresh, leaves, load, read_place, store, write_place
from cudalint.simt.state import MAX_DEPTH, Aggregate, Frame, Place, Result
from cudalint.simt.worlds import WARP, free_value


def call(m: Machine, node: e.Call) -> Result:
    """The result of a call for the active lanes, with its effects."""
    m.state.step()
    function = _target(m, node)
    if function is None or function.body is None:
        known = _by_name(m, node)
        return known if known is not None else _unseen(m, node)
    result = inline(m, node, function)
    if isinstance(function.returns, Reference) and isinstance(result, Value):
        return read_place(m, pointed(m, result), node.type, node)
    return result


def call_place(m: Machine, node: e.Call) -> Place | None:
    """Where the result of a call lives when it returns a reference."""
    function = m.unit.functions.get(node.key) if node.key else None
    if function is None or function.body is None or not isinstance(function.returns, Reference):
        return None
    result = inline(m, node, function)
    return pointed(m, result) if isinstance(result, Value) else None


def _target(m: Machine, node: e.Call) -> Function | None:
    if node.key is not None:
        return m.unit.functions.get(node.key)
    if isinstance(node.target, e.FunctionReference):
        return m.unit.functions.get(node.target.key)
    if isinstance(node.target, e.Lambda):
        return m.unit.functions.get(node.target.key)
    return None


# --- calls into the program ---


def inline(m: Machine, node: e.Call | e.Construct, function: Function, made: Place | None = None) -> Result:
    """Run a device function's body in the caller's mask; a returned reference is an address.

    made: the object under construction.
    """
    from cudalint.simt.execute import execute

    state = m.state
    if len(state.frames) >= MAX_DEPTH or sum(f.function.key == function.key for f in state.frames) > 3:
        state.note("recursion deeper than the model follows")
        return unknown("recursion deeper than the model follows")
    bindings = _bind(m, node, function, made)
    saved = {
        v.id: (state.variables.get(v.id), state.bound.get(v.id))
        for v in (*function.parameters, *_this(function))
    }
    _enter(m, bindings)
    frame = Frame(function, state.none(), state.none())
    state.frames.append(frame)
    mask, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    try:
        if function.body is not None:
            execute(m, function.body)
    finally:
        state.frames.pop()
        state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
        for number_, (memory, bound) in saved.items():
            _restore(state.variables, number_, memory)
            _restore(state.bound, number_, bound)
    return frame.value if frame.value is not None else UNKNOWN


def _restore(table: dict[int, Any], key: int, old: Any) -> None:
    if old is None:
        table.pop(key, None)
    else:
        table[key] = old


def _this(function: Function) -> tuple[e.Variable, ...]:
    return (function.this,) if function.this is not None else ()


Binding = tuple[e.Variable, Result | None, Place | None]


def _bind(m: Machine, node: e.Call | e.Construct, function: Function, made: Place | None) -> list[Binding]:
    """Arguments evaluated in the caller, by parameter."""
    bound: list[Binding] = []
    receiver = node.receiver if isinstance(node, e.Call) else None
    arguments = list(node.arguments)
    if function.this is not None:
        where = made if made is not None else _receiver_place(m, receiver)
        if where is None and arguments and len(arguments) > len(function.parameters):
            where = place(m, arguments.pop(0))
        bound.append(
            (function.this, _address(where) if where is not None else unknown("object unknown"), None)
        )
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        if isinstance(parameter.type, Reference):
            bound.append((parameter, None, place(m, argument)))
        else:
            value = evaluate(m, argument)
            if isinstance(value, Value):
                value = lanes.convert(value, parameter.type)
            bound.append((parameter, value, None))
    return bound


def _receiver_place(m: Machine, receiver: e.Expression | None) -> Place | None:
    return place(m, receiver) if receiver is not None else None


def _address(where: Place) -> Value:
    if where.memory is not None:
        return Value(where.memory.base + where.offset)
    return cast(Value, where.address)


def _enter(m: Machine, bindings: list[Binding]) -> None:
    for variable, value, where in bindings:
        if where is not None:
            m.state.bound[variable.id] = where
            continue
        m.state.bound.pop(variable.id, None)
        memory = fresh(m, variable)
        if value is not None:
            mask, m.state.mask = m.state.mask, m.state.worlds.everyone
            write_place(m, Place(memory, 0), value, variable.type, None)  # type: ignore[arg-type]
            m.state.mask = mask


def construct(m: Machine, node: e.Construct) -> Result:
    """An object made by its constructor; without a body, by its fields when the arguments match them."""
    m.state.step()
    function = m.unit.functions.get(node.key) if node.key else None
    if function is not None and function.body is not None:
        memory = m.state.create("object", "local", node.type.bytes)
        where = Place(memory, 0)
        inline(m, node, function, where)
        return read_place(m, where, node.type, node)
    values = [evaluate(m, a) for a in node.arguments]
    return _from_parts(m, node.type, values)


def _from_parts(m: Machine, type: Type, values: list[Result]) -> Result:
    """`make_float4(x, y, z, w)`, `dim3(a, b)`: fields in order."""
    if len(values) == 1 and isinstance(values[0], Aggregate):
        return values[0]
    if not isinstance(type, Record):
        return values[0] if values else Value(0)
    fields = leaves(m.unit, type)
    parts = {at: unknown("field without a value") for at, _ in fields}
    if len(values) <= len(fields):
        for (at, kind), value in zip(fields, values, strict=False):
            parts[at] = lanes.convert(value, kind) if isinstance(value, Value) else UNKNOWN
    return Aggregate(parts)


def _unseen(m: Machine, node: e.Call) -> Result:
    """A call that cannot be seen into."""
    values = [evaluate(m, a) for a in node.arguments]
    if node.receiver is not None:
        place(m, node.receiver)
    if node.name.startswith("make_") or (isinstance(node.type, Record) and not node.arguments):
        return _from_parts(m, node.type, values)
    if effects.is_pure(node.name):
        return _pure(m, node, values)
    if node.name in effects.WRITERS or effects.is_changing(node.name):
        _clobber(m, node)
        return _shaped(m, node.type, unknown(f"result of {node.name}"))
    if node.name in effects.MATRIX_ACCESSES:
        _matrix_access(m, node, values)
    reason = f"call of {node.name}, whose body is not seen"
    m.state.note(reason)
    m.hazards.maybe_barrier()
    _clobber(m, node)
    return _shaped(m, node.type, unknown(reason))


def _clobber(m: Machine, node: e.Call) -> None:
    """An unseen function may write the private objects it is handed by pointer or reference."""
    function = m.unit.functions.get(node.key) if node.key else None
    parameters = function.parameters if function is not None else ()
    by_reference = {
        id(argument)
        for parameter, argument in zip(parameters, node.arguments, strict=False)
        if isinstance(parameter.type, Reference)
    }
    if node.receiver is not None:
        by_reference.add(id(node.receiver))
    for argument in (*node.arguments, *((node.receiver,) if node.receiver is not None else ())):
        if isinstance(argument, e.AddressOf):
            _lose(m, argument.operand, node.name)
        elif id(argument) in by_reference or not isinstance(argument.type, Scalar | Pointer):
            _lose(m, argument, node.name)


def _lose(m: Machine, node: e.Expression, by: str) -> None:
    """Forget what a private object holds."""
    while isinstance(node, e.Index | e.Member | e.Cast):
        node = node.operand if isinstance(node, e.Cast) else node.base
    if not isinstance(node, e.VariableReference) or node.variable.storage not in ("local", "parameter"):
        return
    memory = m.state.variables.get(node.variable.id)
    if memory is None:
        return
    for offset in memory.slots.keys() | {at for at, _ in leaves(m.unit, node.variable.type)}:
        memory.slots[offset] = unknown(f"may be written by {by}")


def _matrix_access(m: Machine, node: e.Call, values: list[Result]) -> None:
    """A warp matrix load or store is there, but how lanes share it is not documented: no number."""
    position, operation = effects.MATRIX_ACCESSES[node.name]
    pointer = node.arguments[position].type if len(node.arguments) > position else None
    if not isinstance(pointer, Pointer):
        return
    address = values[position]
    found = None
    if isinstance(address, Value) and address.known is True:
        first = address.data.flat[0] if isinstance(address.data, np.ndarray) else address.data
        found = m.state.object_at(int(first))
    space = found.space if found is not None else "global"
    why = "warp matrix access: the lanes' addresses are not documented"
    m.recorder.lost(node, node.span, space, cast(Operation, operation), pointer.pointee.bytes, why)


def _shaped(m: Machine, type: Type, value: Value) -> Result:
    if isinstance(type, Record):
        return Aggregate({at: value for at, _ in leaves(m.unit, type)})
    return value


def _pure(m: Machine, node: e.Call, values: list[Result]) -> Result:
    """A function of its arguments: one free number when they agree over the block, else unknown."""
    scalars = [v for v in values if isinstance(v, Value)]
    if scalars and len(scalars) == len(values) and all(v.is_scalar for v in scalars):
        salt = sum(int(cast(float, v.data)) for v in scalars if math.isfinite(cast(float, v.data)))
        return _shaped(m, node.type, free_value(m.state.worlds, salt % 997, node.type))
    return _shaped(m, node.type, unknown(f"result of {node.name}"))


# --- known by name ---


def _by_name(m: Machine, node: e.Call) -> Result | None:
    name = node.name
    if node.receiver is not None or name.startswith("operator"):
        return groups.member_call(m, node, barrier)
    handler = _NAMED.get(name)
    if handler is not None:
        return handler(m, node)
    if name.startswith("atomic") and node.arguments and isinstance(node.arguments[0].type, Pointer | Array):
        return _atomic(m, node)
    return groups.free_call(m, node, barrier)


def barrier(m: Machine, node: e.Call) -> Result:
    """`__syncthreads()` and its kin."""
    values = [number(m, a) for a in node.arguments]
    doubt = m.state.doubt if m.state.any_doubt else None
    m.recorder.barrier(node, m.state.mask, doubt, m.state.splits[-1] if m.state.splits else None)
    m.hazards.barrier(m.state.mask)
    if values and node.name.startswith("__syncthreads_"):
        return free_value(m.state.worlds, 3, node.type)
    return Value(0)


def _silent(m: Machine, node: e.Call) -> Result:
    for argument in node.arguments:
        evaluate(m, argument)
    return Value(0)


def _load(m: Machine, node: e.Call) -> Result:
    pointer = node.arguments[0]
    target = pointer.type
    element = target.pointee if isinstance(target, Pointer) else node.type
    return load(m, number(m, pointer), element, node)


def _store(m: Machine, node: e.Call) -> Result:
    pointer = node.arguments[0]
    value = evaluate(m, node.arguments[1])
    kind = pointer.type.pointee if isinstance(pointer.type, Pointer) else node.arguments[1].type
    store(m, number(m, pointer), value, kind, node)
    return Value(0)


def _atomic(m: Machine, node: e.Call) -> Result:
    pointer = node.arguments[0]
    address = number(m, pointer)
    values = [evaluate(m, a) for a in node.arguments[1:]]
    kind = pointer.type.pointee if isinstance(pointer.type, Pointer) else node.type
    store(m, address, values[0] if values else UNKNOWN, kind, node, "atomic")
    return _shaped(m, node.type, unknown("result of an atomic"))


def _clock(m: Machine, node: e.Call) -> Result:
    for argument in node.arguments:
        evaluate(m, argument)
    return unknown(f"result of {node.name}")


def _vote(m: Machine, node: e.Call) -> Result:
    """One value a warp; the number itself is free unless the predicate is known."""
    values = [number(m, a) for a in node.arguments]
    predicate = lanes.truth(values[-1]) if values else Value(True)
    if node.name == "__activemask":
        predicate = Value(True)
    sync = node.name.endswith("_sync") and len(values) == 2
    mask = m.state.mask.reshape(-1, WARP)
    if predicate.known is True and not m.state.any_doubt and (sync or len(values) < 2):
        on = mask & np.broadcast_to(np.asarray(predicate.data, dtype=bool), m.state.mask.shape).reshape(
            -1, WARP
        )
        if node.name.startswith("__any"):
            row = on.any(axis=1)
        elif node.name.startswith("__all"):
            row = (on | ~mask).all(axis=1)
        elif "ballot" in node.name or node.name == "__activemask":
            row = (on.astype(np.int64) << np.arange(WARP)).sum(axis=1)
        else:
            row = None
        if row is not None:
            return Value(np.repeat(row, WARP))
    return free_value(m.state.worlds, 5, node.type)


def _shuffle(m: Machine, node: e.Call) -> Result:
    values = [evaluate(m, a) for a in node.arguments]
    synced = node.name.endswith("_sync")
    moved = values[1:] if synced else values
    if len(moved) < 2 or not isinstance(moved[0], Value) or not isinstance(moved[1], Value):
        return _shaped(m, node.type, unknown(f"result of {node.name}"))
    value, operand = moved[0], moved[1]
    width = moved[2] if len(moved) > 2 and isinstance(moved[2], Value) else Value(WARP)
    if value.is_scalar:
        return value
    if operand.known is not True or not width.is_scalar:
        return unknown(f"result of {node.name}")
    source = _source_lane(
        effects.SHUFFLES[node.name], operand.data, int(cast(int, width.data)), m.state.worlds.lanes
    )
    if value.known is not True:
        one = (source == source.reshape(-1, WARP).max(axis=1).repeat(WARP))[m.state.mask]
        return (
            free_value(m.state.worlds, 7, node.type) if one.all() else unknown(value.why or "shuffled data")
        )
    return Value(np.broadcast_to(np.asarray(value.data), source.shape)[source], True, value.free)


def _source_lane(rule: str, operand: Any, width: int, count: int) -> np.ndarray:
    """Lane numbers (over all lanes) that each lane reads from."""
    width = width if width in (1, 2, 4, 8, 16, 32) else WARP
    every = np.arange(count, dtype=np.int64)
    lane = every % WARP
    base = every - lane + lane // width * width
    inside = lane % width
    match rule:
        case "index":
            return np.asarray(base + np.asarray(operand) % width)
        case "up":
            moved = inside - operand
        case "down":
            moved = inside + operand
        case _:
            moved = inside ^ np.asarray(operand)
    inward = np.where((moved >= 0) & (moved < width), moved, inside)
    return np.asarray(base + inward)


def _extreme(m: Machine, node: e.Call) -> Result:
    if len(node.arguments) != 2:  # numeric_limits<T>::max() and the like
        return unknown(f"result of {node.name}")
    a, b = number(m, node.arguments[0]), number(m, node.arguments[1])
    known = lanes.both_known(a.known, b.known)
    if known is False:
        return unknown(a.why or b.why)
    pick = np.minimum if node.name in effects.MINIMA else np.maximum
    if not isinstance(a.data, np.ndarray) and not isinstance(b.data, np.ndarray):
        first: int | float = a.data if (a.data < b.data) == (node.name in effects.MINIMA) else b.data
        return Value(first, known, a.free or b.free)
    return Value(np.asarray(pick(a.data, b.data)), known, a.free or b.free)


def _absolute(m: Machine, node: e.Call) -> Result:
    a = number(m, node.arguments[0])
    return (
        Value(np.abs(a.data) if isinstance(a.data, np.ndarray) else abs(a.data), a.known, a.free, a.why)
        if a.known is not False
        else a
    )


def _product(m: Machine, node: e.Call) -> Result:
    return lanes.binary("*", number(m, node.arguments[0]), number(m, node.arguments[1]), node.type)


def _rounding(m: Machine, node: e.Call) -> Result:
    value = number(m, node.arguments[0])
    name = effects.ROUNDINGS.get(node.name) or effects.CONVERSIONS.get(node.name, "")
    if value.known is False:
        return value
    data = np.asarray(value.data, dtype=np.float64)
    with np.errstate(all="ignore"):
        result = getattr(np, name)(data) if name else data
    if not np.isfinite(result).all():
        return unknown(f"result of {node.name}")
    out = Value(result if result.ndim else float(result), value.known, value.free)
    return lanes.convert(out, node.type)


def _bits(m: Machine, node: e.Call) -> Result:
    value = number(m, node.arguments[0])
    if not value.is_scalar or isinstance(value.data, float):
        return unknown(f"result of {node.name}")
    bits = 64 if node.name.endswith("ll") else 32
    raw = int(cast(int, value.data)) & ((1 << bits) - 1)
    match node.name.removesuffix("ll"):
        case "__popc":
            out = raw.bit_count()
        case "__clz":
            out = bits - raw.bit_length()
        case "__ffs":
            out = (raw & -raw).bit_length()
        case _:
            out = int(f"{raw:0{bits}b}"[::-1], 2)
    return Value(lanes.wrap(out, node.type), True, value.free)


def _swap(m: Machine, node: e.Call) -> Result:
    a, b = place(m, node.arguments[0]), place(m, node.arguments[1])
    kind = node.arguments[0].type
    first = read_place(m, a, kind, node.arguments[0])
    second = read_place(m, b, kind, node.arguments[1])
    write_place(m, a, second, kind, node.arguments[0])
    write_place(m, b, first, kind, node.arguments[1])
    return Value(0)


def _shared_address(m: Machine, node: e.Call) -> Result:
    return number(m, node.arguments[0])


def _async_copy(m: Machine, node: e.Call) -> Result:
    """`__pipeline_memcpy_async(destination, source, bytes)`: a load and a store of that width."""
    to, source = number(m, node.arguments[0]), number(m, node.arguments[1])
    size = number(m, node.arguments[2]) if len(node.arguments) > 2 else UNKNOWN
    width = int(cast(int, size.data)) if size.is_scalar else 4
    kind = Scalar("bytes", "unsigned", max(1, min(width, 16)))
    load(m, source, kind, node.arguments[1])
    store(m, to, UNKNOWN, kind, node.arguments[0])
    return Value(0)


def _expect(m: Machine, node: e.Call) -> Result:
    return evaluate(m, node.arguments[0])


_NAMED: dict[str, Callable[[Machine, e.Call], Result]] = {
    **dict.fromkeys(effects.BLOCK_BARRIERS, barrier),
    **dict.fromkeys(effects.SILENT, _silent),
    **dict.fromkeys(effects.WARP_BARRIERS, _silent),
    **dict.fromkeys(effects.LOADS, _load),
    **dict.fromkeys(effects.STORES, _store),
    **dict.fromkeys(effects.CLOCKS, _clock),
    **dict.fromkeys(effects.VOTES, _vote),
    **dict.fromkeys(effects.SHUFFLES, _shuffle),
    **dict.fromkeys(effects.MINIMA, _extreme),
    **dict.fromkeys(effects.MAXIMA, _extreme),
    **dict.fromkeys(effects.ABSOLUTES, _absolute),
    **dict.fromkeys(effects.PRODUCTS, _product),
    **dict.fromkeys(effects.ROUNDINGS, _rounding),
    **dict.fromkeys(effects.CONVERSIONS, _rounding),
    **dict.fromkeys(effects.BITS, _bits),
    "swap": _swap,
    "move": _expect,
    "forward": _expect,
    "__builtin_expect": _expect,
    "__cvta_generic_to_shared": _shared_address,
    "__pipeline_memcpy_async": _async_copy,
}
