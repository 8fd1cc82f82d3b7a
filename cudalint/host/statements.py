"""Statements of host code: branches merge."""

import contextlib

from msgspec.structs import replace

from cudalint.host import lifetimes, loops, rest
from cudalint.host.calls import returns_reference
from cudalint.host.conditions import learn, learn_equal, note
from cudalint.host.evaluate import evaluate, evaluate_into, locate, value_and_place, variable_place
from cudalint.host.library import ENDS
from cudalint.host.machine import LoopFrame, Machine
from cudalint.host.memory import EMPTY, State
from cudalint.host.stored import write
from cudalint.host.values import UNKNOWN, Address, Value, candidates, convert, merge, near, sample_of, truth
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import walk

_CONSTANT = e.InitList | e.Literal | e.Cast | e.Unary  # what an initialiser of numbers alone is made of


def execute(m: Machine, node: s.Statement) -> None:
    """Run one statement, unless control does not come here."""
    if m.state.dead:
        return
    match node:
        case s.Block(body=body):
            _block(m, body)
        case s.Evaluate(expression=expression):
            evaluate(m, expression)
        case s.Declare():
            _declare(m, node)
        case s.If():
            _if(m, node)
        case s.Loop():
            loops.run(m, node, execute)
        case s.Switch():
            _switch(m, node)
        case s.Break():
            if m.loops:
                _end_scopes(m, m.loops[-1].depth)
                m.loops[-1].breaks = m.leave(m.loops[-1].breaks)
        case s.Continue():
            frame = next((f for f in reversed(m.loops) if not f.switch), None)
            if frame is not None:
                _end_scopes(m, frame.depth)
                frame.continues = m.leave(frame.continues)
        case s.Return():
            _return(m, node)
        case s.Opaque():
            _opaque(m, node)


def _block(m: Machine, body: tuple[s.Statement, ...]) -> None:
    scopes = m.frames[-1].scopes if m.frames else []
    outermost = len(m.frames) == 1 and not scopes
    scopes.append(body)
    try:
        for index, inner in enumerate(body):
            if outermost:
                rest.comes(m, body, index)
            if m.state.dead:
                return
            execute(m, inner)
    finally:
        scopes.pop()
    if not m.state.dead:
        lifetimes.ends(m, body)


def _end_scopes(m: Machine, depth: int, kept: e.Expression | None = None) -> None:
    """Control leaves the scopes of its function beyond a depth."""
    if m.frames:
        for body in reversed(m.frames[-1].scopes[depth:]):
            lifetimes.ends(m, body, kept)


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
    held, writes = m.state.objects.get(number), m.state.writes.get(number, 0)
    m.state.objects[number] = EMPTY
    if node.initial is None:
        return
    value = evaluate_into(m, node.initial, Address(number, 0))
    if isinstance(value, Address):
        m.name_buffer(value.object, number)
    note(m, variable, node.initial, value)
    write(m, Address(number, 0), convert(value, variable.type), variable.type)
    if held == m.state.objects[number] and all(isinstance(one, _CONSTANT) for one in walk(node.initial)):
        m.state.writes[number] = writes  # the same again: no change


def bind(m: Machine, variable: e.Variable, initial: e.Expression | None) -> None:
    """A reference becomes another name of its referent."""
    if initial is None:
        m.state.bindings[variable.id] = UNKNOWN
        return
    value, place = value_and_place(m, initial)
    if not candidates(place) and not _is_lvalue(initial):
        if isinstance(initial, e.Call) and returns_reference(m, initial) and isinstance(value, Address):
            place = value
        else:
            place = m.allocate(initial, "pageable", initial.type.bytes or None, variable.name)
            write(m, place, value, initial.type)
    m.state.bindings[variable.id] = place


def _is_lvalue(node: e.Expression) -> bool:
    """Whether an expression names what is somewhere, also where nobody knows where."""
    while isinstance(node, e.Member):
        node = node.base
    return isinstance(node, (e.VariableReference, e.Index, e.Dereference))


def _return(m: Machine, node: s.Return) -> None:
    value: Value = 0
    if node.value is not None:
        returns = m.frames[-1].function.returns if m.frames else t.VOID
        refers = isinstance(returns, t.Reference)
        value = locate(m, node.value) if refers else convert(evaluate(m, _handed(node.value)), returns)
    _end_scopes(m, 0, node.value)
    if m.frames and not m.state.dead:
        frame = m.frames[-1]
        frame.value = value if frame.returned is None or frame.value is None else merge(frame.value, value)
        frame.returned = m.leave(frame.returned)
    m.state.dead = True


def _handed(value: e.Expression) -> e.Expression:
    """What a function returns: a local object itself, which compilers hand to the caller or move there, and
    not a copy of it.
    """
    match value:
        case e.Construct(arguments=(e.VariableReference(variable=variable) as local,), type=kind):
            own = variable.storage == "local" and not variable.static
            return local if own and variable.type == kind else value
    return value


def _opaque(m: Machine, node: s.Opaque) -> None:
    m.host_work(node.reason, node.span, unseen=True)
    for operand in node.operands:
        value, place = value_and_place(m, operand)
        m.forget(value)
        if isinstance(place, Address):
            write(m, place, UNKNOWN, operand.type)


def _if(m: Machine, node: s.If) -> None:
    outcome = evaluate(m, node.condition)
    known = truth(outcome)
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
        _arm(m, node.then)
    after = m.state
    m.state = before
    only = _leaves_for_good(m, node.then)  # then all that goes on comes by the other arm
    with contextlib.nullcontext() if only else m.under_condition(node, False):
        learn(m, node.condition, False, locate, evaluate)
        if node.otherwise is not None:
            _arm(m, node.otherwise)
    skipped = sample_of(outcome) == 0  # numbers go on with what the arm leaves that samples take
    sampled = m.state if skipped else after
    m.state = m.merge(m.state, after) if skipped else m.merge(after, m.state)
    if sample_of(outcome) is not None and not m.state.dead:
        _go_round(m, node, sampled)


def _arm(m: Machine, arm: s.Statement) -> None:
    """Run an arm that may be taken. What calls write in one that ends the program is no matter after it."""
    ends = _ends_program(arm)
    fresh = m.fresh.strays, m.fresh.hidden
    m.ending += ends
    execute(m, arm)
    m.ending -= ends
    if ends and m.state.dead:
        m.fresh.strays, m.fresh.hidden = fresh


def _ends_program(arm: s.Statement) -> bool:
    """Whether the last that an arm does is to end the program, or to throw."""
    while isinstance(arm, s.Block) and arm.body:
        arm = arm.body[-1]
    match arm:
        case s.Loop(body=body) if loops.is_once(arm):
            return _ends_program(body)
        case s.If(then=then, otherwise=otherwise):
            return otherwise is not None and _ends_program(then) and _ends_program(otherwise)
        case s.Evaluate(expression=e.Call(name=name)):
            return name in ENDS
        case s.Evaluate(expression=e.Unknown(reason=reason)):
            return reason == "throw"
    return False


def _leaves_for_good(m: Machine, arm: s.Statement) -> bool:
    """Whether an arm ends with a return, or with a break of the loop."""
    while isinstance(arm, s.Block) and arm.body:
        arm = arm.body[-1]
    breaks = isinstance(arm, s.Break) and bool(m.loops) and not m.loops[-1].switch
    return isinstance(arm, s.Return) or breaks


def _go_round(m: Machine, node: s.If, taken: State) -> None:
    """`if (++it == end) it = begin`: an iterator goes on, too, with what the arm leaves that samples take."""
    written = node.then.body if isinstance(node.then, s.Block) else (node.then,)
    only = written[0] if len(written) == 1 and node.otherwise is None else None
    assign = only.expression if isinstance(only, s.Evaluate) else None
    if not isinstance(assign, e.Assign) or not isinstance(assign.target.type, t.Record | t.Pointer):
        return
    place = locate(m, assign.target)
    if not isinstance(place, Address) or place.offset is None:
        return
    held, by_sample = m.state.load(place, 8, False), taken.load(place, 8, False)
    if isinstance(held, Address) and held.offset is None and isinstance(by_sample, Address):
        at = replace(held, near=near(by_sample), followed=True)
        m.state.store(place, at, 8)


def explore(m: Machine, node: s.Statement) -> None:
    """Look for launches where control does not come: each such place once, and nothing else is kept. Further
    walks are not asked for such launches.
    """
    if m.quiet or id(node) in m.explored or not m.reach.launches(node):
        return
    m.explored.add(id(node))
    state, mark, loops = m.state, m.log.mark(), m.loops
    watched = set(m.watched)
    frames = [(frame, frame.returned, frame.value) for frame in m.frames]
    m.state, m.loops = state.copy(), [LoopFrame(depth=len(m.frames[-1].scopes) if m.frames else 0)]
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


def assume(m: Machine, variable: e.Variable, value: int) -> None:
    """The variable holds that number, and so does what was made of it before, as a `dim3`."""
    place = variable_place(m, variable)
    if isinstance(place, Address) and isinstance(variable.type, t.Scalar):
        learn_equal(m, m.state.load(place, variable.type.bytes, False), value)
        write(m, place, value, variable.type)


# --- switch ---


def _switch(m: Machine, node: s.Switch) -> None:
    subject = evaluate(m, node.subject)
    if m.state.dead:
        return
    frame = LoopFrame(switch=True, depth=len(m.frames[-1].scopes) if m.frames else 0)
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
