"""What requests take that only lie elsewhere than earlier ones did: the same, where each warp has moved as a
whole, and to the same place in a line.
"""

from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.simt.values.lanes import Bools

Integers = np.ndarray[Any, np.dtype[np.int64]]

LINE = 128  # bytes: sectors, and banks, are the same again after so many
_MOST = 64  # places in a line that are remembered


class Patterns(Struct):
    """The transactions of one site for the lane pattern that it had last, by where in a line each warp is."""

    _lanes: Integers | None = None
    _of: tuple[Bools, Integers, int] | None = None  # active lanes, the sample of each warp, bytes of a lane
    _by_place: dict[bytes, Any] = field(default_factory=dict)
    _place: bytes = b""  # that was asked for last

    def find(self, lanes: Integers, on: Bools, sample: Integers, width: int) -> Any:
        """What was entered for requests of this pattern and at these places; None where nothing was."""
        if self._lanes is not None and self._alike(on, sample, width):
            away = lanes - self._lanes
            moved = away[:, :1]
            if (away == moved).all():
                self._place = (moved % LINE).astype(np.uint8).tobytes()
                return self._by_place.get(self._place)
        self._lanes, self._of = lanes, (on, sample, width)
        self._by_place.clear()
        self._place = bytes(len(lanes))
        return None

    def _alike(self, on: Bools, sample: Integers, width: int) -> bool:
        """Whether the same lanes of the same warps access as much as those of the pattern."""
        before = self._of
        assert before is not None
        if width != before[2]:
            return False
        same = on is before[0] and sample is before[1]
        return same or (np.array_equal(on, before[0]) and np.array_equal(sample, before[1]))

    def enter(self, found: Any) -> None:
        """Remember the transactions of what was asked for last."""
        if len(self._by_place) < _MOST:
            self._by_place[self._place] = found
