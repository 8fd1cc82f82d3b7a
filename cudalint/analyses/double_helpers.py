"""Functions of the project that are double by their declaration alone: `double decay(double x)` that
is passed floats only, for results that only floats take. Methods may read members that hold floats only.
"""

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.float_members import holds_float
from cudalint.analyses.widened import end, plain, widened_float
from cudalint.cuda.maths import floating, pure
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk


def double_helpers(code: DeviceCode) -> dict[str, list[e.Call]]:
    """Such functions by key, with their calls in device code."""
    calls: dict[str, list[tuple[Body, e.Call]]] = {}
    for body in code.bodies:
        for call in body.of(e.Call):
            calls.setdefault(call.key or "", []).append((body, call))
    named = {node.key for body in code.bodies for node in body.of(e.FunctionReference)}
    able = {
        body.function.key
        for body in code.bodies
        if body.function.key not in named and _is_able(code.unit, body)
    }
    while True:
        kept = {key for key in able if calls.get(key) and all(_is_float(*one, able) for one in calls[key])}
        kept = {key for key in kept if _called(code, key) <= kept}
        if kept == able:
            return {key: [call for _, call in calls[key]] for key in able}
        able = kept


def _is_able(unit: Unit, body: Body) -> bool:
    """Whether a function returns a double and nothing in it asks for one but its own declarations."""
    function = body.function
    doubles = [one for one in function.parameters if floating(one.type, 8)]
    if function.kernel or function.lambda_ or "double" in function.template_arguments:
        return False
    if not doubles or not floating(function.returns, 8):
        return False
    for node in walk(function.body) if function.body is not None else ():
        if isinstance(node, e.Lambda | e.Unknown | s.Opaque):
            return False
        if isinstance(node, e.Member) and holds_float(unit, node):
            continue
        if isinstance(node, e.Index | e.Dereference | e.Member) and floating(node.type, 8):
            return False  # stored as a double
    if any(floating(cast.type, 8) and not cast.implicit for cast in body.of(e.Cast)):
        return False
    gathered = (one for one in body.of(e.Assign) if floating(one.target.type, 8) and any(body.loops(one)))
    if any(gathered):
        return False  # a sum may need the digits
    variables = (node for node in body.of(e.VariableReference) if floating(node.type, 8))
    own = ("local", "parameter")
    return all(one.variable.storage in own or body.constant(one) is not None for one in variables)


def _called(code: DeviceCode, key: str) -> set[str]:
    """The functions that give one of them doubles: each has to be such a function, too."""
    body = next(body for body in code.bodies if body.function.key == key)
    others = (call for call in body.of(e.Call) if floating(call.type, 8) and not pure(call))
    return {call.key or "" for call in others}


def _is_float(body: Body, call: e.Call, able: set[str]) -> bool:
    """Whether a call passes floats for doubles and its result is used as a float, or it is made by another
    such function.
    """
    if body.function.key in able:
        return True
    given = [one for one in call.arguments if floating(one.type, 8)]
    return any(map(widened_float, given)) and all(map(plain, given)) and bool(end(call, body))
