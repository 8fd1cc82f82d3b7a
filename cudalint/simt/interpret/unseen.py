"""Calls that cannot be seen into: what they may touch is unknown afterwards, and their result is."""

import math
from typing import cast

import numpy as np

from cudalint.analyses import kernel_queries
from cudalint.cuda import effects
from cudalint.cuda.asynchronous import waits_for_nobody
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import VOID, Pointer, Record, Reference, Scalar, Type
from cudalint.simt.interpret.accesses import shared_by_threads
from cudalint.simt.interpret.dispatch import evaluate, place
from cudalint.simt.interpret.library.intrinsics import shaped
from cudalint.simt.interpret.library.matrices import matrix_access
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Value, unknown
from cudalint.simt.values.samples import free_value
from cudalint.simt.values.state import Aggregate, Result

_APART = 64  # between what a function gives for different numbers
_PLACES = 13  # of these


def unseen(m: Machine, node: e.Call) -> Result:
    """A call that cannot be seen into."""
    values = [evaluate(m, a) for a in node.arguments]
    if node.receiver is not None:
        place(m, node.receiver)
    if node.name.startswith("make_") or (isinstance(node.type, Record) and not node.arguments):
        return from_parts(m, node.type, values)
    if effects.is_pure(node.name, node.qualified) or (node.name == "operator*" and len(node.operands) == 2):
        return _pure(m, node, values)
    if node.name in effects.WRITERS or effects.is_changing(node.name):
        _handed(m, node)
        _clobber(m, node)
        if node.name.endswith("_sync"):
            m.events.warp_barrier(m.state.mask)
        return shaped(m, node.type, unknown(f"result of {node.name}"))
    reason = effects.unseen(node.name, node.qualified)
    m.state.note(reason)
    if effects.of_registers(node.name, node.qualified):
        m.events.lost(node, "store", "shared", None)
    else:
        m.events.unseen()
    if effects.of_a_warp(node.name, node.qualified):
        m.events.warp_barrier(m.state.mask)
    elif node.name in effects.MATRIX_ACCESSES:
        matrix_access(m, node, values)
    elif not waits_for_nobody(node):
        if effects.of_a_block(node.name, node.qualified):
            m.barriers.reached(node, m.state, "block", node.span)
        m.events.maybe_barrier()
    m.fence()
    _clobber(m, node)
    return shaped(m, node.type, unknown(reason))


def _handed(m: Machine, node: e.Call) -> None:
    """It writes what it is handed, at most: memory that threads share, where that is no private variable."""
    for operand in node.operands:
        inner = operand.operand if isinstance(operand, e.AddressOf) else operand
        if isinstance(operand.type, Pointer) or kernel_queries.is_memory(inner):
            shared_by_threads(m, inner, "store")


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
    for argument in node.operands:
        if isinstance(argument, e.AddressOf):
            _lose(m, argument.operand, node.name)
        elif id(argument) in by_reference or not isinstance(argument.type, Scalar | Pointer):
            _lose(m, argument, node.name)


def _lose(m: Machine, node: e.Expression, by: str) -> None:
    """Forget what a private object holds."""
    while isinstance(node, e.Index | e.Member | e.Cast):
        node = node.operand if isinstance(node, e.Cast) else node.base
        if isinstance(node.type, Pointer):
            return  # what it points to, not the pointer
    if not isinstance(node, e.VariableReference) or node.variable.storage not in ("local", "parameter"):
        return
    memory = m.state.variables.get(node.variable.id)
    if memory is None:
        return
    for offset in memory.slots.keys() | {at for at, _ in leaves(m.unit, node.variable.type)}:
        memory.slots[offset] = unknown(f"may be written by {by}")


def _pure(m: Machine, node: e.Call, values: list[Result]) -> Result:
    """A function of its arguments: a free number where the lanes of each warp have the same, else unknown."""
    if node.type == VOID:
        return _result(node)
    scalars = [v for v in values if isinstance(v, Value)]
    if scalars and len(scalars) == len(values) and all(v.is_scalar for v in scalars):
        salt = sum(int(cast(float, v.data)) for v in scalars if math.isfinite(cast(float, v.data)))
        return shaped(m, node.type, free_value(m.state.samples, salt % 997, node.type))
    if m.data is not None:
        known = bool(scalars) and len(scalars) == len(values)
        return shaped(m, node.type, m.data.function(node, scalars) if known else _result(node))
    parts = [part for v in values for part in (v.parts.values() if isinstance(v, Aggregate) else (v,))]
    if not parts or not all(_one_a_warp(m, part) for part in parts):
        return shaped(m, node.type, _result(node))
    return shaped(m, node.type, _of_warps(m, node, parts))


def _of_warps(m: Machine, node: e.Call, parts: list[Value]) -> Value:
    """What a function gives each warp for numbers of its own: the same for the same."""
    first = [np.nan_to_num(np.asarray(part.data, dtype=np.float64)).astype(np.int64) for part in parts]
    varies = any(one.ndim for one in first)
    free = lanes.CHOSEN | (lanes.BY_WARP if varies else 0)
    for part in parts:
        free |= part.free & (lanes.BY_WARP | lanes.BY_BLOCK)
    base = free_value(m.state.samples, sum(node.name.encode()) % 997, node.type, free)
    if not isinstance(node.type, Scalar) or node.type.kind == "bool":
        return base
    data = base.data + _APART * (sum(first) % _PLACES)
    return Value(lanes.wrap(data, node.type), True, base.free)


def _one_a_warp(m: Machine, value: Value) -> bool:
    """Whether it is known, and the same in all active lanes of a warp."""
    mask = m.state.mask
    known = value.known is True or (value.known is not False and not np.count_nonzero(mask & ~value.known))
    return known and lanes.one_a_warp(value.data, mask)


def _result(node: e.Call) -> Value:
    return unknown(f"result of {node.name}")


def from_parts(m: Machine, type: Type, values: list[Result]) -> Result:
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
