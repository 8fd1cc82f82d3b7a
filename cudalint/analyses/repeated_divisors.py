"""Divisions in double precision by a value that others in the function divide by, too, or that the loop round
them does not change: nvcc divides anew each time, where one reciprocal makes them products.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from cudalint.analyses.definitions import place
from cudalint.analyses.device_code import Body, changed
from cudalint.analyses.retries import retries
from cudalint.analyses.trip_counts import harmless
from cudalint.cuda.maths import floating
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Reference
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, find

_CHOICES = s.If | s.Switch | s.Loop | e.Conditional


class RepeatedDivisors(Struct, frozen=True):
    """in_loop: divisions in a loop that does not change their divisor; again: those behind another one by the
    same divisor, which is executed wherever they are; those in most loops first.
    """

    in_loop: tuple[e.Binary, ...] = ()
    again: tuple[e.Binary, ...] = ()


class _Changes(Struct):
    """Where variables get values, by their ids."""

    nodes: dict[int, list[Node]] = field(default_factory=dict)

    def inside(self, variables: Iterable[int], loop: s.Loop, body: Body) -> bool:
        """Whether a loop changes one of the variables."""
        nodes = (node for one in variables for node in self.nodes.get(one, ()))
        return any(above is loop for node in nodes for above in body.ancestors(node))

    def between(self, variables: Iterable[int], first: Node, last: Node) -> bool:
        """Whether one of the variables may get another value from one place to another behind it: where what
        changes it ends.
        """
        nodes = (node for one in variables for node in self.nodes.get(one, ()))
        return any(_start(first) < _end(node) <= _start(last) for node in nodes)


def repeated_divisors(body: Body, unit: Unit) -> RepeatedDivisors:
    """Those of a function."""
    divisions = [node for node in body.of(e.Binary) if _is_candidate(node, body)]
    if not divisions:
        return RepeatedDivisors()
    changes = _changes(body, unit)
    in_loop = [node for node in divisions if _kept_in_loop(node, body, changes)]
    known = set(map(id, in_loop))
    others = sorted((node for node in divisions if id(node) not in known), key=_start)
    again = sorted(_again(others, body, changes), key=lambda node: -sum(1 for _ in body.loops(node)))
    return RepeatedDivisors(tuple(in_loop), tuple(again))


def _is_candidate(node: e.Binary, body: Body) -> bool:
    return (
        node.operator == "/"
        and floating(node.type, 8)
        and not body.is_constant(node.right)
        and harmless(node.right)
        and all(
            part.variable.storage in ("local", "parameter") and not isinstance(part.variable.type, Reference)
            for part in find(node.right, e.VariableReference)
        )
    )


def _changes(body: Body, unit: Unit) -> _Changes:
    found = _Changes()
    for kind in (s.Declare, e.Assign, e.AddressOf, e.Lambda, e.Call, e.Construct, s.Opaque, e.Unknown):
        for node in body.of(kind):
            for variable in _changed(node, unit):
                found.nodes.setdefault(variable, []).append(node)
    return found


def _changed(node: Node, unit: Unit) -> Iterator[int]:
    if isinstance(node, s.Declare):
        yield node.variable.id
    elif isinstance(node, e.Assign | e.AddressOf):
        written = place(node.target if isinstance(node, e.Assign) else node.operand)
        if written is not None:
            yield written[0].id
    else:
        yield from changed(node, unit)


def _kept_in_loop(node: e.Binary, body: Body, changes: _Changes) -> bool:
    """Whether the innermost loop leaves the divisor as it is, and not the dividend: of that one, the compiler
    moves the quotient out of the loop. One that tries an atomic again hardly makes a second iteration.
    """
    loop = next(body.loops(node), None)
    if loop is None or retries(loop) or changes.inside(_variables(node.right), loop, body):
        return False
    return not harmless(node.left) or changes.inside(_variables(node.left), loop, body)


def _again(divisions: list[e.Binary], body: Body, changes: _Changes) -> Iterator[e.Binary]:
    leaders: dict[str, list[e.Binary]] = {}
    for node in divisions:
        same = leaders.setdefault(render(node.right), [])
        before = [one for one in same if _leads(one, node, body, changes)]
        if not before:
            same.append(node)
        elif all(render(one.left) != render(node.left) for one in before):
            same.append(node)
            yield node


def _leads(first: e.Binary, node: e.Binary, body: Body, changes: _Changes) -> bool:
    """Whether the first one is executed wherever the other is, with the same divisor."""
    if first.span.path != node.span.path or next(body.loops(first), None) is not next(body.loops(node), None):
        return False
    if changes.between(_variables(node.right), first, node):
        return False
    round_it = {id(above) for above in body.ancestors(node)}
    below: Node = first
    for above in body.ancestors(first):
        skipped = isinstance(above, e.Binary) and above.operator in ("&&", "||") and below is above.right
        if (isinstance(above, _CHOICES) or skipped) and id(below) not in round_it:
            return False
        below = above
    return True


def _variables(node: e.Expression) -> set[int]:
    return {part.variable.id for part in find(node, e.VariableReference)}


def _start(node: Node) -> tuple[int, int]:
    return node.span.line, node.span.column


def _end(node: Node) -> tuple[int, int]:
    return node.span.end_line, node.span.end_column
