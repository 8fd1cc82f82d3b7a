"""Whether the iterations of a loop go on touching the same places, as in `slot[k & 1][lane]`."""

import numpy as np
from msgspec import Struct, field

from cudalint.simt.threads.watchers import AccessEvent

_MOST = 1024  # different accesses of one object
_LEAST = 3  # iterations from which on something can be said
_MIXER = np.int64(-7046029254386353131)  # 2^64 / golden ratio, as signed

_Access = tuple[int, int, int]  # the expression, and two numbers that tell its lanes and addresses


class Places(Struct):
    """What the iterations of a loop do to one object. latest: the iteration that did something new; last: the
    last one that touched it.
    """

    met: set[_Access] = field(default_factory=set)
    latest: int = 0
    last: int = 0

    def enter(self, event: AccessEvent, round: int) -> None:
        self.last = round
        if len(self.met) > _MOST:
            self.latest = round
            return
        access = _access(event)
        if access not in self.met:
            self.met.add(access)
            self.latest = round

    def recur(self, rounds: int) -> bool:
        """Whether the second half of so many iterations did nothing that the first half had not done."""
        return rounds >= _LEAST and 2 * self.latest <= rounds + 1


def _access(event: AccessEvent) -> _Access:
    lanes = np.flatnonzero(event.mask)
    mixed = lanes * _MIXER
    mixed = ((mixed ^ (mixed >> 29)) * _MIXER) | 1
    return id(event.node), int(mixed.sum()), int((mixed * event.offsets(lanes)).sum())
