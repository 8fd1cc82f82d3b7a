"""Arms that no run took: a second run is sent down those that hold an access that is looked for."""

import numpy as np

from cudalint.analyses.equality_conditions import equalities
from cudalint.analyses.trip_counts import harmless
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.interpret.dispatch import number
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values.lanes import Bools, Value


def forced(m: Machine, node: s.If, condition: Value) -> bool | None:
    """The arm to take against the condition, so that accesses are seen that no run came to; None: obey it.

    Only where the condition could be otherwise: it depends on a free number, a thread or a block, or asks
    whether there is an array.
    """
    if not m.targets or not (could_differ(condition) or tests_pointer(m, node.condition)):
        return None
    mask = m.state.mask
    taken = mask & np.asarray(condition.data, dtype=bool)
    if not np.count_nonzero(taken) and wanted(m, node.then):
        return True
    if np.array_equal(taken, mask) and not wanted(m, node.then):
        leaves = bool(find(node.then, s.Return, s.Break, s.Continue))
        if leaves or (node.otherwise is not None and wanted(m, node.otherwise)):
            return False
    return None


def alike(m: Machine, condition: e.Expression) -> Bools:
    """The active lanes that may come together into an arm that no run took: where equalities have to hold, of
    each block those for which they hold together with the first lane.
    """
    mask, threads = m.state.mask, m.state.samples.padded
    for equality in equalities(condition):
        if not (harmless(equality.left) and harmless(equality.right)) or mask.size % threads:
            continue
        left, right = (np.asarray(number(m, side).data) for side in (equality.left, equality.right))
        apart = np.broadcast_to(left - right, mask.shape).reshape(-1, threads)
        active = mask.reshape(-1, threads)
        first = np.take_along_axis(apart, np.argmax(active, axis=1)[:, None], axis=1)
        mask = np.asarray(active & (apart == first)).reshape(mask.shape)
    return mask


def could_differ(condition: Value) -> bool:
    """Whether another launch or thread may find the condition otherwise; data-dependent ones run both
    ways.
    """
    return condition.known is True and (bool(condition.free) or not condition.is_scalar)


def tests_pointer(m: Machine, condition: e.Expression) -> bool:
    """Whether it asks if a pointer is null, to which no launch is known to pass an allocation: an array that
    only some launches have.
    """
    match condition:
        case e.Cast(operand=operand) | e.Unary(operator="!", operand=operand):
            return tests_pointer(m, operand)
        case e.Binary(operator="==" | "!=" | "&&" | "||", left=left, right=right):
            return tests_pointer(m, left) or tests_pointer(m, right)
        case e.VariableReference(type=Pointer(), variable=variable):
            held = m.state.variables.get(variable.id)
            value = held.slots.get(0) if held is not None else None
            if value is None or not value.is_scalar or isinstance(value.data, np.ndarray):
                return False
            target = m.state.object_at(int(value.data))
            return target is not None and not target.bytes
    return False


def wanted(m: Machine, node: Node) -> bool:
    """Whether a statement or expression, with what it calls, holds an access that is looked for."""
    known = m.wanted.get(id(node))
    if known is not None:
        return known
    m.wanted[id(node)] = False  # recursion ends here
    found = any(_holds(m, part) for part in walk(node))
    m.wanted[id(node)] = found
    return found


def _holds(m: Machine, part: Node) -> bool:
    if isinstance(part, e.Call | e.Construct | e.Lambda):
        function = m.unit.defined(part.key)
        if function is not None and function.body is not None and wanted(m, function.body):
            return True
    return part.span in m.targets
