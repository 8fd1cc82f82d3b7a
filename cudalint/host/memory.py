"""The host model's memory: objects of bytes that hold values by offset, with cheap copies for branches."""

from collections.abc import Iterable
from itertools import chain, compress, islice
from operator import is_not

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.host.forms import Form
from cudalint.host.values import (
    NOTHING,
    UNKNOWN,
    Address,
    Aggregate,
    Nothing,
    Unknown,
    Value,
    divisor,
    is_structure,
    may_be_at,
    merge,
    part,
    sample_of,
    sampled,
)

WORD = 8  # bytes: an array of such elements holds one kind of values
MOST_BYTES = 64  # of a record whose bytes are all told one value
MOST_CELLS = 256  # of one object: an array filled by a loop is summarised beyond that


class Contents(Struct, frozen=True):
    """What an object holds: values by byte offset, and what every other offset may hold."""

    cells: dict[int, Value] = field(default_factory=dict)
    default: Value = NOTHING

    def at(self, offset: int) -> Value:
        return self.cells.get(offset, self.default)

    def anywhere(self, place: Address | None = None) -> Value:
        """What any cell holds, or any that may be the one at a place."""
        value = self.default
        for offset, cell in self.cells.items():
            if place is None or may_be_at(place, offset):
                value = merge(value, cell)
        return value

    def some(self, place: Address) -> Value:
        """What is at a place that is not known: of the element that samples name, if it is no number."""
        if place.followed:
            named = self.at(place.near)
            if is_structure(named):
                return named
            value = self.anywhere(place)
            if not isinstance(value, (int, Unknown)):
                return value
            known = sample_of(value if isinstance(named, Nothing) else named)
            if not isinstance(value, Unknown):
                return sampled(divisor(value), known)
            if isinstance(named, Nothing) and known is not None and value.form is None:
                known += place.near * value.multiple_of  # elements differ
            return replace(sampled(value.multiple_of, known), form=value.form)
        return self.anywhere(place)


def _opened(
    cells: dict[int, Value], within: tuple[int, int], near: int, stride: int, value: Value
) -> dict[int, Value]:
    """The cells, with that value for the elements of an array that had none of their own."""
    start, end = within
    places = range(start + (near - start) % stride, end, stride)
    return {**dict.fromkeys(places[: max(MOST_CELLS - len(cells), 0)], value), **cells}


EMPTY = Contents()
LOST = Contents({}, UNKNOWN)
ZERO = Contents({}, 0)


class State(Struct):
    """Memory and reference bindings at one point of the program. dead: control does not come here."""

    objects: dict[int, Contents] = field(default_factory=dict)
    bindings: dict[int, Value] = field(default_factory=dict)  # reference variables: Variable.id -> place
    dead: bool = False
    writes: dict[int, int] = field(default_factory=dict)  # how often each object was written, on any path

    def copy(self) -> "State":
        return State(dict(self.objects), dict(self.bindings), self.dead, self.writes)

    def load(self, place: Address, size: int, record: bool) -> Value:
        """The value of `size` bytes; a record or array comes as an Aggregate."""
        contents, start = self.objects.get(place.object, EMPTY), place.offset
        if not record:
            return contents.some(place) if start is None else contents.cells.get(start, contents.default)
        if start is None:
            return self._some_record(contents, place, size)
        cells = tuple(
            (k - start, v) for k, v in sorted(contents.cells.items()) if start <= k < start + max(size, 1)
        )
        return Aggregate(cells, contents.default)

    def _some_record(self, contents: Contents, place: Address, size: int) -> Value:
        """A record somewhere in an object: each of its parts is what the parts at its offset hold."""
        if place.stride < size:
            return Aggregate((), contents.anywhere())
        start, end = place.within or (0, max(contents.cells, default=0) + 1)
        offsets = sorted({(k - place.near) % place.stride for k in contents.cells if start <= k < end})
        parts = tuple((k, contents.some(part(place, k))) for k in offsets if k < size)
        return Aggregate(parts, contents.default)

    def store(self, place: Address, value: Value, size: int) -> None:
        """Write `size` bytes; a write somewhere in an object may have hit any of its cells."""
        self.writes[place.object] = self.writes.get(place.object, 0) + 1
        contents = self.objects.get(place.object, EMPTY)
        if place.offset is None:
            self._store_somewhere(place, contents, value)
            return
        start, default = place.offset, contents.default
        if isinstance(value, Aggregate):
            cells = {k: v for k, v in contents.cells.items() if not start <= k < start + size}
            cells.update((start + k, v) for k, v in value.cells)
            if not isinstance(value.default, Nothing):
                for offset in range(start, start + min(size, MOST_BYTES), 4):
                    cells.setdefault(offset, value.default)
                if size > MOST_BYTES and isinstance(default, Nothing):
                    default = value.default
        elif len(contents.cells) >= MOST_CELLS and start not in contents.cells:
            self._store_anywhere(Address(place.object, None), contents, value)
            return
        else:
            cells = dict(contents.cells)
            if len(cells) > (start in cells):
                for offset in range(start + 1, start + min(size, 8)):
                    cells.pop(offset, None)
            cells[start] = value
        self.objects[place.object] = Contents(cells, default)

    def _store_somewhere(self, place: Address, contents: Contents, value: Value) -> None:
        """Any element may be the one that is written; one that is followed holds structures from now on."""
        if isinstance(value, Aggregate):
            if place.stride == 1 or not value.cells:
                self._store_anywhere(place, contents, value)
                return
            for offset, cell in value.cells:
                inner = part(place, offset)
                self._store_somewhere(inner, self.objects.get(place.object, EMPTY), cell)
            return
        if place.stride == 1 and not (place.followed and is_structure(value)):
            self._store_anywhere(place, contents, value)
            return
        cells = dict(contents.cells)
        sure = place.followed and is_structure(value)
        for offset, cell in contents.cells.items():
            if may_be_at(place, offset) and not sure:
                cells[offset] = merge(cell, value)
        if sure or (place.near not in cells and len(cells) < MOST_CELLS):
            cells[place.near] = value
        default = contents.default
        if place.within is not None:
            other = UNKNOWN if sure else merge(default, value)
            if not isinstance(default, Nothing) and other != default:
                cells = _opened(cells, place.within, place.near, place.stride, other)
        elif not sure and place.stride <= WORD:
            default = merge(default, value)
        elif not isinstance(default, Nothing):
            default = UNKNOWN
        self.objects[place.object] = Contents(cells, default)

    def _store_anywhere(self, place: Address, contents: Contents, value: Value) -> None:
        """Any byte of an object, or of the array in it that the place is in, may be of what is written."""
        if isinstance(value, Aggregate):
            value = Contents(dict(value.cells), value.default).anywhere()
        start, end = place.within or (None, None)
        cells = {
            k: merge(v, value) if start is None or end is None or start <= k < end else v
            for k, v in contents.cells.items()
        }
        self.objects[place.object] = Contents(cells, merge(contents.default, value))

    def learn(self, form: Form, number: int) -> None:
        """Every place that holds what the form stands for holds that number."""
        for key, contents in list(self.objects.items()):
            same = [
                at for at, cell in contents.cells.items() if isinstance(cell, Unknown) and cell.form == form
            ]
            if same:
                cells = contents.cells | dict.fromkeys(same, number)
                self.objects[key] = Contents(cells, contents.default)

    def keep(self, object_: int, offset: int, value: Value) -> None:
        """What was read there is known better now: no write."""
        contents = self.objects.get(object_, EMPTY)
        if len(contents.cells) < MOST_CELLS:
            self.objects[object_] = Contents({**contents.cells, offset: value}, contents.default)

    def forget(self, object_: int) -> None:
        """Anything may be in the object now."""
        self.writes[object_] = self.writes.get(object_, 0) + 1
        self.objects[object_] = LOST


def differing(a: dict[int, Contents], b: dict[int, Contents]) -> Iterable[tuple[int, Contents]]:
    """The entries of b that a does not have; quick where one is a copy of the other with a few changes."""
    left, right = list(a), list(b)
    common = min(len(left), len(right))
    if left[:common] != right[:common]:
        return [(key, contents) for key, contents in b.items() if a.get(key) is not contents]
    changed = compress(b.items(), map(is_not, a.values(), b.values()))
    return chain(changed, islice(b.items(), common, None))


def merge_states(a: State, b: State) -> tuple[State, int]:
    """What holds when control may come from either, and how many cells that had to be compared."""
    if a.dead:
        return b, 0
    if b.dead:
        return a, 0
    objects = dict(a.objects)
    cost = 0
    for key, right in differing(a.objects, b.objects):
        left = a.objects.get(key)
        if left is None:
            objects[key] = right
        else:
            objects[key] = merge_contents(left, right)
            cost += len(left.cells) + len(right.cells) + 1
    bindings = dict(b.bindings)
    bindings.update(a.bindings)
    return State(objects, bindings, writes=a.writes), cost


def merge_contents(a: Contents, b: Contents) -> Contents:
    """Either's contents; `a` itself when `b` adds nothing."""
    default = merge(a.default, b.default)
    cells = a.cells
    for key, right in b.cells.items():
        left = a.cells.get(key, a.default)
        if left is not right:
            merged = merge(left, right)
            if merged is not left:
                cells = dict(cells) if cells is a.cells else cells
                cells[key] = merged
    if b.default is not NOTHING or len(a.cells) > len(b.cells):
        for key in a.cells.keys() - b.cells.keys():
            merged = merge(a.cells[key], b.default)
            if merged is not a.cells[key]:
                cells = dict(cells) if cells is a.cells else cells
                cells[key] = merged
    if cells is a.cells and default is a.default:
        return a
    return Contents(cells, default)


def stable(before: State, after: State) -> bool:
    """Whether everything known before still holds after: merging changes nothing."""
    for key, right in differing(before.objects, after.objects):
        left = before.objects.get(key)
        if left is not None:
            merged = merge_contents(left, right)
            if merged is not left and merged != left:
                return False
    return True
