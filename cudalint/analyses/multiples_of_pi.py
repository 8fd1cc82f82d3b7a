"""Numbers that are something varying times a multiple of pi."""

from math import isclose, pi

from cudalint.analyses.device_code import Body
from cudalint.ir import expressions as e

_MOST = 16  # times pi
_LEAST = 360  # the part of pi that is one: half a degree
_WRITTEN = 5e-6  # a pi of six digits
_DEPTH = 3  # variables and calls that the factor is looked for in


def of_pi(node: e.Expression, body: Body, depth: int = _DEPTH) -> bool:
    """Whether the number is something that varies times a multiple of pi."""
    if body.constant(node) is not None:
        return False
    match node:
        case e.Cast(operand=operand) | e.Unary(operator="-" | "+", operand=operand):
            return of_pi(operand, body, depth)
        case e.Binary(operator="*" | "/" as operator, left=left, right=right):
            factors = (left, right) if operator == "*" else (left,)
            return any(_is_pi(body.constant(side)) or of_pi(side, body, depth) for side in factors)
        case e.VariableReference(variable=variable) if depth and variable.id in body.once:
            return of_pi(body.once[variable.id], body, depth - 1)
        case e.VariableReference(variable=variable) if depth and variable.storage == "parameter":
            return _always_given(variable, body, depth - 1)
        case _:
            return False


def _always_given(parameter: e.Variable, body: Body, depth: int) -> bool:
    """Whether every call of the function passes a multiple of pi for a parameter that it does not change."""
    function = body.function
    if function.kernel or any(_target(assign) == parameter.id for assign in body.of(e.Assign)):
        return False
    at = next((n for n, own in enumerate(function.parameters) if own.id == parameter.id), None)
    bodies = body.callees.values()
    calls = [(one, call) for one in bodies for call in one.of(e.Call) if call.key == function.key]
    if at is None or not calls or any(len(call.arguments) <= at for _, call in calls):
        return False
    return all(of_pi(call.arguments[at], one, depth) for one, call in calls)


def _target(assign: e.Assign) -> int | None:
    return assign.target.variable.id if isinstance(assign.target, e.VariableReference) else None


def _is_pi(number: float | None) -> bool:
    """Whether it is pi times or divided by a small whole number."""
    if not number:
        return False
    times = abs(number) / pi
    whole, most = (times, _MOST) if times >= 1 else (1 / times, _LEAST)
    return round(whole) <= most and isclose(whole, round(whole), rel_tol=_WRITTEN)
