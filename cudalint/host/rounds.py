"""How often a loop runs: what its counter, its limit and its step say when it is come to."""

from cudalint.host.evaluate import evaluate
from cudalint.host.facts import Rounds
from cudalint.host.machine import Machine
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import walk

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
    condition, step = _bare(node.condition), _bare(node.step)
    if not isinstance(condition, e.Binary) or not isinstance(step, e.Assign) or node.kind == "do":
        return None
    variable = _variable(step.target)
    left, right, operator = condition.left, condition.right, condition.operator
    if variable is None or _variable(left) != variable or not _is_plain(right):
        return None
    if any(isinstance(n, e.Assign) and _variable(n.target) == variable for n in walk(node.body)):
        return None
    start, limit, by = evaluate(m, left), evaluate(m, right), evaluate(m, step.value)
    if not isinstance(start, int) or not isinstance(limit, int) or not isinstance(by, int) or not by:
        return None
    return counted(start, limit, operator, by if step.operator == "+" else -by, step.operator or "")


def counted(start: int, limit: int, operator: str, by: int, change: str) -> int | None:
    """Rounds from a start to a limit; change: what is done to the counter each time."""
    if change not in ("+", "-"):
        return None
    if operator == "!=":
        distance = limit - start
        return distance // by if distance % by == 0 and distance // by >= 0 else None
    if operator in ("<", "<=") and by > 0:
        return max(0, -(-(limit - start + (operator == "<=")) // by))
    if operator in (">", ">=") and by < 0:
        return max(0, -(-(start - limit + (operator == ">=")) // -by))
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
