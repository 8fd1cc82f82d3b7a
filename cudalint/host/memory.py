"""The host model's memory: objects of bytes that hold values by offset, with cheap copies for branches."""

from msgspec import Struct, field

from cudalint.host.values import NOTHING, UNKNOWN, Address, Aggregate, Nothing, Value, merge

MOST_CELLS = 256  # of one object: an array filled by a loop is summarised beyond that


class Contents(Struct, frozen=True):
    """What an object holds: values by byte offset, and what every other offset may hold."""

    cells: dict[int, Value] = field(default_factory=dict)
    default: Value = NOTHING

    def at(self, offset: int) -> Value:
        return self.cells.get(offset, self.default)

    def anywhere(self) -> Value:
        value = self.default
        for cell in self.cells.values():
            value = merge(value, cell)
        return value


EMPTY = Contents()
LOST = Contents({}, UNKNOWN)
ZERO = Contents({}, 0)


class State(Struct):
    """Memory and reference bindings at one point of the program. dead: control does not come here."""

    objects: dict[int, Contents] = field(default_factory=dict)
    bindings: dict[int, Value] = field(default_factory=dict)  # reference variables: Variable.id -> place
    dead: bool = False

    def copy(self) -> "State":
        return State(dict(self.objects), dict(self.bindings), self.dead)

    def load(self, place: Address, size: int, record: bool) -> Value:
        """The value of `size` bytes; a record or array comes as an Aggregate."""
        contents = self.objects.get(place.object, EMPTY)
        if place.offset is None:
            return Aggregate((), contents.anywhere()) if record else contents.anywhere()
        if not record:
            return contents.at(place.offset)
        start = place.offset
        cells = tuple(
            (k - start, v) for k, v in sorted(contents.cells.items()) if start <= k < start + max(size, 1)
        )
        return Aggregate(cells, contents.default)

    def store(self, place: Address, value: Value, size: int) -> None:
        """Write `size` bytes; a write somewhere in an object may have hit any of its cells."""
        contents = self.objects.get(place.object, EMPTY)
        if place.offset is None:
            self._store_anywhere(place.object, contents, value)
            return
        start = place.offset
        if isinstance(value, Aggregate):
            cells = {k: v for k, v in contents.cells.items() if not start <= k < start + size}
            cells.update((start + k, v) for k, v in value.cells)
            if not isinstance(value.default, Nothing):
                for offset in range(start, start + min(size, 64), 4):
                    cells.setdefault(offset, value.default)
        elif len(contents.cells) >= MOST_CELLS and start not in contents.cells:
            self._store_anywhere(place.object, contents, value)
            return
        else:
            cells = dict(contents.cells)
            for offset in range(start + 1, start + min(size, 8)):
                cells.pop(offset, None)
            cells[start] = value
        self.objects[place.object] = Contents(cells, contents.default)

    def _store_anywhere(self, object_: int, contents: Contents, value: Value) -> None:
        if isinstance(value, Aggregate):
            value = Contents(dict(value.cells), value.default).anywhere()
        cells = {k: merge(v, value) for k, v in contents.cells.items()}
        self.objects[object_] = Contents(cells, merge(contents.default, value))

    def forget(self, object_: int) -> None:
        """Anything may be in the object now."""
        self.objects[object_] = LOST


def merge_states(a: State, b: State) -> tuple[State, int]:
    """What holds when control may come from either, and how many cells that had to be compared."""
    if a.dead:
        return b, 0
    if b.dead:
        return a, 0
    objects = dict(a.objects)
    cost = 0
    for key, right in b.objects.items():
        left = objects.get(key)
        if left is None:
            objects[key] = right
        elif left is not right:
            objects[key] = merge_contents(left, right)
            cost += len(left.cells) + len(right.cells) + 1
    bindings = dict(b.bindings)
    bindings.update(a.bindings)
    return State(objects, bindings), cost


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
    for key, right in after.objects.items():
        left = before.objects.get(key)
        if left is not None and left is not right:
            merged = merge_contents(left, right)
            if merged is not left and merged != left:
                return False
    return True
