"""Calls: user functions run inline, CUDA calls and library functions by their tables, the rest is unknown."""

from collections import Counter

from msgspec.structs import replace

from cudalint.analyses.cuda_reach import is_cuda
from cudalint.analyses.plain_writes import Members
from cudalint.host import (
    brace_lists,
    clocks,
    containers,
    host_accesses,
    library,
    lifetimes,
    maps,
    monitors,
    runtime,
    tasks,
)
from cudalint.host.arithmetic import moved
from cudalint.host.conditions import note
from cudalint.host.launches import DIM3, dim3
from cudalint.host.machine import Machine
from cudalint.host.memory import LOST
from cudalint.host.values import (
    NOTHING,
    UNKNOWN,
    Address,
    Aggregate,
    Callee,
    Choice,
    Unknown,
    Value,
    candidates,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function

Pair = tuple[Value, Value]  # an argument's value and its place
INLINE_PLAIN = 400  # IR nodes of a function without CUDA calls that is still run inline
_MOST_ELEMENTS = 16  # of an array of objects that are made
INLINE_BRIEF = (
    40  # the same when much of the budget is spent, or when it works through data and returns nothing
)


def call(
    m: Machine, node: e.Call, receiver: Pair | None, target: Value | None, arguments: tuple[Pair, ...]
) -> Value:
    """The value of a call, after its effects."""
    host_accesses.library(m, node, tuple(value for value, _ in arguments))
    monitors.wait(m, node)
    known = clocks.call(m, node, receiver, arguments)
    if receiver is not None:
        lifetimes.replaced(m, node, _this(receiver) or UNKNOWN, tuple(value for value, _ in arguments))
    for handled in (tasks.call, maps.call, library.call):
        if known is None:
            known = handled(m, node, receiver, arguments)
    if known is not None:
        return known
    if is_cuda(node.name) and receiver is None and (node.key is None or not _project(m, node.key)):
        result = runtime.call(m, node, arguments)
        if result is not None:
            return result
    function = _function(m, node, receiver, target)
    if function is not None and _worth(m, function):
        values = tuple(value for value, _ in arguments)
        places = tuple(place for _, place in arguments)
        for parameter, argument, value in zip(function.parameters, node.arguments, values, strict=False):
            note(m, parameter, argument, value)
        values = brace_lists.handed(m, function, node.arguments, values)
        this = _this(receiver)
        if isinstance(this, Aggregate) and node.receiver is not None:
            this = _made(m, node.receiver, this)
        found = m.run_function(m, function, values, places, this, node.span)
        if node.name == "operator=":
            lifetimes.assigned(m, function, node)
        return found
    return unseen(m, node, function, receiver, arguments)


def _this(receiver: Pair | None) -> Value | None:
    """A method's object: where it lives, or where a pointer to it points."""
    if receiver is None:
        return None
    value, place = receiver
    return place if candidates(place) else value


def _made(m: Machine, receiver: e.Expression, value: Aggregate) -> Address:
    """Where the object is that another call has returned."""
    place = m.allocate(receiver, "pageable", receiver.type.bytes or None, "temporary")
    m.state.store(place, value, receiver.type.bytes)
    return place


def _project(m: Machine, key: str) -> bool:
    """Whether a function with a CUDA-like name is the project's own."""
    function = m.unit.defined(key)
    return function is not None and function.span.path in (
        m.unit.path,
        *m.unit.headers,
        *m.unit.project_files,
    )


def _function(m: Machine, node: e.Call, receiver: Pair | None, target: Value | None) -> Function | None:
    if node.key is not None:
        own = m.unit.functions.get(node.key)
        if own is None and m.working is not None:
            return m.unit.algorithms.get(node.key)
        overriding = m.reach.overriding.get(node.key, ()) if receiver is not None else ()
        return _virtual(m, _this(receiver), own, overriding) or own
    if isinstance(target, Callee):
        return m.unit.functions.get(target.key)
    return None


def _virtual(
    m: Machine, this: Value | None, own: Function | None, overriding: tuple[Function, ...]
) -> Function | None:
    """The method that a virtual call runs in place of the named one: that of the class that was made where
    the object is, else the only one if the named one has no body. A method that is being run names what it
    overrides, and means that.
    """
    made = m.classes.get((this.object, this.offset or 0)) if isinstance(this, Address) else None
    others = [one for one in overriding if all(one.key != f.function.key for f in m.frames)]
    for function in others:
        kind = function.this.type if function.this is not None else None
        if isinstance(kind, t.Pointer) and isinstance(kind.pointee, t.Record) and kind.pointee.name == made:
            return function
    pure = own is None or own.body is None
    return others[0] if pure and made is None and len(overriding) == len(others) == 1 else None


def _worth(m: Machine, function: Function, makes: bool = False) -> bool:
    """Whether a function is run inline. makes: an object is what it returns, whatever its type says."""
    if not m.may_enter(function):
        return False
    if function.key in m.reach.cuda:
        return True
    if m.ending:
        return False
    brief = m.thrifty or (function.key in m.reach.looping and function.returns == t.VOID and not makes)
    return m.reach.sizes.get(function.key, 0) <= (INLINE_BRIEF if brief else INLINE_PLAIN)


def unseen(
    m: Machine, node: e.Call, function: Function | None, receiver: Pair | None, arguments: tuple[Pair, ...]
) -> Value:
    """A call of code that is not run: it may write what it is handed by pointer or reference."""
    if function is not None:
        host_accesses.function(m, node, function, tuple(value for value, _ in arguments))
    members = library.members_written(m, function) if function is not None else None
    if members is not None:
        for index, (value, place) in enumerate(arguments):
            m.note_use(value)
            _lose_elements(m, _parameter(function, index), value, place)
        m.forget_elements(_this(receiver) or UNKNOWN)
        _change_members(m, _this(receiver) or UNKNOWN, members)
        m.host_work(node.name, node.span)
        return m.anew()
    if (function is not None and function.body is not None) or not library.is_plain(node):
        m.fresh.hidden += 1
        m.fresh.strays += _may_stray(node, arguments)
    touched: set[int] = set()
    for index, (value, place) in enumerate(arguments):
        type_ = _parameter(function, index)
        m.note_use(value)
        if not _read_only(node.arguments[index].type, type_):
            m.forget(value)
        touched |= candidates(value)
        if (isinstance(type_, t.Reference) and not type_.const) or (
            type_ is None and not library.by_value(node, index)
        ):
            _lose(m, place, node.arguments[index].type)
        if isinstance(value, Aggregate):
            for _, cell in value.cells:
                _lose_cell(m, node, index, cell)
    if receiver is not None and _keeps_its_object(function):
        _lose_pointees(m, _this(receiver) or UNKNOWN)
    elif receiver is not None:
        m.forget_object(_this(receiver) or UNKNOWN, _object_bytes(node.receiver))
    if not library.trivial(node):
        m.host_work(node.name, node.span, _may_use_cuda(m, node, function))
    return m.anew()


def _may_stray(node: e.Call, arguments: tuple[Pair, ...]) -> bool:
    """Whether a function that is not run may store anywhere: it is a closure, is handed one or is handed a
    pointer that nobody knows.
    """
    held = (
        cell
        for value, _ in arguments
        for cell in ([cell for _, cell in value.cells] if isinstance(value, Aggregate) else [value])
    )
    unknown = any(
        isinstance(one.type, t.Pointer) and not one.type.const and isinstance(value, Unknown)
        for one, (value, _) in zip(node.arguments, arguments, strict=False)
    )
    return unknown or node.target is not None or any(isinstance(cell, Callee | Choice) for cell in held)


def _change_members(m: Machine, this: Value, members: Members) -> None:
    """A method has written numbers among the members of its object."""
    often = Counter(member.offset for member in members)
    for member in members:
        if isinstance(this, Address) and this.offset is not None:
            known = member.constant is not None and often[member.offset] == 1
            value = member.constant if known and member.constant is not None else m.anew()
            m.state.store(moved(this, member.offset, 1), value, member.bytes)
        else:
            m.forget(this)


def _lose_elements(m: Machine, type_: t.Type | None, value: Value, place: Value) -> None:
    """What a function that writes numbers alone may have written by an argument: what `const` refers to keeps
    its own.
    """
    if isinstance(type_, t.Reference) and type_.const:
        for number in candidates(place):
            for cell in m.state.objects.get(number, LOST).cells.values():
                if candidates(cell) - {number}:
                    m.forget_elements(cell)
    elif not (isinstance(type_, t.Pointer) and type_.const):
        written = place if isinstance(type_, t.Reference) else value
        m.forget_elements(written)
        known = isinstance(written, Address) and written.offset is not None
        if known and isinstance(type_, t.Pointer) and isinstance(type_.pointee, t.Scalar):
            m.forget_object(written, type_.pointee.bytes)  # of a larger object


def _lose_cell(m: Machine, node: e.Call, index: int, cell: Value) -> None:
    """What an object that is handed over by value points to; elements that an algorithm of the library goes
    through keep their pointers and handles.
    """
    if node.qualified.startswith("std::") and containers.is_iterator(node.arguments[index].type):
        m.forget_numbers(cell)
    else:
        m.forget(cell)


def _keeps_its_object(function: Function | None) -> bool:
    """Whether it is a method that is const: clang's USR ends with that."""
    return function is not None and function.body is not None and function.key.endswith("#1")


def _lose_pointees(m: Machine, this: Value) -> None:
    """A method that leaves its object as it is may write what that points to."""
    for number in candidates(this):
        for cell in list(m.state.objects.get(number, LOST).cells.values()):
            if number not in candidates(cell):
                m.forget(cell)


def _object_bytes(receiver: e.Expression | None) -> int:
    """Bytes of a method's object; 0 where that is not known."""
    type_ = receiver.type if receiver is not None else t.VOID
    if isinstance(type_, t.Pointer):
        type_ = type_.pointee
    return type_.bytes if isinstance(type_, t.Record) else 0


def _may_use_cuda(m: Machine, node: e.Call, function: Function | None) -> bool:
    """Whether a function that is not run may call CUDA: its body does, or nobody can see it."""
    if function is not None and function.body is not None:
        return function.key in m.reach.cuda or function.dependent
    return not library.is_plain(node)


def _parameter(function: Function | None, index: int) -> t.Type | None:
    if function is None or index >= len(function.parameters):
        return None
    return function.parameters[index].type


def _read_only(argument: t.Type, parameter: t.Type | None) -> bool:
    type_ = parameter if isinstance(parameter, t.Pointer) else argument
    return isinstance(type_, t.Pointer) and type_.const


def _lose(m: Machine, place: Value, type_: t.Type) -> None:
    for number in candidates(place):
        offset = place.offset if isinstance(place, Address) else None
        if isinstance(type_, (t.Scalar, t.Pointer)):
            m.state.store(Address(number, offset), UNKNOWN, type_.bytes)
        else:
            m.state.forget(number)


def returns_reference(m: Machine, node: e.Call) -> bool:
    """Whether a call's value stands for a place."""
    function = m.unit.functions.get(node.key) if node.key else None
    if function is not None and isinstance(function.returns, t.Reference):
        return True
    return containers.returns_place(node) or maps.returns_place(node)


def construct(
    m: Machine, node: e.Construct, arguments: tuple[Pair, ...], place: Address | None = None
) -> Value:
    """A class object made by a constructor, at a place or as a temporary."""
    values = tuple(value for value, _ in arguments)
    name = node.type.name if isinstance(node.type, t.Record) else ""
    if name in DIM3:
        if len(values) == 1 and isinstance(values[0], Aggregate):
            return values[0]
        return dim3(values)
    if containers.container(node.type) is not None:
        host_accesses.constructed(m, node, values)
    known = tasks.construct(m, node, name, arguments)
    if known is None:
        known = containers.construct(m, node, name, arguments)
    if known is not None:
        return known
    if not isinstance(node.type, (t.Record, t.Array)):
        return values[0] if len(values) == 1 else UNKNOWN
    if isinstance(node.type, t.Array) and place is not None and place.offset is not None:
        return _elements(m, replace(node, type=node.type.element), arguments, place, node.type)
    function = m.unit.functions.get(node.key) if node.key else None
    if function is not None and _worth(m, function, makes=True):
        if place is None:
            place = m.allocate(node, "pageable", node.type.bytes or None, "temporary")
        else:
            m.state.store(place, Aggregate((), NOTHING), node.type.bytes)
        places = tuple(p for _, p in arguments)
        given = brace_lists.handed(m, function, node.arguments, values)
        m.run_function(m, function, given, places, place, node.span)
        if place.offset is not None:
            m.classes[place.object, place.offset] = name
        return m.state.load(place, node.type.bytes, True)
    for value in values:
        m.forget(value)
    if len(values) == 1 and isinstance(values[0], Aggregate):
        containers.take(m, node.arguments[0], arguments[0][1])
        return values[0]
    return Aggregate((), UNKNOWN if values else NOTHING)


def _elements(
    m: Machine, each: e.Construct, arguments: tuple[Pair, ...], place: Address, whole: t.Array
) -> Value:
    """An array of objects: each element is made where it stays, the first _MOST_ELEMENTS of them."""
    size = m.element_sizes[place.object] = each.type.bytes
    m.state.store(place, Aggregate((), NOTHING), whole.bytes)
    for index in range(min(whole.count or 1, _MOST_ELEMENTS)):
        where = replace(place, offset=(place.offset or 0) + index * size)
        m.state.store(where, construct(m, each, arguments, where), size)
    return m.state.load(place, whole.bytes, True)
