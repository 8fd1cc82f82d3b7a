"""Neighbouring accesses of one lane that the compiler makes one wide instruction.

Loads, or stores, of one straight piece of code that lie side by side become one access of 8 or 16 bytes where
its alignment is sure: in shared memory, and for members of a record that is aligned so (float4, double2).
Loads are booked on the first one's line, stores on the last one's. In global memory a load is moved up across
stores, and a store down across loads, that every lane makes the same distance away: `v.x *= s; v.y *= s` is
one load and one store. Source: as for reuse.py; PTX of nvcc 13.0.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.simt.requests.record import Recorder
from cudalint.simt.requests.reuse import clear_of
from cudalint.simt.requests.sites import AccessSite, Counted
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory
from cudalint.source.span import Span

Integers = np.ndarray[Any, np.dtype[np.int64]]

_WIDEST = 16
_OPEN = 8  # accesses back that a neighbour is looked for among


Place = tuple[int, int]  # an expression, and how often it came before in the same straight piece of code


class Made(Struct, frozen=True, eq=False):
    """One access as it was counted. align: bytes that its neighbourhood is sure to be aligned to; since: how
    many stores were made before it in the same straight piece of code; number: its own among all.
    """

    node: e.Expression
    attributed_to: Span
    memory: Memory
    operation: Operation
    width: int
    addresses: Integers | int
    mask: Bools
    doubtful: bool
    align: int
    counted: tuple[Counted, ...]
    place: Place = (0, 0)
    since: int = 0
    number: int = 0

    def part(self) -> "Part":
        return Part(self.number, self.width, tuple(one.bare() for one in self.counted))


class Stored(Struct, frozen=True, eq=False):
    """A store that loads may have to be moved across."""

    memory: Memory
    addresses: Integers | int
    bytes: int


class Part(Struct, frozen=True, eq=False):
    """What it takes to count an access again, or to withdraw it. There are many: they keep no addresses."""

    number: int
    width: int
    counted: tuple[Counted, ...]


class Join(Struct, frozen=True, eq=False):
    """Two accesses that were counted as one."""

    first: Part
    last: Part
    one: Part


class Neighbours(Struct):
    """The accesses of the current straight piece of code that a later one may join. The compiler joins two
    for good: those that lie apart once, in another round of a loop, are never joined.
    """

    open: list[Made] = field(default_factory=list)
    _stored: list[Stored] = field(default_factory=list)
    _times: dict[int, int] = field(default_factory=dict)
    _joins: dict[tuple[Place, Place], list[Join]] = field(default_factory=dict)
    _apart: set[tuple[Place, Place]] = field(default_factory=set)
    _inner: set[int] = field(default_factory=set)  # what was made one and is a part of a wider one, by number
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def end(self) -> None:
        """A branch, a loop or a barrier: nothing is moved across."""
        self.open.clear()
        self._stored.clear()
        self._times.clear()

    def written(self, memory: Memory, addresses: Integers | int, bytes: int) -> None:
        """A store: loads of the same memory are not moved across it, but for global ones clear of it."""
        if memory.space == "global":
            self._stored.append(Stored(memory, addresses, bytes))
            return
        self.open[:] = [made for made in self.open if made.memory is not memory or made.operation == "store"]

    def loaded(self, memory: Memory, addresses: Integers | int, bytes: int) -> None:
        """A load: stores to the same memory are not moved across it, but for global ones clear of it."""
        self.open[:] = [
            made
            for made in self.open
            if made.memory is not memory
            or made.operation == "load"
            or (memory.space == "global" and clear_of(made.addresses, made.width, addresses, bytes))
        ]

    def add(self, recorder: Recorder, made: Made) -> tuple[AccessSite, ...]:
        """Enter an access that was counted; where it has a neighbour, both are counted as one instead. The
        sites that it is counted at now.
        """
        times = self._times[id(made.node)] = self._times.get(id(made.node), 0) + 1
        place = id(made.node), times
        made = replace(made, place=place, since=len(self._stored), number=next(self._numbers))
        while (other := self._neighbour(recorder, made)) is not None:
            self.open.remove(other)
            first, last, made = other, made, _joined(recorder, other, made, next(self._numbers))
            join = Join(first.part(), last.part(), made.part())
            self._joins.setdefault((first.place, last.place), []).append(join)
            self._inner |= {first.number, last.number}
        self.open.append(made)
        del self.open[:-_OPEN]
        return tuple(one.site for one in made.counted)

    def _neighbour(self, recorder: Recorder, made: Made) -> Made | None:
        if 2 * made.width > min(_WIDEST, made.align):
            return None
        for other in reversed(self.open):
            pair = other.place, made.place
            if not _alike(other, made) or pair in self._apart:
                continue
            if _side_by_side(other, made) and self._moves(other, made):
                return other
            self._apart.add(pair)
            for join in self._joins.pop(pair, ()):
                if join.one.number not in self._inner:
                    _part(recorder, join)
        return None

    def _moves(self, other: Made, made: Made) -> bool:
        """Whether a load is clear of what was stored to its memory between the other and it."""
        return made.operation != "load" or all(
            clear_of(made.addresses, made.width, stored.addresses, stored.bytes)
            for stored in self._stored[other.since : made.since]
            if stored.memory is made.memory
        )


def _alike(other: Made, made: Made) -> bool:
    if other.memory is not made.memory or other.operation != made.operation or other.width != made.width:
        return False
    return other.mask is made.mask or np.array_equal(other.mask, made.mask)


def _side_by_side(other: Made, made: Made) -> bool:
    """Whether the two are halves of one aligned access, in every lane that makes them."""
    lane = int(made.mask.argmax())
    first = _of(made, lane) - _of(other, lane)
    if not made.mask[lane] or abs(first) != made.width:
        return False
    here, there = _of(made, made.mask), _of(other, made.mask)
    low = there if first > 0 else here
    return bool(np.all(here - there == first)) and not np.any(low & (2 * made.width - 1))


def _of(made: Made, lanes: Any) -> Any:
    """The addresses of some lanes: a number where all have one."""
    return made.addresses[lanes] if isinstance(made.addresses, np.ndarray) else made.addresses


def _part(recorder: Recorder, join: Join) -> None:
    """Count two accesses as two again."""
    recorder.withdraw(join.one.counted)
    for part in (join.first, join.last):
        recorder.withdraw(tuple(one.bare(-1) for one in part.counted))
        for one in part.counted:
            one.site.width = part.width


def _joined(recorder: Recorder, first: Made, last: Made, number: int) -> Made:
    """One access of twice the width, counted in place of the two."""
    kept = first if first.operation == "load" else last
    gone = last if kept is first else first
    recorder.withdraw(first.counted)
    recorder.withdraw(last.counted)
    recorder.reuse(gone.node, gone.memory)
    addresses = np.minimum(first.addresses, last.addresses)
    low = addresses if isinstance(addresses, np.ndarray) and addresses.ndim else int(addresses)
    counted = recorder.access(
        kept.node,
        kept.attributed_to,
        kept.memory,
        kept.operation,
        2 * kept.width,
        low,
        kept.mask,
        kept.doubtful,
    )
    return Made(
        kept.node, kept.attributed_to, kept.memory, kept.operation, 2 * kept.width, low, kept.mask,
        kept.doubtful,
        min(first.align, last.align), counted, kept.place, kept.since, number,
    )  # fmt: skip
