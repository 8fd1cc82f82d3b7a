"""Whether the distance between lanes is a number that is passed and says nothing but that: `a[i * step]`. It
may be one. A width, which the kernel also compares or divides by, is not.
"""

from cudalint.ir import expressions as e
from cudalint.ir.source import Span
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.simt.guards import assignments

_TELLING = ("<", "<=", ">", ">=", "==", "!=", "/", "%")


def passed_stride(function: Function, place: Span) -> bool:
    """Whether a parameter that is nowhere compared or divided by is a factor of the index at a place."""
    if function.body is None:
        return False
    passed = {
        variable.id
        for variable in function.parameters
        if isinstance(variable.type, Scalar) and variable.type.kind in ("signed", "unsigned")
    }
    factors: set[int] = set()
    for node in walk(function.body):
        if isinstance(node, e.Binary) and node.operator in _TELLING:
            passed -= _read(node)
        if isinstance(node, e.Index | e.Dereference) and node.span == place:
            factors |= _factors(function, node)
    return bool(factors & passed)


def _factors(function: Function, node: e.Expression) -> set[int]:
    """Variables that something is multiplied by on the way to an index."""
    pairs = assignments(function)
    found: set[int] = set()
    followed: set[int] = set()
    todo = [node]
    while todo:
        part = todo.pop()
        for inner in walk(part):
            if isinstance(inner, e.Binary) and inner.operator == "*":
                found |= {n for n in map(_variable, (inner.left, inner.right)) if n is not None}
        more = _read(part) - followed
        followed |= more
        todo += [value for target, value in pairs if target in more]
    return found


def _read(node: e.Expression) -> set[int]:
    return {n.variable.id for n in walk(node) if isinstance(n, e.VariableReference)}


def _variable(node: e.Expression) -> int | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.variable.id if isinstance(node, e.VariableReference) else None
