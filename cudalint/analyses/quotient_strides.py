"""Whether the distance between lanes is a part of the work, as `(n + 1023) / 1024` elements, and no row."""

from cudalint.analyses.condition_kinds import assignments, varying
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.source.span import Span

_Pairs = list[tuple[int, e.Expression]]


def quotient_stride(function: Function, place: Span) -> bool:
    """Whether a quotient that all threads have alike is a factor of the index at a place."""
    if function.body is None:
        return False
    pairs = assignments(function)
    own = varying(function)
    alike = {target for target, value in pairs if target not in own and _is_quotient(value)}
    nodes = find(function.body, e.Index, e.Dereference)
    return any(_factors(pairs, node) & alike for node in nodes if node.span == place)


def _is_quotient(value: e.Expression) -> bool:
    inner = _inner(value)
    return isinstance(inner, e.Binary) and inner.operator in ("/", ">>")


def _factors(pairs: _Pairs, node: e.Expression) -> set[int]:
    """Variables that something is multiplied by on the way to an index."""
    found: set[int] = set()
    followed: set[int] = set()
    todo = [node]
    while todo:
        part = todo.pop()
        for inner in find(part, e.Binary):
            if inner.operator == "*":
                found |= {n for n in map(_variable, (inner.left, inner.right)) if n is not None}
        more = _read(part) - followed
        followed |= more
        todo += [value for target, value in pairs if target in more]
    return found


def _read(node: e.Expression) -> set[int]:
    return {n.variable.id for n in find(node, e.VariableReference)}


def _variable(node: e.Expression) -> int | None:
    inner = _inner(node)
    return inner.variable.id if isinstance(inner, e.VariableReference) else None


def _inner(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node
