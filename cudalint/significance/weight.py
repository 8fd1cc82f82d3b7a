"""Whether the cost of a place in device code can be felt beside the rest of the work."""

from functools import lru_cache
from math import inf

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.instructions import CALL, SINGLE
from cudalint.analyses.trip_counts import bounded_trips
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node
from cudalint.significance.cost import Costs, once_each, scales
from cudalint.significance.interval import exactly
from cudalint.significance.thresholds import LONG_ITERATION, SHORT_LOOP

_DEPTH = 3


class _Calls(Struct, frozen=True, eq=False):
    """The functions of a unit by key and the places that call them; kept once reckoned: how deep the loops of
    a function nest and whether a loop is short. iterations: counts one iteration of each loop.
    """

    bodies: dict[str, Body]
    places: dict[str, list[tuple[e.Call, Body]]]
    nests: dict[str, int]
    shorts: dict[int, bool]
    iterations: Costs


def minor(node: Node, body: Body, code: DeviceCode) -> bool:
    """Whether one thread runs the place, or loops nest deeper elsewhere, or this holds of all its callers."""
    return _minor(node, body, _calls(code), ())


def outside_loops(node: Node, body: Body, code: DeviceCode) -> bool:
    """Whether one thread runs the place, or loops are elsewhere only, or this holds of all its callers."""
    return _minor(node, body, _calls(code), (), most=1)


def short(loop: s.Loop, body: Body, code: DeviceCode) -> bool:
    """Whether the loop does little in all: its counter is scaled, or few rounds make few operations."""
    return _short(loop, body, _calls(code))


def in_long_rounds(node: Node, body: Body, code: DeviceCode) -> bool:
    """Whether the innermost loop round the place has rounds of very many operations, those of the functions
    that it calls included.
    """
    loop = next(body.loops(node), None)
    return loop is not None and _calls(code).iterations.of(loop.body).all.low >= LONG_ITERATION.value


def _short(loop: s.Loop, body: Body, calls: _Calls) -> bool:
    if id(loop) not in calls.shorts:
        calls.shorts[id(loop)] = scales(loop) or _operations(loop, body) <= SHORT_LOOP.value
    return calls.shorts[id(loop)]


def _operations(loop: s.Loop, body: Body) -> float:
    """Roughly how many operations the loop is, calls of functions with loops left out."""
    return Costs(rough, lambda inner: exactly(bounded_trips(inner, body.constant))).of(loop).all.high


def rough(node: Node) -> float:
    """Operations of a node without those below it, a call for what most calls come to."""
    return CALL if isinstance(node, e.Call) else float(isinstance(node, SINGLE))


@lru_cache(maxsize=1)
def _calls(code: DeviceCode) -> _Calls:
    places: dict[str, list[tuple[e.Call, Body]]] = {}
    for body in code.bodies:
        for call in body.of(e.Call):
            if call.key is not None:
                places.setdefault(call.key, []).append((call, body))
    bodies = {body.function.key: body for body in code.bodies}
    seen = {key: body.function for key, body in bodies.items()}

    def called(node: Node) -> float:
        return 0.0 if isinstance(node, e.Call) and node.key in seen else rough(node)

    return _Calls(bodies, places, {}, {}, Costs(called, once_each, seen, recursive=CALL))


def _minor(
    node: Node, body: Body, calls: _Calls, seen: tuple[str, ...], inner: int = 0, most: float = inf
) -> bool:
    """inner: how many loops are round the place in functions that the node calls. most: a place in so many
    loops counts, however deep others nest.
    """
    depth = _depth(node, body, calls) + inner
    if _of_one_thread(node, body) or depth < min(_nest(body, calls), most):
        return True
    key = body.function.key
    places = () if body.function.kernel or key in seen else calls.places.get(key, ())
    return bool(places) and all(_minor(call, at, calls, (*seen, key), depth, most) for call, at in places)


def _depth(node: Node, body: Body, calls: _Calls) -> int:
    return sum(1 for loop in body.loops(node) if not _short(loop, body, calls))


def _nest(body: Body, calls: _Calls) -> int:
    """How deep the loops of a function nest, with those of the functions that it calls."""
    key = body.function.key
    if key not in calls.nests:
        calls.nests[key] = 0  # a function that calls itself
        own = (_depth(loop, body, calls) + 1 for loop in body.of(s.Loop) if not _short(loop, body, calls))
        called = (
            _depth(call, body, calls) + _nest(calls.bodies[call.key], calls)
            for call in body.of(e.Call)
            if call.key in calls.bodies
        )
        calls.nests[key] = max((*own, *called), default=0)
    return calls.nests[key]


def _of_one_thread(node: Node, body: Body) -> bool:
    """Whether a branch round the place is taken for one number of a thread."""
    below = node
    for above in body.ancestors(node):
        match above:
            case s.If(condition=condition, then=then) if below is not condition:
                if _one(condition, below is then, body):
                    return True
        below = above
    return False


def _one(condition: e.Expression, taken: bool, body: Body) -> bool:
    match condition:
        case e.Cast(operand=operand):
            return _one(operand, taken, body)
        case e.Unary(operator="!", operand=operand):
            return _one(operand, not taken, body) or (taken and _number(operand, body))
        case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
            return (operator == "&&") == taken and (_one(left, taken, body) or _one(right, taken, body))
        case e.Binary(operator="==" | "!=" as operator, left=left, right=right):
            return (operator == "==") == taken and _number(left, body) != _number(right, body)
        case _:
            return False


def _number(node: e.Expression, body: Body, depth: int = _DEPTH) -> bool:
    """Whether the expression numbers threads or blocks: not `%`, which picks one of each warp."""
    match node:
        case e.Builtin(name=name):
            return name in ("threadIdx", "blockIdx")
        case e.Cast(operand=operand):
            return _number(operand, body, depth)
        case e.Binary(operator="+" | "*", left=left, right=right):
            return _number(left, body, depth) or _number(right, body, depth)
        case e.VariableReference(variable=variable) if depth and variable.id in body.once:
            return _number(body.once[variable.id], body, depth - 1)
        case _:
            return False
