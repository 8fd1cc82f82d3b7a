"""Executions that full warps save, added up over the statements of a kernel."""

from collections import Counter
from collections.abc import Iterator, Sequence

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
    several = [row for row, count in times.items() if count > 1]
    if several:
        parts.append(_together(known, held, rows, several, assumed))
    return [np.asarray(sum(part[at] for part in parts)) for at in range(3)] if parts else None


def _alone(known: Executed, held: Held, rows: list[int], assumed: Assumed) -> Iterator[Sequence[Numbers]]:
    """Of statements that are held once: those that are done, and those that data may leave out."""
    part = 1.0 if held.part is None else held.part
    saved, may = known.warps[rows] if held.part is not None else _missing(known, held, rows), known.may[rows]
    for chosen, done in ((~may, 1.0), (may, assumed.own)):
        if chosen.any():
            yield [np.asarray(one * done * part) for one in known.each[rows][chosen].T @ saved[chosen]]


def _together(
    known: Executed, held: Sequence[Held], rows: Sequence[list[int]], several: list[int], assumed: Assumed
) -> Sequence[Numbers]:
    """Of statements that are held more than once: of each the most that is saved of it."""
    place = {row: at for at, row in enumerate(several)}
    most = np.zeros((len(several), 1, 1))
    for one, some in zip(held, rows, strict=True):
        own = [row for row in some if row in place]
        if own:
            saved = _saved(known, one, own)
            most = np.broadcast_to(most, np.broadcast_shapes(most.shape, (1, *saved.shape[1:]))).copy()
            at = [place[row] for row in own]
            most[at] = np.maximum(most[at], saved)
    done = np.where(known.may[several][:, None, None], assumed.own, 1.0)
    return [np.tensordot(each, most * done, axes=1) for each in known.each[several].T]


def _saved(known: Executed, held: Held, rows: list[int]) -> Numbers:
    """Executions of statements that are saved, if all of them are done, of shape (rows, draws, sizes)."""
    whole = _missing(known, held, rows) if held.part is None else known.warps[rows]
    return np.asarray(whole[:, None, :] * (1.0 if held.part is None else held.part))


def _missing(known: Executed, held: Held, rows: list[int]) -> Numbers:
    """The executions that the lanes they have would not fill."""
    return np.asarray(np.maximum(0.0, known.warps[rows] - known.lanes[rows] / held.lanes))
