"""Destructors: what the end of a scope runs for the objects that were declared in it."""

from collections.abc import Iterator

from cudalint.analyses.cuda_reach import is_cuda
from cudalint.host import containers, device_vectors, runtime
from cudalint.host.arithmetic import moved
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Aggregate, Callee, Somewhere, Value, candidates
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.names import template_arguments
from cudalint.ir.unit import Function

_OPTIONAL = "std::optional<"
_POINTER = ("std", "unique_ptr")
_POINTERS = (_POINTER, ("std", "shared_ptr"))
_DEEPEST = 4  # members of members that are looked into
_MOST_ELEMENTS = 4  # of a container that are destroyed one by one


def ends(m: Machine, body: tuple[s.Statement, ...], kept: e.Expression | None = None) -> None:
    """Destroy what a block declares, the newest first. kept: what a return hands out, which lives on."""
    for statement in reversed(body):
        if isinstance(statement, s.Declare) and isinstance(statement.variable.type, (t.Record, t.Array)):
            variable = statement.variable
            if not variable.static and variable.storage == "local" and not _is(kept, variable):
                number = m.variable(variable)
                if number in m.state.objects and not m.state.dead:
                    if containers.container(variable.type) == containers.OF_DEVICE:
                        device_vectors.ended(m, m.state.load(Address(number), 8, False), variable)
                    if containers.container(variable.type) in (*containers.OWNING, _POINTER):
                        given_back(m, m.state.load(Address(number), 8, False))
                    destroy(m, Address(number), variable.type)


def given_back(m: Machine, held: Value = UNKNOWN) -> None:
    """The memory that a pointer points to ends."""
    if isinstance(held, Address):
        function = m.frames[-1].function.key if m.frames else ""
        m.ended[held.object] = tuple(m.loop_ids), tuple(m.iterations), function


def _is(kept: e.Expression | None, variable: e.Variable) -> bool:
    while isinstance(kept, (e.Cast, e.Construct)):
        arguments = (kept.operand,) if isinstance(kept, e.Cast) else kept.arguments
        kept = arguments[0] if len(arguments) == 1 else None
    if isinstance(kept, e.Call) and kept.name == "move" and kept.arguments:
        kept = kept.arguments[0]
    return isinstance(kept, e.VariableReference) and kept.variable == variable


def destroy(m: Machine, place: Address, type_: t.Type, depth: int = 0) -> None:
    """Run an object's destructor, then those of its members; of an array's first elements."""
    if isinstance(type_, t.Array):
        for index in range(min(type_.count or 0, _MOST_ELEMENTS)):
            destroy(m, moved(place, index, type_.element.bytes), type_.element, depth)
        return
    if not isinstance(type_, t.Record) or depth > _DEEPEST or not _matters(m, type_):
        return
    if containers.container(type_) in _POINTERS:
        held = m.state.load(place, 8, False)
        if isinstance(held, (Address, Somewhere)):
            _delete(m, place, held, type_, depth)
        return
    key = m.unit.destructors.get(type_.name)
    function = m.unit.functions.get(key) if key is not None else None
    if function is not None and key in m.reach.cuda and function.body is not None:
        m.run_function(m, function, (), (), place, function.span)
    for offset, inner in _parts(m, place, type_):
        destroy(m, moved(place, offset, 1) if isinstance(offset, int) else offset, inner, depth + 1)


def replaced(m: Machine, node: e.Call, receiver: Value, values: tuple[Value, ...]) -> None:
    """A smart pointer is given something else to own: what it had is deleted."""
    type_ = node.receiver.type if node.receiver is not None else t.VOID
    if node.name not in ("reset", "operator=") or containers.container(type_) not in _POINTERS:
        return
    if not isinstance(receiver, Address) or not isinstance(type_, t.Record) or not _matters(m, type_):
        return
    held = m.state.load(receiver, 8, False)
    given = values[0] if values else 0
    new = dict(given.cells).get(0) if isinstance(given, Aggregate) else given
    if isinstance(held, (Address, Somewhere)) and held != new:
        _delete(m, receiver, held, type_, 0)
    if (
        node.name == "reset"
        and len(values) > 1
        and isinstance(new, Address)
        and isinstance(values[1], Callee)
    ):
        m.deleters[new.object] = values[1], node
    elif node.name == "reset" and isinstance(new, Address) and isinstance(held, Address):
        own = m.deleters.get(held.object)  # that of a std::unique_ptr stays
        if own is not None and containers.container(type_) == _POINTER:
            m.deleters.setdefault(new.object, own)


def assigned(m: Machine, function: Function, node: e.Call) -> None:
    """An assignment is done: the temporary object that it took its value from ends."""
    if len(function.parameters) != 1 or len(node.arguments) != 1:
        return
    written, parameter = node.arguments[0], function.parameters[0]
    while isinstance(written, e.Cast):
        written = written.operand
    made = isinstance(written, e.Construct) or (isinstance(written, e.Call) and written.name != "move")
    type_ = parameter.type.target if isinstance(parameter.type, t.Reference) else parameter.type
    if not made or not isinstance(type_, t.Record) or _returns_reference(m, written):
        return
    place = m.state.bindings.get(parameter.id) or Address(m.variable(parameter))
    if isinstance(place, Address):
        destroy(m, place, type_)


def _returns_reference(m: Machine, written: e.Expression) -> bool:
    if not isinstance(written, e.Call):
        return False
    function = m.unit.functions.get(written.key or "")
    return function is None or isinstance(function.returns, t.Reference)


def _delete(m: Machine, place: Address, held: Address | Somewhere, type_: t.Record, depth: int) -> None:
    """Hand what the smart pointer at a place owns to its deleter: one of its own, or `delete`."""
    if containers.container(type_) != _POINTER and _is_shared(m, place, held):
        return
    given = m.deleters.get(held.object) if isinstance(held, Address) else None
    if given is not None:
        _call(m, *given, held)
        return
    deleter = _deleter(m, type_)
    if deleter is not None:
        m.run_function(m, deleter, (held,), (UNKNOWN,), None, deleter.span)
        return
    owned = _owned(m, type_)
    if owned is not None and isinstance(held, Address):
        destroy(m, held, owned, depth + 1)


def _is_shared(m: Machine, place: Address, held: Address | Somewhere) -> bool:
    """Whether something else than a plain pointer holds the same: another std::shared_ptr may."""
    for number, contents in m.state.objects.items():
        known = m.buffers.get(number)
        if number == place.object or (known is not None and known.bytes == 8 and number in m.variables):
            continue
        if any(candidates(cell) & candidates(held) for cell in contents.cells.values()):
            return True
    cells = m.state.objects[place.object].cells if place.object in m.state.objects else {}
    return any(at != place.offset and candidates(cell) & candidates(held) for at, cell in cells.items())


def _call(m: Machine, deleter: Callee, made: e.Construct | e.Call, held: Value) -> None:
    """Call a function that a smart pointer was made with."""
    function = m.unit.functions.get(deleter.key)
    if function is not None and function.body is not None and m.may_enter(function):
        m.run_function(m, function, (held,), (UNKNOWN,), None, made.span)
    elif is_cuda(deleter.name):
        node = e.Call(deleter.key, deleter.name, deleter.name, made.arguments[:1], None, t.INT, made.span)
        runtime.call(m, node, ((held, UNKNOWN),))


def _owned(m: Machine, type_: t.Record) -> t.Record | None:
    """The class whose objects a smart pointer deletes."""
    layout = m.unit.records.get(type_.name)
    pointer = layout.fields[0].type if layout is not None and layout.fields else None
    if not isinstance(pointer, t.Pointer) or not isinstance(pointer.pointee, t.Record):
        return None
    return pointer.pointee if "default_delete<" in type_.name or "," not in type_.name else None


def _deleter(m: Machine, type_: t.Record) -> Function | None:
    """The function that a smart pointer hands its object to, where its type says so and that calls CUDA."""
    if containers.container(type_) not in _POINTERS:
        return None
    last = template_arguments(type_.name)[-1:]
    named = last[0].partition("<")[0].rsplit("::", 1)[-1] if last else ""
    return m.reach.functors.get(f"{named}::operator()")


def _parts(m: Machine, place: Address, type_: t.Record) -> Iterator[tuple[int | Address, t.Type]]:
    """Members by their offsets; of a container, the elements by where they are."""
    layout = m.unit.records.get(type_.name)
    if layout is None:
        return
    inner = _optional(m, type_)
    if inner is not None:
        if m.state.load(moved(place, inner.bytes, 1), 1, False) is not False:
            yield 0, inner
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


def _optional(m: Machine, type_: t.Record) -> t.Record | None:
    """The class whose object a std::optional may hold."""
    if not type_.name.startswith(_OPTIONAL):
        return None
    layout = m.unit.records.get(type_.name.removeprefix(_OPTIONAL).removesuffix(">").strip())
    return t.Record(layout.name, layout.bytes, layout.align) if layout is not None else None


def _matters(m: Machine, type_: t.Record, depth: int = 0) -> bool:
    """Whether the end of such an object calls CUDA."""
    known = m.fatal.get(type_.name)
    if known is None:
        m.fatal[type_.name] = False
        known = m.unit.destructors.get(type_.name) in m.reach.cuda or _deleter(m, type_) is not None
        pointer = containers.container(type_) in _POINTERS
        known = known or (pointer and bool(m.reach.indirect))
        owned = _owned(m, type_) if pointer else _optional(m, type_)
        known = known or (owned is not None and depth < _DEEPEST and _matters(m, owned, depth + 1))
        layout = m.unit.records.get(type_.name)
        for member in layout.fields if layout is not None and not known and depth < _DEEPEST else ():
            inner: t.Type = member.type
            while isinstance(inner, t.Array):
                inner = inner.element
            if isinstance(inner, t.Pointer) and containers.container(type_) in containers.OWNING:
                inner = inner.pointee
            known = known or (isinstance(inner, t.Record) and _matters(m, inner, depth + 1))
        m.fatal[type_.name] = known
    return known
