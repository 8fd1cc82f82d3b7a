"""Allocations into a local variable whose pointer stays in its function, which does not free it."""

from collections.abc import Container, Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, children, walk

_USES = ("cudaMemcpy", "cudaMemset", "cudaMemPrefetch", "cudaMemAdvise")


def unfreed(function: Function, allocates: Container[str]) -> Iterator[tuple[e.Call, e.Variable]]:
    """The calls of `allocates` whose pointer stays in a local variable of the function, with the variable."""
    if function.body is None:
        return
    nodes = list(walk(function.body))
    declared = [node.variable for node in nodes if isinstance(node, s.Declare)]
    local = {v.id for v in declared if not isinstance(v.type, t.Reference)}
    made: dict[int, tuple[e.Call, e.Variable]] = {}
    harmless: set[int] = set()
    places = {id(n.operand) for n in nodes if isinstance(n, e.AddressOf)}
    for node in nodes:
        if isinstance(node, e.Call) and node.name in allocates and node.arguments:
            reference = _taken(node.arguments[0])
            if reference is not None and reference.variable.id in local:
                made.setdefault(reference.variable.id, (node, reference.variable))
                harmless.add(id(reference))
        if id(node) not in places:
            harmless |= _used(node)
    escaped = {n.variable.id for n in nodes if isinstance(n, e.VariableReference) and id(n) not in harmless}
    captured = {v.id for n in nodes if isinstance(n, e.Lambda) for v, _ in n.captures}
    for number, (call, variable) in made.items():
        if number not in escaped | captured:
            yield call, variable


def _taken(node: e.Expression) -> e.VariableReference | None:
    """The variable whose address is passed."""
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.AddressOf) and isinstance(node.operand, e.VariableReference):
        return node.operand
    return None


def _used(node: Node) -> set[int]:
    """References in arguments of launches, copies and memsets: the pointer goes no further."""
    passed: tuple[e.Expression, ...] = ()
    if isinstance(node, e.Launch):
        passed = node.arguments or ()
    elif isinstance(node, e.Call) and node.name.startswith(_USES) and "Symbol" not in node.name:
        passed = node.arguments
    elif isinstance(node, e.Index):
        passed = (node.base,)
    found = set()
    for argument in passed:
        reference = _base(argument)
        if reference is not None:
            found.add(id(reference))
    return found


def _base(node: Node) -> e.VariableReference | None:
    """The variable that a pointer argument is, or starts from."""
    while isinstance(node, (e.Cast, e.Binary)):
        node = children(node)[0]
    return node if isinstance(node, e.VariableReference) else None
