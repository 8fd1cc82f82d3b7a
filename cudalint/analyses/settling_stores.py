"""Stores after which the place stays as it is, however often they are made: `x = min(x, limit)` with a limit
that is the same in all threads.
"""

from collections.abc import Mapping

from cudalint.analyses.kernel_queries import is_memory, is_volatile, reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.varying import varying
from cudalint.cuda.effects import MAXIMA, MINIMA
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find


@once
def settling_stores(unit: Unit, kernel: Function) -> Mapping[int, frozenset[int]]:
    """The targets of such assignments, by identity, each with what the assignment loads of the place."""
    differs = [varying(unit, kernel, by).varies for by in ("threadIdx", "blockIdx")]
    found: dict[int, frozenset[int]] = {}
    for function in reachable(unit, kernel):
        for node in find(function.body, e.Assign):
            value = uncast(node.value)
            if node.operator is not None or not isinstance(value, e.Call) or len(value.arguments) != 2:
                continue
            if value.name not in MINIMA | MAXIMA or not is_memory(node.target) or is_volatile(node.target):
                continue
            place = render(node.target)
            for own, limit in (value.arguments, value.arguments[::-1]):
                if render(uncast(own)) == place and not any(varies(limit) for varies in differs):
                    found[id(node.target)] = frozenset(map(id, find(own, type(node.target))))
    return found
