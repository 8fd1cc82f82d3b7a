"""Private memory of the lanes, and journals of the values that are overwritten in it."""

import numpy as np
from msgspec.structs import replace

from cudalint.ir.types import Array, Record, Type
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Value, unknown
from cudalint.simt.values.memory import Journal, LaneJournal, Memory, read
from cudalint.simt.values.state import Aggregate, Result


def write_slot(m: Machine, memory: Memory, offset: int, value: Value) -> None:
    """Store under the current mask, remembering the old value for every watcher."""
    state = m.state
    old = memory.slots.get(offset)
    key = (memory.number, offset)
    for journal in state.journals:
        journal.enter(key, memory, old, state.mask)
    if state.mask is not state.samples.everyone and old is not None:
        value = lanes.select(state.mask, value, old)
        if m.data is not None and (chosen := state.chosen()) & ~value.free:
            value = replace(value, free=value.free | chosen)  # data tells which lanes have which number
    memory.slots[offset] = value


def slot_value(memory: Memory, offset: int) -> Value:
    return memory.slots.get(offset, unknown("uninitialised or lost local value"))


def read_private(m: Machine, memory: Memory, offset: int, type: Type) -> Result:
    """What a private object holds at an offset."""
    if isinstance(type, Array):
        return Value(memory.base + offset)
    if isinstance(type, Record):
        end = offset + type.bytes
        return Aggregate({o - offset: v for o, v in memory.slots.items() if offset <= o < end})
    return read(memory, offset, type)


def lose(m: Machine, memory: Memory) -> None:
    """Something was written to a private object, nobody knows where in it."""
    memory.touched = True
    for offset in list(memory.slots):
        write_slot(m, memory, offset, unknown("local array written at an unknown place"))


def watch(m: Machine) -> Journal:
    """Begin to remember overwritten private values."""
    journal = Journal()
    m.state.journals.append(journal)
    return journal


def watch_lanes(m: Machine) -> LaneJournal:
    """Begin to remember overwritten private values, and by which lanes they were."""
    journal = LaneJournal()
    m.state.journals.append(journal)
    return journal


def unwatch(m: Machine, journal: Journal | None) -> None:
    """Forget a watcher; one that is already forgotten, or None, is let pass."""
    m.state.journals[:] = [kept for kept in m.state.journals if kept is not journal]


def blur(m: Machine, journal: Journal, doubtful: Bools, why: str, *, several: bool = False) -> None:
    """For the doubtful lanes: a private value that may or may not have changed is unknown unless both
    agree. several: ways that exclude each other have changed it one after the other, so that an agreement
    tells nothing.
    """
    for (_, offset), (memory, old) in journal.items():
        new = slot_value(memory, offset)
        if old is None or new is old:
            continue
        same = False if several else lanes.agree(new, old)
        mask = doubtful if same is False else doubtful & ~np.asarray(same)
        if np.count_nonzero(mask):
            memory.slots[offset] = lanes.forget(new, mask, why)
