"""The objects that variables and addresses stand for."""

from typing import cast

import numpy as np

from cudalint.ir import expressions as e
from cudalint.ir.layout import innermost
from cudalint.ir.types import Pointer, Reference
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values import lanes
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.memory import Memory, object_number
from cudalint.simt.values.samples import free_alignment
from cudalint.simt.values.state import object_numbers


def private(m: Machine, variable: e.Variable) -> Memory:
    """The storage of a local variable or parameter; made on first sight."""
    memory = m.state.variables.get(variable.id)
    if memory is None:
        memory = fresh(m, variable)
    return memory


def fresh(m: Machine, variable: e.Variable) -> Memory:
    """New storage for a variable that comes to life."""
    element = innermost(variable.type)
    memory = m.state.create(variable.name, "local", variable.type.bytes, element.bytes)
    m.state.variables[variable.id] = memory
    return memory


def static_object(m: Machine, variable: e.Variable) -> Memory:
    """The one object of a shared, constant, device or global variable."""
    memory = m.state.named.get(variable.id)
    if memory is None:
        space = "shared" if variable.storage == "shared" else "global"
        if variable.storage == "constant":
            space = "constant"
        size = variable.type.bytes
        if variable.storage == "shared" and variable.extern:
            memory = m.state.named.get("extern shared")
        if memory is None:
            memory = m.state.create(variable.name, space, size, innermost(variable.type).bytes)
            memory.own = True
        if variable.storage == "shared" and variable.extern:
            m.state.named["extern shared"] = memory
        m.state.named[variable.id] = memory
    return memory


def is_reference(variable: e.Variable) -> bool:
    return isinstance(variable.type, Reference)


def objects_of(m: Machine, address: Value) -> list[Memory]:
    """The objects that the active, known lanes point into."""
    if not isinstance(address.data, np.ndarray):
        found = m.state.object_at(int(address.data))
        return [found] if found else []
    mask = m.state.mask if address.known is True else m.state.mask & address.known
    if not np.count_nonzero(mask):
        return []
    one = _one(address.data)
    if one is None:  # where lanes that are not active point does not matter
        active = address.data[mask]
        one = _one(active)
        if one is None:
            several = different(object_numbers(active)).tolist()
            return [m.state.objects[n] for n in several if n in m.state.objects]
    return [m.state.objects[one]] if one in m.state.objects else []


def _one(addresses: np.ndarray) -> int | None:
    """The number of the object that all of them point into; None where they point into several."""
    lowest, highest = object_number(int(addresses.min())), object_number(int(addresses.max()))
    return lowest if lowest == highest else None


def loaded_pointer(m: Machine, memory: Memory, offset: int, type: Pointer) -> Value:
    """A pointer found in memory at one address: an object of its own whose alignment is not known."""
    key = ("loaded", memory.number, offset)
    target = m.state.named.get(key)
    if target is None:
        element = innermost(type.pointee).bytes
        target = m.state.create(f"{memory.name}[...]", "global", 0, element, aligned=False)
        m.state.named[key] = target
    start = free_alignment(m.state.samples, type)
    return Value(cast(np.ndarray, start.data) + target.base, True, lanes.CHOSEN)
