"""Whether a costly operation is a notable part of what the loop round it does."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.device import Body
from cudalint.ir.maths import base
from cudalint.ir.repeated import control
from cudalint.ir.walk import walk

_FEW_TRIPS = 4
_WAITS = ("__sync", "__nanosleep")
_MOST_WORK = 200  # in operations
_CALL_WORK = 20
_CHEAP = frozenset(("min", "max", "abs", "fmin", "fmax", "fabs", "fma"))


def matters(node: e.Expression, loop: s.Loop, body: Body) -> bool:
    """Whether every iteration runs the node, and nothing there or deeper in the function outweighs it."""
    if any(above is not loop and _inside(above, loop) for above, _ in control(node, body)):
        return False
    if _few_trips(loop, body) or _work(loop) > _MOST_WORK:
        return False
    depth = _depth(loop, body)
    return all(_depth(other, body) <= depth for other in body.of(s.Loop))


def _inside(node: object, loop: s.Loop) -> bool:
    return any(part is node for part in walk(loop.body))


def _depth(loop: s.Loop, body: Body) -> int:
    return sum(1 for _ in body.loops(loop))


def _work(loop: s.Loop) -> int:
    """Operations of an iteration, roughly; beyond every bound where it waits or cannot be seen."""
    total = 0
    for node in walk(loop.body):
        match node:
            case s.Loop() | s.Opaque() | e.Unknown():
                return _MOST_WORK + 1
            case e.Call(name=name):
                if name.startswith(_WAITS):
                    return _MOST_WORK + 1
                total += _CALL_WORK if base(name) not in _CHEAP else 1
            case e.Binary() | e.Assign() | e.Unary() | e.Index() | e.Dereference():
                total += 1
    return total


def _few_trips(loop: s.Loop, body: Body) -> bool:
    """Whether constant bounds lie so close together that the loop is a handful of iterations."""
    start, condition = loop.initial, loop.condition
    while isinstance(start, s.Block) and len(start.body) == 1:
        start = start.body[0]
    if not isinstance(start, s.Declare) or start.initial is None or not isinstance(condition, e.Binary):
        return False
    first = body.constant(start.initial)
    ends = [held for side in (condition.left, condition.right) if (held := body.constant(side)) is not None]
    return first is not None and len(ends) == 1 and abs(ends[0] - first) <= _FEW_TRIPS
