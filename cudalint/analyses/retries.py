"""Loops that try an atomic operation again until it succeeds."""

from collections.abc import Iterable

from cudalint.cuda.effects import ATOMIC_PREFIXES
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, walk

_SWAPS = ("atomicCAS", "atomicExch", "__nv_atomic_compare_exchange", "__nv_atomic_exchange")


def retries(loop: s.Loop) -> bool:
    """Whether the loop swaps, or ends by what another atomic operation returns."""
    asks = loop.condition is not None and _calls(walk(loop.condition), ATOMIC_PREFIXES)
    return asks or _calls(walk(loop.body), _SWAPS)


def _calls(nodes: Iterable[Node], prefixes: tuple[str, ...]) -> bool:
    return any(isinstance(node, e.Call) and node.name.startswith(prefixes) for node in nodes)
