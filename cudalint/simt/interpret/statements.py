"""Statements under an active mask, as on the GPU.

A condition that differs between lanes splits the mask; both sides run and the masks meet again. Where the
condition is unknown both sides run for the same lanes, which are in doubt meanwhile; private values that the
two sides leave different are unknown afterwards.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from cudalint.analyses import locks
from cudalint.analyses.rejoining import rejoins
from cudalint.cuda import assembly
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.layout import leaves
from cudalint.ir.types import Array, Reference
from cudalint.simt.interpret import loops
from cudalint.simt.interpret.branching import join, record
from cudalint.simt.interpret.dispatch import evaluate, execute, number, place
from cudalint.simt.interpret.forced_paths import alike, forced, tests_pointer
from cudalint.simt.interpret.loads_and_stores import write_place
from cudalint.simt.interpret.lvalues import address_of
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import fresh
from cudalint.simt.interpret.private_memory import blur, slot_value, unwatch, watch
from cudalint.simt.requests.sites import NO_CASE
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Value, unknown
from cudalint.simt.values.memory import Journal
from cudalint.simt.values.state import Aggregate, LoopScope, Place

_AWAY = -2  # less than the place of any case


def _block(m: Machine, node: s.Block) -> None:
    _sequence(m, node.body)


def _sequence(m: Machine, body: tuple[s.Statement, ...]) -> None:
    state, running = m.state, None
    for statement in body:
        if state.mask is not running:
            if not np.count_nonzero(state.mask):
                return
            running = state.mask
        execute(m, statement)


def _declare(m: Machine, node: s.Declare) -> None:
    variable = node.variable
    if variable.storage == "shared":
        return
    state = m.state
    if isinstance(variable.type, Reference):
        state.bound[variable.id] = (
            place(m, node.initial) if node.initial is not None else Place(None, 0, lanes.UNKNOWN)
        )
        if node.initial is not None:
            state.written[variable.id] = node.initial
        return
    value = evaluate(m, node.initial) if node.initial is not None else None
    memory = fresh(m, variable)
    state.bound.pop(variable.id, None)
    if value is None:
        return
    if isinstance(value, Value):
        value = lanes.convert(value, variable.type)
        if isinstance(variable.type, Array):
            return
    if isinstance(value, Aggregate) and isinstance(node.initial, e.InitList):
        memory.zero = True
    mask, state.mask = state.mask, state.samples.everyone
    write_place(m, Place(memory, 0), value, variable.type, node.initial)  # type: ignore[arg-type]
    state.mask = mask


def _evaluate(m: Machine, node: s.Evaluate) -> None:
    evaluate(m, node.expression)


# --- branches ---


def _if(m: Machine, node: s.If) -> None:
    tested = m.state.tested
    _branch(m, node)
    if rejoins(m.unit, node):
        m.state.tested = tested


def _branch(m: Machine, node: s.If) -> None:
    condition = lanes.truth(number(m, node.condition))
    record(m, node.condition, node, "if", condition)
    if not condition.is_scalar or condition.free or tests_pointer(m, node.condition):
        m.varied.add(id(node))
    by_chance = not m.barriers.chance and condition.free & (lanes.BY_BLOCK | lanes.BY_WARP)
    if by_chance and locks.leaves(node.then):
        m.barriers.chance = True
    arm = forced(m, node, condition)
    if arm is not None:
        condition = Value(alike(m, node.condition)) if arm else Value(False)
    if id(node) in m.study.branches:
        _let_pass(m, node, condition)
    if condition.is_scalar:
        chosen = node.then if condition.data else node.otherwise
        m.arms.add((id(node), bool(condition.data)))
        if chosen is not None:
            _arm(m, chosen)
        return
    state = m.state
    taken = np.asarray(condition.data, dtype=bool)
    state.split(node.condition, condition)
    if condition.known is True:
        _arms(m, node, state.mask & taken, state.mask & ~taken)
        state.splits.pop()
        return
    known = np.asarray(condition.known)
    unsure = state.mask & ~known
    then_mask = state.mask & (taken | ~known)
    else_mask = state.mask & (~taken | ~known)
    if np.count_nonzero(unsure):
        state.doubts.append(node.condition)
        _both(m, node, then_mask, else_mask, unsure)
        state.doubts.pop()
    else:
        _arms(m, node, then_mask, else_mask)
    state.splits.pop()


def _let_pass(m: Machine, node: s.If, condition: Value) -> None:
    """A word that others change tells who takes an arm: a lock, or how many have come."""
    mask = m.state.mask
    if node.otherwise is None and not locks.leaves(node.then):
        mask = mask & (np.asarray(condition.data, dtype=bool) | ~np.asarray(condition.known))
    m.events.waited(mask)


def _arm(m: Machine, node: s.Statement) -> None:
    """Run one arm; what it loads is not there after it."""
    m.enter()
    execute(m, node)
    m.leave()


def _arms(m: Machine, node: s.If, then_mask: Bools, else_mask: Bools) -> None:
    state = m.state
    state.mask = m.masks.one(then_mask)
    if np.count_nonzero(then_mask):
        m.arms.add((id(node), True))
        _arm(m, node.then)
    after = state.mask
    state.mask = m.masks.one(else_mask)
    if np.count_nonzero(else_mask):
        m.arms.add((id(node), False))
        if node.otherwise is not None:
            state.otherwise()
            _arm(m, node.otherwise)
    join(m, after, state.mask)


def _both(m: Machine, node: s.If, then_mask: Bools, else_mask: Bools, unsure: Bools) -> None:
    """An unknown condition: each arm starts from the same private values."""
    state = m.state
    doubt, any_doubt = state.doubt, state.any_doubt
    m.arms |= {(id(node), True), (id(node), False)}
    state.doubt, state.any_doubt = doubt | unsure, True
    state.mask = m.masks.one(then_mask)
    then_journal = watch(m)
    _arm(m, node.then)
    unwatch(m, then_journal)
    after_then = state.mask
    then_values = _rewind(then_journal, unsure)
    state.mask = m.masks.one(else_mask)
    else_journal = watch(m)
    state.doubt, state.any_doubt = doubt | unsure, True
    if node.otherwise is not None:
        state.otherwise()
        state.doubts[-1] = state.opposite(node.condition)
        _arm(m, node.otherwise)
    unwatch(m, else_journal)
    _merge(m, then_journal, then_values, else_journal, unsure)
    state.doubt, state.any_doubt = doubt, any_doubt
    join(m, after_then, state.mask)


def _rewind(journal: Journal, unsure: Bools) -> dict[tuple[int, int], Value]:
    """Give the doubtful lanes their old values back; returns what the arm had left."""
    left: dict[tuple[int, int], Value] = {}
    for (number_, offset), (memory, old) in journal.items():
        new = slot_value(memory, offset)
        left[number_, offset] = new
        if old is not None:
            memory.slots[offset] = lanes.select(unsure, old, new)
    return left


def _merge(
    m: Machine,
    then_journal: Journal,
    then_values: dict[tuple[int, int], Value],
    else_journal: Journal,
    unsure: Bools,
) -> None:
    for key in then_journal.keys() | else_journal.keys():
        memory, _ = then_journal.get(key) or else_journal[key]
        now = slot_value(memory, key[1])
        other = then_values.get(key)
        if other is None:  # only the else arm wrote it: the then arm leaves the old value
            old = else_journal[key][1]
            if old is None:
                continue
            other = old
        same = lanes.agree(now, other)
        differ = unsure if same is False else unsure & ~np.asarray(same)
        if np.count_nonzero(differ):
            memory.slots[key[1]] = lanes.forget(now, differ, "assigned under a data-dependent condition")


def _switch(m: Machine, node: s.Switch) -> None:
    subject = number(m, node.subject)
    _record_switch(m, node, subject)
    state = m.state
    entry, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    known = np.broadcast_to(np.asarray(subject.known), entry.shape)
    scope = LoopScope(state.none(), state.none(), state.none())
    frame = state.frame
    frame.loops.append(scope)
    unsure = entry & ~known
    journal = watch(m) if np.count_nonzero(unsure) else None
    if journal is not None:
        state.doubt, state.any_doubt = doubt | unsure, True
    remaining, current = entry & known, state.none()
    left = len(state.exits)
    state.split(node.subject, subject)
    starts = _entries(node, subject, entry, known)
    default = next((c for c in node.cases if c.value is None), None)
    matched = np.zeros_like(entry)
    for lanes_here in starts.values():
        matched |= lanes_here
    leftover = remaining & ~matched
    if default is not None:
        starts.setdefault(default.index, state.none())
        starts[default.index] = starts[default.index] | leftover
        leftover = state.none()
    for index, statement in enumerate(node.body):
        if index in starts:
            current = current | starts[index] | unsure
        state.mask = current
        if np.count_nonzero(current):
            _arm(m, statement)
        current = state.mask
    frame.loops.pop()
    state.splits.pop()
    state.rejoin(left, "break")
    if frame.loops:
        frame.loops[-1].continued |= scope.continued
    state.doubt, state.any_doubt = doubt, any_doubt
    if journal is not None:
        unwatch(m, journal)
        blur(m, journal, unsure, "assigned under a data-dependent switch", several=True)
    join(m, (current | scope.broken | leftover | unsure) & ~frame.returned, state.none())


def _entries(node: s.Switch, subject: Value, entry: Bools, known: Bools) -> dict[int, Bools]:
    starts: dict[int, Bools] = {}
    for case in node.cases:
        if case.value is None:
            continue
        here = entry & known & (np.asarray(subject.data) == case.value)
        if np.count_nonzero(here):
            starts[case.index] = starts[case.index] | here if case.index in starts else here
        else:
            starts.setdefault(case.index, np.zeros_like(entry))
    return starts


def _record_switch(m: Machine, node: s.Switch, subject: Value) -> None:
    if not m.recorder.counting:
        return
    if (m.state.mask & ~np.asarray(subject.known)).any():
        record(m, node.subject, node, "switch", Value(False, subject.known))
        return
    if not isinstance(subject.data, np.ndarray):
        record(m, node.subject, node, "switch", Value(False))
        return
    default = next((case.index for case in node.cases if case.value is None), NO_CASE)
    target = np.full(subject.data.shape, default, dtype=np.int64)
    for case in node.cases:
        if case.value is not None:
            target[subject.data == case.value] = case.index
    rows = np.where(m.state.mask, target, _AWAY).reshape(-1, WARP)
    first = rows.max(axis=1, keepdims=True)
    other = rows != first
    record(m, node.subject, node, "switch", Value(other.ravel()))
    parted = (other & (rows != _AWAY)).any(axis=1)
    m.recorder.cases(node.subject, m.state.attributed_to(node.subject.span), rows, parted)


# --- leaving ---


def _break(m: Machine, node: s.Break) -> None:
    m.state.leave("break")
    _leave(m, "broken")


def _continue(m: Machine, node: s.Continue) -> None:
    m.state.leave("continue")
    _leave(m, "continued")


def _leave(m: Machine, how: str) -> None:
    state = m.state
    scopes = state.frame.loops
    if not scopes:
        m.state.note("break outside a loop")
        return
    scope = scopes[-1]
    setattr(scope, how, getattr(scope, how) | state.mask)
    if state.any_doubt:
        scope.maybe = scope.maybe | (state.mask & state.doubt)
    state.mask = state.none()


def _return(m: Machine, node: s.Return) -> None:
    state = m.state
    frame = state.frame
    if node.value is not None:
        if isinstance(frame.function.returns, Reference):
            value: Any = address_of(m, node.value)
        else:
            value = evaluate(m, node.value)
            if isinstance(value, Value):
                value = lanes.convert(value, frame.function.returns)
        frame.value = _returned(m, value)
    state.leave("return")
    if state.any_doubt:
        unsure = state.mask & state.doubt
        frame.maybe_returned = frame.maybe_returned | unsure
        frame.returned = frame.returned | (state.mask & ~state.doubt)
    else:
        frame.returned = frame.returned | state.mask
    state.mask = state.none()


def _returned(m: Machine, value: Any) -> Any:
    """Merge with what other lanes returned before."""
    state, frame = m.state, m.state.frame
    old = frame.value
    doubtful = frame.maybe_returned | (state.mask & state.doubt if state.any_doubt else state.none())
    if isinstance(value, Value) and isinstance(old, Value):
        merged = lanes.select(state.mask, value, old)
        both = doubtful & state.mask
        return (
            lanes.forget(merged, both, "returned under a data-dependent condition")
            if np.count_nonzero(both)
            else merged
        )
    if isinstance(value, Aggregate) and isinstance(old, Aggregate):
        keys = value.parts.keys() & old.parts.keys()
        return Aggregate({k: lanes.select(state.mask, value.parts[k], old.parts[k]) for k in keys})
    return value


def _opaque(m: Machine, node: s.Opaque) -> None:
    for operand in node.operands:
        evaluate(m, operand)
        if isinstance(operand, e.VariableReference) and operand.variable.id in m.state.variables:
            memory = m.state.variables[operand.variable.id]
            for offset in list(memory.slots):
                memory.slots[offset] = unknown(node.reason)
            if not memory.slots:
                for offset, _ in leaves(m.unit, operand.variable.type):
                    memory.slots[offset] = unknown(node.reason)
    m.state.note(node.reason)
    m.events.unseen()
    _order(m, node)
    m.fence()
    m.events.device_fence(m.state.mask)  # it may be one


def _order(m: Machine, node: s.Opaque) -> None:
    match assembly.ordering(node.text):
        case "block":
            m.barrier(node, "block")
        case "warp":
            m.events.warp_barrier(m.state.mask)
        case "unknown":
            m.events.maybe_barrier()


STATEMENTS: dict[type, Callable[[Machine, Any], None]] = {
    s.Block: _block,
    s.Declare: _declare,
    s.Evaluate: _evaluate,
    s.If: _if,
    s.Loop: loops.run,
    s.Switch: _switch,
    s.Break: _break,
    s.Continue: _continue,
    s.Return: _return,
    s.Opaque: _opaque,
}
