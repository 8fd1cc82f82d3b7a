"""Recording accesses to memory that threads share: requests for the recorder, events for the watchers."""

from functools import partial
from typing import Any, cast

import numpy as np

from cudalint.analyses.counting_stores import counting_stores
from cudalint.analyses.kernel_queries import accessed, pointer_of, root_of, space_of
from cudalint.analyses.whole_records import Parts, parts_that_count
from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.layout import chunk
from cudalint.ir.types import Record, Reference, Type
from cudalint.ir.walk import rebuilt
from cudalint.simt.interpret.counting import count_requests
from cudalint.simt.interpret.dispatch import place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import static_object
from cudalint.simt.values.lanes import Bools, Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.state import Result


def shared_by_threads(
    m: Machine, behind: e.Expression, operation: Operation, access: e.Expression | None = None
) -> None:
    """Tell of an access without an address what its root tells: the shared array, or that it is global.
    behind: what it goes through.
    """
    node, root = access or behind, root_of(accessed(behind))
    if root is not None and root.storage == "shared":
        m.events.lost(node, operation, "shared", static_object(m, root))
    elif root is not None and root in m.state.frames[0].function.parameters:
        m.events.lost(node, operation, "global", None)
    elif root is None or root.storage != "constant":
        m.events.lost(node, operation, None, None)


def record_lost(m: Machine, node: e.Expression, operation: Operation, type: Type, why: str) -> None:
    """Record one access without a known address."""
    m.state.note(why)
    written = _behind(m, node)
    memory = _object(m, written)
    space = space_of(written) if memory is None else memory.space
    if space == "local":
        return
    if memory is None:
        shared_by_threads(m, written, operation, node)
    else:
        m.events.lost(node, operation, space, memory)
    attributed_to = m.state.attributed_to(node.span)
    m.recorder.lost(node, attributed_to, space, operation, chunk(type), m.state.mask, why, memory)
    if operation != "load":
        m.fence()


def space_without_address(m: Machine, node: e.Expression) -> Space:
    """The space of an access, by the object that it goes through or by its variable."""
    written = _behind(m, node)
    memory = _object(m, written)
    return space_of(written) if memory is None else memory.space


def _behind(m: Machine, node: e.Expression) -> e.Expression:
    """What the access goes through, with what a reference was bound to in its place, and what a function has
    returned a reference to.
    """
    node = _returned(m, node)
    root, seen = root_of(accessed(node)), set[int]()
    while root is not None and isinstance(root.type, Reference) and root.id not in seen:
        seen.add(root.id)
        bound = m.state.written.get(root.id)
        node = node if bound is None else _bound_to(bound, root.id, node)
        root = root_of(accessed(node))
    return node


def _returned(m: Machine, node: e.Expression) -> e.Expression:
    """What a method without further statements returns a reference to, in the words of the caller."""
    function = m.unit.defined(node.key) if isinstance(node, e.Call) else None
    if function is None or not isinstance(node, e.Call) or not isinstance(function.returns, Reference):
        return node
    match function.body:
        case s.Block(body=(s.Return(value=value),)) if value is not None and node.receiver is not None:
            pairs = zip(function.parameters, node.arguments, strict=False)
            given = {parameter.id: argument for parameter, argument in pairs}
            return _returned(m, _told(value, function.this, node.receiver, given))
    return node


def _told(node: Any, this: e.Variable | None, receiver: e.Expression, given: dict[int, e.Expression]) -> Any:
    """An expression of a method with its object and its arguments in the place of what it calls them."""
    match node:
        case e.Dereference(pointer=e.VariableReference(variable=variable)) if variable == this:
            return receiver
        case e.VariableReference(variable=variable) if variable.id in given:
            return given[variable.id]
    return rebuilt(node, lambda part: _told(part, this, receiver, given))


def _bound_to(bound: e.Expression, variable: int, node: Any) -> Any:
    """The node with what a variable is bound to in the place of each of its names."""
    if isinstance(node, e.VariableReference) and node.variable.id == variable:
        return bound
    return rebuilt(node, partial(_bound_to, bound, variable))


def _object(m: Machine, node: e.Expression) -> Memory | None:
    """The object that a pointer in a private variable points to, where only the place in it is not known."""
    pointer = pointer_of(node)
    if pointer is None:
        return None
    where = place(m, pointer)
    value = where.memory.slots.get(where.offset) if where.memory is not None else None
    if value is None or not value.is_scalar or isinstance(value.data, float):
        return None
    return m.state.object_at(int(cast(int, value.data)))


def record_access(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    address: Value,
    type: Type,
    value: Result | None,
) -> None:
    """Record one access to an object that is not private."""
    state = m.state
    state.access(node)
    mask = state.mask
    if id(node) in m.made:
        m.recorder.reuse(node, memory)
        return
    if address.known is not True:
        active_unknown = mask if address.known is False else mask & ~address.known
        if np.count_nonzero(active_unknown):
            why = address.why or "index depends on data that the model does not have"
            attributed_to = state.attributed_to(node.span)
            lost = m.masks.one(active_unknown)
            m.recorder.lost(node, attributed_to, memory.space, operation, chunk(type), lost, why)
            state.note(why)
            m.events.lost(node, operation, memory.space, memory)
        m.fence()
        if address.known is False:
            return
        mask = mask & address.known
        if not np.count_nonzero(mask):
            return
    addresses = m.addresses.one(address.data) if isinstance(address.data, np.ndarray) else int(address.data)
    mask = mask if mask is state.samples.everyone else m.masks.one(mask)
    if m.recorder.counting:
        count_requests(m, node, memory, operation, addresses, type, mask, address.free)
    memory.written |= operation != "load"
    if m.events.watchers:
        _tell(m, node, memory, operation, addresses, type, mask, address.free, value)


def _tell(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    addresses: np.ndarray | int,
    type: Type,
    mask: Bools,
    free: int,
    value: Result | None,
) -> None:
    """Report one executed access to the watchers of the run."""
    state = m.state
    by_data, under = state.decided() if m.data is not None else (0, None)
    m.events.access(
        node,
        memory,
        operation,
        addresses,
        type.bytes,
        mask,
        state.doubt if state.any_doubt else None,
        under=state.doubts[-1] if state.doubts else under,
        by_data=by_data,
        counting=operation == "store" and id(node) in counting_stores(m.unit, state.frames[0].function),
        value=value,
        origin=_origin(m, operation),
        free=free,
        tested=state.tested,
        sampled=state.spent,
        sure_only=state.hurried,  # no data is behind the doubt that loops cut short leave
        parts=_counting_parts(m, node, type),
        way=tuple(frame.call for frame in state.frames[1:]),
    )


def _counting_parts(m: Machine, node: e.Expression, type: Type) -> Parts | None:
    """The parts of a record that count, where not all of them do."""
    if not isinstance(type, Record):
        return None
    return parts_that_count(m.unit, m.state.frame.function).get(id(node))


def _origin(m: Machine, operation: Operation) -> np.ndarray | int | None:
    """Where each lane's value to be stored was loaded from, when that is known for all."""
    if operation != "store" or m.source is None or m.source.known is not True:
        return None
    return m.source.data if isinstance(m.source.data, np.ndarray) else int(m.source.data)
