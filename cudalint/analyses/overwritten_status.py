"""Calls whose status is assigned to a variable that another one overwrites before anything reads it."""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, find, walk


def overwritten(body: Node) -> Iterator[tuple[e.Call, e.Assign]]:
    """(call, the assignment that overwrites its status), within one block: `err = a(); err = b();`."""
    for node in find(body, s.Block, s.Switch):
        for index, statement in enumerate(node.body):
            held = _held(statement)
            if held is not None:
                later = _next(node.body[index + 1 :], held[0])
                if later is not None:
                    yield held[1], later


def _held(statement: s.Statement) -> tuple[int, e.Call] | None:
    """The variable that a statement assigns the value of a call to, and the call."""
    value: e.Expression | None = None
    variable: e.Variable | None = None
    match statement:
        case s.Declare(variable=variable, initial=value):
            pass
        case s.Evaluate(expression=e.Assign(target=e.VariableReference(variable=variable), value=value)):
            pass
    while isinstance(value, e.Cast):
        value = value.operand
    if variable is None or not isinstance(value, e.Call) or variable.storage != "local":
        return None
    return variable.id, value


def _next(rest: tuple[s.Statement, ...], variable: int) -> e.Assign | None:
    """The assignment to a variable that is the first to name it."""
    for statement in rest:
        match statement:
            case s.Evaluate(
                expression=e.Assign(target=e.VariableReference(variable=v), operator=None) as found
            ):
                if v.id == variable:
                    return None if _names(found.value, variable) else found
        if _names(statement, variable):
            return None
    return None


def _names(node: Node, variable: int) -> bool:
    """Whether a node names a variable, or is a jump past what does."""
    return any(
        (isinstance(part, e.VariableReference) and part.variable.id == variable)
        or isinstance(part, (e.Lambda, s.Return, s.Break, s.Continue))
        for part in walk(node)
    )
