"""Which statement each expression is executed with."""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, kept, walk


@once
def homes(unit: Unit, function: Function) -> dict[int, s.Statement]:
    """By identity of an expression of the function or of what it calls: the statement as often as which it is
    executed, for the condition and the step of a loop the loop's body.
    """
    found: dict[int, s.Statement] = {}
    for current in reachable(unit, function):
        if current.body is not None:
            found |= _homes(current.body)
    return found


@kept
def _homes(body: s.Block) -> dict[int, s.Statement]:
    nodes = find(body, s.Declare, s.Return, s.Evaluate, s.If, s.Switch, s.Loop, s.Opaque)
    return {id(part): home for node in nodes for root, home in roots(node) for part in walk(root)}


def roots(node: object) -> Iterator[tuple[e.Expression, s.Statement]]:
    """The expressions that a statement itself evaluates, each with the statement that it is executed with."""
    match node:
        case s.Declare(initial=value) | s.Return(value=value):
            if value is not None:
                yield value, node
        case s.Evaluate(expression=expression):
            yield expression, node
        case s.If(condition=condition) | s.Switch(subject=condition):
            yield condition, node
        case s.Loop(condition=condition, step=step, body=body):
            yield from ((part, body) for part in (condition, step) if part is not None)
        case s.Opaque(operands=operands):
            yield from ((part, node) for part in operands)
