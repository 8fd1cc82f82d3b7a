"""Loops on lane vectors: iterations under a mask until every lane has left or the budget of the loop is
spent.

A loop that is cut short and counts with one variable is finished by arithmetic: how often each lane still
goes round, and the variable's last value.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.trip_counts import (
    Counter,
    counter,
    harmless,
    partly_unrolled,
    remaining_iterations,
    unrolled,
)
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, walk
from cudalint.simt.interpret.branching import join, record, whole
from cudalint.simt.interpret.dispatch import evaluate, execute, number, place
from cudalint.simt.interpret.forced_paths import could_differ, wanted
from cudalint.simt.interpret.late_arms import until_new_arm
from cudalint.simt.interpret.loads_and_stores import write_place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.private_memory import blur, unwatch, watch, watch_lanes
from cudalint.simt.interpret.register_values import hangs_on_objects, register_value
from cudalint.simt.interpret.settled_loops import FIRST, apart, can_settle, same_everywhere
from cudalint.simt.interpret.skipped_iterations import forget_untaken, may_wait
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Value
from cudalint.simt.values.memory import Journal, LaneJournal
from cudalint.simt.values.state import LoopScope, Split

_LIMITS = (40, 40, 16, 8)  # iterations by nesting depth
_HURRIED = (4, 2, 2, 2)  # once the run has taken many steps, of loops that would be cut short anyway
_SETTLED = (8, 4, 3, 2)  # iterations in a row in which nothing new was met, after which these are, too
_THOROUGH_LIMIT = 1 << 16
_SPENT_LIMIT = 2
_DOUBTFUL_LIMIT = 3
_MANY = 32  # iterations, at least, of a loop that does not say how many it makes
_SHORT = 4  # and at most, where all such loops are taken for short


def run(m: Machine, node: s.Loop) -> None:
    """Run a loop for the active lanes."""
    state = m.state
    if node.initial is not None:
        execute(m, node.initial)
    entry, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    frame, left = state.frame, len(state.exits)
    scope = LoopScope(state.none(), state.none(), state.none())
    frame.loops.append(scope)
    state.loop_depth += 1
    m.events.enter_loop(node)
    going, factor = _LoopRun(m, node, scope), m.recorder.factor
    waits = id(node) in m.study.loops and going.counter is None
    try:
        with m.unwatched() if waits else nullcontext():
            going.iterate()
    finally:
        m.recorder.factor = factor
        state.loop_depth -= 1
        m.events.leave_loop(bool(np.count_nonzero(going.cut)) or going.hardly_began())
        frame.loops.pop()
        state.rejoin(left, "break", "continue")
        unwatch(m, going.journal)
        unwatch(m, going.last)
        unwatch(m, going.between)
    going.settle()
    if waits:
        m.events.waited(entry)
    state.doubt, state.any_doubt = doubt, any_doubt
    if node.condition is not None:
        counted = ~(going.unsure | going.uncounted)
        m.recorder.loop_trips(node.condition, going.trips, entry, counted, going.cut)
    join(m, (going.left | scope.broken | going.cut) & ~frame.returned, state.none())


class _LoopRun:
    """One loop being run: who left, who is in doubt, where it was cut short."""

    def __init__(self, m: Machine, node: s.Loop, scope: LoopScope) -> None:
        self.m, self.node, self.scope = m, node, scope
        none = m.state.none()
        self.left, self.unsure, self.cut = none, none, none
        self.trips = np.zeros(m.state.samples.lanes, dtype=np.int64)
        self.since = m.recorder.clock
        self.entry = m.state.mask
        self.free = 0  # of the condition
        self.passes: dict[tuple[Any, ...], Any] | None = None  # before a loop whose rounds nobody knows
        self.visits: dict[int, Any] = {}  # likewise
        self.before = self.waits = m.barriers.clock  # before the loop, the current iteration
        self.called = self.calls = m.warps.clock  # calls of warps, likewise
        self.chance = False  # numbers made up for each warp keep its lanes together
        self.journal: Journal | None = None
        self.last: LaneJournal | None = None
        self.between: LaneJournal | None = None  # from where iterations were left out, of a settled loop
        self.uncounted = none  # lanes whose number of iterations stays open
        self.finish: Value | None = None  # the counter's value when the lanes that were cut short leave
        self.against = False  # in a first iteration that the condition forbids
        self.once = False  # such an iteration was made
        self.endless: bool | None = None  # once it was asked for
        self.news = m.recorder.news  # as of the last iteration
        self.records = m.recorder.records  # before the loop
        self.quiet = 0  # iterations since something new was met
        self.counter, self.unrolled, self.partly = _known(m, node)
        self.begun = self._bound()  # the bound before the loop, where functions may change it
        self.awaited = 0  # the iteration that brings the last arm that nobody took before

    def hardly_began(self) -> bool:
        """Whether numbers that nobody knows let no lane make a second round, which the program's may."""
        return bool(self.free) and int(self.trips.max(initial=0)) < 2 and not self.m.ragged

    def limit(self) -> int:
        """After how many iterations the loop is cut short."""
        state = self.m.state
        if state.spent:
            return 1 if state.overspent else _SPENT_LIMIT
        if state.thorough:
            return _THOROUGH_LIMIT
        depth = min(state.loop_depth, len(_LIMITS)) - 1
        settled = self.quiet >= _SETTLED[depth]
        if (state.hurried or settled) and self._is_endless(_LIMITS[depth]):
            return _HURRIED[depth] if state.hurried else _SETTLED[depth]
        return _LIMITS[depth]

    def _with_late_arms(self, count: int, limit: int) -> int:
        """The limit, so late that all arms are taken that the counter leads to."""
        if self.m.state.spent:
            return limit
        if count >= limit - 1 and not self.awaited:
            self.awaited = count + until_new_arm(self.m, self.node)
        return max(limit, self.awaited + 1)

    def _is_endless(self, most: int) -> bool:
        """Whether the loop goes on beyond so many iterations, or a number that nobody knows ends it."""
        if self.endless is None:
            found = self._remaining()
            if found is None:
                self.endless = bool(self.free) or bool(np.count_nonzero(self.unsure))
            else:
                self.endless = bool((self.trips + found.rounds)[self.m.state.mask].max() > most)
        return self.endless

    def iterate(self) -> None:
        state, node = self.m.state, self.node
        count = 0
        while np.count_nonzero(state.mask):
            if (node.kind != "do" or count) and not self._test(count):
                return
            if not np.count_nonzero(state.mask):
                return
            if not count and self.free & (lanes.BY_WARP | lanes.BY_BLOCK):
                self.chance = self._ends_by_chance()
            limit = self.limit()
            if np.count_nonzero(self.unsure):
                limit = min(limit, _DOUBTFUL_LIMIT)
            else:
                limit = self._with_late_arms(count, limit)
            if self.last is not None:
                self._cut_short()
                return
            if count == FIRST and self._is_settled():
                self._leave_out()
            if count >= limit - 1:  # what the last iteration changes is not known after
                self.last = watch_lanes(self.m)
                self.m.recorder.factor = self.m.recorder.factor * self._stands_for(count)
            state.step()
            self.trips = self.trips + state.mask
            self.waits, self.calls = self.m.barriers.clock, self.m.warps.clock
            self._body()
            count += 1
            self._look_for_news()

    def _is_settled(self) -> bool:
        """Whether the iterations up to the last would meet nothing new, as in runs of the loop before."""
        m, state = self.m, self.m.state
        return (
            state.hurried
            and m.settling.settled(self.node)
            and m.recorder.records == self.records
            and self.counter is not None
            and not state.any_doubt
        )

    def _leave_out(self) -> None:
        """Go on with the last iteration, which stands for those that are left out."""
        m, counted = self.m, self._remaining()
        rounds = same_everywhere(counted.rounds, m.state.mask) if counted is not None else 0
        if counted is None or self.counter is None or rounds < 2:
            return
        variable = self.counter.variable
        last = Value(counted.value.data + (rounds - 1) * counted.step, True, counted.value.free)
        write_place(m, place(m, variable), lanes.convert(last, variable.type), variable.type, variable)
        m.recorder.factor = m.recorder.factor * rounds
        self.trips = self.trips + (rounds - 1) * m.state.mask
        self.between = watch_lanes(m)

    def _look_for_news(self) -> None:
        news = self.m.recorder.news
        self.quiet = self.quiet + 1 if news == self.news else 0
        self.news = news

    def _body(self) -> None:
        state, node, scope = self.m.state, self.node, self.scope
        scope.continued = state.none()
        self.m.events.next_iteration()
        varies = node.condition is not None and state.mask is not state.samples.everyone
        left = len(state.exits)
        if varies:
            state.splits.append(Split(cast(e.Expression, node.condition), self.entry, self.free))
        if not self.unrolled:
            self.m.enter()
        around, self.m.partly = self.m.partly, self.partly
        execute(self.m, node.body)
        self.m.partly = around
        if varies:
            state.splits.pop()
        if np.count_nonzero(scope.continued):
            join(self.m, state.mask, scope.continued)
            state.rejoin(left, "continue")
        if node.step is not None and np.count_nonzero(state.mask):
            evaluate(self.m, node.step)
        if not self.unrolled:
            self.m.leave()

    def _test(self, count: int) -> bool:
        """Evaluate the condition; False when no lane goes on."""
        m, state = self.m, self.m.state
        if self.node.condition is None:
            return True
        value = lanes.truth(number(m, self.node.condition))
        record(m, self.node.condition, self.node, "loop", value)
        self.free |= value.free
        if value.free and self.passes is None:
            self.passes = m.recorder.passes()
            self.visits = m.visits.amounts() if m.visits is not None else {}
        if value.free and count:
            self._free_counter(value.free)
        if self._goes_against(count, value):
            return self.against
        if value.is_scalar:
            if value.data:
                return True
            self.left = self.left | state.mask
            return False
        taken = np.asarray(value.data, dtype=bool)
        if value.known is not True:
            known = np.asarray(value.known)
            self._doubt(state.mask & ~known)
            taken = taken | ~known
            self.left = self.left | (state.mask & ~(taken & known))
        else:
            self.left = self.left | (state.mask & ~taken)
        state.mask = whole(m, state.mask & taken)
        return bool(np.count_nonzero(state.mask))

    def _doubt(self, unsure: Bools) -> None:
        """Lanes of which it is not known whether they go on."""
        state = self.m.state
        if np.count_nonzero(unsure):
            self.unsure = self.unsure | unsure
            state.doubt, state.any_doubt = state.doubt | unsure, True
            if self.journal is None:
                self.journal = watch(self.m)

    def _free_counter(self, free: int) -> None:
        """How far a counter comes whose bound nobody knows is not known either."""
        found = self.counter
        if found is None or found.variable.variable.storage not in ("local", "parameter"):
            return
        where = place(self.m, found.variable)
        if where.memory is not None and where.offset in where.memory.slots:
            old = where.memory.slots[where.offset]
            added = free if free & ~(lanes.CHOSEN | lanes.COUNTED) else lanes.COUNTED
            if added & ~old.free:
                where.memory.slots[where.offset] = replace(old, free=old.free | added)

    def _goes_against(self, count: int, value: Value) -> bool:
        """Whether this is a first iteration made only to see the body, or the end of it."""
        m = self.m
        if self.against:
            self.left, self.against = self.left | m.state.mask, False
            return True
        if count or not could_differ(value):
            return False
        m.varied.add(id(self.node))
        taken = m.state.mask & np.asarray(value.data, dtype=bool)
        if m.targets and not np.count_nonzero(taken) and wanted(m, self.node.body):
            self.against = self.once = True
        return self.against

    def _cut_short(self) -> None:
        """Leave the loop before its end; the counter tells how far that end was."""
        m, state = self.m, self.m.state
        if state.spent and m.barriers.clock != self.waits:
            m.events.maybe_barrier()  # of an iteration that is left out
        self.cut = self.uncounted = state.mask
        self._leave_by_data()
        found, counted = self.counter, self._remaining()
        if found is None or counted is None:
            return
        if not state.any_doubt:
            condition = cast(e.Expression, self.node.condition)
            m.barriers.uneven(self.waits, counted.rounds, state.mask, condition, state, counted.free)
            if m.warps.clock > self.calls:
                end = Split(condition, state.mask, counted.free)
                m.warps.uneven(self.calls, counted.rounds, end, state)
        if not counted.free:
            m.events.skip_iterations(counted.rounds)
        self.trips = self.trips + counted.rounds
        self.uncounted = state.none()
        last = counted.value.data + counted.rounds * counted.step
        self.finish = lanes.convert(Value(last, True, counted.value.free), found.variable.type)

    def _leave_by_data(self) -> None:
        """Lanes whose numbers come from data of their own leave at different times: the nearest one first."""
        m, state = self.m, self.m.state
        if m.data is None or state.any_doubt or m.barriers.clock == self.waits:
            return
        for condition, part in _compared(self.node):
            left, right = number(m, part.left), number(m, part.right)
            apart = np.asarray(left.data) - np.asarray(right.data, dtype=np.float64)
            free = left.free | right.free
            known = np.asarray(lanes.both_known(left.known, right.known))
            if free & lanes.DATA and apart.ndim and bool((known | ~state.mask).all()):
                rows = np.where(state.mask, np.abs(apart), np.inf).reshape(state.samples.count, -1)
                later = (rows > rows.min(axis=1, keepdims=True)).ravel()
                m.barriers.uneven(self.waits, later.astype(np.int64), state.mask, condition, state, free)

    def _bound(self) -> Value | None:
        """What the counter counts to, if that is in registers, by an object whose functions may change it."""
        found = self.counter
        if found is None or not any(map(hangs_on_objects, (found.bound, found.step))):
            return None
        bound = register_value(self.m, found.bound)
        if bound is None or register_value(self.m, found.step) is None:
            self.counter = None
        return bound

    def _remaining(self) -> "_Remaining | None":
        """How often each lane still goes round, as the counter tells."""
        found = self.counter
        if found is None or np.count_nonzero(self.unsure):
            return None
        value, bound, step = (number(self.m, part) for part in (found.variable, found.bound, found.step))
        if not (value.known is True and bound.known is True and step.known is True):
            return None
        if self.begun is not None and not np.array_equal(self.begun.data, bound.data):
            return None
        each = found.sign * cast(Any, step.data)
        rounds = remaining_iterations(found.operator, value.data, bound.data, each)
        if rounds is None:
            return None
        rounds = np.where(self.m.state.mask, rounds, 0)
        return _Remaining(rounds, value, each, value.free | bound.free | step.free)

    def _ends_by_chance(self) -> bool:
        """Whether lanes of a warp have different ways to go to a bound that is made up for the warp."""
        condition = self.node.condition
        while isinstance(condition, e.Cast):
            condition = condition.operand
        if not isinstance(condition, e.Binary):
            return False
        sides = (side for side in (condition.left, condition.right) if all(map(_is_private, walk(side))))
        return any(not lanes.one_a_warp(number(self.m, side).data, self.m.state.mask) for side in sides)

    def _stands_for(self, count: int) -> Any:
        """How many iterations the last one made before the loop is cut short stands for, by sample."""
        found = self._remaining()
        if found is None:
            return max(1, _MANY - count)
        return np.maximum(1, found.rounds.reshape(self.m.state.samples.count, -1).max(axis=1))

    def settle(self) -> None:
        """Private values of lanes whose number of iterations is not known, and what orders threads."""
        if np.count_nonzero(self.cut):
            self.m.recorder.loosen(self.since)
            if self.last is not None:
                blur(self.m, self.last, self.cut, "changed in a loop that was cut short")
                forget_untaken(self.m, self.node, self.last, self.cut)
            self._write_counter()
        passed_by = self.free & ~(lanes.CHOSEN | lanes.COUNTED) and not self.trips.any()
        unseen = np.count_nonzero(self.cut) or passed_by
        if unseen and self.m.barriers.clock == self.before and may_wait(self.m.unit, self.node.body):
            self.m.events.maybe_barrier()
        stayed = self.left & ~self.cut
        if self.m.data is not None and self.free and np.count_nonzero(stayed):
            mask, self.m.state.mask = self.m.state.mask, stayed
            self._leave_by_data()
            self.m.state.mask = mask
        if self.chance and self.m.warps.clock > self.called:
            self.m.warps.doubt(self.called)
        if self.between is not None:
            self._forget_between(self.between)
        elif self.m.state.hurried and self.counter is not None and can_settle(self.m.unit, self.node):
            whole = not np.count_nonzero(self.cut | self.unsure) and apart(self.m.recorder, self.since)
            self.m.settling.ended(self.node, whole, news=self.m.recorder.records != self.records)
        if self.passes is not None:
            rounds = self.trips.reshape(self.m.state.samples.count, -1).max(axis=1)
            times = np.maximum(1.0, _MANY / np.maximum(1, rounds))
            self.m.recorder.multiply(self.passes, times)
            if self.m.visits is not None:
                self.m.visits.multiply(self.visits, times, np.minimum(1.0, _SHORT / np.maximum(1, rounds)))
        if self.once:
            self.m.recorder.doubt(self.since)
        if self.journal is not None:
            doubtful = self.unsure | self.scope.maybe
            blur(self.m, self.journal, doubtful, "changed in a loop with a data-dependent end")

    def _forget_between(self, between: LaneJournal) -> None:
        """What the iterations left out would have changed is not known; the counter is."""
        m, found = self.m, cast(Counter, self.counter)
        where = place(m, found.variable)
        if where.memory is not None:
            between.pop((where.memory.number, where.offset), None)
        m.recorder.loosen(self.since)
        blur(m, between, self.entry, "changed in iterations that were left out")

    def _write_counter(self) -> None:
        found = self.counter
        if self.finish is None or found is None:
            return
        m = self.m
        mask, m.state.mask = m.state.mask, self.cut
        write_place(m, place(m, found.variable), self.finish, found.variable.type, found.variable)
        m.state.mask = mask


class _Remaining(Struct, frozen=True):
    """rounds: that lanes still make; value: of the counter now; step: what a round adds to it."""

    rounds: Any
    value: Value
    step: Any
    free: int


def _compared(node: s.Loop) -> Iterator[tuple[e.Expression, e.Binary]]:
    """The conditions that may end the loop, each with its comparisons of private numbers that do so alone."""
    if node.condition is not None:
        yield from ((node.condition, part) for part in _parts(node.condition, "&&"))
    for statement in node.body.body if isinstance(node.body, s.Block) else ():
        if isinstance(statement, s.If) and _ends(statement.then):
            yield from ((statement.condition, part) for part in _parts(statement.condition, "||"))


def _ends(node: s.Statement) -> bool:
    """Whether the statement leaves the loop that it stands in."""
    while isinstance(node, s.Block) and node.body:
        node = node.body[-1]
    return isinstance(node, s.Break)


def _parts(condition: e.Expression, joined: str) -> Iterator[e.Binary]:
    match condition:
        case e.Cast(operand=operand):
            yield from _parts(operand, joined)
        case e.Binary(operator=operator, left=left, right=right) if operator == joined:
            yield from _parts(left, joined)
            yield from _parts(right, joined)
        case e.Unary(operator="!", operand=operand):
            yield from _parts(operand, "&&" if joined == "||" else "||")
        case e.Binary(operator="<" | "<=" | ">" | ">=") if all(map(_is_private, walk(condition))):
            yield condition


def _is_private(part: Node) -> bool:
    """Whether a part of an expression is a number in a register, or arithmetic."""
    match part:
        case e.Member():
            return True  # what it is a member of is a part of its own
        case e.Call(name=name, qualified=qualified):
            return effects.is_pure(name, qualified)
        case e.VariableReference() | e.Binary() | e.Unary() | e.Cast() | e.Literal():
            return not isinstance(part, e.VariableReference) or harmless(part)
    return False


# --- unrolling ---


def _known(m: Machine, node: s.Loop) -> "tuple[Counter | None, bool, bool]":
    """The loop's counter, whether it is unrolled, and whether in part; looked for once a kernel's run."""
    found = m.loops.get(id(node))
    if found is None:
        found = m.loops[id(node)] = counter(node), unrolled(node), partly_unrolled(node)
    return cast("tuple[Counter | None, bool, bool]", found)


# --- counters ---
