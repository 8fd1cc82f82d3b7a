"""Lvalues: where they live."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Record, Reference
from cudalint.simt.interpret.dispatch import evaluate, number, place
from cudalint.simt.interpret.loads_and_stores import write_place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import private, static_object
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value, one_a_warp, unknown
from cudalint.simt.values.state import Place

PRIVATE = ("local", "parameter")


def temporary(m: Machine, node: e.Expression) -> Place:
    """Storage of its own for the value of an expression that is no lvalue."""
    value = evaluate(m, node)
    memory = m.state.create("temporary", "local", node.type.bytes)
    where = Place(memory, 0)
    write_place(m, where, value, node.type, node)
    return where


def variable_place(m: Machine, variable: e.Variable) -> Place:
    """Where a variable lives, or what a reference is bound to."""
    bound = m.state.bound.get(variable.id)
    if bound is not None:
        return bound
    if variable.storage in PRIVATE:
        if isinstance(variable.type, Reference):
            return Place(None, 0, unknown("reference without a known target"))
        return Place(private(m, variable), 0)
    if variable.storage == "global" and not isinstance(variable.type, Array):
        return Place(None, 0, unknown("host variable read in device code"))
    memory = static_object(m, variable)
    return Place(None, 0, Value(memory.base))


def _shifted(address: Value, offset: int) -> Value:
    if offset == 0 or address.known is False:
        return address
    return Value(cast(Any, address.data) + offset, address.known, address.free)


def pointed(m: Machine, address: Value) -> Place:
    """The place a pointer names: private when it is one local object at one offset."""
    if address.is_scalar and not isinstance(address.data, float):
        memory = m.state.object_at(int(cast(int, address.data)))
        if memory is not None and memory.space == "local":
            return Place(memory, int(cast(int, address.data)) - memory.base)
    return Place(None, 0, address)


def _variable(m: Machine, node: e.VariableReference) -> Place:
    return variable_place(m, node.variable)


def _member(m: Machine, node: e.Member) -> Place:
    owner = place(m, node.base)
    if owner.memory is not None:
        return Place(owner.memory, owner.offset + node.offset)
    return Place(None, 0, _shifted(cast(Value, owner.address), node.offset))


def _index(m: Machine, node: e.Index) -> Place:
    base, size = node.base, node.type.bytes
    position = number(m, node.index)
    if isinstance(base.type, Array):
        if isinstance(base, e.Member):
            position = _inside(m, position, base.type.count)
        owner = place(m, base)
        if owner.memory is not None:
            if position.is_scalar:
                return Place(owner.memory, owner.offset + int(cast(int, position.data)) * size)
            start = Value(owner.memory.base + owner.offset)
        else:
            start = cast(Value, owner.address)
    else:
        start = number(m, base)
    return pointed(m, offset_pointer(start, position, size))


def _inside(m: Machine, index: Value, count: int | None) -> Value:
    """An index that hangs on a number which a valuation chose, the same for a whole warp, as one of an array
    in a record: no program means one beyond its end, where the next record lies.
    """
    data = index.data
    if not index.free or not count or count <= 1 or index.known is False or isinstance(data, float):
        return index
    if not isinstance(data, np.ndarray):
        return index if 0 <= data < count else Value(int(data) % count, index.known, index.free)
    outside = (data < 0) | (data >= count)
    if data.dtype != np.int64 or not (outside & m.state.mask).any() or not one_a_warp(data, m.state.mask):
        return index
    return Value(np.where(outside, data % count, data), index.known, index.free, index.why)


def _dereference(m: Machine, node: e.Dereference) -> Place:
    return pointed(m, number(m, node.pointer))


def _cast(m: Machine, node: e.Cast) -> Place:
    operand = node.operand
    if isinstance(operand.type, Array | Record) or operand.type == node.type:
        return place(m, operand)
    return temporary(m, node)


def _assign(m: Machine, node: e.Assign) -> Place:
    evaluate(m, node)
    return place(m, node.target)


def _comma(m: Machine, node: e.Binary) -> Place:
    if node.operator != ",":
        return temporary(m, node)
    evaluate(m, node.left)
    return place(m, node.right)


def offset_pointer(start: Value, index: Value, size: int) -> Value:
    """`start + index` elements of `size` bytes; 0 for a type whose size is not known."""
    if size <= 0:
        zero = index.is_scalar and index.known is True and index.data == 0
        return start if zero else unknown("pointer to a type without a known size")
    known = lanes.both_known(start.known, index.known)
    if known is False:
        return Value(
            0, False, why=start.why or index.why or "index depends on data that the model does not have"
        )
    data = cast(Any, start.data) + cast(Any, lanes._as_int(index.data)) * size
    return Value(data, known, start.free | index.free, start.why or index.why)


def address_of(m: Machine, node: e.Expression) -> Value:
    """The address of an lvalue."""
    where = place(m, node)
    if where.memory is not None:
        return Value(where.memory.base + where.offset)
    return cast(Value, where.address)


PLACES: dict[type, Callable[[Machine, Any], Place]] = {
    e.VariableReference: _variable,
    e.Member: _member,
    e.Index: _index,
    e.Dereference: _dereference,
    e.Cast: _cast,
    e.Assign: _assign,
    e.Binary: _comma,
}
