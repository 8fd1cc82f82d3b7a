"""What the statements of a block execute, as one table for all findings of a kernel."""

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.once import once
from cudalint.ir.unit import Function, Unit
from cudalint.significance import roofline
from cudalint.significance.statement_costs import costs
from cudalint.simt.facts.workload import Numbers, Workload


class Executed(Struct, frozen=True):
    """The statements of a workload whose instructions are known, one a row. rows: by identity; warps, lanes:
    of a mean block, by size; each: of a warp's execution, as `roofline.per_warp` has them; may: whether data
    may leave it out. sure: what those execute that no data leaves out, doubtful: the others if all of it is
    done, of shape (3, sizes).
    """

    rows: dict[int, int]
    warps: Numbers
    lanes: Numbers
    each: Numbers
    may: np.ndarray
    sure: Numbers
    doubtful: Numbers
    _sums: dict[frozenset[int], Numbers] = field(default_factory=dict)
    _rows: dict[frozenset[int], list[int]] = field(default_factory=dict)

    def rows_of(self, statements: frozenset[int]) -> list[int]:
        """The rows of those of the statements that have one."""
        if statements not in self._rows:
            self._rows[statements] = sorted(map(self.rows.__getitem__, statements & self.rows.keys()))
        return self._rows[statements]

    def doubtful_of(self, statements: frozenset[int]) -> Numbers:
        """What the doubtful ones of these execute if all of it is done."""
        if statements not in self._sums:
            rows = [row for row in self.rows_of(statements) if self.may[row]]
            self._sums[statements] = self.each[rows].T @ self.warps[rows]
        return self._sums[statements]


def executed(unit: Unit, work: Workload, function: Function) -> Executed | None:
    """By a mean block of a kernel's workload; None: no statement of it is known."""
    known = _kept(unit, work)
    if not known:
        known.append(_added_up(unit, work, function))
    return known[0]


def _added_up(unit: Unit, work: Workload, function: Function) -> Executed | None:
    known = costs(unit, function)
    kept = [(key, one) for key, one in work.statements.items() if key in known]
    if not kept:
        return None
    warps, lanes = np.array([one.warps for _, one in kept]), np.array([one.lanes for _, one in kept])
    each = np.array([roofline.per_warp(known[key]) for key, _ in kept], np.float64)
    may = np.array([one.doubtful for _, one in kept])
    sure, doubtful = (each[rows].T @ warps[rows] for rows in (~may, may))
    rows = {key: row for row, (key, _) in enumerate(kept)}
    return Executed(rows, warps, lanes, each, may, sure, doubtful)


@once
def _kept(unit: Unit, work: Workload) -> list[Executed | None]:
    """What has been found, once it has been asked for."""
    return []
