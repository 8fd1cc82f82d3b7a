"""Code that no thread of the kernel as it is launched comes to: the arms that a parameter keeps from being
taken, where every call passes the same constant, and those that constants rule out.
"""

from collections.abc import Iterator, Sequence

from cudalint.analyses.decided import decided, passed_over, same_always
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.launch.configure import MAX_CONFIGURATIONS
from cudalint.simt.launch.kernel_run import Run


def dead_code(
    unit: Unit, function: Function, runs: Sequence[Run], *further: Run, constants: bool = False
) -> frozenset[int]:
    """The statements and expressions, by identity, of the kernel and of what it calls that are never
    executed: an arm of a condition that is one number in every run, and functions that only such arms call.
    further: runs through arms that no other one takes; constants: with what those rule out.
    """
    seen = (*runs, *further)
    # Else there may be launches that no run stands for.
    told = len(runs) < MAX_CONFIGURATIONS and not any(run.machine.state.stopped for run in seen)
    taken = {arm for run in seen for arm in run.machine.arms}
    varied = {node for run in seen for node in run.machine.varied}
    dead: set[int] = set()
    called: set[str] = {function.key}
    bodies = {one.key: one for one in reachable(unit, function)}
    for one in bodies.values():
        for arm in (
            *(ruled_out(unit, one) if constants else ()),
            *(_dead_arms(unit, one, taken, varied) if told else ()),
        ):
            dead.update(id(part) for part in walk(arm))
    if not dead:
        return frozenset()
    waiting = [function]
    while waiting:
        body = waiting.pop().body
        for node in walk(body) if body is not None else ():
            key = getattr(node, "key", None)
            if id(node) not in dead and key in bodies and key not in called:
                called.add(key)
                waiting.append(bodies[key])
    for key in bodies.keys() - called:
        if (body := bodies[key].body) is not None:
            dead.update(id(part) for part in walk(body))
    return frozenset(dead)


def ruled_out(unit: Unit, function: Function) -> Iterator[Node]:
    """The arms that constants rule out, such as template arguments."""
    for node in find(function.body, s.If, e.Conditional, s.Switch):
        if isinstance(node, s.Switch):
            yield from passed_over(unit, node)
        elif isinstance(node, s.If | e.Conditional):
            told = decided(unit, node.condition)
            arm = None if told is None else node.otherwise if told else node.then
            if arm is not None:
                yield arm


def _dead_arms(
    unit: Unit, function: Function, taken: set[tuple[int, bool]], varied: set[int]
) -> Iterator[s.Statement]:
    """The arms that were not taken of conditions that are the same whenever they are asked."""
    body = function.body
    changed: set[int] | None = None
    for node in find(body, s.If):
        if id(node) in varied:
            continue
        then, otherwise = (id(node), True) in taken, (id(node), False) in taken
        if then == otherwise:
            continue
        if changed is None:
            changed = {variable.id for variable in _changed(body)} if body is not None else set()
        arm = node.otherwise if then else node.then
        if arm is not None and _is_fixed(unit, node.condition, changed):
            yield arm


def _changed(body: s.Statement) -> Iterator[e.Variable]:
    """The variables that are assigned, or whose address is taken."""
    for part in walk(body):
        target = part.target if isinstance(part, e.Assign) else None
        target = part.operand if isinstance(part, e.AddressOf) else target
        target = uncast(target) if target is not None else None
        while isinstance(target, e.Member):
            target = target.base
        if isinstance(target, e.VariableReference):
            yield target.variable


def _is_fixed(unit: Unit, condition: e.Expression, changed: set[int]) -> bool:
    """Whether nothing but constants and parameters that keep their value decides."""
    return all(_keeps(unit, part, changed) for part in walk(condition))


def _keeps(unit: Unit, part: Node, changed: set[int]) -> bool:
    match part:
        case e.Call(key=key):
            return same_always(unit, key)
        case e.VariableReference(variable=variable):
            return variable.storage == "parameter" and variable.id not in changed
        case e.Literal() | e.Cast() | e.Member() | e.Unary() | e.Binary():
            return True
    return False
