"""What closures bring into a kernel from outside: variables of host code that their bodies name."""

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_OWN = ("local", "parameter")


@once
def captured(unit: Unit, function: Function) -> tuple[e.Variable, ...]:
    """In the order in which they are first named; the kernel is handed their copies with the closure."""
    functions = reachable(unit, function)
    if not any(current.lambda_ for current in functions):
        return ()
    inside = {variable.id for current in functions for variable in _declared(current)}
    outside = {
        node.variable.id: node.variable
        for current in functions
        if current.lambda_ and current.body is not None
        for node in find(current.body, e.VariableReference)
        if node.variable.storage in _OWN
        if node.variable.id not in inside and not node.variable.static
    }
    return tuple(outside.values())


def _declared(function: Function) -> list[e.Variable]:
    own = [*function.parameters, *((function.this,) if function.this is not None else ())]
    nodes = walk(function.body) if function.body is not None else ()
    return own + [node.variable for node in nodes if isinstance(node, s.Declare)]
