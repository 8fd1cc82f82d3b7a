"""Destructors: what the end of a scope runs for the objects that were declared in it."""

from collections.abc import Iterator

from cudalint.host import containers
from cudalint.host.arithmetic import moved
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function

_DEEPEST = 4  # members of members that are looked into
_MOST_ELEMENTS = 4  # of a container that are destroyed one by one


def ends(m: Machine, body: tuple[s.Statement, ...], kept: e.Expression | None = None) -> None:
    """Destroy what a block declares, the newest first. kept: what a return hands out, which lives on."""
    for statement in reversed(body):
        if isinstance(statement, s.Declare) and isinstance(statement.variable.type, t.Record):
            variable = statement.variable
            if not variable.static and variable.storage == "local" and not _is(kept, variable):
                number = m.variable(variable)
                if number in m.state.objects and not m.state.dead:
                    destroy(m, Address(number), variable.type)


def _is(kept: e.Expression | None, variable: e.Variable) -> bool:
    while isinstance(kept, (e.Cast, e.Construct)):
        arguments = (kept.operand,) if isinstance(kept, e.Cast) else kept.arguments
        kept = arguments[0] if len(arguments) == 1 else None
    if isinstance(kept, e.Call) and kept.name == "move" and kept.arguments:
        kept = kept.arguments[0]
    return isinstance(kept, e.VariableReference) and kept.variable == variable


def destroy(m: Machine, place: Address, type_: t.Type, depth: int = 0) -> None:
    """Run an object's destructor, then those of its members."""
    if not isinstance(type_, t.Record) or depth > _DEEPEST or not _matters(m, type_):
        return
    deleter = _deleter(m, type_)
    if deleter is not None:
        held = m.state.load(place, 8, False)
        if isinstance(held, Address):
            m.run_function(m, deleter, (held,), (UNKNOWN,), None, deleter.span)
        return
    key = m.unit.destructors.get(type_.name)
    function = m.unit.functions.get(key) if key is not None else None
    if function is not None and key in m.reach.cuda and function.body is not None:
        m.run_function(m, function, (), (), place, function.span)
    for offset, inner in _parts(m, place, type_):
        destroy(m, moved(place, offset, 1) if isinstance(offset, int) else offset, inner, depth + 1)


def _deleter(m: Machine, type_: t.Record) -> Function | None:
    """The function that a std::unique_ptr hands its object to, where that calls CUDA."""
    if containers.container(type_) != ("std", "unique_ptr"):
        return None
    last = type_.name.rstrip(">").rsplit(",", 1)[-1].strip()
    called = f"{last.rsplit('::', 1)[-1]}::operator()"
    return m.reach.functors.get(called)


def _parts(m: Machine, place: Address, type_: t.Record) -> Iterator[tuple[int | Address, t.Type]]:
    """Members by their offsets; of a container, the elements by where they are."""
    layout = m.unit.records.get(type_.name)
    if layout is None:
        return
    if containers.container(type_) in containers.OWNING:
        element = layout.fields[0].type
        held = m.state.load(place, 8, False)
        if isinstance(element, t.Pointer) and isinstance(held, Address):
            size = containers.count(m, place)
            for index in range(min(size, _MOST_ELEMENTS)):
                yield moved(held, index, element.pointee.bytes), element.pointee
        return
    for member in layout.fields:
        yield member.offset, member.type


def _matters(m: Machine, type_: t.Record, depth: int = 0) -> bool:
    """Whether the end of such an object calls CUDA."""
    known = m.fatal.get(type_.name)
    if known is None:
        m.fatal[type_.name] = False
        known = m.unit.destructors.get(type_.name) in m.reach.cuda or _deleter(m, type_) is not None
        layout = m.unit.records.get(type_.name)
        for member in layout.fields if layout is not None and not known and depth < _DEEPEST else ():
            inner: t.Type = member.type
            if isinstance(inner, t.Pointer) and containers.container(type_) in containers.OWNING:
                inner = inner.pointee
            known = known or (isinstance(inner, t.Record) and _matters(m, inner, depth + 1))
        m.fatal[type_.name] = known
    return known
