"""Indices that neighbouring threads share because a number of the launch divides them: how many share one
hangs on that number.
"""

from cudalint.analyses.condition_kinds import assignments, varying
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.source.span import Span


def shared_by(function: Function, place: Span) -> e.Expression | None:
    """What divides a number of the thread on its way to the index at a place; None where nothing does, or
    only a constant.
    """
    if function.body is None:
        return None
    pairs, own = assignments(function), varying(function)
    waiting: list[e.Expression] = [
        node for node in find(function.body, e.Index, e.Dereference) if node.span == place
    ]
    seen: set[int] = set()
    while waiting:
        part = waiting.pop()
        for node in find(part, e.Binary):
            if node.operator == "/" and _is_number(node.right, own) and _varies(node.left, own):
                return node.right
        more = {node.variable.id for node in find(part, e.VariableReference)} - seen
        seen |= more
        waiting += [value for target, value in pairs if target in more]
    return None


def _is_number(node: e.Expression, own: frozenset[int] | set[int]) -> bool:
    """Whether it is one number for all threads that the source does not say."""
    named = find(node, e.VariableReference)
    return bool(named) and not _varies(node, own)


def _varies(node: e.Expression, own: frozenset[int] | set[int]) -> bool:
    builtin = any(part.name == "threadIdx" for part in find(node, e.Builtin))
    return builtin or any(part.variable.id in own for part in find(node, e.VariableReference))
