"""Branches in loops taken by fewer and fewer lanes, scattered over all warps of the block."""

from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import guessed_rows

_WASTE = 2  # ratio of warps with active lanes to the warps that could hold these lanes


def scattered(branch: Branch) -> bool:
    """Whether the lanes that take a one-sided branch occupy at least twice the warps they need, and become
    fewer over the iterations.
    """
    if branch.kind != "if" or branch.else_cost or branch.boundary or branch.divergence != "divergent":
        return False
    if branch.warps is None or branch.crowd is None or guessed_rows(branch.configuration):
        return False
    entered, packed = branch.warps
    fewest, most = branch.crowd
    return packed > 0 and entered >= _WASTE * packed and most >= _WASTE * fewest
