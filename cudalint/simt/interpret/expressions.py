"""Operands: literals, variables, members, casts, initializer lists and what the model does not know."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves, members
from cudalint.ir.types import Array, Pointer, Record, Scalar, Type
from cudalint.simt.interpret.dispatch import evaluate, place
from cudalint.simt.interpret.function_values import address
from cudalint.simt.interpret.loads_and_stores import read_place
from cudalint.simt.interpret.lvalues import address_of, variable_place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.operators import note_result
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import DATA, Value, unknown
from cudalint.simt.values.state import Aggregate, Result

_PLAIN = frozenset((Scalar, Pointer))  # types of which a variable holds one value


def _literal(m: Machine, node: e.Literal) -> Result:
    if isinstance(node.value, str):
        return unknown("string")
    return Value(node.value if node.value is not None else 0)


def _read(m: Machine, node: e.Expression) -> Result:
    """The value that an lvalue holds."""
    where = place(m, node)
    if where.memory is None and id(node) in m.study.loads:  # a stale value makes a loop round it go on
        with m.unwatched():
            return read_place(m, where, node.type, node)
    return read_place(m, where, node.type, node)


def _member(m: Machine, node: e.Member) -> Result:
    if isinstance(node.base, e.Call | e.Construct | e.InitList | e.Conditional) and not isinstance(
        node.type, Array
    ):
        whole = evaluate(m, node.base)
        if isinstance(whole, Aggregate):
            if isinstance(node.type, Record):
                end = node.offset + node.type.bytes
                return Aggregate(
                    {o - node.offset: v for o, v in whole.parts.items() if node.offset <= o < end}
                )
            return whole.parts.get(node.offset, unknown("field without a value"))
        return whole
    return _read(m, node)


def _variable(m: Machine, node: e.VariableReference) -> Result:
    variable = node.variable
    own = m.state.variables.get(variable.id)
    if own is not None and type(variable.type) in _PLAIN and variable.id not in m.state.bound:
        held = own.slots.get(0)
        if held is not None:
            return held
    if variable.storage == "global" and variable.initial is not None and variable.const:
        return evaluate(m, variable.initial)
    if variable.storage == "texture":
        return unknown("texture reference")  # a handle: nothing is loaded
    return read_place(m, variable_place(m, variable), node.type, node)


def _builtin(m: Machine, node: e.Builtin) -> Result:
    return m.state.samples.builtins[node.name, node.axis]


def _cast(m: Machine, node: e.Cast) -> Result:
    if isinstance(node.operand.type, Array) and not isinstance(node.type, Scalar):
        return address_of(m, node.operand)
    value = evaluate(m, node.operand)
    if not isinstance(value, Value):
        return value
    if id(node) in m.indexing and not value.free:
        note_result(m, node, value.data, value.known)
    if isinstance(node.type, Scalar) and node.type.kind in ("signed", "unsigned") and _is_scaled(m, value):
        return unknown("rounded product of a number that nobody knows")
    return lanes.convert(value, node.type)


def _is_scaled(m: Machine, value: Value) -> bool:
    """Whether a real number that nobody knows, but no data, decides how far apart the whole numbers are that
    the lanes of a warp get: by more than one, which rounding accounts for.
    """
    data = value.data
    if not value.free or value.free & DATA or not isinstance(data, np.ndarray) or data.dtype.kind != "f":
        return False
    apart = np.trunc(data).reshape(m.state.samples.valuations, -1, WARP)
    apart = np.where(np.broadcast_to(value.known, data.shape).reshape(apart.shape), apart, np.nan)
    apart = apart - apart[:, :, :1]
    return bool((np.abs(apart - apart[:1]) > 1).any())


def _init_list(m: Machine, node: e.InitList) -> Result:
    parts: dict[int, Value] = {}
    if not isinstance(node.type, Array | Record):
        return evaluate(m, node.elements[0]) if node.elements else Value(0)
    for position, (start, kind) in enumerate(members(m.unit, node.type, least=len(node.elements))):
        if position < len(node.elements):
            put(m, parts, start, kind, evaluate(m, node.elements[position]))
        else:
            for at, _ in leaves(m.unit, kind, start):
                parts[at] = Value(0)
    return Aggregate(parts)


def put(m: Machine, parts: dict[int, Value], start: int, type: Type, value: Result) -> None:
    """Enter a value at an offset of an aggregate under construction."""
    if isinstance(value, Aggregate):
        parts.update({start + at: item for at, item in value.parts.items()})
    elif isinstance(type, Record | Array):
        parts.update({at: unknown("record without fields") for at, _ in leaves(m.unit, type, start)})
    else:
        parts[start] = lanes.convert(value, type)


def _unknown(m: Machine, node: e.Unknown) -> Result:
    for operand in node.operands:
        evaluate(m, operand)
    m.state.note(node.reason)
    m.events.unseen()
    return unknown(node.reason)


def _address_of(m: Machine, node: e.AddressOf) -> Result:
    return address_of(m, node.operand)


def _lambda(m: Machine, node: e.Lambda) -> Result:
    m.state.named["lambda", id(node)] = m.state.named.get(("lambda", id(node))) or m.state.create(
        "lambda", "local", 0
    )
    return Aggregate({})


def _launch(m: Machine, node: e.Launch) -> Result:
    m.state.note("launch from device code")
    m.events.unseen()
    return unknown("launch from device code")


EXPRESSIONS: dict[type, Callable[[Machine, Any], Result]] = {
    e.Literal: _literal,
    e.VariableReference: _variable,
    e.FunctionReference: address,
    e.Builtin: _builtin,
    e.Cast: _cast,
    e.Index: _read,
    e.Dereference: _read,
    e.AddressOf: _address_of,
    e.Member: _member,
    e.InitList: _init_list,
    e.Lambda: _lambda,
    e.Launch: _launch,
    e.Unknown: _unknown,
}
