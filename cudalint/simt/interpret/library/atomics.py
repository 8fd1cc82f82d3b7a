"""Atomic functions: what they do to a word, and what they return."""

from typing import Any, cast

from cudalint.analyses.dropped_results import dropped_results
from cudalint.cuda.spaces import Space
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer, Type
from cudalint.simt.interpret.accesses import space_without_address
from cudalint.simt.interpret.data import MadeUpData
from cudalint.simt.interpret.dispatch import evaluate, number
from cudalint.simt.interpret.loads_and_stores import load, store
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.requests.sites import atomic_kind
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Value, unknown
from cudalint.simt.values.state import Result


def atomic(m: Machine, node: e.Call) -> Value:
    """What a call of an atomic function returns."""
    pointer = node.arguments[0]
    address = number(m, pointer)
    values = [evaluate(m, a) for a in node.arguments[1:]]
    kind = pointer.type.pointee if isinstance(pointer.type, Pointer) else node.type
    before = _held(m, address, kind)
    store(m, address, values[0] if values else UNKNOWN, kind, node, "atomic")
    if atomic_kind(node, kind.bytes) == "loop" and _space(m, node, address) == "shared":
        _emulated(m, node, address, kind)
    return _before(m, node, address, values, kind, before)


def _space(m: Machine, node: e.Call, address: Value) -> Space:
    objects = objects_of(m, address) if address.known is not False else []
    return objects[0].space if objects else space_without_address(m, node)


def _held(m: Machine, address: Value, kind: Type) -> Value | None:
    """What shared memory is known to hold there."""
    if m.data is None or m.contents is None or not lanes.known_in(address, m.state.mask):
        return None
    objects = objects_of(m, address)
    if len(objects) != 1 or objects[0].space != "shared":
        return None
    return m.contents.load(objects[0], cast(Any, address.data), kind, m.state.mask)


def _before(
    m: Machine, node: e.Call, address: Value, values: list[Result], kind: Type, before: Value | None
) -> Value:
    """What an atomic returns: what the word held before."""
    if m.data is not None:
        return _in_turn(m, m.data, node, address, values, kind, before)
    if m.tickets is not None and address.known is True:
        objects = objects_of(m, address)
        amount = values[0] if values and isinstance(values[0], Value) else None
        one = objects[0] if len(objects) == 1 else None
        taken = m.tickets.take(node, one, address, amount, m.state.mask, kind) if one else None
        if taken is not None:
            return taken
    return unknown("result of an atomic")


def _in_turn(
    m: Machine,
    data: MadeUpData,
    node: e.Call,
    address: Value,
    values: list[Result],
    kind: Type,
    before: Value | None,
) -> Value:
    """What it returns where threads come to it one after the other. At a place that data decides only counts
    in shared memory are followed, of which nobody takes what they return.
    """
    body = m.state.frame.function.body
    mere_count = data.is_count(node.name) and body is not None and id(node) in dropped_results(body)
    objects = objects_of(m, address) if address.known is True or mere_count else []
    shared = [memory for memory in objects if memory.space == "shared"]
    operands = [value for value in values if isinstance(value, Value)]
    everywhere = all(one.known is True for one in (address, *operands))
    result = None
    if len(objects) == 1 and len(operands) == len(values) and (everywhere or (mere_count and shared)):
        result = data.atomic(node.name, objects[0], address, operands, m.state.mask, kind, before)
    if m.contents is not None:
        for memory in shared:
            if result is None:
                m.contents.forget(memory)
            else:
                left = data.left(memory, address, m.state.mask)
                m.contents.store(memory, cast(Any, address.data), kind, left, m.state.mask)
    return result if result is not None else unknown("result of an atomic")


def _emulated(m: Machine, node: e.Call, address: Value, kind: Type) -> None:
    """An atomic that is a load and a loop round a compare-and-swap, which lanes of one word leave in turn."""
    with m.unwatched():  # the loop sees to it that nothing is lost
        load(m, address, kind, node)
    m.fence()
    mask, attributed_to = m.state.mask, m.state.attributed_to(node.span)
    m.recorder.branch(node, attributed_to, node, "retry", False, mask, mask)
