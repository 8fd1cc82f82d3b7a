"""What a parameter of a helper stands for: the argument of the call that control has come by."""

from collections.abc import Mapping

from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span


def as_passed(node: e.Expression, came_by: tuple[Span, ...], unit: Unit) -> e.Expression:
    """The expression, or what the callers pass for the parameter that it is. came_by: the calls, outermost
    first.
    """
    for site in reversed(came_by):
        inner = _bare(node)
        argument = _argument(inner, site, unit) if isinstance(inner, e.VariableReference) else None
        if argument is None:
            break
        node = argument
    return node


def _argument(node: e.VariableReference, site: Span, unit: Unit) -> e.Expression | None:
    """What a call passes for a parameter of the function that it calls."""
    call = _calls(unit, unit).get(site)
    function = unit.functions.get(call.key or "") if call is not None else None
    if call is None or function is None:
        return None
    pairs = zip(function.parameters, call.arguments, strict=False)
    return next((argument for variable, argument in pairs if variable.id == node.variable.id), None)


@once
def _calls(unit: Unit, _: Unit) -> Mapping[Span, e.Call | e.Construct]:
    """The calls of functions of the project, by where they stand."""
    bodies = (function.body for function in unit.functions.values() if function.body is not None)
    nodes = (node for body in bodies for node in find(body, e.Call, e.Construct))
    return {node.span: node for node in nodes if node.key is not None}


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node
