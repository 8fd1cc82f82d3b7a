"""Reading and writing: lvalues, and memory at lane addresses."""

from typing import Any, cast

import numpy as np

from cudalint.analyses.kernel_queries import is_volatile
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import Array, Record, Scalar, Type
from cudalint.simt.interpret.accesses import record_access, record_lost
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.interpret.loaded_values import loaded_value
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.interpret.private_memory import lose, read_private, slot_value, write_slot
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value, unknown
from cudalint.simt.values.memory import Memory, distinct_offsets, gather, offset_of
from cudalint.simt.values.state import Aggregate, Place, Result

_NO_SIZE = "access of a type without a known size"


def read_place(m: Machine, where: Place, type: Type, node: e.Expression) -> Result:
    """Load what an lvalue of that type holds."""
    if where.memory is not None:
        return read_private(m, where.memory, where.offset, type)
    assert where.address is not None
    return load(m, where.address, type, node)


def write_place(m: Machine, where: Place, value: Result, type: Type, node: e.Expression) -> None:
    """Store to an lvalue of that type."""
    if where.memory is None:
        assert where.address is not None
        store(m, where.address, value, type, node)
        return
    memory, offset = where.memory, where.offset
    if isinstance(value, Aggregate):
        for part, item in value.parts.items():
            write_slot(m, memory, offset + part, item)
    elif isinstance(type, Record | Array):
        for part, _ in leaves(m.unit, type, offset):
            write_slot(m, memory, part, value if value.known is False else unknown("record without fields"))
    else:
        write_slot(m, memory, offset, value)


def load(m: Machine, address: Value, type: Type, node: e.Expression, operation: Operation = "load") -> Result:
    """Read memory at lane addresses."""
    m.loaded = address
    if isinstance(type, Array):
        return address
    if address.known is False or type.bytes <= 0:
        why = address.why or (_NO_SIZE if type.bytes <= 0 else "pointer without a known target")
        record_lost(m, node, operation, type, why)
        return unknown("loaded through an unknown pointer")
    objects = objects_of(m, address)
    if not objects:
        if np.count_nonzero(m.state.mask):
            record_lost(m, node, operation, type, _astray(address))
        return unknown("loaded through an unknown pointer")
    if len(objects) == 1 and objects[0].space == "local":
        return _load_local(m, objects[0], address, type, node)
    result: Result | None = None
    for memory in objects:
        if memory.space == "local":
            return unknown("pointer to local or other memory")
        record_access(m, node, memory, operation, address, type, None)
        result = _own_value(m, memory, address, type, node, operation)
        if result is None:
            result = loaded_value(m, memory, address, type, node)
    return (
        result if result is not None and len(objects) == 1 else unknown("loaded from one of several places")
    )


def _load_local(m: Machine, memory: Memory, address: Value, type: Type, node: e.Expression) -> Result:
    if memory.given and _leads_out(m, memory, address):
        return loaded_value(m, memory, address, type, node)
    if not isinstance(address.data, np.ndarray):
        return read_private(m, memory, offset_of(int(address.data)), type)
    if isinstance(type, Record) or not lanes.known_in(address, m.state.mask):
        return unknown("local array indexed by unknown values")
    return gather(memory, address.data - memory.base, m.state.mask, type)


def _leads_out(m: Machine, memory: Memory, address: Value) -> bool:
    """Whether an index into an array that the launch passes leads out of it, for nobody knows the index: the
    launch gives that element all the same.
    """
    if address.known is not True:
        return False
    if not isinstance(address.data, np.ndarray):
        return offset_of(int(address.data)) not in memory.slots
    offsets = distinct_offsets(address.data - memory.base, m.state.mask)
    return offsets is None or not memory.slots.keys() >= set(offsets)


def store(
    m: Machine, address: Value, value: Result, type: Type, node: e.Expression, operation: Operation = "store"
) -> None:
    """Write memory at lane addresses."""
    if address.known is False or type.bytes <= 0:
        why = address.why or (_NO_SIZE if type.bytes <= 0 else "pointer without a known target")
        record_lost(m, node, operation, type, why)
        return
    objects = objects_of(m, address)
    if not objects and np.count_nonzero(m.state.mask):
        record_lost(m, node, operation, type, _astray(address))
    for memory in objects:
        if memory.space == "local":
            _store_local(m, memory, address, value, type)
        else:
            record_access(m, node, memory, operation, address, type, value)
            if memory.space == "global":
                _keep_own(m, memory, address, value, type, node, operation)
            if m.contents is not None and memory.space == "shared":
                _keep_contents(m, m.contents, memory, address, value, type, operation == "store")


def _store_local(m: Machine, memory: Memory, address: Value, value: Result, type: Type) -> None:
    state = m.state
    if not isinstance(address.data, np.ndarray):
        write_place(m, Place(memory, offset_of(int(address.data))), value, type, None)  # type: ignore[arg-type]
        return
    choices = None
    if isinstance(value, Value) and lanes.known_in(address, m.state.mask):
        choices = distinct_offsets(address.data - memory.base, state.mask)
    if choices is None:
        lose(m, memory)
        return
    everyone = state.mask
    for offset in choices:
        state.mask = everyone & (address.data - memory.base == offset)
        if offset not in memory.slots:
            memory.slots[offset] = unknown("uninitialised or lost local value")
        write_slot(m, memory, offset, cast(Value, value))
    state.mask = everyone


def _keep_contents(
    m: Machine, contents: Contents, memory: Memory, address: Value, value: Result, type: Type, plain: bool
) -> None:
    """Enter a store to shared memory into its contents. plain: no atomic."""
    if not plain or address.known is not True:
        if plain or m.data is None:
            contents.forget(memory)
        return
    parts = value.parts if isinstance(value, Aggregate) else {0: value}
    for at, kind in leaves(m.unit, type):
        part = parts.get(at, unknown("field without a value"))
        contents.store(memory, cast(Any, address.data) + at, kind, part, m.state.mask)


def _keep_own(
    m: Machine,
    memory: Memory,
    address: Value,
    value: Result,
    type: Type,
    node: e.Expression,
    operation: Operation,
) -> None:
    """Remember what the lanes store to global memory, for when they read it back."""
    stores = m.own_stores
    followed = operation == "store" and isinstance(type, Scalar) and isinstance(value, Value)
    if not followed or memory.several or not _by_lane(address) or is_volatile(node):
        stores.forget(memory)
        return
    if memory.number not in stores.objects:
        stores.begin(memory, m.state.create(memory.name, "local", 0))
    values, slot = stores.enter(memory, cast(Any, address.data), cast(Scalar, type), m.state.mask)
    values.slots.setdefault(slot, unknown("stored by other lanes"))
    write_slot(m, values, slot, cast(Value, value))


def _own_value(
    m: Machine, memory: Memory, address: Value, type: Type, node: e.Expression, operation: Operation
) -> Value | None:
    """What the lanes have stored there themselves, where that is known for all of them."""
    stores = m.own_stores
    plain = operation == "load" and isinstance(type, Scalar) and _by_lane(address) and not is_volatile(node)
    found = stores.slot(memory, cast(Any, address.data), cast(Scalar, type), m.state.mask) if plain else None
    (stores.missed if found is None else stores.served).add(node.span)
    value = slot_value(*found) if found is not None else None
    return value if value is not None and lanes.known_in(value, m.state.mask) else None


def _by_lane(address: Value) -> bool:
    return address.known is True and isinstance(address.data, np.ndarray)


def _astray(address: Value) -> str:
    """Why no active lane's address is in an object."""
    if address.known is True:
        return "pointer outside every known object"
    return address.why or "index depends on data that the model does not have"
