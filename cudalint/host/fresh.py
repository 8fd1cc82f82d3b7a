"""Memory of the host since it was made: whether anything was stored in it, or one value alone."""

from collections.abc import Iterable
from math import isfinite

from msgspec import Struct, field

from cudalint.host.facts import Held
from cudalint.host.memory import EMPTY, Contents, State
from cudalint.host.values import Address, Nothing, Value, candidates


class Fresh(Struct):
    """What is known of allocations beside their contents. made: those of this walk, each with the numbers of
    strays and hidden calls before it; first: what all elements of a container held when it was made.
    strays: stores to places that nobody knows; hidden: calls of functions that were not run.
    """

    made: dict[int, tuple[int, int]] = field(default_factory=dict)
    first: dict[int, Value] = field(default_factory=dict)
    strays: int = 0
    hidden: int = 0

    def begin(self) -> None:
        """Another walk: other code may have used what the one before it made."""
        self.made.clear()

    def note(self, place: Address, first: Value | None = None) -> Address:
        """Memory is made, and holds what the program stores in it. first: in each element of a container."""
        self.made[place.object] = self.strays, self.hidden
        self.first.pop(place.object, None)
        if first is not None:
            self.first[place.object] = first
        return place

    def fill(self, state: State, number: int, value: Value) -> None:
        """Every element of an allocation holds that value from now on."""
        state.objects[number] = Contents({}, value)
        self.first.pop(number, None)

    def held(self, place: Value, state: State, local: set[int]) -> Held | None:
        """What all of an allocation is known to hold. local: variables that functions cannot get at by
        themselves.
        """
        known = self.made.get(place.object) if isinstance(place, Address) else None
        if known is None or not isinstance(place, Address) or self.strays != known[0]:
            return None
        if self.hidden != known[1] and not _holders(state, place.object) <= local:
            return None
        contents = state.objects.get(place.object, EMPTY)
        values = _distinct((self.first.get(place.object, contents.default), contents.default))
        values |= _distinct(contents.cells.values())
        if not values:
            return Held(None)
        only = values.pop()
        return Held(only) if not values and isinstance(only, (int, float)) and isfinite(only) else None


def _distinct(values: Iterable[Value]) -> set[Value]:
    """The values; memory that nobody wrote has none."""
    return {value for value in values if not isinstance(value, Nothing)}


def _holders(state: State, number: int) -> set[int]:
    """The objects that hold a pointer to one."""
    return {
        holder
        for holder, contents in state.objects.items()
        if any(number in candidates(cell) for cell in (*contents.cells.values(), contents.default))
    }
