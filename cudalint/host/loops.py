"""Loops of host code: run one by one while their conditions are known, else until what they leave repeats.

A loop of unknown length is run a few times by its samples: numbers that it changes are unknown in all of its
iterations, what it makes (buffers, streams, elements of containers) is told apart by the iteration.
"""

from collections.abc import Callable

from msgspec.structs import replace

from cudalint.host import containers, monitors, trip_counts
from cudalint.host.evaluate import evaluate
from cudalint.host.log import Mark
from cudalint.host.machine import LoopFrame, Machine
from cudalint.host.memory import LOST, Contents, State, differing, merge_contents, stable
from cudalint.host.values import (
    GUESS,
    UNKNOWN,
    Address,
    Unknown,
    Value,
    is_structure,
    merge,
    most_of,
    sample_of,
    sampled,
    truth,
)
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find

Execute = Callable[[Machine, s.Statement], None]
Flags = dict[tuple[int, int], Value]  # truth values by object and offset

UNROLL_CUDA = 40  # iterations of a loop with CUDA calls in it that are run one by one
UNROLL_PLAIN = 64  # of a loop of plain host code, as long as it stays short
PLAIN_STEPS = 700
SETTLED = 4  # iterations without a new launch or call shape before a loop is cut short
KEPT_ITERATIONS = 4  # of an unrolled loop stay in the log of calls; the launches of all do
ROUNDS = 4  # in which a loop shows what it changes, at most
STEADY = 5  # iterations of a loop of unknown length
STEADY_INSIDE = 3  # of one inside another
MANY = 64  # a number that a loop changes, before its first iteration
LEAST = 2  # iterations before a sample ends a loop: it may be a guess
MANY_CALLS = 500  # logged, after which a loop of unknown length runs LEAST times
_LENGTHS = frozenset("size end cend rend".split())


def run(m: Machine, node: s.Loop, execute: Execute) -> None:
    """Run a loop to its end."""
    plain = not m.reach.statement(node)
    if is_once(node):
        _once(m, node, execute)
        return
    if node.initial is not None:
        execute(m, node.initial)
    if plain:
        waits = bool(m.tasks) and monitors.may_wait(node)
        if waits:
            m.thread_waits.add(node.span)
        m.host_work("wait" if waits else "loop", node.span, unseen=waits)
        m.muted += 1
    else:
        m.next_loop += 1
        m.loop_ids.append(m.next_loop)
        trip_counts.note(m, node, m.next_loop)
    frame = LoopFrame(depth=len(m.frames[-1].scopes) if m.frames else 0)
    m.loops.append(frame)
    try:
        _run(m, node, frame, plain, execute)
    finally:
        m.loops.pop()
        if plain:
            m.muted -= 1
        else:
            m.loop_ids.pop()
    if frame.breaks is not None:
        m.state = m.merge(m.state, frame.breaks)


def _run(m: Machine, node: s.Loop, frame: LoopFrame, plain: bool, execute: Execute) -> None:
    logged = len(m.log.calls)
    if _unroll(m, node, frame, plain, execute):
        return
    if plain:
        outer, m.grown, m.counted = (m.grown, m.counted), set(), set()
        _widen(m, node, frame, execute)
        containers.filled(m)
        m.grown |= outer[0]
        m.counted |= outer[1]
    else:
        _steady(m, node, frame, execute, told=len(m.log.calls) > logged)


def _condition(m: Machine, node: s.Loop) -> Value:
    """The value of the condition. What a loop that counts compares is no check of its limit."""
    assert node.condition is not None
    compared = set(m.compared)
    value = evaluate(m, node.condition)
    if node.kind == "for" and node.initial is not None:
        m.compared = compared
    return value


def is_once(node: s.Loop) -> bool:
    """`do { ... } while (0)`, as macros are written: no loop, but break and continue leave it."""
    return node.kind == "do" and node.condition is not None and _constant(node.condition) == 0


def _constant(node: e.Expression) -> int | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.value if isinstance(node, e.Literal) and isinstance(node.value, int) else None


def _once(m: Machine, node: s.Loop, execute: Execute) -> None:
    frame = LoopFrame(depth=len(m.frames[-1].scopes) if m.frames else 0)
    m.loops.append(frame)
    try:
        execute(m, node.body)
    finally:
        m.loops.pop()
    for left in (frame.continues, frame.breaks):
        if left is not None:
            m.state = m.merge(m.state, left)


# --- of known length ---


def _unroll(m: Machine, node: s.Loop, frame: LoopFrame, plain: bool, execute: Execute) -> bool:
    """Run iterations one by one while the condition is known. True: the loop has ended."""
    if m.thrifty or _is_endless(node) or node.span in m.long:
        return False
    start, mark = m.steps, m.log.mark()
    shapes: set[object] = set()
    settled = 0
    for number in range(UNROLL_PLAIN if plain else UNROLL_CUDA):
        if node.kind != "do" or number:
            known = True if node.condition is None else truth(_condition(m, node))
            if known is None:
                m.log.rewind(mark)
                return False
            if not known or m.state.dead:
                return True
        begun = m.log.mark()
        m.iterations.append(number)
        _iteration(m, node, frame, execute)
        m.iterations.pop()
        if m.state.dead:
            return True
        if plain and m.steps - start > PLAIN_STEPS:
            m.long.add(node.span)
            return False
        if m.thrifty:
            return False
        settled = 0 if _news(m, begun, shapes) else settled + 1
        if settled >= SETTLED and not plain:
            return False
        if number >= KEPT_ITERATIONS and not plain:
            m.log.rewind((len(m.log.launches), *begun[1:]))
    return False


def _is_endless(node: s.Loop) -> bool:
    return node.condition is None or (isinstance(node.condition, e.Literal) and bool(node.condition.value))


def _news(m: Machine, begun: Mark, shapes: set[object]) -> bool:
    """Whether an iteration logged a launch of a shape, or a call on a stream, that none before it did."""
    before = len(shapes)
    for fact in m.log.launches[begun[0] :]:
        shapes.add((fact.span, fact.name, fact.grid, fact.block, fact.dynamic_shared_bytes, fact.stream))
    for call in m.log.calls[begun[1] :]:
        shapes.add((call.span, call.name, call.stream, call.bytes, call.kind))
    return len(shapes) > before


def _iteration(m: Machine, node: s.Loop, frame: LoopFrame, execute: Execute) -> None:
    execute(m, node.body)
    if frame.continues is not None:
        m.state = m.merge(m.state, frame.continues)
        frame.continues = None
    if node.step is not None and not m.state.dead:
        evaluate(m, node.step)


# --- of unknown length ---


def _steady(m: Machine, node: s.Loop, frame: LoopFrame, execute: Execute, told: bool) -> None:
    """Iterations of a loop of unknown length. told: iterations of it are logged already."""
    _start(m)
    entry, after, flags = _changing(m, node, frame, execute)
    if m.discovering and not _is_endless(node):  # nothing of its iterations would be kept
        m.state = entry if after.dead else _left(entry, after, flags)
        return
    m.state = entry.copy()
    strict = node.condition is not None and any(n.name in _LENGTHS for n in find(node.condition, e.Call))
    most = _most(m, told, strict)
    for number in range(most + 1):
        if (node.kind != "do" or number) and not _goes_on(m, node, number, strict):
            break
        if m.state.dead or number == most:
            break
        begun = m.log.mark()
        m.iterations.append(f"{number}+" if told else number)
        _iteration(m, node, frame, execute)
        m.iterations.pop()
        if told and not _is_new(m, begun):
            m.log.rewind((len(m.log.launches), *begun[1:]))
        if m.state.dead:
            break
    if _is_endless(node):
        m.state.dead = True
    elif not m.state.dead:
        m.state = _left(entry, m.state, flags)


def _is_new(m: Machine, begun: Mark) -> bool:
    """Whether calls were logged that the iterations before do not have: those of a rare branch."""
    known = {call.span for call in m.log.calls[: begun[1]]}
    return any(call.span not in known for call in m.log.calls[begun[1] :])


def _start(m: Machine) -> None:
    """Variables that the loop assigns begin with a sample, so that its iterations differ in them."""
    for number in m.rounds[m.loop_ids[-1]].changes:
        variable = m.unit.variables.get(number)
        if variable is None or not isinstance(variable.type, t.Scalar):
            continue
        place = Address(m.variable(variable))
        held = m.state.load(place, variable.type.bytes, False)
        if isinstance(held, Unknown) and held.sample is None:
            m.state.store(place, sampled(held.multiple_of, MANY), variable.type.bytes)


def _most(m: Machine, told: bool, strict: bool) -> int:
    if m.discovering or m.thrifty:
        return 1
    if told or len(m.log.calls) > MANY_CALLS:
        return LEAST
    return STEADY if len(m.loop_ids) < LEAST else GUESS if strict else STEADY_INSIDE


def _goes_on(m: Machine, node: s.Loop, number: int, strict: bool) -> bool:
    """Whether the loop is taken to run once more."""
    if node.condition is None:
        return True
    value = _condition(m, node)
    known = truth(value)
    if known is not None:
        return known
    ends = isinstance(value, Unknown) and sample_of(value) == 0
    return not ends or number < (1 if strict else LEAST)


def _changing(m: Machine, node: s.Loop, frame: LoopFrame, execute: Execute) -> tuple[State, State, Flags]:
    """The state that every iteration may start from: numbers that one changes are not known. And what one of
    them leaves, and the flags that any changes.
    """
    mark, entry, breaks = m.log.mark(), m.state, frame.breaks
    frames = [(inner, inner.returned, inner.value) for inner in m.frames]
    m.discovering += 1
    m.iterations.append("*")
    flags: Flags = {}
    changed: Flags = {}
    try:
        for _ in range(ROUNDS):
            m.state = _with_flags(entry, flags)
            if node.condition is not None and node.kind != "do":
                _condition(m, node)
            if not m.state.dead:
                _iteration(m, node, frame, execute)
            if m.state.dead and frame.breaks is None:
                break
            without, left = _without_numbers(entry, m.state), _flags(entry, m.state)
            if without is None and left == flags:
                break
            entry, flags = without or entry, left
            changed |= left
    finally:
        m.iterations.pop()
        m.discovering -= 1
        frame.breaks = breaks
        for inner, returned, value in frames:
            inner.returned, inner.value = returned, value
        m.log.rewind(mark)
    return entry, m.state, changed


def _is_flag(before: Value, after: Value) -> bool:
    """Whether an iteration leaves a truth value that is known where one was, as a `made = true` does.
    The next one goes on from it.
    """
    return isinstance(before, bool) and isinstance(after, bool)


def _flags(entry: State, after: State) -> Flags:
    """The flags that an iteration has changed."""
    found: Flags = {}
    for key, right in differing(entry.objects, after.objects) if not after.dead else ():
        left = entry.objects.get(key)
        if left is None:
            continue
        for at, value in right.cells.items():
            if _is_flag(left.at(at), value) and left.at(at) != value:
                found[key, at] = value
    return found


def _with_flags(entry: State, flags: Flags) -> State:
    state = entry.copy()
    for (key, at), value in flags.items():
        contents = state.objects.get(key, LOST)
        state.objects[key] = Contents({**contents.cells, at: value}, contents.default)
    return state


def _without_numbers(entry: State, after: State) -> State | None:
    """The entry with what is unknown of the numbers that differ afterwards, but for flags; None where none
    does.
    """
    if after.dead:
        return None
    found: dict[int, Contents] = {}
    for key, right in differing(entry.objects, after.objects):
        left = entry.objects.get(key)
        if left is None:
            continue
        merged = merge_contents(left, right)
        if merged is left:
            continue
        cells = {
            k: left.at(k) if is_structure(left.at(k)) or _is_flag(left.at(k), right.at(k)) else v
            for k, v in merged.cells.items()
        }
        default = left.default if is_structure(left.default) else merged.default
        if (cells, default) != (left.cells, left.default):
            found[key] = Contents(cells, default)
    if not found:
        return None
    state = entry.copy()
    state.objects.update(found)
    return state


def _left(entry: State, state: State, flags: Flags) -> State:
    """What holds after the loop: a pointer that its iterations change may be any of its values, and a flag
    either, since nobody knows how many there were.
    """
    state = _with_flags(state, dict.fromkeys(flags, UNKNOWN))
    result = state.copy()
    for key, after in differing(entry.objects, state.objects):
        before = entry.objects.get(key)
        if before is None:
            continue
        changed = {
            k: merge(before.cells[k], v)
            for k, v in after.cells.items()
            if k in before.cells
            and is_structure(v)
            and is_structure(before.cells[k])
            and before.cells[k] != v
        }
        if changed:
            result.objects[key] = Contents({**after.cells, **changed}, after.default)
    return result


# --- of plain host code ---


def _widen(m: Machine, node: s.Loop, frame: LoopFrame, execute: Execute) -> None:
    """Run the body until what it may start from no longer changes."""
    mark = m.log.mark()
    begun = m.state
    entry = _resumed(m, node)
    m.iterations.append("*")
    for number in range(ROUNDS):
        m.log.rewind(mark)
        watched = len(m.watched)
        m.state = entry.copy()
        first = node.kind == "do"
        left = None if first else _test(m, node)
        if m.state.dead:
            m.iterations.pop()
            m.state = left if left is not None else m.state
            return
        _iteration(m, node, frame, execute)
        if first and not m.state.dead:
            left = _test(m, node)
        after = m.merge(entry, m.state)
        if stable(entry, after) and len(m.watched) == watched:
            break
        entry = _lost(entry, after) if number == ROUNDS - 2 else after
    m.iterations.pop()
    m.widened[id(node)] = begun, entry
    m.state = State(dead=True) if _is_endless(node) else (left if left is not None else after)


def _resumed(m: Machine, node: s.Loop) -> State:
    """What the body may start from: where the loop was run before, from a state that told no less than this
    one, also what it started from in the end then, so that it is not found out anew in each round of a
    loop outside.
    """
    known = m.widened.get(id(node))
    if known is None or not stable(m.state, known[0]):
        return m.state
    before, settled = known
    changed = {
        key: merge_contents(m.state.objects[key], contents)
        for key, contents in differing(before.objects, settled.objects)
        if key in m.state.objects
    }
    return replace(m.state, objects=m.state.objects | changed)


def _test(m: Machine, node: s.Loop) -> State | None:
    """Evaluate the condition; the state in which the loop is left, if it can be."""
    if node.condition is None:
        return None
    known = truth(_condition(m, node))
    left = m.state.copy()
    if known is False:
        m.state.dead = True
    return left


def _lost(before: State, after: State) -> State:
    """What still changes after several rounds is not known at all, but for what a number is at most."""
    result = after.copy()
    for key, contents in differing(before.objects, after.objects):
        old = before.objects.get(key)
        if old is not None and old != contents:
            cells: dict[int, Value] = {
                at: value if value == old.at(at) else Unknown(most=most)
                for at, value in contents.cells.items()
                if value == old.at(at) or ((most := most_of(value)) and most == most_of(old.at(at)))
            }
            result.objects[key] = Contents(cells, LOST.default) if cells else LOST
    return result
