"""std::map and std::unordered_map as objects: elements told apart by their keys where those are known, else
by where they are put in. They stand in a storage of their own, key and value side by side.
"""

import re

from cudalint.host.arithmetic import moved
from cudalint.host.containers import text
from cudalint.host.machine import Machine
from cudalint.host.memory import LOST
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Aggregate,
    Nothing,
    Unknown,
    Value,
    candidates,
    sample_of,
    sampled,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_MAP = re.compile(r"std::(unordered_)?map<")
_SIZE = 8  # byte offset of the number of elements; the storage is at 0
_NEW = 8  # byte offset of whether an element is new, behind the iterator to it
_PAIR = 2  # fields of an element
_PUTS_IN = frozenset("operator[] emplace cudalint_put insert insert_or_assign".split())
_LOOKS_UP = frozenset("at find".split())
_PLACES = ("operator[]", "at", "cudalint_element")
Pair = tuple[Value, Value]  # an argument's value and its place


def returns_place(node: e.Call) -> bool:
    """Whether a method of a map stands for an element, or for its value."""
    return node.receiver is not None and is_map(node.receiver.type) and node.name in _PLACES


def is_map(type_: t.Type) -> bool:
    return isinstance(type_, t.Record) and _MAP.match(type_.name) is not None


def call(m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]) -> Value | None:
    """A method of a map; None for what is not known here."""
    if receiver is None or node.receiver is None or not is_map(node.receiver.type):
        return None
    place = receiver[1] if candidates(receiver[1]) else receiver[0]
    parts = _parts(m, node.receiver.type)
    if not isinstance(place, Address) or place.offset is None or parts is None:
        return None
    values = tuple(value for value, _ in arguments)
    if len(values) == 1 and isinstance(values[0], Aggregate) and node.name == "insert":
        cells = dict(values[0].cells)
        values = (cells.get(0, UNKNOWN), _from(values[0], parts[1].offset))
    match node.name:
        case name if name in _PUTS_IN and values:
            before = _size(m, place)
            element = _put(m, node, place, parts, values[0])
            value = moved(element, parts[1].offset, 1)
            if name == "operator[]":
                return value
            if len(values) == _PAIR and isinstance(value, Address):
                m.state.store(value, values[1], parts[1].type.bytes)
            return Aggregate(((0, element), (_NEW, _is_new(m, place, values[0], before))), UNKNOWN)
        case name if name in _LOOKS_UP and values:
            found = _find(m, place, parts, values[0])
            if name == "find":
                return Aggregate(((0, found),), UNKNOWN)
            return moved(found, parts[1].offset, 1) if isinstance(found, Address) else UNKNOWN
        case "cudalint_element" if values:
            return moved(_storage(m, place), values[0], _bytes(parts))
        case "cudalint_fill" if isinstance(values[0], Aggregate):
            at = dict(values[0].cells).get(0, UNKNOWN)
            if isinstance(at, Address):
                m.state.store(moved(at, parts[1].offset, 1), values[1], parts[1].type.bytes)
            return UNKNOWN
        case "size":
            return _size(m, place)
        case "empty":
            known = sample_of(_size(m, place))
            return UNKNOWN if known is None else sampled(1, int(known == 0))
        case "clear":
            m.state.store(_length(place), 0, 8)
            return UNKNOWN
        case "begin" | "end" | "cbegin" | "cend" | "count" | "contains":
            return UNKNOWN
    return None


def _parts(m: Machine, type_: t.Type) -> tuple[t.Field, t.Field] | None:
    """Key and value of an element: the fields of what the map's first member points to."""
    layout = m.unit.records.get(type_.name) if isinstance(type_, t.Record) else None
    first = layout.fields[0].type if layout is not None and layout.fields else t.VOID
    pair = first.pointee if isinstance(first, t.Pointer) else t.VOID
    inner = m.unit.records.get(pair.name) if isinstance(pair, t.Record) else None
    if inner is None or len(inner.fields) != _PAIR:
        return None
    return inner.fields[0], inner.fields[1]


def _bytes(parts: tuple[t.Field, t.Field]) -> int:
    """Bytes from one element to the next."""
    word = 8
    return -(-(parts[1].offset + parts[1].type.bytes) // word) * word


def _from(value: Aggregate, offset: int) -> Value:
    inner = tuple((k - offset, v) for k, v in value.cells if k >= offset)
    return inner[0][1] if len(inner) == 1 and inner[0][0] == 0 else Aggregate(inner, value.default)


def _length(place: Address) -> Address:
    found = moved(place, _SIZE, 1)
    assert isinstance(found, Address)
    return found


def _size(m: Machine, place: Address) -> Value:
    held = m.state.load(_length(place), 8, False)
    return 0 if isinstance(held, Nothing) else held if isinstance(held, (int, Unknown)) else UNKNOWN


def _storage(m: Machine, place: Address) -> Address:
    held = m.state.load(place, 8, False)
    if isinstance(held, Address):
        return held
    storage = m.storage(place, "pageable")
    m.state.store(place, storage, 8)
    if not isinstance(held, Nothing):
        m.state.objects.setdefault(storage.object, LOST)
    return storage


def _key(value: Value) -> object:
    if isinstance(value, (Aggregate, str)):
        return text(value)
    return value if isinstance(value, int) else sample_of(value)


def _put(m: Machine, node: e.Call, place: Address, parts: tuple[t.Field, t.Field], key: Value) -> Address:
    """The element of a key, which is there afterwards: one that is not known is another one each time that
    this code puts something in, and some element for code that comes when the map has elements.
    """
    storage, count = _storage(m, place), sample_of(_size(m, place)) or 0
    slots = m.keys.setdefault(storage.object, {})
    name = _key(key)
    if name is None:
        site = ("site", id(node))
        if count and site not in slots:
            return _some(storage, parts)
        slots.setdefault(site, 0)
        name = (id(node), tuple(m.iterations))
    number = slots.setdefault(name, sum(not _is_site(one) for one in slots))
    if number >= count:
        m.state.store(_length(place), number + 1, 8)
    found = moved(storage, number, _bytes(parts))
    assert isinstance(found, Address)
    return found


def _is_new(m: Machine, place: Address, key: Value, before: Value) -> Value:
    """Whether an element was put in: its key is known, and so is how many there were before."""
    after = _size(m, place)
    known = _key(key) is not None and isinstance(before, int) and isinstance(after, int)
    return after != before if known else UNKNOWN


def _is_site(name: object) -> bool:
    return isinstance(name, tuple) and name[0] == "site"


def _find(m: Machine, place: Address, parts: tuple[t.Field, t.Field], key: Value) -> Value:
    """The element of a key; some element where that is not known."""
    storage = _storage(m, place)
    number = m.keys.get(storage.object, {}).get(_key(key))
    if number is not None and _key(key) is not None:
        return moved(storage, number, _bytes(parts))
    return _some(storage, parts)


def _some(storage: Address, parts: tuple[t.Field, t.Field]) -> Address:
    return Address(storage.object, None, 1, _bytes(parts), 0, True)
