"""Numbers of which only a low and a high end are known; none of them is negative."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from msgspec import Struct


class Interval(Struct, frozen=True):
    """Some number from low to high."""

    low: float
    high: float

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Interval) -> Interval:
        return Interval(_times(self.low, other.low), _times(self.high, other.high))

    def share_of(self, rest: Interval) -> Interval:
        """The part (0..1) that this number is of itself and the rest; 0 of nothing at all."""
        return Interval(_share(self.low, rest.high), _share(self.high, rest.low))


def exactly(number: float) -> Interval:
    return Interval(number, number)


def total(numbers: Iterable[Interval]) -> Interval:
    """The sum; 0 of none."""
    low = high = 0.0
    for number in numbers:
        low, high = low + number.low, high + number.high
    return Interval(low, high)


def _times(one: float, other: float) -> float:
    """Nothing, endlessly often, is nothing."""
    return one * other if one and other else 0.0


def _share(part: float, rest: float) -> float:
    if not part or rest == inf:
        return 0.0
    return 1.0 if part == inf else part / (part + rest)


NOTHING = exactly(0.0)
ONCE = exactly(1.0)
EVER = Interval(0.0, inf)
