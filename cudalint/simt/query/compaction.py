"""Branches in loops taken by fewer and fewer lanes, scattered over all warps of the block."""

from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import guessed_rows

_WASTE = 2  # ratio of warps with active lanes to the warps that could hold these lanes


def scattered(branch: Branch) -> bool:
    """Whether the lanes that take a one-sided branch occupy at least twice the warps they need, and become
    fewer over the iterations.
    """
    fading = branch.fading
    if fading is None or branch.kind != "if" or branch.divergence != "divergent":
        return False
    if branch.cost.otherwise or branch.split.boundary or guessed_rows(branch.configuration):
        return False
    return 0 < _WASTE * fading.packed <= fading.warps and fading.most >= _WASTE * fading.fewest
