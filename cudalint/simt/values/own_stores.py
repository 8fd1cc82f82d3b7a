"""What threads read back of what they have stored to global memory themselves: each its own value, while
nothing has run that may have changed it. The values lie in slots of private memory, so that arms and loops
that lanes may or may not take leave them known or unknown as they do variables.
"""

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from cudalint.ir.types import Scalar
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import OBJECT_BITS, Memory
from cudalint.source.span import Span

_MOST = 8  # places of one object
Slot = tuple[Memory, int]


class _Place(Struct, eq=False):
    """Where a store went, by lane, which lanes stored there, and the slot that the values are in."""

    addresses: NDArray[np.int64]
    type: Scalar
    slot: int
    lanes: Bools


class _Object(Struct):
    """One object that is stored to. values: has a slot for each of the places; made: slots so far, of which
    none serves twice.
    """

    memory: Memory
    values: Memory
    places: list[_Place] = field(default_factory=list)
    made: int = 0


class OwnStores(Struct):
    """sample: of each lane. objects: by number. served, missed: loads, by place, that some time came after
    such a store, or did not.
    """

    sample: NDArray[np.int64]
    objects: dict[int, _Object] = field(default_factory=dict)
    served: set[Span] = field(default_factory=set)
    missed: set[Span] = field(default_factory=set)

    def forget(self, memory: Memory | None = None) -> None:
        """Something may have changed what the object holds, or any of them."""
        for number, one in self.objects.items():
            if memory is None or memory.number == number:
                one.places.clear()

    def begin(self, memory: Memory, values: Memory) -> None:
        """The first store to an object. values: private memory for what is stored."""
        self.objects[memory.number] = _Object(memory, values)

    def enter(self, memory: Memory, addresses: NDArray[np.int64], type: Scalar, mask: Bools) -> Slot:
        """The slot of a store at these addresses; what it may overlap is forgotten."""
        for other in self.objects.values():
            if other.memory is not memory and not _apart(other.memory, memory):
                other.places.clear()
        one = self.objects[memory.number]
        found = _at(one, addresses, type, mask)
        if found is None:
            found = _Place(addresses, type, one.made, mask)
            one.made += 1
        else:
            found.lanes = found.lanes | mask
        others = [place for place in one.places if place is not found and _clear_of(place, addresses, type)]
        one.places = [*others[1 - _MOST :], found]
        return one.values, found.slot

    def slot(self, memory: Memory, addresses: NDArray[np.int64], type: Scalar, mask: Bools) -> Slot | None:
        """Where the values lie that lanes of the mask read back; None where there are none, or where another
        thread of the block may have stored to the same place.
        """
        one = self.objects.get(memory.number)
        found = _at(one, addresses, type, mask) if one is not None else None
        if one is None or found is None:
            return None
        stored = (found.addresses - memory.base + (self.sample << OBJECT_BITS))[found.lanes]
        return (one.values, found.slot) if len(different(stored)) == len(stored) else None


def _at(one: _Object, addresses: NDArray[np.int64], type: Scalar, mask: Bools) -> _Place | None:
    for place in one.places:
        same = place.addresses is addresses or np.array_equal(place.addresses[mask], addresses[mask])
        if place.type == type and same:
            return place
    return None


def _apart(one: Memory, other: Memory) -> bool:
    """Whether a store to one does surely not change the other."""
    return one.restrict or other.restrict or one.own or other.own


def _clear_of(place: _Place, addresses: NDArray[np.int64], type: Scalar) -> bool:
    """Whether the two are the same distance apart in all lanes, and do not overlap."""
    gap = addresses - place.addresses
    first = int(gap.flat[0])
    return bool((gap == first).all()) and (first >= place.type.bytes or -first >= type.bytes)
