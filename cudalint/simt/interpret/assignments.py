"""Assignments, plain and compound."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Pointer, Scalar
from cudalint.ir.walk import walk
from cudalint.simt.interpret.dispatch import evaluate, number, place
from cudalint.simt.interpret.loads_and_stores import read_place, write_place
from cudalint.simt.interpret.lvalues import PRIVATE, offset_pointer
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.operators import element_size, note_arithmetic
from cudalint.simt.interpret.private_memory import lose
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.state import Aggregate, Place, Result


def _assign(m: Machine, node: e.Assign) -> Result:
    if node.operator is None:
        value = evaluate(m, node.value)
        loaded = m.loaded
        where = place(m, node.target)
        if isinstance(value, Value):
            value = lanes.convert(value, node.target.type)
        m.source = loaded if _is_load(node.value) else None
        if where.memory is not None and not in_registers(node.target):
            m.fence()
        if _loses_private(m, where, node.target):
            return value
        write_place(m, where, value, node.target.type, node.target)
        m.source = None
        return value
    where = place(m, node.target)
    old = read_place(m, where, node.target.type, node.target)
    operand = number(m, node.value)
    if isinstance(old, Aggregate):
        write_place(m, where, UNKNOWN, node.target.type, node.target)
        return UNKNOWN
    target = node.target.type
    if isinstance(target, Pointer):
        if node.operator == "-":
            operand = lanes.negate(operand, Scalar("long", "signed", 8))
        new = offset_pointer(old, operand, element_size(target))
    else:
        wide = node.computed or target
        old_wide = lanes.convert(old, wide)
        if id(node) in m.indexing:
            note_arithmetic(m, node, node.operator, old_wide, operand)
        new = lanes.convert(lanes.binary(node.operator, old_wide, operand, wide), target)
    if not _loses_private(m, where, node.target):
        write_place(m, where, new, target, node.target)
    return old if node.result == "old" else new


def _loses_private(m: Machine, where: Place, target: e.Expression) -> bool:
    """Whether a store goes to a private object, nobody knows where in it: what it held is lost."""
    if where.address is None or not _is_unknown(m, where.address):
        return False
    lost = _private_object(m, target)
    if lost is not None:
        lose(m, lost)
    return lost is not None


def _is_unknown(m: Machine, address: Value) -> bool:
    """Whether the address is unknown for an active lane."""
    return address.known is not True and bool((m.state.mask & ~np.asarray(address.known)).any())


def _private_object(m: Machine, target: e.Expression) -> Memory | None:
    """The private object that an lvalue with an unknown index lies in."""
    node = target
    while isinstance(node, e.Member | e.Cast | e.Index):
        node, pointer = node.operand if isinstance(node, e.Cast) else node.base, isinstance(node, e.Index)
        if pointer and isinstance(node.type, Pointer):
            if not all(isinstance(part, e.VariableReference | e.Member | e.Cast) for part in walk(node)):
                return None
            return _pointed_private(m, node)
    if isinstance(node, e.Dereference) and isinstance(node.pointer, e.VariableReference):
        return _pointed_private(m, node.pointer)
    if isinstance(node, e.Call) and node.receiver is not None:  # `v[i] = 1` of a class
        return _private_object(m, node.receiver)
    if isinstance(node, e.VariableReference) and node.variable.storage in PRIVATE:
        return place(m, node).memory
    return None


def _pointed_private(m: Machine, pointer: e.Expression) -> Memory | None:
    start = number(m, pointer)
    found = m.state.object_at(int(cast(int, start.data))) if start.is_scalar else None
    return found if found is not None and found.space == "local" else None


def in_registers(target: e.Expression) -> bool:
    """Whether a local lvalue is one that the compiler keeps in registers: not an element that a pointer
    and a running index name.
    """
    return not isinstance(target, e.Index) or (
        isinstance(target.base.type, Array) or isinstance(target.index, e.Literal)
    )


def _is_load(node: e.Expression) -> bool:
    """Whether the value is what a memory place holds, converted at most."""
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Index | e.Dereference | e.Member)


EXPRESSIONS: dict[type, Callable[[Machine, Any], Result]] = {e.Assign: _assign}
