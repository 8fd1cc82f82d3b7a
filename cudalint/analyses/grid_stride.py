"""Loops that step by what only the launch tells: by the size of the grid, so that any number of blocks shares
their iterations, or by any number in unsigned arithmetic, so that the compiler writes out none of them.
"""

from collections.abc import Callable, Iterator

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import step_of, uncast, variable_of
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.source.span import Span

_DEPTH = 4  # variables that stand in each other


@once
def has_grid_stride(unit: Unit, kernel: Function) -> bool:
    """Whether a loop of the kernel, or of a function that it calls, steps by the size of the grid."""
    return any(
        steps_by_grid(node, definitions(unit, function))
        for function in reachable(unit, kernel)
        if function.body is not None
        for node in find(function.body, s.Loop)
    )


def steps_by_grid(loop: s.Loop, own: Definitions) -> bool:
    """Whether an iteration adds a multiple of the grid's size to what the condition tests: in the step, or in
    the body. own: of the function that the loop stands in.
    """
    return any(_asks(node.value, own, _is_grid) for node in _changes(loop))


def steps_by_block(unit: Unit, kernel: Function, condition: Span) -> bool:
    """Whether the loop with a condition at the span shares its iterations out by the threads of the block,
    however many these are.
    """
    return any(
        node.condition is not None
        and node.condition.span == condition
        and any(_asks(change.value, definitions(unit, function), _is_block) for change in _changes(node))
        for function in reachable(unit, kernel)
        for node in find(function.body, s.Loop)
    )


def steps_by_launch(loop: s.Loop, own: Definitions) -> bool:
    """Whether an iteration adds what the launch tells (sizes of the block or the grid, or a parameter of the
    kernel), in unsigned arithmetic, which may wrap: nvcc 13 cannot count the iterations and writes out none
    of them. Of a signed step upwards it writes out four (read off SASS).
    """

    def told(part: Node) -> bool:
        if isinstance(part, e.Builtin):
            return part.name in ("gridDim", "blockDim")
        return isinstance(part, e.VariableReference) and own.function.kernel and _is_parameter(part, own)

    return any(
        _is_unsigned(node) and step[1] == "+" and _asks(step[2], own, told)
        for node in _changes(loop)
        if (step := step_of(node)) is not None
    )


def _is_unsigned(node: e.Assign) -> bool:
    """Whether the sum is computed in an unsigned type of 32 bits or more."""
    kind = node.computed if node.operator is not None else uncast(node.value).type
    return isinstance(kind, Scalar) and kind.kind == "unsigned" and kind.bytes >= 4


def _is_parameter(part: e.VariableReference, own: Definitions) -> bool:
    return part.variable in own.function.parameters and part.variable.id not in own.changed


def _is_grid(part: Node) -> bool:
    return isinstance(part, e.Builtin) and part.name == "gridDim"


def _is_block(part: Node) -> bool:
    return isinstance(part, e.Builtin) and part.name == "blockDim"


def _changes(loop: s.Loop) -> Iterator[e.Assign]:
    """Where an iteration sets the variables that the condition tests."""
    tested = {part.variable.id for part in find(loop.condition, e.VariableReference)}
    for part in (loop.step, loop.body):
        for node in find(part, e.Assign):
            variable = variable_of(node.target)
            if variable is not None and variable.id in tested:
                yield node


def _asks(node: Node, own: Definitions, told: Callable[[Node], bool], depth: int = _DEPTH) -> bool:
    """Whether something of the kind stands in the expression, or in a variable of it."""
    for part in walk(node):
        if told(part):
            return True
        value = own.only(part.variable) if isinstance(part, e.VariableReference) and depth else None
        if value is not None and _asks(value, own, told, depth - 1):
            return True
    return False
