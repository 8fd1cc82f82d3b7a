"""Functions as objects: what a std::function calls, and bodies that threads and asynchronous tasks run."""

import re

from msgspec.structs import replace

from cudalint.analyses.cuda_reach import FUNCTION, THREAD
from cudalint.host import closures, monitors
from cudalint.host.containers import take
from cudalint.host.log import Log, Start, Task
from cudalint.host.machine import Machine
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Aggregate,
    Callee,
    Value,
    callees,
    candidates,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function

_FUTURE = re.compile(r"std::(shared_)?future<.*>")
_RESULTS = ("get", "wait", "wait_for", "wait_until")
Pair = tuple[Value, Value]  # an argument's value and its place


def construct(m: Machine, node: e.Construct, name: str, arguments: tuple[Pair, ...]) -> Value | None:
    """A std::function or a std::thread that is made; None for other classes."""
    if FUNCTION.match(name) and len(arguments) < 2:
        value = arguments[0][0] if arguments else 0
        if arguments:
            take(m, node.arguments[0], arguments[0][1])
        return value if isinstance(value, Aggregate) else Aggregate(((0, value),), UNKNOWN)
    if THREAD.fullmatch(name) and arguments and held(arguments[0][0]):
        start(m, node.arguments, arguments)
        return Aggregate((), UNKNOWN)
    return None


def call(m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]) -> Value | None:
    """A call of a std::function, a new value for one, or std::async; None for other calls."""
    if receiver is not None:
        if node.name in _RESULTS and _is_of(node, _FUTURE):
            m.thread_waits.add(node.span)
        if node.name == "join" and _is_of(node, THREAD):
            m.thread_waits.add(node.span)
            joined(m)
        return _of_function(m, node, receiver, arguments)
    if node.qualified == "std::async" and arguments:
        policy = isinstance(arguments[0][0], int)
        start(m, node.arguments[policy:], arguments[policy:])
        return UNKNOWN
    if node.name in ("ref", "cref") and node.qualified.startswith("std::") and arguments:
        return Aggregate(((0, arguments[0][1]),), UNKNOWN)
    return None


def _is_of(node: e.Call, class_: re.Pattern[str]) -> bool:
    """Whether a method is called of an object of a class."""
    type_ = node.receiver.type if node.receiver is not None else t.VOID
    return isinstance(type_, t.Record) and class_.fullmatch(type_.name) is not None


def _of_function(m: Machine, node: e.Call, receiver: Pair, arguments: tuple[Pair, ...]) -> Value | None:
    assert node.receiver is not None
    type_ = node.receiver.type
    if not (isinstance(type_, t.Record) and FUNCTION.match(type_.name)):
        return None
    value, place = receiver
    holder = place if isinstance(place, Address) else value
    match node.name:
        case "operator=" if arguments and isinstance(holder, Address):
            new = arguments[0][0]
            take(m, node.arguments[0], arguments[0][1])
            m.state.store(holder, dict(new.cells).get(0, UNKNOWN) if isinstance(new, Aggregate) else new, 8)
            return holder
        case "operator bool" if held(value):
            return True
        case "operator()":
            return _invoke(m, node, held(value), arguments)
    return None


def held(value: Value) -> tuple[Callee, ...]:
    """The functions that a function object may call."""
    return callees(dict(value.cells).get(0, value.default) if isinstance(value, Aggregate) else value)


def _invoke(
    m: Machine, node: e.Call, several: tuple[Callee, ...], arguments: tuple[Pair, ...]
) -> Value | None:
    """Run the one function that is called, or each that may be, as branches that merge."""
    functions = [(one, m.unit.functions.get(one.key)) for one in several]
    known = [(one, f) for one, f in functions if f is not None and m.may_enter(f)]
    if not known or len(known) < len(functions):
        return None
    if len(known) == 1:
        with closures.entered(m, known[0][0]):
            return _run(m, known[0][1], node, arguments)
    before, after = m.state, None
    for index, (closure, function) in enumerate(known):
        m.state = before.copy()
        with m.under_condition(node, index), closures.entered(m, closure):
            _run(m, function, node, arguments)
        after = m.state if after is None else m.merge(after, m.state)
    m.state = after if after is not None else before
    return UNKNOWN


def _run(m: Machine, function: Function, node: e.Call | e.Construct, arguments: tuple[Pair, ...]) -> Value:
    """A function with arguments; the first one is the object, where it is a method's."""
    this = None
    if function.this is not None and arguments:
        (value, place), arguments = arguments[0], arguments[1:]
        this = value if candidates(value) else place
    values = tuple(value for value, _ in arguments)
    places = tuple(place for _, place in arguments)
    return m.run_function(m, function, values, places, this, node.span)


# --- threads ---


def start(m: Machine, written: tuple[e.Expression, ...], arguments: tuple[Pair, ...]) -> None:
    """Another thread runs a function: its calls are a walk of their own, from the memory as it is now."""
    several = held(arguments[0][0]) if arguments else ()
    function = m.unit.functions.get(several[0].key) if len(several) == 1 else None
    m.strange_threads |= function is None or not m.may_enter(function)
    if function is None or m.state.dead or m.discovering or m.unreached or not m.may_enter(function):
        return
    known = m.tasks.get(function.key)
    if known is not None:
        m.tasks[function.key] = replace(known, several=True)
        return
    given = tuple(_referred(*each) for each in zip(written[1:], arguments[1:], strict=True))
    node = e.Call(function.key, function.name, function.qualified, written[1:], None, t.VOID, function.span)
    _walk(m, Start(function, node, given), several=bool(m.iterations))


def _walk(m: Machine, start: Start, several: bool) -> None:
    """What a thread does, from the memory as it is now."""
    log, key = Log(), start.function.key
    m.tasks[key] = Task(log, several)
    before = m.state.copy()
    with m.another_walk(key, log):
        _run(m, start.function, start.node, start.arguments)
    m.state = m.merge(before, m.state)
    m.tasks[key] = replace(m.tasks[key], waits=start if monitors.has_waited(log) else None)


def joined(m: Machine) -> None:
    """Threads that waited for others are run again: all is there now that these were to bring."""
    if m.state.dead or m.discovering or m.unreached:
        return
    for task in list(m.tasks.values()):
        if task.waits is not None and m.may_enter(task.waits.function):
            _walk(m, task.waits, task.several)
            m.tasks[task.waits.function.key] = replace(m.tasks[task.waits.function.key], waits=None)


def _referred(written: e.Expression, pair: Pair) -> Pair:
    """What std::ref refers to."""
    value, _ = pair
    type_ = written.type.target if isinstance(written.type, t.Reference) else written.type
    wraps = isinstance(type_, t.Record) and type_.name.startswith("std::reference_wrapper<")
    if not wraps or not isinstance(value, Aggregate):
        return pair
    inner = dict(value.cells).get(0, UNKNOWN)
    return inner, inner
