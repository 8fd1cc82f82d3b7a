"""Standard containers as objects: where their elements are, how many, and what each of them holds.

A container is its storage (an allocation of its own) and its length, by fixed byte offsets. Elements are told
apart by their index, or by the sample of an index that is not known.
"""

import re

from msgspec.structs import replace

from cudalint.host import device_vectors, vector_copies
from cudalint.host.arithmetic import binary, inside, moved
from cudalint.host.facts import MemorySpace
from cudalint.host.machine import Machine
from cudalint.host.memory import LOST
from cudalint.host.values import (
    GUESS,
    NOTHING,
    UNKNOWN,
    Address,
    Aggregate,
    Callee,
    Nothing,
    Somewhere,
    Unknown,
    Value,
    candidates,
    guess,
    is_structure,
    sample_of,
    sampled,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t

Pair = tuple[Value, Value]  # an argument's value and its place

_CONTAINER = re.compile(
    r"(std|thrust)::(vector|host_vector|device_vector|basic_string|unique_ptr|shared_ptr|array|deque|list"
    r"|queue|stack|span)<(.*)>"
)
_STORAGE, _SIZE, _HEAD = 0, 8, 16  # byte offsets: where the elements are, how many, of a queue the first
_TEXT = _HEAD  # of a string that is made of a literal: its letters
_AT_ONCE = frozenset(  # methods of thrust without CUDA: what a reference reads is read later
    "size empty data begin end cbegin cend capacity operator[] front back".split()
)
_MOST_COPIES = 8  # of a record, in a vector that is filled with it
_ELEMENT = ("operator[]", "at", "front", "back", "top")
_STEADY = frozenset("begin end cbegin cend rbegin rend capacity max_size shrink_to_fit c_str".split())
_ITERATORS = frozenset("begin end cbegin cend".split())
_READS = _STEADY | {*_ELEMENT, "data", "size", "length", "empty"}
_APPEND = ("push_back", "push", "emplace_back", "emplace")
_STRING = ("std", "basic_string")
GROWING = tuple(("std", kind) for kind in ("vector", "deque", "list", "queue", "stack"))
_MADE_OF_OTHERS = (("std", "queue"), ("std", "stack"))
_OF_HOST, OF_DEVICE = ("thrust", "host_vector"), ("thrust", "device_vector")
_NUMBERS = (("std", "vector"), _OF_HOST)
OWNING = (("std", "vector"), ("std", "deque"), ("std", "list"))  # that destroy their elements


def container(type_: t.Type) -> tuple[str, str] | None:
    """(family, kind) of a standard container's type: ('std', 'vector')."""
    name = type_.name if isinstance(type_, t.Record) else ""
    match = _CONTAINER.match(name)
    return (match[1], match[2]) if match else None


def returns_place(node: e.Call) -> bool:
    """Whether a method of a standard container stands for one of its elements."""
    if node.receiver is None:
        return False
    return (node.name in _ELEMENT or node.name == "operator*") and container(node.receiver.type) is not None


def _element(m: Machine, type_: t.Type) -> int | None:
    """Bytes of a container's element: what its first member points to, or that of what a queue is made of."""
    match first := _first_member(m, type_):
        case t.Pointer(pointee=pointee) | t.Array(element=pointee):
            return pointee.bytes or None
        case t.Record() if container(type_) in _MADE_OF_OTHERS:
            return _element(m, first)
    return None


def _first_member(m: Machine, type_: t.Type) -> t.Type | None:
    """The type of a container's first member. Of one that inherits it clang tells none: then that of another
    vector of the same elements.
    """
    names = [type_.name if isinstance(type_, t.Record) else ""]
    if container(type_) == _OF_HOST:
        names += [f"{other}<{names[0].partition('<')[2]}" for other in ("std::vector", "::".join(OF_DEVICE))]
    layouts = (m.unit.records.get(name) for name in names)
    return next((one.fields[0].type for one in layouts if one is not None and one.fields), None)


def _keeps_numbers(m: Machine, type_: t.Type) -> bool:
    """Whether a vector of the host keeps numbers, which begin as what it is made with, else as 0."""
    first = _first_member(m, type_)
    return (
        isinstance(first, t.Pointer) and isinstance(first.pointee, t.Scalar) and container(type_) in _NUMBERS
    )


def _space(type_: t.Type) -> MemorySpace:
    """Where a container keeps its elements; a user's allocator may keep them anywhere."""
    found = _CONTAINER.match(type_.name) if isinstance(type_, t.Record) else None
    if found is None:
        return "unknown"
    if found[2] == "device_vector":
        return "device"
    return "unknown" if vector_copies.has_own_allocator(found[3]) else "pageable"


def construct(m: Machine, node: e.Construct, name: str, arguments: tuple[Pair, ...]) -> Value | None:
    """A standard container; None for other classes, and for those whose constructor has a body."""
    kind = container(node.type)
    if kind is None or kind[1] in ("array", "span"):
        return None
    if m.unit.defined(node.key) is not None and kind != _OF_HOST:  # whose constructors are std::vector's
        return None
    if kind[1] in ("unique_ptr", "shared_ptr"):
        first = arguments[0][0] if arguments else 0
        if arguments:
            take(m, node.arguments[0], arguments[0][1])
        deleter = _function(arguments[1][0]) if len(arguments) > 1 else None
        if deleter is not None and isinstance(first, Address):
            m.deleters[first.object] = deleter, node
        return first if isinstance(first, Aggregate) else Aggregate(((_STORAGE, first),))
    return _vector(m, node, arguments)


def _function(value: Value) -> Callee | None:
    """The function that a value is, or that a closure in a variable is."""
    held = dict(value.cells).get(0, value.default) if isinstance(value, Aggregate) else value
    return held if isinstance(held, Callee) else None


def _vector(m: Machine, node: e.Construct, arguments: tuple[Pair, ...]) -> Aggregate:
    """The count is the first argument, an initialiser list's length, or another vector's."""
    arguments = tuple(
        a for a, w in zip(arguments, node.arguments, strict=True) if not vector_copies.allocates(w.type)
    )
    first = arguments[0][0] if arguments else 0
    written = node.arguments[0] if arguments else None
    count: Value = UNKNOWN
    contents: Value | None = None
    if isinstance(written, e.InitList):
        count, contents = len(written.elements), first
    elif isinstance(first, Aggregate):
        if written is not None and take(m, written, arguments[0][1]):
            return first
        count = _known(dict(first.cells).get(_SIZE, UNKNOWN))
    elif isinstance(first, str):
        count = len(first)
    elif written is None or isinstance(written.type, t.Scalar):
        count = first
    element = _element(m, node.type)
    storage = m.allocate(node, _space(node.type), _room(count, element), "")
    if container(node.type) == OF_DEVICE:
        device_vectors.made(m, node, storage, _room(count, element))
    if contents is not None:
        m.state.store(storage, contents, _bytes(count, element) or 0)
    elif isinstance(first, Aggregate):
        held = dict(first.cells).get(_STORAGE, UNKNOWN)
        if written is None or not vector_copies.record(m, node, written, held, storage):
            m.copy_contents(held, storage)
    elif written is not None and isinstance(written.type, t.Scalar) and _keeps_numbers(m, node.type):
        m.fresh.note(storage, arguments[1][0] if len(arguments) > 1 else 0)
    elif len(arguments) > 1 and element and isinstance(arguments[1][0], Aggregate):
        for index in range(min(guess(count), _MOST_COPIES)):
            m.state.store(moved(storage, index, element), arguments[1][0], element)
    text = ((_TEXT, first),) if isinstance(first, str) and container(node.type) == _STRING else ()
    return Aggregate(((_STORAGE, storage), (_SIZE, _counted(count)), *text), NOTHING)


def text(value: Value) -> str | None:
    """The letters of a string, where a literal gave it them."""
    found = dict(value.cells).get(_TEXT) if isinstance(value, Aggregate) else value
    return found if isinstance(found, str) else None


def _counted(count: Value) -> Value:
    """A length that nobody knows has a sample: as many elements are made and found again."""
    if isinstance(count, Unknown) and count.sample is None:
        return replace(count, sample=GUESS)
    return count


def _room(count: Value, element: int | None) -> Value | None:
    """The bytes of the elements."""
    return binary("*", count, element, t.ULONG, t.ULONG, t.ULONG) if element else None


def _bytes(count: Value, element: int | None) -> int | None:
    return count * element if isinstance(count, int) and element else None


def take(m: Machine, written: e.Expression, place: Value) -> bool:
    """What is moved from owns nothing any more: its pointers become null. Whether it is."""
    if not (isinstance(written, e.Call) and written.name == "move"):
        return False
    if isinstance(place, Address) and isinstance(written.type, t.Record):
        held = m.state.load(place, written.type.bytes, True)
        if isinstance(held, Aggregate):
            for offset, cell in held.cells:
                if is_structure(cell):
                    m.state.store(moved(place, offset, 1), 0, 8)
    return True


def method(m: Machine, node: e.Call, receiver: Pair, arguments: tuple[Pair, ...]) -> Value | None:
    """A method of a standard container; None for what is not known here."""
    assert node.receiver is not None
    kind = container(node.receiver.type)
    place = receiver[1] if candidates(receiver[1]) else receiver[0]
    if kind is None or (m.unit.defined(node.key) is not None and kind[1] not in ("array", "span")):
        return None
    vague = isinstance(place, Address) and place.offset is None and not place.followed
    if vague or isinstance(place, Somewhere):
        if kind == ("std", "vector") and node.name in ("data", *_ELEMENT):
            return _of_several(m, place, node.receiver.type)
        return None
    if not isinstance(place, Address):
        return None
    if kind == OF_DEVICE and node.name not in _AT_ONCE and not vector_copies.is_assignment(node, arguments):
        m.host_work(node.name, node.span, unseen=True)
    values = tuple(value for value, _ in arguments)
    if kind[1] == "array":
        return _array(m, node, place, values)
    if kind[1] == "span":
        return None
    if kind[1] in ("unique_ptr", "shared_ptr"):
        if node.name in ("operator=", "reset") and arguments:
            take(m, node.arguments[0], arguments[0][1])
        return _smart(m, node, place, values)
    return _vector_method(m, node, place, arguments)


def _of_several(m: Machine, place: Value, kind: t.Type) -> Somewhere:
    """The elements of one of several vectors, nobody knows of which: never told as those of one."""
    holder = Address(min(candidates(place)), None)
    several = (m.storage(holder, _space(kind), index).object for index in (0, 1))
    found = Somewhere(frozenset(several))
    for number in found.objects:
        m.state.objects.setdefault(number, LOST)
    return found


def _array(m: Machine, node: e.Call, place: Address, values: tuple[Value, ...]) -> Value | None:
    assert node.receiver is not None
    match node.name:
        case "data":
            return place
        case "operator[]" | "at" if values:
            element = _element(m, node.receiver.type)
            if not element:
                return Address(place.object, None)
            return inside(moved(place, values[0], element), place, node.receiver.type)
    return None


def _smart(m: Machine, node: e.Call, place: Address, values: tuple[Value, ...]) -> Value | None:
    held = m.state.load(place, 8, False)
    match node.name:
        case "get" | "operator->" | "operator*":
            return UNKNOWN if isinstance(held, Nothing) else held
        case "operator[]" if values and isinstance(held, Address):
            return moved(held, values[0], node.type.bytes)
        case "release":
            m.state.store(place, 0, 8)
            return held
        case "reset" | "operator=":
            value = values[0] if values else 0
            if isinstance(value, Aggregate):
                value = dict(value.cells).get(_STORAGE, UNKNOWN)
            m.state.store(place, value, 8)
            return place
        case "operator bool":
            return True if isinstance(held, Address) else UNKNOWN
    return None


def _vector_method(m: Machine, node: e.Call, place: Address, arguments: tuple[Pair, ...]) -> Value | None:
    assert node.receiver is not None
    values = tuple(value for value, _ in arguments)
    kind = node.receiver.type
    element = _element(m, kind)
    length = moved(place, _SIZE, 1)
    size = _length(m, length)
    storage = _storage(m, place, kind, size)
    if container(kind) == _STRING and node.name not in _READS:
        m.state.store(moved(place, _TEXT, 1), _letters(node, values), 8)
    match node.name:
        case "data":
            return storage
        case "front":
            return moved(storage, _head(m, place), element) if element else storage
        case "operator[]" | "at" if values:
            return moved(storage, values[0], element) if element else Address(storage.object, None)
        case "back" | "top":
            if isinstance(size, Unknown) and size.sample is None:
                return Address(storage.object, None)
            last = binary("-", _end(m, place, size), 1, t.ULONG, t.ULONG, t.ULONG)
            return moved(storage, last, element) if element else Address(storage.object, None)
        case "size" | "length":
            return _some(size)
        case "empty":
            if isinstance(size, int):
                return size == 0
            known = sample_of(size)
            return UNKNOWN if known is None else sampled(1, int(known == 0))
        case "resize" | "assign" | "cudalint_resize" if values:
            count = values[0] if isinstance(values[0], (int, Unknown)) else UNKNOWN
            m.state.store(length, _counted(count), 8)
            m.resize(storage.object, _room(count, element))
            assigned = node.name == "assign"
            if assigned or size != 0:
                m.forget_numbers(storage)
            if _keeps_numbers(m, kind):
                _filled_with(m, storage, values[1] if len(values) > 1 else 0, assigned)
            return UNKNOWN
        case "cudalint_set" if len(values) == 2 and element:
            m.state.store(moved(storage, values[0], element), values[1], element)
            return UNKNOWN
        case "reserve":
            return UNKNOWN
        case name if name in _APPEND and len(values) == 1 and element:
            _append(m, node, place, length, size, storage, arguments[0], element)
            return moved(storage, size, element)
        case "pop" | "pop_front" | "pop_back":
            m.state.store(length, binary("-", size, 1, t.ULONG, t.ULONG, t.ULONG), 8)
            if node.name != "pop_back" and container(kind) != ("std", "stack"):
                head = binary("+", _head(m, place), 1, t.ULONG, t.ULONG, t.ULONG)
                m.state.store(moved(place, _HEAD, 1), head, 8)
            return UNKNOWN
        case "clear":
            m.state.store(length, 0, 8)
            return UNKNOWN
        case "operator=" if len(values) == 1 and isinstance(values[0], Aggregate):
            _assigned(m, node, place, storage, arguments[0])
            return place
        case "insert" | "erase" | "operator=" | "swap" | "emplace_back" | "emplace":
            m.state.store(length, UNKNOWN, 8)
            m.resize(storage.object, None)
            m.forget(storage)
            return UNKNOWN
        case name if name in _STEADY:
            m.note_use(storage)
            m.forget_numbers(storage)
            return _iterator(m, node, place, storage, size, element)
    return None


def _filled_with(m: Machine, storage: Address, value: Value, assigned: bool) -> None:
    """A vector of numbers gets elements of one value: those that it had none for, or all that it has."""
    m.fresh.note(storage, value)
    if assigned and isinstance(value, (int, float)):
        m.fresh.fill(m.state, storage.object, value)


def _iterator(
    m: Machine, node: e.Call, place: Address, storage: Address, size: Value, element: int | None
) -> Value:
    """An iterator is a pointer to an element, or behind the last one."""
    points = isinstance(node.type, t.Record) and node.type.name.startswith("thrust::device_ptr<")
    if not element or node.name not in _ITERATORS or not (points or is_iterator(node.type)):
        return UNKNOWN
    at = _end(m, place, size) if "end" in node.name else _head(m, place)
    return Aggregate(((0, moved(storage, at, element)),), NOTHING)


def is_iterator(type_: t.Type) -> bool:
    """Whether it is an iterator of a standard container."""
    return isinstance(type_, t.Record) and type_.name.startswith("std::cudalint_iterator<")


def _letters(node: e.Call, values: tuple[Value, ...]) -> Value:
    """What a method that changes a string leaves in it."""
    given = node.name in ("operator=", "assign") and len(values) == 1 and isinstance(values[0], str)
    return values[0] if given else UNKNOWN


def _append(
    m: Machine,
    node: e.Call,
    place: Address,
    length: Address,
    size: Value,
    storage: Address,
    given: Pair,
    element: int,
) -> None:
    """The element behind the last one."""
    value = given[0]
    if isinstance(value, (str, Nothing)):
        value = UNKNOWN
    m.state.store(moved(storage, _end(m, place, size), element), value, element)
    take(m, node.arguments[0], given[1])
    m.state.store(length, binary("+", size, 1, t.ULONG, t.ULONG, t.ULONG), 8)
    m.grown.add(length)
    m.resize(storage.object, None)


def _assigned(m: Machine, node: e.Call, place: Address, storage: Address, given: Pair) -> None:
    """`a = b`: a copy of the elements, or the elements themselves where b is moved from or a temporary."""
    value, origin = given
    assert isinstance(value, Aggregate)
    cells = dict(value.cells)
    if take(m, node.arguments[0], origin) or not candidates(origin):
        m.state.store(place, Aggregate(value.cells, NOTHING), 24)
        return
    held = cells.get(_STORAGE, UNKNOWN)
    if isinstance(origin, Address) and not candidates(held):
        held = _storage(m, origin, node.arguments[0].type, UNKNOWN)
    m.state.store(moved(place, _SIZE, 1), _known(cells.get(_SIZE, UNKNOWN)), 8)
    if node.receiver is not None and container(node.receiver.type) == _STRING:
        m.state.store(moved(place, _TEXT, 1), cells.get(_TEXT, UNKNOWN), 8)
    known = m.buffer(held)
    m.resize(storage.object, known.bytes if known is not None else None)
    if vector_copies.record(m, node, node.arguments[0], held, storage):
        return
    m.copy_contents(held, storage)
    if "device" in (m.space(held), m.space(storage)):
        m.host_work(node.name, node.span, unseen=True)


def _length(m: Machine, length: Address) -> Value:
    """How many elements a container has: none before anything was put into it."""
    held = m.state.load(length, 8, False)
    if isinstance(held, Nothing):
        return 0
    return m.formed(length, held) if isinstance(held, Unknown) else _known(held)


def _some(size: Value) -> Value:
    """A length that may be zero, because code that is not followed appends: nobody knows how many it is."""
    return replace(size, sample=None) if isinstance(size, Unknown) and size.sample == 0 else size


def count(m: Machine, place: Address) -> int:
    """How many elements a container is taken to have."""
    return sample_of(_length(m, moved(place, _SIZE, 1))) or 0


def may_have_grown(m: Machine, place: Address) -> None:
    """Other code has put elements in or taken some out: there is one, at least."""
    m.state.store(moved(place, _SIZE, 1), sampled(1, max(count(m, place), 1)), 8)


def filled(m: Machine) -> None:
    """A loop of unknown length is over: what it has put elements into has several, and what it has counted is
    more than nothing, whatever one of its iterations leaves.
    """
    for places, fewest in ((m.grown, 1), (m.counted, 0)):
        for place in places:
            held = m.state.load(place, 8, False)
            if not isinstance(held, Unknown) or held.sample is None or place.offset is None:
                continue
            if fewest <= held.sample < GUESS:
                m.state.keep(place.object, place.offset, replace(held, sample=GUESS))


def _head(m: Machine, place: Address) -> Value:
    held = m.state.load(moved(place, _HEAD, 1), 8, False)
    return held if isinstance(held, (int, Unknown)) and held != UNKNOWN else 0


def _end(m: Machine, place: Address, size: Value) -> Value:
    """The index behind the last element."""
    return binary("+", _head(m, place), size, t.ULONG, t.ULONG, t.ULONG)


def _known(value: Value) -> Value:
    return value if isinstance(value, (int, Unknown)) else UNKNOWN


def _storage(m: Machine, place: Address, kind: t.Type, size: Value) -> Address:
    """Where a vector's elements are: in its own memory, also when it is not followed any more."""
    held = m.state.load(place, 8, False)
    if isinstance(held, Address) and not _is_of_another(m, place):
        return held
    made = tuple(m.iterations) if isinstance(held, Nothing) else ()  # a new variable in every iteration
    storage = m.storage(place, _space(kind), made=made)
    known = m.buffer(held)
    if known is not None:
        m.buffers[storage.object] = replace(known, id=storage.object)
    m.state.store(place, storage, 8)
    if size != 0:
        m.state.objects.setdefault(storage.object, LOST)
    return storage


def _is_of_another(m: Machine, place: Address) -> bool:
    """Whether what is held at a place that samples name was put into other elements, and not into this."""
    own = m.state.objects.get(place.object, LOST).at(place.near)
    return place.offset is None and place.followed and not isinstance(own, Address)
