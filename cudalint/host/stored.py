"""What memory holds at a place, by the type that it is read and written as."""

from functools import reduce

from msgspec.structs import replace

from cudalint.host.machine import Machine
from cudalint.host.memory import EMPTY
from cudalint.host.values import (
    NOTHING,
    UNKNOWN,
    Address,
    Aggregate,
    Somewhere,
    Unknown,
    Value,
    merge,
    sampled,
)
from cudalint.ir import types as t


def read(m: Machine, place: Value, type_: t.Type) -> Value:
    """An lvalue of this type as a value: an array is the address of its first element."""
    kind = type(type_)
    if kind is t.Array:
        return place if isinstance(place, (Address, Somewhere)) else UNKNOWN
    if m.watched and not m.quiet:
        m.note_use(place)
    record = kind is t.Record
    match place:
        case Address():
            value = m.state.load(place, type_.bytes, record)
            if place.followed and value == UNKNOWN:
                value = sampled(1, place.near * place.near)
            held = type(value)
            if held is Unknown and kind is t.Scalar:
                return m.formed(place, value)  # type: ignore[arg-type]
            if held is not Aggregate:
                return value
            assert isinstance(value, Aggregate)
            return _with_forms(m, place, value) if record else _first(value)
        case Somewhere(offset=None, objects=objects):
            merged: Value = NOTHING
            for number in objects:
                merged = merge(merged, m.state.objects.get(number, EMPTY).anywhere())
            return UNKNOWN if isinstance(merged, Aggregate) and not record else merged
        case Somewhere(objects=objects, offset=offset):
            either = [m.state.load(Address(number, offset), type_.bytes, record) for number in objects]
            return reduce(merge, either)
    return m.anew()


def _with_forms(m: Machine, place: Address, value: Aggregate) -> Aggregate:
    """A record that is copied: what nobody knows of it is made of the same in the copy."""
    cells = dict(value.cells)
    unknown = {at: cell for at, cell in cells.items() if isinstance(cell, Unknown)}
    if place.offset is None or not unknown:
        return value
    formed = {at: m.formed(replace(place, offset=place.offset + at), cell) for at, cell in unknown.items()}
    return Aggregate(tuple((cells | formed).items()), value.default)


def _first(value: Aggregate) -> Value:
    return dict(value.cells).get(0, value.default)


def write(m: Machine, place: Value, value: Value, type_: t.Type) -> None:
    """Store a value at a place; a place that is one of several may have been any of them."""
    if m.watched and not m.quiet:
        m.note_use(place, write=True)
    if isinstance(value, Unknown) and isinstance(type_, t.Record):
        value = Aggregate(((0, value),), UNKNOWN)  # no part of it is known
    match place:
        case Address():
            m.state.store(place, value, type_.bytes)
        case Somewhere(objects=objects, offset=offset):
            for number in objects:
                at, record = Address(number, offset), isinstance(value, Aggregate)
                held = value if offset is None else m.state.load(at, type_.bytes, record)
                m.state.store(at, merge(held, value), type_.bytes)
        case _:
            m.fresh.strays += 1
