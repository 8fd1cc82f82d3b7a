"""Loads and stores of a symbolic run: of private objects by their slots, of others as accesses."""

import z3

from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.render import render
from cudalint.ir.types import LONG, Array, Record, Scalar, Type
from cudalint.ir.types import Pointer as PointerType
from cudalint.prove import arithmetic, data
from cudalint.prove.arithmetic import binary, is_integer
from cudalint.prove.machine import Machine
from cudalint.prove.values import Aggregate, Number, Object, Pointer, Target, Value, number, select, whole_of

_MOST_LEAVES = 64


def read(m: Machine, pointer: Pointer, type: Type, node: e.Expression) -> Value:
    """The value that lies where the pointer points."""
    if isinstance(type, Array):
        return pointer
    if not pointer.targets:
        if m.path is not None:
            m.lose(f"read through {pointer.lost or 'a null pointer'}", node.span)
        return m.unknown_value("data read through an unknown pointer", type)
    found: Value | None = None
    for target in reversed(pointer.targets):
        value = _read_target(m, target, type, node)
        found = (
            value if found is None else select(target.guard, value, found, lambda: m.unknown("mixed data"))
        )
    assert found is not None
    return found


def _read_target(m: Machine, target: Target, type: Type, node: e.Expression) -> Value:
    if target.object.space == "local":
        return _read_private(m, target, type)
    if not isinstance(type, Record) or _is_leaf(m, type):
        m.access(target, max(1, type.bytes), "read", None, node.span, render(node))
        return _loaded(m, target, type)
    m.access(target, max(1, type.bytes), "read", None, node.span, render(node))
    parts: dict[int, Number | Pointer] = {}
    for at, kind in leaves(m.unit, type):
        part = _loaded(m, Target(target.guard, target.object, _at(target, at)), kind)
        if not isinstance(part, Aggregate):
            parts[at] = part
    return Aggregate(parts)


def _at(target: Target, by: int) -> Number:
    return binary("+", target.offset, number(by), LONG)


def _is_leaf(m: Machine, type: Type) -> bool:
    return not leaves(m.unit, type)


def _read_private(m: Machine, target: Target, type: Type) -> Value:
    base = target.offset.constant
    if base is None:
        return _chosen_element(m, target, type)
    if isinstance(type, Record):
        return Aggregate(
            {at: m.read_slot(target.object, base + at, kind) for at, kind in leaves(m.unit, type)}
        )
    return m.read_slot(target.object, base, type)


def _chosen_element(m: Machine, target: Target, type: Type) -> Value:
    """An element of a private array whose index is not constant, among the few that it has."""
    slots = sorted(offset for id, offset in m.env if id == target.object.id)
    if target.object.id in m.lost or not 0 < len(slots) <= 32 or isinstance(type, Record):
        return m.unknown_value("element of a private array", type)
    unknown: Value = m.unknown_value("element of a private array", type)
    for offset in slots:
        unknown = select(
            target.offset.term == offset,
            m.env[target.object.id, offset],
            unknown,
            lambda: m.unknown("element of a private array"),
        )
    return unknown


def _loaded(m: Machine, target: Target, type: Type) -> Value:
    """Data from memory: the same for all who read one place, where the kernel does not write it. Where it
    does, it is the same for the threads of a block that read one place by this instruction: a write in
    between would race with one of the reads.
    """
    object, offset = target.object, target.offset
    fixed = object.space == "constant" or object.name in m.read_only
    if isinstance(type, PointerType):
        if not fixed or offset.constant is None:
            return Pointer((), f"a pointer read from {display(object)}")
        element, _ = element_layout(type.pointee)
        return whole_of(m.object(f"*({object.name}+{offset.constant})", "global", element))
    if not isinstance(type, Scalar):
        return m.unknown_value("data", type)
    if fixed:
        term = data.load(object, type, offset.term)
    else:
        read = m.fresh("read", "b", why=f"data read from {display(object)}").term
        m.reads[read.decl().name()] = (object, type)
        term = data.written(read, offset.term)
    if not is_integer(type):
        return Number(term)
    low, high = arithmetic.limits(type)
    m.fact(z3.And(term >= low, term <= high), term)
    return Number(term, low, high)


def display(object: Object) -> str:
    """The object's name as the source has it."""
    return object.name.partition("#")[0].partition("!")[0]


def write(m: Machine, pointer: Pointer, value: Value, type: Type, node: e.Expression) -> None:
    """Store a value where the pointer points."""
    if m.path is None:
        return
    if not pointer.targets:
        m.lose(f"written through {pointer.lost or 'a null pointer'}", node.span)
        return
    single = len(pointer.targets) == 1
    for target in pointer.targets:
        if target.object.space == "local":
            _write_private(m, target, value, type, single)
        else:
            m.access(target, max(1, type.bytes), "write", value, node.span, render(node))


def _write_private(m: Machine, target: Target, value: Value, type: Type, single: bool) -> None:
    object, base = target.object, target.offset.constant
    if base is None:
        m.forget(object)
        return
    if not single and isinstance(type, Record | Array):
        m.forget(object)
        return
    _drop(m, object, base, type.bytes, keep=not isinstance(type, Record | Array))
    if isinstance(value, Aggregate):
        for at, kind in leaves(m.unit, type, limit=_MOST_LEAVES):
            part = value.parts.get(at)
            _store(
                m, object, base + at, part if part is not None else m.unknown("field", kind), target, single
            )
    elif isinstance(type, Record | Array):
        for at, kind in leaves(m.unit, type, limit=_MOST_LEAVES):
            _store(m, object, base + at, m.unknown("field", kind), target, single)
    else:
        _store(m, object, base, value, target, single)


def _drop(m: Machine, object: Object, base: int, size: int, keep: bool) -> None:
    """Forget what lies under a store. keep: but for what starts where it does."""
    for slot in [s for s in m.env if s[0] == object.id and base <= s[1] < base + size]:
        if not (keep and slot[1] == base):
            del m.env[slot]


def _store(
    m: Machine, object: Object, offset: int, value: Number | Pointer, target: Target, single: bool
) -> None:
    if object.id in m.lost:
        return
    if not single:
        old = m.env.get((object.id, offset))
        kept: Value = m.unknown("variable written through a pointer")
        if old is not None:
            kept = select(target.guard, value, old, lambda: m.unknown("value of mixed kinds"))
        value = kept if not isinstance(kept, Aggregate) else m.unknown("field")
    m.env[object.id, offset] = value


def element_layout(type: Type) -> tuple[int, tuple[int, ...]]:
    """Bytes of an element, and the extents of all dimensions but the first."""
    extents: list[int] = []
    while isinstance(type, Array):
        extents.append(type.count or 0)
        type = type.element
    return max(1, type.bytes), tuple(extents[1:])
