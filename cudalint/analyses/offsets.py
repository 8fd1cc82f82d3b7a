"""Integer parameters that a kernel only ever adds to an index. Nothing says that such an offset is large: for
races it is worth trying small ones, too.
"""

from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children

_DEPTH = 4  # calls that a parameter is followed through


def offset_parameters(unit: Unit, function: Function) -> frozenset[int]:
    """The parameters (by identity) that are added to an index or a pointer, and used in no other way."""
    return frozenset(
        variable.id
        for variable in function.parameters
        if isinstance(variable.type, Scalar)
        and variable.type.kind in ("signed", "unsigned")
        and _only_added(unit, function, variable, _DEPTH)
    )


def _only_added(unit: Unit, function: Function, variable: e.Variable, depth: int) -> bool:
    if function.body is None or depth == 0:
        return False
    uses = _uses(unit, function.body, variable, (), depth)
    return bool(uses) and all(uses)


def _uses(unit: Unit, node: Node, variable: e.Variable, above: tuple[Node, ...], depth: int) -> list[bool]:
    """For each use below the node whether it is added to an index. above: what the node is a part of, the
    nearest last, without casts.
    """
    if isinstance(node, e.VariableReference) and node.variable.id == variable.id:
        return [_is_added(above)]
    found: list[bool] = []
    callee = unit.functions.get(node.key) if isinstance(node, e.Call) and node.key else None
    around = above if isinstance(node, e.Cast) else (*above, node)
    for child in children(node):
        parameter = _parameter(node, callee, child) if isinstance(node, e.Call) and callee else None
        if callee and parameter and _is(child, variable):
            found.append(_only_added(unit, callee, parameter, depth - 1))
        else:
            found += _uses(unit, child, variable, around, depth)
    return found


def _parameter(call: e.Call, callee: Function, argument: Node) -> e.Variable | None:
    """The parameter that gets the argument."""
    pairs = zip(call.arguments, callee.parameters, strict=False)
    return next((parameter for given, parameter in pairs if given is argument), None)


def _is_added(above: tuple[Node, ...]) -> bool:
    """Whether sums, and nothing else, lead up to an index or a pointer."""
    for sums, node in enumerate(reversed(above)):
        if isinstance(node, e.Index):
            return sums > 0
        if not isinstance(node, e.Binary) or node.operator not in ("+", "-"):
            return False
        if isinstance(node.type, Pointer):
            return True
    return False


def _is(node: Node, variable: e.Variable) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.VariableReference) and node.variable.id == variable.id
