"""`&&`, `||` and `?:`: operands that only some lanes evaluate."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cudalint.analyses.loads_in_both import Both, loads_in_both
from cudalint.analyses.rejoining import rejoins
from cudalint.analyses.trip_counts import harmless
from cudalint.ir import expressions as e
from cudalint.simt.interpret.dispatch import evaluate, number, place
from cudalint.simt.interpret.forced_paths import could_differ, wanted
from cudalint.simt.interpret.lvalues import address_of, pointed
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.private_memory import blur, unwatch, watch
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Bools, Value, unknown
from cudalint.simt.values.state import Aggregate, Place, Result


def logical(m: Machine, node: e.Binary) -> Result:
    """&& and ||: the right side runs in the lanes that the left one leaves open."""
    left = lanes.truth(number(m, node.left))
    if could_differ(left):
        m.varied.add(id(node))
        if m.targets and _never(m, node, left) and wanted(m, node.right):
            left = Value(node.operator == "&&")
    if left.is_scalar and not left.free:
        if bool(left.data) == (node.operator == "||"):
            return left
        m.enter()
        right = lanes.truth(number(m, node.right))
        m.leave()
        return right
    eager = _harmless(m, node.right)
    if not eager or left.known is not True:
        _record_logical(m, node.left, node, left)
    if eager:
        right = lanes.truth(number(m, node.right))
    else:
        right = _under(m, left if node.operator == "&&" else lanes.logical_not(left), node.left, node.right)
    if right.known is not True and node.right.span.line != node.left.span.line:
        _record_logical(m, node.right, node, right)
    return _join_logical(node.operator, left, right)


def _record_logical(m: Machine, condition: e.Expression, node: e.Binary, value: Value) -> None:
    """The branch past the right side, where that has work to do or the data may decide."""
    unsure = None if value.known is True else m.state.mask & ~np.asarray(value.known)
    taken = value.data if isinstance(value.data, np.ndarray) else bool(value.data)
    attributed_to = m.state.attributed_to(condition.span)
    loops = m.state.frame.loops
    within = (loops[-1] if loops else None, m.barriers.clock)
    mask = m.state.mask
    m.recorder.branch(condition, attributed_to, node, "logical", taken, unsure, mask, within=within)


def _never(m: Machine, node: e.Binary, left: Value) -> bool:
    """Whether the left side keeps every lane from the right one."""
    stops = np.asarray(left.data, dtype=bool) == (node.operator == "||")
    return bool((stops & np.asarray(left.known) | ~m.state.mask).all())


def _join_logical(operator: str, left: Value, right: Value) -> Value:
    a, b = np.asarray(left.data, dtype=bool), np.asarray(right.data, dtype=bool)
    if left.known is True and right.known is True:
        both = a & b if operator == "&&" else a | b
        return Value(both if both.ndim else bool(both), True, left.free | right.free, left.why or right.why)
    ka, kb = np.asarray(left.known), np.asarray(right.known)
    if operator == "&&":
        data, decided = a & b & ka & kb, (ka & ~a) | (kb & ~b)
    else:
        data, decided = (a & ka) | (b & kb), (ka & a) | (kb & b)
    known = (ka & kb) | decided
    free = left.free | right.free
    if data.ndim == 0 and known.ndim == 0:
        return Value(bool(data), bool(known), free, left.why or right.why)
    everywhere: bool | Bools = True if known.all() else False if not np.count_nonzero(known) else known
    return Value(data if data.ndim else bool(data), everywhere, free, left.why or right.why)


def _under(m: Machine, condition: Value, whole: e.Expression, node: e.Expression) -> Value:
    """Evaluate for the lanes where the condition, which is `whole` in the source, holds or may hold."""
    state = m.state
    mask, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    open_lanes = mask & (np.asarray(condition.data, dtype=bool) | ~np.asarray(condition.known))
    if not np.count_nonzero(open_lanes):
        return Value(False)
    unsure = mask & ~np.asarray(condition.known)
    state.split(whole, condition)
    state.mask = open_lanes
    journal = None
    if np.count_nonzero(unsure):
        state.doubt, state.any_doubt = doubt | unsure, True
        journal = watch(m)
    m.enter()
    value = lanes.truth(number(m, node))
    m.leave()
    state.splits.pop()
    state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
    if journal is not None:
        unwatch(m, journal)
        blur(m, journal, unsure, "assigned under a data-dependent condition")
    return value


def _conditional(m: Machine, node: e.Conditional) -> Result:
    tested = m.state.tested
    found = _chosen(m, node)
    if rejoins(m.unit, node):
        m.state.tested = tested
    return found


def _chosen(m: Machine, node: e.Conditional) -> Result:
    condition = lanes.truth(number(m, node.condition))
    if not (_harmless(m, node.then) and _harmless(m, node.otherwise)):
        _record_conditional(m, node, condition)
    if condition.is_scalar and not condition.free:
        m.enter()
        chosen = evaluate(m, node.then if condition.data else node.otherwise)
        m.leave()
        return chosen
    both, made = _loads_in_both(m, node), m.made
    for load in both.loads:
        evaluate(m, load)
    m.state.split(node.condition, condition)
    m.made = made | both.made
    then = _arm(m, condition, node.then)
    otherwise = _arm(m, lanes.logical_not(condition), node.otherwise)
    m.made = made
    m.state.splits.pop()
    return _choose(condition, then, otherwise)


def _record_conditional(m: Machine, node: e.Conditional, condition: Value) -> None:
    unsure = None if condition.known is True else m.state.mask & ~np.asarray(condition.known)
    taken = condition.data if isinstance(condition.data, np.ndarray) else bool(condition.data)
    attributed_to = m.state.attributed_to(node.condition.span)
    m.recorder.branch(node.condition, attributed_to, node, "conditional", taken, unsure, m.state.mask)


def _arm(m: Machine, condition: Value, node: e.Expression) -> Result:
    if _harmless(m, node):
        return evaluate(m, node)
    state = m.state
    mask, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    taken = mask & (np.asarray(condition.data, dtype=bool) | ~np.asarray(condition.known))
    state.mask = m.masks.one(taken)
    unsure = mask & ~np.asarray(condition.known)
    if not np.count_nonzero(state.mask):
        state.mask = mask
        return UNKNOWN
    if np.count_nonzero(unsure):
        state.doubt, state.any_doubt = doubt | unsure, True
    m.enter()
    value = evaluate(m, node)
    m.leave()
    state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
    return value


def _choose(condition: Value, then: Result, otherwise: Result) -> Result:
    if isinstance(then, Aggregate) and isinstance(otherwise, Aggregate):
        keys = then.parts.keys() & otherwise.parts.keys()
        return Aggregate(
            {k: cast(Value, _choose(condition, then.parts[k], otherwise.parts[k])) for k in keys}
        )
    if isinstance(then, Aggregate) or isinstance(otherwise, Aggregate):
        return UNKNOWN
    if condition.known is False:
        same = lanes.agree(then, otherwise)
        return then if same is True else unknown(condition.why or "chosen by data")
    chosen = condition.data
    if not isinstance(chosen, np.ndarray) and condition.known is True:
        picked = then if chosen else otherwise
        return Value(picked.data, picked.known, picked.free | condition.free | lanes.CHOSEN, picked.why)
    merged = lanes.select(np.asarray(chosen, dtype=bool), then, otherwise)
    if condition.known is not True:
        merged = lanes.forget(merged, ~np.asarray(condition.known), condition.why or "chosen by data")
    return merged


def _loads_in_both(m: Machine, node: e.Conditional) -> Both:
    found = m.in_both.get(id(node))
    if found is None:
        found = m.in_both[id(node)] = loads_in_both(node)
    return found


def _harmless(m: Machine, node: e.Expression) -> bool:
    found = m.harmless.get(id(node))
    if found is None:
        found = m.harmless[id(node)] = harmless(node)
    return found


def _place(m: Machine, node: e.Conditional) -> Place:
    """Where the chosen arm lives, as in `(i ? y : x) = 1`."""
    condition = lanes.truth(number(m, node.condition))
    if condition.is_scalar and condition.known is True:
        return place(m, node.then if condition.data else node.otherwise)
    return pointed(
        m, cast(Value, _choose(condition, address_of(m, node.then), address_of(m, node.otherwise)))
    )


EXPRESSIONS: dict[type, Callable[[Machine, Any], Result]] = {e.Conditional: _conditional}
PLACES: dict[type, Callable[[Machine, Any], Place]] = {e.Conditional: _place}
