"""Whether a costly operation is a notable part of what the loop round it does."""

from math import inf

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.repeated import control
from cudalint.analyses.trip_counts import constant_counter
from cudalint.cuda.maths import base
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, walk
from cudalint.significance.cost import Costs, endless
from cudalint.significance.thresholds import ITERATION_WORK
from cudalint.significance.weight import minor, rough, short

_WAITS = ("__sync", "__barrier_sync", "__nanosleep")
_CHEAP = frozenset(("min", "max", "abs", "fmin", "fmax", "fabs", "fma"))


def matters(node: e.Expression, loop: s.Loop, body: Body, code: DeviceCode) -> bool:
    """Whether every iteration runs the node, and nothing there or elsewhere outweighs it."""
    if any(above is not loop and _inside(above, loop) for above, _ in control(node, body)):
        return False
    work = Costs(_work, endless).of(loop.body).all.high
    return not short(loop, body, code) and work <= ITERATION_WORK.value and not minor(node, body, code)


def unrolled_counter(node: e.Expression, body: Body) -> bool:
    """Whether the number is made of constants and counters of loops with constant bounds."""
    names = {n.variable.id for n in walk(node) if isinstance(n, e.VariableReference)}
    counters = {
        counter for loop in body.of(s.Loop) if (counter := constant_counter(loop, body.constant)) is not None
    }
    others = (e.Index, e.Dereference, e.Call, e.Member, e.Builtin, e.Unknown)
    return bool(names) and names <= counters and not any(isinstance(n, others) for n in walk(node))


def _inside(node: object, loop: s.Loop) -> bool:
    return any(part is node for part in walk(loop.body))


def _work(node: Node) -> float:
    """Operations of a node without those below it; beyond every bound where it waits or cannot be seen."""
    match node:
        case s.Opaque() | e.Unknown():
            return inf
        case e.Call(name=name) if name.startswith(_WAITS):
            return inf
        case e.Call(name=name) if base(name) in _CHEAP:
            return 1
        case _:
            return rough(node)
