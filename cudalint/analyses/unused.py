"""Values that nobody uses: the compiler leaves out what computes them."""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.cuda.maths import pure
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Record, Reference
from cudalint.ir.walk import Node


def is_unused(node: e.Expression, body: Body, code: DeviceCode) -> bool:
    """Whether the value goes no further than to a local that nobody reads: of the function, or by reference
    or as a member of its result, of those that call it.
    """
    writes = isinstance(node, e.Assign) or (isinstance(node, e.Call) and not pure(node))
    match None if writes else _end(node, body):
        case s.Evaluate():
            return True
        case s.Declare(variable=variable):
            return not isinstance(variable.type, Reference) and not _reads(variable, body)
        case e.Assign(target=e.VariableReference(variable=variable), operator=None):
            if isinstance(variable.type, Reference):
                return _is_unread_outside(variable, body, code)
            return variable.storage in ("local", "parameter") and not _reads(variable, body)
        case e.Assign(target=e.Member(base=e.VariableReference(variable=variable), name=name), operator=None):
            return _is_unread_member(variable, name, body, code)
    return False


def _end(node: Node, body: Body) -> Node | None:
    """The statement or assignment that arithmetic takes the value to."""
    below = node
    for above in body.ancestors(node):
        match above:
            case e.Cast() | e.Unary() | e.Binary() | e.InitList():
                pass
            case e.Call() if pure(above):
                pass
            case e.Assign(target=target):
                held = body.parent(above)
                return above if below is not target and isinstance(held, s.Evaluate) else None
            case s.Declare() | s.Evaluate():
                return above
            case _:
                return None
        below = above
    return None


def _reads(variable: e.Variable, body: Body) -> list[Node]:
    """Where the variable is named, but for assignments of another value."""
    named = (node for node in body.of(e.VariableReference) if node.variable.id == variable.id)
    captured = (n for n in body.of(e.Lambda) if any(held.id == variable.id for held, _ in n.captures))
    return [*(node for node in named if not _is_overwritten(node, body)), *captured]


def _is_overwritten(node: e.VariableReference, body: Body) -> bool:
    match body.parent(node):
        case e.Assign(target=target, operator=None) as above if target is node:
            return isinstance(body.parent(above), s.Evaluate)
    return False


def _is_unread_outside(parameter: e.Variable, body: Body, code: DeviceCode) -> bool:
    """Whether every caller passes a local by reference that nobody reads."""
    if _reads(parameter, body) or parameter not in body.function.parameters:
        return False
    at = body.function.parameters.index(parameter)
    calls = list(_calls(body, code))
    return bool(calls) and all(_is_passed_only(call, at, caller) for call, caller in calls)


def _is_passed_only(call: e.Call, at: int, caller: Body) -> bool:
    argument = call.arguments[at] if at < len(call.arguments) else None
    if not isinstance(argument, e.VariableReference) or argument.variable.storage != "local":
        return False
    return all(node is argument for node in _reads(argument.variable, caller))


def _is_unread_member(variable: e.Variable, name: str, body: Body, code: DeviceCode) -> bool:
    """Whether nobody reads a member of a local record: in the function, or in one that gets it returned."""
    if variable.storage != "local" or not isinstance(variable.type, Record):
        return False
    whole = [node for node in _reads(variable, body) if not _is_of_another(node, name, body)]
    if not all(isinstance(body.parent(node), s.Return) for node in whole):
        return False
    calls = list(_calls(body, code)) if whole else []
    if whole and not calls:
        return False
    return all(_is_member_unread(call, name, caller) for call, caller in calls)


def _is_of_another(node: Node, name: str, body: Body) -> bool:
    """Whether only another member is read, or the same one is set."""
    above = body.parent(node)
    if not isinstance(above, e.Member):
        return False
    held = body.parent(above)
    is_set = isinstance(held, e.Assign) and held.target is above and held.operator is None
    return above.name != name or is_set


def _is_member_unread(call: e.Call, name: str, caller: Body) -> bool:
    match caller.parent(call):
        case s.Declare(variable=variable):
            return all(_is_of_another(node, name, caller) for node in _reads(variable, caller))
        case e.Member(name=other):
            return other != name
    return False


def _calls(body: Body, code: DeviceCode) -> Iterator[tuple[e.Call, Body]]:
    """The calls of the function."""
    for caller in code.bodies:
        for call in caller.of(e.Call):
            if call.key == body.function.key:
                yield call, caller
