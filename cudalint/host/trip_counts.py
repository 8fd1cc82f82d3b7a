"""How often a loop runs: what its counter, its limit and its step say when it is come to."""

from cudalint.analyses.trip_counts import counted, is_plain, step_of, uncast, variable_of
from cudalint.host.evaluate import evaluate
from cudalint.host.facts import Rounds
from cudalint.host.machine import Machine
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find


def note(m: Machine, node: s.Loop, number: int) -> None:
    """Log a loop that is about to run under this id; its initial statement has run."""
    exits = False
    changes: set[int] = set()
    for inner in find(node, s.Break, s.Return, s.Declare, e.Assign, e.AddressOf):
        match inner:
            case s.Break() | s.Return():
                exits = True
            case s.Declare(variable=variable):
                changes.add(variable.id)
            case e.Assign(target=place) | e.AddressOf(operand=place):
                changes.update(n.variable.id for n in find(place, e.VariableReference))
    m.rounds[number] = Rounds(
        number, node.span, _count(m, node), exits, frozenset(changes), tuple(m.conditions)
    )


def _count(m: Machine, node: s.Loop) -> int | None:
    """Rounds of a loop that counts with one variable towards a known limit."""
    condition, step = uncast(node.condition), step_of(node.step)
    if not isinstance(condition, e.Binary) or step is None or node.kind == "do":
        return None
    variable, change, amount = step
    left, right = condition.left, condition.right
    if variable_of(left) != variable or not is_plain(right):
        return None
    if any(variable_of(n.target) == variable for n in find(node.body, e.Assign)):
        return None
    start, limit, by = evaluate(m, left), evaluate(m, right), evaluate(m, amount)
    if not isinstance(start, int) or not isinstance(limit, int) or not isinstance(by, int) or not by:
        return None
    return counted(start, limit, condition.operator, -by if change == "-" else by, change)
