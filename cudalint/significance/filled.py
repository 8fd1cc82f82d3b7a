"""Executions that full warps save, added up over the statements of a kernel."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np
from msgspec import Struct

from cudalint.significance.executed import Executed
from cudalint.significance.roofline import Assumed
from cudalint.significance.unknowns import Amount
from cudalint.simt.facts.workload import Numbers


class Held(Struct, frozen=True):
    """Statements, by identity, whose warps become full. lanes: of a full warp; part: of their instructions
    that is saved, None where the runs counted the lanes.
    """

    statements: frozenset[int]
    lanes: Numbers
    part: Amount | None


def filled(known: Executed, held: Sequence[Held], assumed: Assumed) -> list[Numbers] | None:
    """What is saved of each of `roofline.per_warp`, of a statement held more than once the most of them; None
    where none of the statements is known.
    """
    rows = [known.rows_of(one.statements) for one in held]
    times = Counter(row for some in rows for row in some)
    parts: list[Sequence[Numbers]] = []
    for one, some in zip(held, rows, strict=True):
        parts += _alone(known, one, [row for row in some if times[row] == 1], assumed)
    several: dict[int, list[Numbers]] = {row: [] for row, count in times.items() if count > 1}
    for one, some in zip(held, rows, strict=True):
        for row in several.keys() & some:
            several[row].append(_saved(known, one, row))
    for row, saved in several.items():
        most = reduce(np.maximum, saved) * (assumed.own if known.may[row] else 1.0)
        parts.append([most * each for each in known.each[row]])
    return [np.asarray(sum(part[at] for part in parts)) for at in range(3)] if parts else None


def _alone(known: Executed, held: Held, rows: list[int], assumed: Assumed) -> Iterator[Sequence[Numbers]]:
    """Of statements that are held once: those that are done, and those that data may leave out."""
    part = 1.0 if held.part is None else held.part
    saved, may = known.warps[rows] if held.part is not None else _missing(known, held, rows), known.may[rows]
    for chosen, done in ((~may, 1.0), (may, assumed.own)):
        if chosen.any():
            yield [np.asarray(one * done * part) for one in known.each[rows][chosen].T @ saved[chosen]]


def _saved(known: Executed, held: Held, row: int) -> Numbers:
    """Executions of a statement that are saved, if all of it is done."""
    return np.asarray(_missing(known, held, row) if held.part is None else known.warps[row] * held.part)


def _missing(known: Executed, held: Held, rows: list[int] | int) -> Numbers:
    """The executions that the lanes they have would not fill."""
    return np.asarray(np.maximum(0.0, known.warps[rows] - known.lanes[rows] / held.lanes))
