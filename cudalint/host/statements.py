"""Statements of host code: branches merge, loops unroll within a budget and then widen."""

from cudalint.host import trip_counts
from cudalint.host.calls import returns_reference
from cudalint.host.conditions import learn, note
from cudalint.host.evaluate import evaluate, locate, value_and_place, variable_place, write
from cudalint.host.machine import LoopFrame, Machine, Mark
from cudalint.host.memory import EMPTY, LOST, State, stable
from cudalint.host.values import UNKNOWN, Address, Value, convert, merge, truth
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t

UNROLL_CUDA = 40  # iterations of a loop with CUDA calls in it that are run one by one
UNROLL_PLAIN = 64  # of a loop of plain host code, as long as it stays short
PLAIN_STEPS = 700
UNROLL_ENDLESS = 2  # of a loop whose condition is always true
SETTLED = 4  # iterations without a new launch or call shape before a loop is widened
KEPT_ITERATIONS = 4  # of an unrolled loop stay in the log of calls; the launches of all do
ROUNDS = 4  # of widening, at most


def execute(m: Machine, node: s.Statement) -> None:
    """Run one statement, unless control does not come here."""
    if m.state.dead:
        return
    match node:
        case s.Block(body=body):
            for inner in body:
                if m.state.dead:
                    return
                execute(m, inner)
        case s.Evaluate(expression=expression):
            evaluate(m, expression)
        case s.Declare():
            _declare(m, node)
        case s.If():
            _if(m, node)
        case s.Loop():
            _loop(m, node)
        case s.Switch():
            _switch(m, node)
        case s.Break():
            if m.loops:
                m.loops[-1].breaks = m.leave(m.loops[-1].breaks)
        case s.Continue():
            frame = next((f for f in reversed(m.loops) if not f.switch), None)
            if frame is not None:
                frame.continues = m.leave(frame.continues)
        case s.Return():
            _return(m, node)
        case s.Opaque():
            _opaque(m, node)


def _declare(m: Machine, node: s.Declare) -> None:
    variable = node.variable
    if isinstance(variable.type, t.Reference):
        if not (variable.static and variable.id in m.state.bindings):
            bind(m, variable, node.initial)
        return
    m.state.bindings.pop(variable.id, None)
    number = m.variable(variable)
    if variable.storage == "shared" or (variable.static and number in m.state.objects):
        return
    m.state.objects[number] = EMPTY
    if node.initial is None:
        return
    value = evaluate(m, node.initial)
    if isinstance(value, Address):
        m.name_buffer(value.object, number)
    note(m, variable, node.initial, value)
    write(m, Address(number, 0), convert(value, variable.type), variable.type)


def bind(m: Machine, variable: e.Variable, initial: e.Expression | None) -> None:
    """A reference becomes another name of its referent."""
    if initial is None:
        m.state.bindings[variable.id] = UNKNOWN
        return
    value, place = value_and_place(m, initial)
    if not isinstance(place, Address) and not isinstance(
        initial, (e.VariableReference, e.Index, e.Dereference)
    ):
        if isinstance(initial, e.Call) and returns_reference(m, initial) and isinstance(value, Address):
            place = value
        else:
            place = m.allocate(initial, "pageable", initial.type.bytes or None, variable.name)
            write(m, place, value, initial.type)
    m.state.bindings[variable.id] = place


def _return(m: Machine, node: s.Return) -> None:
    value: Value = 0
    if node.value is not None:
        returns = m.frames[-1].function.returns if m.frames else t.VOID
        value, place = value_and_place(m, node.value)
        value = place if isinstance(returns, t.Reference) else convert(value, returns)
    if m.frames and not m.state.dead:
        frame = m.frames[-1]
        frame.value = value if frame.returned is None or frame.value is None else merge(frame.value, value)
        frame.returned = m.leave(frame.returned)
    m.state.dead = True


def _opaque(m: Machine, node: s.Opaque) -> None:
    m.host_work(node.reason, node.span, unseen=True)
    for operand in node.operands:
        value, place = value_and_place(m, operand)
        m.forget(value)
        if isinstance(place, Address):
            write(m, place, UNKNOWN, operand.type)


def _if(m: Machine, node: s.If) -> None:
    known = truth(evaluate(m, node.condition))
    if m.state.dead:
        return
    if known is not None:
        taken, other = (node.then, node.otherwise) if known else (node.otherwise, node.then)
        if other is not None:
            explore(m, other)
        if taken is not None:
            execute(m, taken)
        return
    before = m.state.copy()
    with m.under_condition(node, True):
        learn(m, node.condition, True, locate, evaluate)
        execute(m, node.then)
    after = m.state
    m.state = before
    with m.under_condition(node, False):
        learn(m, node.condition, False, locate, evaluate)
        if node.otherwise is not None:
            execute(m, node.otherwise)
    m.state = m.merge(after, m.state)


def explore(m: Machine, node: s.Statement) -> None:
    """Look for launches where control does not come: each such place once, and nothing else is kept."""
    if id(node) in m.explored or not m.reach.launches(node):
        return
    m.explored.add(id(node))
    state, mark, loops = m.state, m.log.mark(), m.loops
    watched = set(m.watched)
    frames = [(frame, frame.returned, frame.value) for frame in m.frames]
    m.state, m.loops = state.copy(), [LoopFrame()]
    m.unreached += 1
    try:
        with m.under_condition(node):
            execute(m, node)
    finally:
        m.unreached -= 1
        m.state, m.loops, m.watched = state, loops, watched
        for frame, returned, value in frames:
            frame.returned, frame.value = returned, value
        m.log.rewind((len(m.log.launches), *mark[1:]))


def _plain(node: e.Expression) -> e.Variable | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.variable if isinstance(node, e.VariableReference) else None


def _constant(node: e.Expression) -> int | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.value if isinstance(node, e.Literal) and isinstance(node.value, int) else None


def assume(m: Machine, variable: e.Variable, value: int) -> None:
    place = variable_place(m, variable)
    if isinstance(place, Address) and isinstance(variable.type, t.Scalar):
        write(m, place, value, variable.type)


# --- switch ---


def _switch(m: Machine, node: s.Switch) -> None:
    subject = evaluate(m, node.subject)
    if m.state.dead:
        return
    frame = LoopFrame(switch=True)
    m.loops.append(frame)
    try:
        if isinstance(subject, int):
            _known_switch(m, node, int(subject))
        else:
            _unknown_switch(m, node)
    finally:
        m.loops.pop()
    if frame.breaks is not None:
        m.state = m.merge(m.state, frame.breaks)


def _known_switch(m: Machine, node: s.Switch, subject: int) -> None:
    default = next((c for c in node.cases if c.value is None), None)
    case = next((c for c in node.cases if c.value == subject), default)
    if case is not None:
        _from(m, node, case.index)


def _from(m: Machine, node: s.Switch, index: int) -> None:
    for statement in node.body[index:]:
        if m.state.dead:
            return
        execute(m, statement)


def _unknown_switch(m: Machine, node: s.Switch) -> None:
    before = m.state
    variable = _plain(node.subject)
    after: State | None = None
    for case in node.cases:
        m.state = before.copy()
        if case.value is not None and variable is not None:
            assume(m, variable, case.value)
        with m.under_condition(node, case.index):
            _from(m, node, case.index)
        after = m.state if after is None else m.merge(after, m.state)
    if after is None or all(c.value is not None for c in node.cases):
        after = before if after is None else m.merge(after, before)
    m.state = after


# --- loops ---


def _loop(m: Machine, node: s.Loop) -> None:
    plain = not m.reach.statement(node)
    if not plain and _is_once(node):
        _once(m, node)
        return
    if node.initial is not None:
        execute(m, node.initial)
    if plain:
        m.host_work("loop", node.span)
        m.muted += 1
    else:
        m.next_loop += 1
        m.loop_ids.append(m.next_loop)
        trip_counts.note(m, node, m.next_loop)
    frame = LoopFrame()
    m.loops.append(frame)
    try:
        if not _unroll(m, node, frame, plain):
            _widen(m, node, frame)
    finally:
        m.loops.pop()
        if plain:
            m.muted -= 1
        else:
            m.loop_ids.pop()
    if frame.breaks is not None:
        m.state = m.merge(m.state, frame.breaks)


def _is_once(node: s.Loop) -> bool:
    """`do { ... } while (0)`, as macros are written: no loop, but break and continue leave it."""
    return node.kind == "do" and node.condition is not None and _constant(node.condition) == 0


def _once(m: Machine, node: s.Loop) -> None:
    frame = LoopFrame()
    m.loops.append(frame)
    try:
        execute(m, node.body)
    finally:
        m.loops.pop()
    for left in (frame.continues, frame.breaks):
        if left is not None:
            m.state = m.merge(m.state, left)


def _unroll(m: Machine, node: s.Loop, frame: LoopFrame, plain: bool) -> bool:
    """Run iterations one by one while the condition is known. True: the loop has ended."""
    if m.thrifty:
        return False
    start, mark = m.steps, m.log.mark()
    most = UNROLL_PLAIN if plain else UNROLL_CUDA
    if node.condition is None or isinstance(node.condition, e.Literal):
        most = UNROLL_ENDLESS
    shapes: set[object] = set()
    settled = 0
    for number in range(most):
        if node.kind != "do" or number:
            known = True if node.condition is None else truth(evaluate(m, node.condition))
            if known is None:
                return _undone(m, mark, number)
            if not known or m.state.dead:
                return True
        begun = m.log.mark()
        m.iterations.append(number)
        _iteration(m, node, frame)
        m.iterations.pop()
        if m.state.dead:
            return True
        if (plain and m.steps - start > PLAIN_STEPS) or m.thrifty:
            return False
        settled = 0 if _news(m, begun, shapes) else settled + 1
        if settled >= SETTLED and not plain:
            return False
        if number >= KEPT_ITERATIONS and not plain:
            m.log.rewind((len(m.log.launches), *begun[1:]))
    return False


def _undone(m: Machine, mark: Mark, number: int) -> bool:
    """The condition became unknown after some iterations: they stay in the log, widening adds its own."""
    if number == 1:
        m.log.rewind(mark)
    return False


def _news(m: Machine, begun: Mark, shapes: set[object]) -> bool:
    """Whether an iteration logged a launch of a shape, or a call on a stream, that none before it did."""
    before = len(shapes)
    for fact in m.log.launches[begun[0] :]:
        shapes.add((fact.span, fact.name, fact.grid, fact.block, fact.dynamic_shared_bytes, fact.stream))
    for call in m.log.calls[begun[1] :]:
        shapes.add((call.span, call.name, call.stream, call.bytes, call.kind))
    return len(shapes) > before


def _iteration(m: Machine, node: s.Loop, frame: LoopFrame) -> None:
    execute(m, node.body)
    if frame.continues is not None:
        m.state = m.merge(m.state, frame.continues)
        frame.continues = None
    if node.step is not None and not m.state.dead:
        evaluate(m, node.step)


def _widen(m: Machine, node: s.Loop, frame: LoopFrame) -> None:
    """Run the body until what it may start from no longer changes; log its last run."""
    mark = m.log.mark()
    entry = m.state
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
        _iteration(m, node, frame)
        if first and not m.state.dead:
            left = _test(m, node)
        after = m.merge(entry, m.state)
        if stable(entry, after) and len(m.watched) == watched:
            break
        entry = lost(entry, after) if number == ROUNDS - 2 else after
    m.iterations.pop()
    m.state = State(dead=True) if _endless(node) else (left if left is not None else after)


def _test(m: Machine, node: s.Loop) -> State | None:
    """Evaluate the condition; the state in which the loop is left, if it can be."""
    if node.condition is None:
        return None
    known = truth(evaluate(m, node.condition))
    left = m.state.copy()
    if known is False:
        m.state.dead = True
    return left


def _endless(node: s.Loop) -> bool:
    return node.condition is None or (isinstance(node.condition, e.Literal) and bool(node.condition.value))


def lost(before: State, after: State) -> State:
    """What still changes after several rounds is not known at all."""
    result = after.copy()
    for key, contents in after.objects.items():
        old = before.objects.get(key)
        if old is not None and old is not contents and old != contents:
            result.objects[key] = LOST
    return result
