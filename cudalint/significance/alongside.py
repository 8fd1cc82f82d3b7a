"""How much a saving of instructions is at most, where no run of a kernel comes to the place."""

from collections.abc import Iterator

from cudalint.analyses.executed_with import roots
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find, walk
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.significance.statement_costs import statement_cost

_PLAIN = s.Declare | s.Evaluate | s.Return
_COMPILED = (
    1.5  # times the share that is counted: chosen; in the one kernel whose SASS was compared it was 1.2
)


def bounded(saving: Saving, unit: Unit) -> Impact:
    """From nothing to the share of what is executed as often: the plain statements of the same block. All of
    the time where other units than the issue slots may be the busiest, or a condition is what it is about.
    """
    nodes = {id(node) for node, _ in saving.instructions}
    shares = list(_shares(saving, unit, nodes)) if saving.basis is Basis.ISSUE else []
    return Impact(0.0, 1.0 if nodes or not shares else max(shares), saving.basis)


def _shares(saving: Saving, unit: Unit, left: set[int]) -> Iterator[float]:
    """Of each block that has some of the expressions. left: those that no block had so far."""
    paths = {node.span.path for node, _ in saving.instructions}
    for function in unit.functions.values():
        if function.body is None or function.span.path not in paths:
            continue
        for block in find(function.body, s.Block):
            own = [statement for statement in block.body if isinstance(statement, _PLAIN)]
            parts = {id(part) for one in own for root, _ in roots(one) for part in walk(root)}
            saved = sum(each.all for node, each in saving.instructions if id(node) in parts)
            if saved:
                left -= parts
                yield min(1.0, _COMPILED * saved / max(1, sum(statement_cost(one).all for one in own)))
