"""Loops that bring nothing new: once whole runs of a loop met no access, way of a branch or number of
transactions that was not met before, later runs of it make the first iterations and the last, which stands
for those between.

The last one is made with the counter's own last value, so that what is touched reaches as far as it does in
the program. What the body assigns besides is unknown after: only loops are taken whose bodies assign
floating-point numbers, which decide no address.
"""

from typing import Any

import numpy as np

from cudalint.analyses.once import once
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Record, Scalar, Type
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.requests.record import Recorder

_RUNS = 2  # whole runs of a loop without news, after which it is settled
FIRST = 2  # iterations at its beginning that a settled loop makes
_SEEN = effects.LOADS | effects.STORES


class Settling:
    """Of one run of a kernel: how many whole runs of each loop in a row met nothing new."""

    def __init__(self) -> None:
        self._runs: dict[int, int] = {}  # by identity of the loop

    def ended(self, node: s.Loop, whole: bool, news: bool) -> None:
        """A run of the loop is over. whole: every iteration was made; news: something was met first in it."""
        self._runs[id(node)] = self._runs.get(id(node), 0) + 1 if whole and not news else 0

    def settled(self, node: s.Loop) -> bool:
        return self._runs.get(id(node), 0) >= _RUNS


def apart(recorder: Recorder, since: int) -> bool:
    """Whether all that was counted since then are loads and stores of global memory: threads exchange what
    they write to shared memory, iteration by iteration, and atomic operations meet.
    """
    sites = (site for site in recorder.accesses.values() if site.stamp > since)
    return all(site.space == "global" and site.operation != "atomic" for site in sites)


@once
def can_settle(unit: Unit, node: s.Loop) -> bool:
    """Whether iterations of a loop with a counter differ in nothing but that and in floating-point numbers:
    no call that orders threads, writes to memory, or whose body is not seen.
    """
    inside = {part.variable for part in find(node.body, s.Declare)}
    for part in walk(node.body):
        if isinstance(part, e.Assign) and (target := private(part.target)) is not None:
            if target not in inside and not _is_float(unit, part.target.type):
                return False
        elif not _is_plain(unit, part, frozenset()):
            return False
    return True


def _is_float(unit: Unit, kind: Type) -> bool:
    """Whether a value of the type is made of floating-point numbers alone."""
    if isinstance(kind, Record):
        layout = unit.records.get(kind.name)
        return layout is not None and all(_is_float(unit, part.type) for part in layout.fields)
    return isinstance(kind, Scalar) and kind.kind == "float"


def _is_plain(unit: Unit, part: Node, callers: frozenset[str]) -> bool:
    if isinstance(part, s.Opaque | e.Lambda | e.Launch | e.Unknown):
        return False
    if not isinstance(part, e.Call | e.Construct):
        return True
    if isinstance(part, e.Call) and (effects.is_pure(part.name) or part.name in _SEEN):
        return True
    function = unit.defined(part.key)
    if function is None or function.body is None or function.key in callers:
        return False
    around = callers | {function.key}
    return all(
        not (isinstance(inner, e.Assign) and private(inner.target) is None) and _is_plain(unit, inner, around)
        for inner in walk(function.body)
    )


def same_everywhere(rounds: Any, mask: Any) -> int:
    """The iterations that all active lanes still make; 0 where they differ."""
    active = rounds[mask]
    if not len(active) or (active != active[0]).any():
        return 0
    return int(np.asarray(active[0]))
