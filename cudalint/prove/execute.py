"""Statements of a symbolic run."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import z3

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Record, Reference, Type
from cudalint.prove.evaluate import condition, converted, evaluate, numeric, place
from cudalint.prove.loops import run as run_loop
from cudalint.prove.machine import Left, Machine, Path, Scope
from cudalint.prove.memory import write
from cudalint.prove.values import Number, Pointer, Term, Value, conj, disj, negate, whole_of


def execute(m: Machine, node: s.Statement) -> None:
    """Run one statement where the run stands; a run that has ended does nothing."""
    if m.path is None:
        return
    m.step()
    _EXECUTE[type(node)](m, node)


def _block(m: Machine, node: s.Block) -> None:
    for statement in node.body:
        execute(m, statement)


def _declare(m: Machine, node: s.Declare) -> None:
    variable = node.variable
    if variable.storage == "shared":
        return
    if isinstance(variable.type, Reference):
        m.bound[variable.id] = (
            place(m, node.initial) if node.initial is not None else Pointer((), "an unbound reference")
        )
        return
    value = evaluate(m, node.initial) if node.initial is not None else None
    memory = m.private(variable.name)
    m.variables[variable.id] = memory
    m.bound.pop(variable.id, None)
    if _has_union(m, variable.type):
        m.forget(memory)
    if value is None or node.initial is None:
        return
    if isinstance(value, Number):
        value = converted(m, value, node.initial.type, variable.type)
    if isinstance(value, Pointer) and isinstance(variable.type, Array | Record):
        m.forget(memory)  # an array copied from elsewhere
        return
    write(m, whole_of(memory), value, variable.type, node.initial)


def _has_union(m: Machine, type: Type) -> bool:
    while isinstance(type, Array):
        type = type.element
    if not isinstance(type, Record):
        return False
    layout = m.unit.records.get(type.name)
    if layout is None:
        return True
    ends = sorted((f.offset, f.offset + f.type.bytes) for f in layout.fields)
    overlap = any(a[1] > b[0] for a, b in pairwise(ends))
    bits = any(f.bits is not None for f in layout.fields)
    return layout.union or overlap or bits or any(_has_union(m, f.type) for f in layout.fields)


def _evaluate(m: Machine, node: s.Evaluate) -> None:
    evaluate(m, node.expression)


def _if(m: Machine, node: s.If) -> None:
    test = condition(m, node.condition)
    if m.path is None:
        return
    if z3.is_true(test) or z3.is_false(test):
        chosen = node.then if z3.is_true(test) else node.otherwise
        if chosen is not None:
            execute(m, chosen)
        return
    path, env = m.path, m.env
    ways: list[Left] = []
    for side, arm in ((test, node.then), (negate(test), node.otherwise)):
        m.path, m.env = (*path, side), dict(env)
        if arm is not None:
            execute(m, arm)
        if m.path is not None:
            ways.append(Left(m.path, m.env))
    m.merge(ways)


def _switch(m: Machine, node: s.Switch) -> None:
    subject = numeric(m, node.subject)
    if m.path is None:
        return
    path, env = m.path, m.env
    scope = Scope()
    frame = m.frames[-1]
    frame.scopes.append(scope)
    returned = len(frame.returns)
    entries = _entries(node, subject)
    ways: list[Left] = []
    current: Left | None = None
    for index, statement in enumerate(node.body):
        arriving = [current] if current is not None else []
        if index in entries:
            arriving.append(Left((*path, entries[index]), dict(env)))
        m.merge(arriving)
        execute(m, statement)
        current = Left(m.path, m.env) if m.path is not None else None
    frame.scopes.pop()
    if current is not None:
        ways.append(current)
    if not any(case.value is None for case in node.cases):
        ways.append(Left((*path, negate(disj([_matches(subject, c.value) for c in node.cases]))), dict(env)))
    ways += scope.breaks
    if frame.scopes:
        frame.scopes[-1].continues += scope.continues
    complete = not scope.continues and len(frame.returns) == returned and _plain(path, ways)
    m.merge(ways)
    if complete and m.path is not None:
        m.path = path


def _plain(path: Path, ways: list[Left]) -> bool:
    """Whether the ways out of a switch say no more than the case that they come from."""
    return sum(len(way.path) - len(path) for way in ways) == len(ways)


def _entries(node: s.Switch, subject: Number) -> dict[int, Term]:
    """Under which condition the switch enters at which statement."""
    found: dict[int, list[Term]] = {}
    all_cases = [_matches(subject, case.value) for case in node.cases if case.value is not None]
    for case in node.cases:
        test = _matches(subject, case.value) if case.value is not None else negate(disj(all_cases))
        found.setdefault(case.index, []).append(test)
    return {index: disj(tests) for index, tests in found.items()}


def _matches(subject: Number, value: int | None) -> Term:
    if value is None:
        return z3.BoolVal(False)
    if subject.constant is not None:
        return z3.BoolVal(subject.constant == value)
    return subject.term == value


def _break(m: Machine, node: s.Break) -> None:
    _leave(m, "breaks", node)


def _continue(m: Machine, node: s.Continue) -> None:
    _leave(m, "continues", node)


def _leave(m: Machine, how: str, node: s.Statement) -> None:
    scopes = m.frames[-1].scopes
    if scopes and m.path is not None:
        getattr(scopes[-1], how).append(Left(m.path, m.env))
    m.path = None


def _return(m: Machine, node: s.Return) -> None:
    frame = m.frames[-1]
    value: Value | None = None
    if node.value is not None:
        if isinstance(frame.function.returns, Reference):
            value = place(m, node.value)
        else:
            value = evaluate(m, node.value)
            if isinstance(value, Number):
                value = converted(m, value, node.value.type, frame.function.returns)
    if m.path is not None:
        if len(m.frames) == 1:
            m.exits.append(conj(m.path))
        frame.returns.append(Left(m.path, m.env, value))
    m.path = None


def _opaque(m: Machine, node: s.Opaque) -> None:
    for operand in node.operands:
        evaluate(m, operand)
    m.lose(node.reason, node.span)
    for operand in node.operands:
        if isinstance(operand, e.VariableReference):
            with m.quietly():
                for target in place(m, operand).targets:
                    if target.object.space == "local":
                        m.forget(target.object)
    if m.path is not None:
        maybe = m.doubt(node.reason, "b")
        m.barrier(node.span, path=(*m.path, maybe), checked=False)
        m.assume(m.doubt(node.reason))


def _loop(m: Machine, node: s.Loop) -> None:
    run_loop(m, node, execute)


_EXECUTE: dict[type, Callable[[Machine, Any], None]] = {
    s.Block: _block,
    s.Declare: _declare,
    s.Evaluate: _evaluate,
    s.If: _if,
    s.Loop: _loop,
    s.Switch: _switch,
    s.Break: _break,
    s.Continue: _continue,
    s.Return: _return,
    s.Opaque: _opaque,
}
