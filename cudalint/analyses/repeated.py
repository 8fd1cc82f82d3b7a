"""Calls of the device library that are computed once for two places of a function."""

from collections.abc import Sequence

from cudalint.analyses.device_code import Body
from cudalint.cuda.maths import base
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import Node, find, walk

_Control = list[tuple[Node, int]]


def control(node: e.Expression, body: Body) -> _Control:
    """The branches and loops round the node from outside in, each with the part that the node stands in."""
    found: _Control = []
    below: Node = node
    for above in body.ancestors(node):
        second = isinstance(above, e.Binary) and above.operator in ("&&", "||") and below is above.right
        if second or isinstance(above, s.If | s.Loop | s.Switch | e.Conditional):
            found.append((above, _part(above, below)))
        below = above
    return found[::-1]


def _part(above: Node, below: Node) -> int:
    """Which part of a branch or loop it is: of a switch, what follows one label up to the next."""
    if isinstance(above, s.Switch):
        number = next((n for n, statement in enumerate(above.body) if statement is below), -1)
        return max((case.index for case in above.cases if case.index <= number), default=-1)
    return id(below)


def same_argument(one: e.Call, two: e.Call, body: Body) -> bool:
    """Whether the second call stands in the same branch and loop and is of the same number."""
    return (
        _alike(one, two) and _keys(control(one, body)) == _keys(control(two, body)) and _kept(one, two, body)
    )


def computed_before(one: e.Call, two: e.Call, body: Body) -> bool:
    """Whether the first call has always given what the second one gives when that is reached."""
    if _function(one) != _function(two) or not _alike(one, two) or _place(two) < _place(one):
        return False
    outer, inner = control(one, body), control(two, body)
    if _keys(inner)[: len(outer)] != _keys(outer):
        return False
    loops = [node for node, _ in inner[len(outer) :] if isinstance(node, s.Loop)]
    return _kept(one, two, body, loops[:1])


def _function(call: e.Call) -> str:
    """`sqrt` for `sqrtf` too, which an overload of it is."""
    return base(call.name) or call.key or call.name


def _alike(one: e.Call, two: e.Call) -> bool:
    if one.type != two.type or one.span == two.span or len(one.operands) != len(two.operands):
        return False
    return all(render(a) == render(b) for a, b in zip(one.operands, two.operands, strict=True))


def _keys(found: _Control) -> list[tuple[int, int]]:
    return [(id(node), part) for node, part in found]


def _kept(one: e.Call, two: e.Call, body: Body, loops: Sequence[s.Loop] = ()) -> bool:
    """Whether nothing between the calls, or in a loop that only the second is in, may change an argument."""
    parts = [part for operand in one.operands for part in walk(operand)]
    names = {n.variable.id for n in parts if isinstance(n, e.VariableReference)}
    memory = any(isinstance(n, e.Index | e.Dereference) for n in parts)
    if any(isinstance(n, e.Assign) or (isinstance(n, e.Call) and not base(n.name)) for n in parts):
        return False
    begin, end = _place(one), _place(two)
    for loop in loops:
        end = max(end, (loop.span.end_line, loop.span.end_column))
    for assign in body.of(e.Assign):
        if not begin <= _place(assign) <= end and not begin <= _end(assign) <= end:
            continue
        target = assign.target
        held = {n.variable.id for n in find(target, e.VariableReference)}
        changes = held & names if isinstance(target, e.VariableReference | e.Member) else memory
        if changes and not (not loops and _takes(assign, two)):
            return False
    return True


def _takes(assign: e.Assign, call: e.Call) -> bool:
    """Whether the assignment takes the call's value, so that it comes after the call."""
    return any(node is call for node in walk(assign.value))


def _place(node: e.Expression) -> tuple[int, int]:
    return node.span.line, node.span.column


def _end(node: e.Expression) -> tuple[int, int]:
    return node.span.end_line, node.span.end_column
