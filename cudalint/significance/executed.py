"""What all statements of a block execute, added up once for all findings of a kernel."""

import numpy as np
from msgspec import Struct

from cudalint.analyses.once import once
from cudalint.ir.unit import Function, Unit
from cudalint.significance import roofline
from cudalint.significance.statement_costs import costs
from cudalint.simt.facts.workload import Numbers, Workload


class Executed(Struct, frozen=True):
    """Arrays of shape (3, sizes): rows as `roofline.per_warp` has them. sure: of the statements that no data
    leave out; doubtful: of the others if all of it is done, and each: of each of these, by identity.
    """

    sure: Numbers
    doubtful: Numbers
    each: dict[int, Numbers]


def executed(unit: Unit, work: Workload, function: Function) -> Executed | None:
    """By a mean block of a kernel's workload; None: no statement of it is known."""
    known = _kept(unit, work)
    if not known:
        known.append(_added_up(unit, work, function))
    return known[0]


def _added_up(unit: Unit, work: Workload, function: Function) -> Executed | None:
    known = costs(unit, function)
    rows = {
        key: np.multiply.outer(np.array(roofline.per_warp(known[key]), np.float64), one.warps)
        for key, one in work.statements.items()
        if key in known
    }
    if not rows:
        return None
    doubtful = {key: row for key, row in rows.items() if work.statements[key].doubtful}
    none = np.zeros((3, work.sizes))
    sure = np.sum([none, *(row for key, row in rows.items() if key not in doubtful)], axis=0)
    return Executed(sure, np.sum([none, *doubtful.values()], axis=0), doubtful)


@once
def _kept(unit: Unit, work: Workload) -> list[Executed | None]:
    """What has been found, once it has been asked for."""
    return []
