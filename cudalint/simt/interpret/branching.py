"""What branches and loops share: recording conditions and joining masks."""

import numpy as np

from cudalint.analyses.trip_counts import harmless
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.interpret.dispatch import number
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values.lanes import Bools, Value


def record(m: Machine, condition: e.Expression, statement: s.Statement, kind: str, value: Value) -> None:
    unsure = None
    if value.known is not True:
        unsure = m.state.mask & ~np.asarray(value.known)
        if not np.count_nonzero(unsure):
            unsure = None
    taken = value.data if isinstance(value.data, np.ndarray) else bool(value.data)
    mask = m.state.mask
    if unsure is not None and value.free and _for_some_sizes(unsure, mask, m.state.samples.count):
        mask, unsure = mask & ~unsure, None
    if unsure is None and value.free and _hits_by_chance(m, condition):
        unsure = mask
    m.state.test(condition, value)
    attributed_to = m.state.attributed_to(condition.span)
    loops = m.state.frame.loops
    within = (loops[-1] if loops else None, m.barriers.clock)
    m.recorder.branch(
        condition, attributed_to, statement, kind, taken, unsure, mask, bool(value.free), within
    )


def _for_some_sizes(unsure: Bools, mask: Bools, samples: int) -> bool:
    """Whether a condition has no value in whole blocks, with the numbers tried, and one in all others."""
    without, active = unsure.reshape(samples, -1), mask.reshape(samples, -1)
    lost = np.flatnonzero(without.any(axis=1))
    kept = np.delete(active, lost, axis=0)
    return bool(kept.any()) and np.array_equal(without[lost], active[lost])


def _hits_by_chance(m: Machine, condition: e.Expression) -> bool:
    """Whether the condition compares a number of the thread's own with a loaded one for equality: the number
    made up for that meets no thread's but by chance.
    """
    while isinstance(condition, e.Cast) or (isinstance(condition, e.Unary) and condition.operator == "!"):
        condition = condition.operand
    if not isinstance(condition, e.Binary) or condition.operator not in ("==", "!="):
        return False
    plain = [side for side in (condition.left, condition.right) if harmless(side)]
    if len(plain) != 1:
        return False
    own = number(m, plain[0]).data
    if not isinstance(own, np.ndarray):
        return False
    rows = own.reshape(-1, WARP)
    return bool((rows != rows[:, :1]).any())


def whole(m: Machine, mask: Bools) -> Bools:
    """The mask, as one object for all that are equal; `samples.everyone` itself where they are, so that
    stores can test identity.
    """
    everyone = m.state.samples.everyone
    if mask is everyone or np.count_nonzero(mask) == np.count_nonzero(everyone):
        return everyone
    return m.masks.one(mask)


def join(m: Machine, first: Bools, second: Bools) -> None:
    """Continue with the lanes of both arms; those that may have left are in doubt."""
    state = m.state
    joined = first | second
    state.mask = whole(m, joined)
    if state.frames:
        frame = state.frame
        lost = frame.maybe_returned
        if frame.loops:
            lost = lost | frame.loops[-1].maybe
        if np.count_nonzero(lost):
            state.doubt = state.doubt | (lost & state.mask)
            state.any_doubt = bool(np.count_nonzero(state.doubt))
