"""Lane patterns of requests: what those take that only lie elsewhere than earlier ones did is the same, where
each warp has moved as a whole, and to the same place among sectors or banks.
"""

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.simt.requests.transactions import distinct
from cudalint.simt.values.lanes import Bools

Integers = np.ndarray[Any, np.dtype[np.int64]]

LINE = 128  # bytes: sectors, and banks, are the same again after so many
_MOST = 64  # places in a line that are remembered


class Form(Struct, frozen=True, eq=False, dict=True):
    """The lane pattern of the warps of a request, where it was met first. lanes, on: addresses in bytes and
    whether active, of shape (warps, 32); sample: of each warp; width: bytes of a lane.
    """

    lanes: Integers
    on: Bools
    sample: Integers
    width: int

    def alike(self, on: Bools, sample: Integers, width: int) -> bool:
        """Whether the same lanes of the same warps access as much as here."""
        if width != self.width:
            return False
        same = on is self.on and sample is self.sample
        return same or (np.array_equal(on, self.on) and np.array_equal(sample, self.sample))

    @cached_property
    def lowest(self) -> Integers:
        """The lowest address of each warp."""
        return np.asarray(np.where(self.on, self.lanes, np.iinfo(np.int64).max).min(axis=1))

    @cached_property
    def different(self) -> Integers:
        """How many addresses each warp has."""
        return distinct(self.lanes, self.on)

    @cached_property
    def fullest(self) -> int:
        """The first warp of the most active lanes."""
        return int(self.on.sum(axis=1).argmax())


class Patterns(Struct):
    """The transactions of one site for the form that it had last, by where each warp is. moved: how many
    bytes the warps of the last request lie from there; fresh: whether that is a new place in a line.
    """

    form: Form | None = None
    moved: Integers | int = 0  # of shape (warps, 1)
    fresh: bool = True
    _by_place: dict[bytes, Any] = field(default_factory=dict)
    _place: bytes = b""  # that was asked for last
    _lines: set[bytes] = field(default_factory=set)

    def find(self, lanes: Integers, on: Bools, sample: Integers, width: int, period: int = LINE) -> Any:
        """What was entered for requests of this form and at these places; None where nothing was. period:
        bytes, a power of two up to LINE, after which all is the same again.
        """
        if self.form is not None and self.form.alike(on, sample, width):
            away = lanes - self.form.lanes
            moved = away[:, :1]
            if (away == moved).all():
                line = _place(moved, LINE)
                self.moved, self.fresh = moved, line not in self._lines
                if len(self._lines) < _MOST:
                    self._lines.add(line)
                self._place = line if period == LINE else _place(moved, period)
                return self._by_place.get(self._place)
        self.form, self.moved, self.fresh = Form(lanes, on, sample, width), 0, True
        self._by_place.clear()
        self._place = bytes(len(lanes))
        self._lines = {self._place}
        return None

    def enter(self, found: Any) -> None:
        """Remember the transactions of what was asked for last."""
        if len(self._by_place) < _MOST:
            self._by_place[self._place] = found


def _place(moved: Integers, period: int) -> bytes:
    return (moved & (period - 1)).astype(np.uint8).tobytes()
