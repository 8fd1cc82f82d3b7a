"""Waits for what other threads do: they put things into containers and set flags meanwhile."""

import re
from collections.abc import Iterator

from cudalint.host import containers
from cudalint.host.arithmetic import moved
from cudalint.host.log import Log
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Value
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find

_CONDITION = re.compile(r"std::condition_variable(_any)?")
_WAITS = ("wait", "wait_for", "wait_until")
_DEEPEST = 3  # members of members that are looked into
_FLAGS = re.compile(r"std::atomic<bool>|std::atomic_flag|std::atomic_bool")


def wait(m: Machine, node: e.Call) -> None:
    """What a wait for a condition leaves: other threads have changed the object whose method waits, and what
    the predicate has captured.
    """
    if not _waits(node):
        return
    m.thread_waits.add(node.span)
    for place, kind in _shared(m, node):
        _change(m, place, kind)


def _waits(node: e.Call) -> bool:
    """Whether it is a wait for a condition."""
    type_ = node.receiver.type if node.receiver is not None else t.VOID
    return (
        node.name in _WAITS and isinstance(type_, t.Record) and _CONDITION.fullmatch(type_.name) is not None
    )


def may_wait(loop: s.Loop) -> bool:
    """Whether a loop waits for other threads while its condition holds: any round may."""
    return any(_waits(node) for node in find(loop, e.Call))


def has_waited(log: Log) -> bool:
    return any(call.kind == "host-work" and call.name in _WAITS for call in log.calls)


def _shared(m: Machine, node: e.Call) -> Iterator[tuple[Value, t.Type]]:
    """The objects, each with its type."""
    own = m.frames[-1].function.this if m.frames else None
    captured = [v for a in node.arguments if isinstance(a, e.Lambda) for v, _ in a.captures]
    for variable in dict.fromkeys((*((own,) if own is not None else ()), *captured)):
        place = m.state.bindings.get(variable.id) or Address(m.variable(variable), 0)
        kind = variable.type.target if isinstance(variable.type, t.Reference) else variable.type
        if isinstance(kind, t.Pointer) and isinstance(place, Address):
            yield m.state.load(place, 8, False), kind.pointee
        else:
            yield place, kind


def _change(m: Machine, place: Value, kind: t.Type, depth: int = 0) -> None:
    """Containers may have any number of elements, one at least; flags may be set."""
    if not isinstance(place, Address) or place.offset is None or depth > _DEEPEST:
        return
    if containers.container(kind) in containers.GROWING:
        containers.may_have_grown(m, place)
    elif kind == t.BOOL or (isinstance(kind, t.Record) and _FLAGS.fullmatch(kind.name)):
        m.state.store(place, UNKNOWN, kind.bytes)
    elif isinstance(kind, t.Record) and kind.name in m.unit.records and not containers.container(kind):
        for member in m.unit.records[kind.name].fields:
            _change(m, moved(place, member.offset, 1), member.type, depth + 1)
