"""Stores that count on from what the same place held, as `n[i]++` or `n[i] = n[i] + x`: of two at once one is
lost, also where both store the same number.
"""

from cudalint.analyses.data_order import behind
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import is_memory, reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_COUNTING = ("+", "-", "*", "/", "%", "^", "<<", ">>")  # twice is not as once


@once
def counting_stores(unit: Unit, function: Function) -> frozenset[int]:
    """The targets of such assignments, by identity, in a kernel and what it calls."""
    found: set[int] = set()
    for current in reachable(unit, function):
        if current.body is None:
            continue
        own = definitions(unit, current)
        for node in find(current.body, e.Assign):
            if is_memory(node.target) and _counts(node, own):
                found.add(id(node.target))
    return frozenset(found)


def _counts(node: e.Assign, own: Definitions) -> bool:
    if node.operator is not None:
        return node.operator in _COUNTING
    value = own.resolve(node.value)
    while isinstance(value, e.Cast):
        value = own.resolve(value.operand)
    if not isinstance(value, e.Binary) or value.operator not in _COUNTING:
        return False
    kind, target = type(node.target), render(node.target)
    return any(type(part) is kind and render(part) == target for part in behind(value, own))
