"""Functions of the device libraries that work on memory through pointers: random numbers, memcpy and its kin.

What they read and write is known to the byte, in which pieces they do it is not: such accesses can race, but
have no transactions.
"""

from typing import cast

import numpy as np

from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import Pointer, Record, Type
from cudalint.simt.interpret.accesses import shared_by_threads
from cudalint.simt.interpret.dispatch import evaluate, number
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.interpret.private_memory import lose, slot_value, write_slot
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value, unknown
from cudalint.simt.values.memory import Memory, offset_of
from cudalint.simt.values.state import Aggregate, Result

_RANDOM = ("curand", "skipahead")
_COPIES = frozenset(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"))
_FILLS = frozenset(("memset", "__builtin_memset"))
_LOADED = unknown("loaded data")
_MOST_PARTS = 64  # scalars of a private object that are copied one by one


def library_call(m: Machine, node: e.Call) -> Result | None:
    """The result of such a function, with its effects; None for any other."""
    if node.name.startswith(_RANDOM):
        return _random(m, node)
    if node.name in _COPIES and len(node.arguments) == 3:
        return _copy(m, node)
    if node.name in _FILLS and len(node.arguments) == 3:
        return _fill(m, node)
    return None


def _random(m: Machine, node: e.Call) -> Result:
    """A step of a generator changes the state that it is handed; `curand_init`, too, works on it in place:
    it writes the seed there and skips ahead from it.
    """
    for argument in node.arguments:
        value = evaluate(m, argument)
        state = argument.type.pointee if isinstance(argument.type, Pointer) else None
        if not isinstance(value, Value) or not isinstance(state, Record):
            continue
        touch(m, argument, "load", value, state.bytes)
        touch(m, argument, "store", value, state.bytes)
    random = unknown(f"result of {node.name}")
    if isinstance(node.type, Record):
        return Aggregate({at: random for at, _ in leaves(m.unit, node.type)})
    return random


# --- blocks of bytes ---


def _copy(m: Machine, node: e.Call) -> Result:
    to, source, size = (number(m, argument) for argument in node.arguments)
    width = _width(size)
    parts = _private_parts(m, node, source, width)
    if width:
        touch(m, node.arguments[1], "load", source, width)
    else:
        shared_by_threads(m, node.arguments[1], "load")
    copied = Aggregate(parts) if parts else _LOADED if isinstance(source.data, np.ndarray) else None
    _put(m, node, to, width, parts, copied)
    return to


def _fill(m: Machine, node: e.Call) -> Result:
    to, byte, size = (number(m, argument) for argument in node.arguments)
    width = _width(size)
    zero = byte.is_scalar and byte.data == 0
    kinds = _scalars(m, _pointee(node.arguments[0]), width) if zero else []
    _put(m, node, to, width, {at: lanes.convert(Value(0), kind) for at, kind in kinds}, byte)
    return to


def _width(size: Value) -> int:
    """How many bytes; 0 where that is not known."""
    return int(cast(int, size.data)) if size.is_scalar and not size.free else 0


def _pointee(argument: e.Expression) -> Type | None:
    """What a pointer points to before it becomes one to void."""
    while isinstance(argument, e.Cast) and isinstance(argument.operand.type, Pointer):
        argument = argument.operand
    return argument.type.pointee if isinstance(argument.type, Pointer) else None


def _scalars(m: Machine, type: Type | None, width: int) -> list[tuple[int, Type]]:
    """The scalars of so many bytes of elements of a type; none where they are too many or do not fit."""
    if type is None or type.bytes <= 0 or width % type.bytes:
        return []
    found = [
        (start + at, kind)
        for start in range(0, min(width, _MOST_PARTS * type.bytes), type.bytes)
        for at, kind in leaves(m.unit, type)
    ]
    return found if width <= _MOST_PARTS * type.bytes and len(found) <= _MOST_PARTS else []


def _private_parts(m: Machine, node: e.Call, source: Value, width: int) -> dict[int, Value]:
    """What a private source holds, where the destination is of its type."""
    type = _pointee(node.arguments[1])
    memory = _private(m, source)
    if memory is None or type is None or type != _pointee(node.arguments[0]):
        return {}
    start = offset_of(int(cast(int, source.data)))
    return {at: slot_value(memory, start + at) for at, _ in _scalars(m, type, width)}


def _private(m: Machine, address: Value) -> Memory | None:
    """The private object at one offset of which the pointer points."""
    memory = m.state.object_at(int(cast(int, address.data))) if address.is_scalar else None
    return memory if memory is not None and memory.space == "local" else None


def _put(
    m: Machine, node: e.Call, to: Value, width: int, parts: dict[int, Value], written: Result | None = None
) -> None:
    """Write the bytes: into a private object what is known of them, elsewhere as an access."""
    m.fence()
    memory = _private(m, to)
    if memory is None:
        for target in objects_of(m, to):
            if target.space == "local":
                lose(m, target)
        if width:
            touch(m, node.arguments[0], "store", to, width, written)
        else:
            shared_by_threads(m, node.arguments[0], "store")
        return
    start = offset_of(int(cast(int, to.data)))
    lost = {at for at in memory.slots if at >= start and (not width or at < start + width)}
    gone = unknown(f"written by {node.name}")
    if not parts:
        parts = {at: gone for at, _ in _scalars(m, _pointee(node.arguments[0]), width)}
    for at in lost - {start + part for part in parts}:
        write_slot(m, memory, at, gone)
    for part, value in parts.items():
        write_slot(m, memory, start + part, value)


def touch(
    m: Machine,
    node: e.Expression,
    how: Operation,
    address: Value,
    width: int,
    value: Result | None = None,
    origin: np.ndarray | int | None = None,
    collective: bool = False,
) -> None:
    """An access that can race, whose requests are not known; see AccessEvent."""
    if address.known is not True:
        shared_by_threads(m, node, how)
    if address.known is False:
        return
    state = m.state
    mask = state.mask if address.known is True else state.mask & address.known
    for memory in objects_of(m, address):
        if memory.space == "local":
            continue
        if how == "store":
            memory.written = True
            if m.contents is not None and memory.space == "shared":
                m.contents.forget(memory)
        m.events.access(
            node,
            memory,
            how,
            address.data if isinstance(address.data, np.ndarray) else int(address.data),
            width,
            mask,
            doubt=state.doubt if state.any_doubt else None,
            value=value,
            origin=origin,
            free=address.free,
            under=state.doubts[-1] if state.doubts else None,
            collective=collective,
            counted=False,
        )
