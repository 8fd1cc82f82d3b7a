"""How often warps run each statement of a kernel: what the cost of its instructions is multiplied by."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.warp import WARP
from cudalint.ir import statements as s
from cudalint.simt.values.lanes import Bools

Amounts = np.ndarray[Any, np.dtype[np.float64]]


_ROOM = 1024  # masks whose warps and lanes are kept


class Visit(Struct):
    """The executions of one statement. amount: an array of shape (3, samples): executions by warps and by
    lanes, those of iterations that no run made included; and by warps where each loop of unknown length is
    short. doubtful: whether lanes may not come, as data decides.
    """

    node: s.Statement
    amount: Amounts
    doubtful: bool = False


class Visits(Struct):
    """The executions of all statements of one run of a kernel, over so many samples."""

    samples: int
    known: dict[int, Visit] = field(default_factory=dict)  # by identity of the statement
    _last: tuple[Bools, object, Amounts] | None = None  # mask and factor of the last visit, and what it adds
    _executed: dict[int, tuple[Bools, Amounts]] = field(default_factory=dict)  # of masks, by identity

    def visit(self, node: s.Statement, mask: Bools, factor: Any, doubtful: bool) -> None:
        """Note that these lanes run a statement, `factor` times by sample."""
        if self._last is None or self._last[0] is not mask or self._last[1] is not factor:
            self._last = mask, factor, self._of(mask) * factor
        found = self.known.get(id(node))
        if found is None:
            self.known[id(node)] = Visit(node, self._last[2], doubtful)
        else:
            found.amount = found.amount + self._last[2]
            found.doubtful |= doubtful

    def _of(self, mask: Bools) -> Amounts:
        known = self._executed.get(id(mask))
        if known is None or known[0] is not mask:
            if len(self._executed) >= _ROOM:
                self._executed.clear()
            known = self._executed[id(mask)] = mask, executed(mask, self.samples)
        return known[1]

    def forget(self) -> None:
        """Let go of what was kept of masks."""
        self._executed.clear()

    def amounts(self) -> dict[int, Amounts]:
        """The executions so far, by statement."""
        return {key: visit.amount for key, visit in self.known.items()}

    def multiply(self, before: Mapping[int, Amounts], many: Any, few: Any) -> None:
        """Executions since then stand for so many times as many, by sample, of long loops and of short."""
        times = np.stack(np.broadcast_arrays(many, many, few))
        for key, visit in self.known.items():
            old = before.get(key)
            if old is None:
                visit.amount = visit.amount * times
            elif visit.amount is not old:
                visit.amount = old + (visit.amount - old) * times


def executed(mask: Bools, samples: int) -> Amounts:
    """Warps with an active lane, active lanes, and these warps again, of each sample: (3, samples)."""
    lanes = mask.reshape(samples, -1, WARP)
    warps = lanes.any(axis=2).sum(axis=1)
    return np.stack((warps, lanes.sum(axis=(1, 2)), warps)).astype(float)
