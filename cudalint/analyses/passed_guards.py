"""The conditions that a thread passes on its way to a place of a kernel, and what they ask in the end."""

from collections.abc import Iterator

from cudalint.analyses.loop_changes import leaves
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.source.span import Span


def passed_guards(unit: Unit, function: Function, place: Span) -> tuple[Span, ...]:
    """Of the conditions round the place, and of those before it that send threads away; where one asks a
    function, of what that returns.
    """
    found: dict[Span, None] = {}
    for node in find(function.body, s.If):
        if node.span.contains(place) or _sends_away(node, place):
            found |= dict.fromkeys(_asked(unit, node.condition))
    return tuple(found)


def _sends_away(node: s.If, place: Span) -> bool:
    before = (node.span.line, node.span.column) < (place.line, place.column) or place.path != node.span.path
    return before and leaves(node.then)


def _asked(unit: Unit, condition: e.Expression) -> Iterator[Span]:
    yield condition.span
    for part in walk(condition):
        called = unit.defined(part.key) if isinstance(part, e.Call) else None
        for node in walk(called.body) if called is not None and called.body is not None else ():
            if isinstance(node, s.Return) and node.value is not None:
                yield node.value.span
