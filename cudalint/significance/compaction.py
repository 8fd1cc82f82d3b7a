"""Branches in loops taken by fewer and fewer lanes, scattered over all warps of the block."""

from cudalint.significance.thresholds import SCATTERED_WARPS
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import guessed_rows


def scattered(branch: Branch) -> bool:
    """Whether the lanes that take a one-sided branch occupy far more warps than they need, and become fewer
    over the iterations.
    """
    fading = branch.fading
    if fading is None or branch.kind != "if" or branch.divergence != "divergent":
        return False
    if branch.cost.otherwise or branch.split.boundary or guessed_rows(branch.configuration):
        return False
    times = SCATTERED_WARPS.value
    return 0 < times * fading.packed <= fading.warps and fading.most >= times * fading.fewest
