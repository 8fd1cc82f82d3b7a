"""Data staged in shared memory once per block and read there more than once."""

from collections import Counter
from collections.abc import Iterable

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda.effects import BLOCK_BARRIERS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span


def staged(kernel: KernelFacts, unit: Unit) -> frozenset[Span]:
    """Loads stored directly to a shared array that is used in a loop or at several places; not loads in
    a loop with a barrier, which stages anew in each iteration.
    """
    stores = {a.span: a.buffer for a in kernel.accesses if a.space == "shared" and a.operation == "store"}
    bodies = [function.body for function in reachable(unit, kernel.function) if function.body is not None]
    nodes = [node for body in bodies for node in walk(body)]
    copies = [
        node
        for node in nodes
        if isinstance(node, e.Assign) and node.operator is None and node.target.span in stores
    ]
    loops = [node for node in nodes if isinstance(node, s.Loop)]
    again = _inside(loop for loop in loops if _waits(loop))
    uses = _uses(nodes, _inside(loops), {id(part) for copy in copies for part in walk(copy.target)})
    return frozenset(
        _value(copy).span for copy in copies if id(copy) not in again and uses[stores[copy.target.span]] > 1
    )


def _inside(loops: Iterable[s.Loop]) -> set[int]:
    """The nodes in the loops, by identity."""
    return {id(node) for loop in loops for node in walk(loop.body)}


def _waits(loop: s.Loop) -> bool:
    return any(node.name in BLOCK_BARRIERS for node in find(loop.body, e.Call))


def _uses(nodes: list[Node], often: set[int], filled: set[int]) -> Counter[str]:
    """Uses of each shared array, without its stores; a use in a loop counts twice."""
    found: Counter[str] = Counter()
    for node in nodes:
        if isinstance(node, e.VariableReference) and node.variable.storage == "shared":
            found[node.variable.name] += 0 if id(node) in filled else 2 if id(node) in often else 1
    return found


def _value(node: e.Assign) -> e.Expression:
    value = node.value
    while isinstance(value, e.Cast):
        value = value.operand
    return value
