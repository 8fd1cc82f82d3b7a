"""How often a loop runs: what its counter, its limit and its step say when it is come to."""

import operator

from cudalint.host.evaluate import evaluate
from cudalint.host.facts import Rounds
from cudalint.host.machine import Machine
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import walk

_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "!=": operator.ne}
_SCALES = {"*": operator.mul, "/": operator.floordiv, "<<": operator.lshift, ">>": operator.rshift}
_MOST_SCALED = 64  # rounds of a counter that is multiplied or divided: as many as it has bits
_PLAIN = (e.Literal, e.VariableReference, e.Cast, e.Unary, e.Binary, e.Member)


def note(m: Machine, node: s.Loop, number: int) -> None:
    """Log a loop that is about to run under this id; its initial statement has run."""
    exits = False
    changes: set[int] = set()
    for inner in walk(node):
        match inner:
            case s.Break() | s.Return():
                exits = True
            case s.Declare(variable=variable):
                changes.add(variable.id)
            case e.Assign(target=place) | e.AddressOf(operand=place):
                changes.update(n.variable.id for n in walk(place) if isinstance(n, e.VariableReference))
    m.rounds[number] = Rounds(
        number, node.span, _count(m, node), exits, frozenset(changes), tuple(m.conditions)
    )


def _count(m: Machine, node: s.Loop) -> int | None:
    """Rounds of a loop that counts with one variable towards a known limit."""
    condition, step = _bare(node.condition), _step(node.step)
    if not isinstance(condition, e.Binary) or step is None or node.kind == "do":
        return None
    variable, change, amount = step
    left, right = condition.left, condition.right
    if _variable(left) != variable or not _is_plain(right):
        return None
    if any(isinstance(n, e.Assign) and _variable(n.target) == variable for n in walk(node.body)):
        return None
    start, limit, by = evaluate(m, left), evaluate(m, right), evaluate(m, amount)
    if not isinstance(start, int) or not isinstance(limit, int) or not isinstance(by, int) or not by:
        return None
    return counted(start, limit, condition.operator, -by if change == "-" else by, change)


def _step(node: e.Expression | None) -> tuple[e.Variable, str, e.Expression] | None:
    """What a loop's step does to its counter: `i += 2` and `i = i + 2` are (i, +, 2)."""
    step = _bare(node)
    variable = _variable(step.target) if isinstance(step, e.Assign) else None
    if not isinstance(step, e.Assign) or variable is None:
        return None
    if step.operator is not None:
        return variable, step.operator, step.value
    value = _bare(step.value)
    if isinstance(value, e.Binary) and _variable(value.left) == variable and _is_plain(value.right):
        return variable, value.operator, value.right
    return None


def counted(start: int, limit: int, comparison: str, by: int, change: str) -> int | None:
    """Rounds from a start to a limit; change: what is done to the counter each time."""
    if change in _SCALES:
        return _scaled(start, limit, comparison, by, change)
    if change not in ("+", "-"):
        return None
    if comparison == "!=":
        distance = limit - start
        return distance // by if distance % by == 0 and distance // by >= 0 else None
    if comparison in ("<", "<=") and by > 0:
        return max(0, -(-(limit - start + (comparison == "<=")) // by))
    if comparison in (">", ">=") and by < 0:
        return max(0, -(-(start - limit + (comparison == ">=")) // -by))
    return None


def _scaled(start: int, limit: int, comparison: str, by: int, change: str) -> int | None:
    """Rounds of a counter that grows or shrinks by a factor: so few that they can be gone through."""
    if comparison not in _HOLDS or by < 1:
        return None
    value = start
    for number in range(_MOST_SCALED):
        if not _HOLDS[comparison](value, limit):
            return number
        value = _SCALES[change](value, by)
    return None


def _bare(node: e.Expression | None) -> e.Expression | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _variable(node: e.Expression) -> e.Variable | None:
    bare = _bare(node)
    return bare.variable if isinstance(bare, e.VariableReference) else None


def _is_plain(node: e.Expression) -> bool:
    """Whether an expression does nothing but tell a value."""
    return all(isinstance(n, _PLAIN) for n in walk(node))
