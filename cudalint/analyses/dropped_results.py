"""Calls whose result nobody takes."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find, kept


@kept
def dropped_results(body: s.Block) -> frozenset[int]:
    """The calls of a body that are statements of their own, by identity."""
    return frozenset(
        id(node.expression) for node in find(body, s.Evaluate) if isinstance(node.expression, e.Call)
    )
