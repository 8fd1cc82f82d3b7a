"""Branches in loops that fewer and fewer lanes take, scattered over all warps of the block."""

from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import guessed_rows

_WASTE = 2  # times as many warps as would hold the lanes


def scattered(branch: Branch) -> bool:
    """Whether the lanes that take a one-sided branch are spread over at least twice the warps that they need,
    and become fewer from one execution to another.
    """
    if branch.kind != "if" or branch.else_cost or branch.boundary or branch.divergence != "divergent":
        return False
    if branch.warps is None or branch.crowd is None or guessed_rows(branch.configuration):
        return False
    entered, packed = branch.warps
    fewest, most = branch.crowd
    return packed > 0 and entered >= _WASTE * packed and most >= _WASTE * fewest
