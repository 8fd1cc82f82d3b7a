"""Loops that step by the size of the grid, so that any number of blocks shares their iterations."""

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk

_DEPTH = 4  # variables that stand in each other


def has_grid_stride(unit: Unit, kernel: Function) -> bool:
    """Whether a loop of the kernel, or of a function that it calls, steps by the size of the grid."""
    return any(
        isinstance(node, s.Loop) and steps_by_grid(node, definitions(unit, function))
        for function in reachable(unit, kernel)
        if function.body is not None
        for node in walk(function.body)
    )


def steps_by_grid(loop: s.Loop, own: Definitions) -> bool:
    """Whether an iteration adds a multiple of the grid's size to what the condition tests: in the step, or in
    the body. own: of the function that the loop stands in.
    """
    tested = {
        part.variable.id
        for part in (walk(loop.condition) if loop.condition is not None else ())
        if isinstance(part, e.VariableReference)
    }
    nodes = [node for part in (loop.step, loop.body) if part is not None for node in walk(part)]
    return any(
        isinstance(node, e.Assign)
        and isinstance(node.target, e.VariableReference)
        and node.target.variable.id in tested
        and _asks(node.value, own)
        for node in nodes
    )


def _asks(node: Node, own: Definitions, depth: int = _DEPTH) -> bool:
    """Whether the size of the grid stands in the expression, or in a variable of it."""
    for part in walk(node):
        if isinstance(part, e.Builtin) and part.name == "gridDim":
            return True
        value = own.only(part.variable) if isinstance(part, e.VariableReference) and depth else None
        if value is not None and _asks(value, own, depth - 1):
            return True
    return False
