"""Integer parameters that a kernel only ever adds to an index. Nothing says that such an offset is large: for
races it is worth trying small ones, too.
"""

from collections.abc import Iterator
from typing import Any

from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children

_Above = tuple[Node, Any] | None  # what a node is a part of, the nearest first, without casts

_DEPTH = 4  # calls that a parameter is followed through


def offset_parameters(unit: Unit, function: Function) -> frozenset[int]:
    """The parameters (by identity) that are added to an index or a pointer, and used in no other way."""
    return _only_added(unit, function, _DEPTH)


def _only_added(unit: Unit, function: Function, depth: int) -> frozenset[int]:
    candidates = {variable.id for variable in function.parameters if _is_integer(variable)}
    if function.body is None or depth == 0 or not candidates:
        return frozenset()
    added: set[int] = set()
    for variable, right in _uses(unit, function.body, frozenset(candidates), depth):
        if right:
            added.add(variable)
        else:
            candidates.discard(variable)
    return frozenset(added & candidates)


def _is_integer(variable: e.Variable) -> bool:
    return isinstance(variable.type, Scalar) and variable.type.kind in ("signed", "unsigned")


def _uses(unit: Unit, body: Node, wanted: frozenset[int], depth: int) -> Iterator[tuple[int, bool]]:
    """For each use of one of the variables (by identity) whether it is added to an index."""
    stack: list[tuple[Node, _Above]] = [(body, None)]
    while stack:
        node, above = stack.pop()
        if isinstance(node, e.VariableReference):
            if node.variable.id in wanted:
                yield node.variable.id, _is_added(above)
            continue
        handed: set[int] = set()
        callee = unit.functions.get(node.key) if isinstance(node, e.Call) and node.key else None
        if isinstance(node, e.Call) and callee is not None:
            passed = [
                (given, parameter.id, bare.variable.id)
                for given, parameter in zip(node.arguments, callee.parameters, strict=False)
                if isinstance(bare := _bare(given), e.VariableReference) and bare.variable.id in wanted
            ]
            added = _only_added(unit, callee, depth - 1) if passed else frozenset()
            yield from ((variable, parameter in added) for _, parameter, variable in passed)
            handed = {id(given) for given, _, _ in passed}
        around = above if isinstance(node, e.Cast) else (node, above)
        stack.extend((child, around) for child in children(node) if id(child) not in handed)


def _is_added(above: "_Above") -> bool:
    """Whether sums, and nothing else, lead up to an index or a pointer."""
    sums = 0
    while above is not None:
        node, above = above
        if isinstance(node, e.Index):
            return sums > 0
        if not isinstance(node, e.Binary) or node.operator not in ("+", "-"):
            return False
        if isinstance(node.type, Pointer):
            return True
        sums += 1
    return False


def _bare(node: Node) -> Node:
    while isinstance(node, e.Cast):
        node = node.operand
    return node
