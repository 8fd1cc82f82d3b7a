"""How often a loop goes round, where every run tells the same."""

from collections.abc import Iterable

from cudalint.ir import statements as s
from cudalint.simt.facts.branches.branch import Branch


def one_count(branches: Iterable[Branch], loop: s.Loop) -> int | None:
    """The iterations of a loop of the kernel; None where they are not known, or differ."""
    if loop.condition is None:
        return None
    place = loop.condition.span
    counts = {branch.loop.trips for branch in branches if branch.kind == "loop" and branch.span == place}
    known = next(iter(counts)) if len(counts) == 1 else None
    return known[0] if known is not None and known[0] == known[1] else None
