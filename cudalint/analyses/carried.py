"""Where arithmetic and shuffles take a value, through variables and the functions that it is handed to."""

from collections.abc import Iterable

from msgspec import Struct, field

from cudalint.analyses.device_code import Body
from cudalint.analyses.results import is_arithmetic
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, find
from cudalint.source.span import Span

_MOST = 200  # places that are followed

_Stack = tuple[tuple[e.Call, Body], ...]  # calls that lead from the first function to one, outermost first


class Carried(Struct):
    """Places that a value comes to: shuffles that it is handed to, calls that it is passed in, and stores."""

    shuffles: set[Span] = field(default_factory=set)
    calls: set[Span] = field(default_factory=set)
    stores: set[Span] = field(default_factory=set)


def carried(load: Node, body: Body, bodies: Iterable[Body]) -> Carried:
    """Where the value goes that a place of a function loads. Left out is what a condition, a comparison or a
    conditional makes of it, and what is in a variable that may be overwritten.
    """
    by_key = {one.function.key: one for one in bodies}
    found, seen = Carried(), set[tuple[int, _Stack]]()
    waiting: list[tuple[Node, Body, _Stack]] = [(load, body, ())]
    while waiting and len(seen) < _MOST:
        node, where, stack = waiting.pop()
        if (id(node), stack) in seen:
            continue
        seen.add((id(node), stack))
        waiting += _next(node, where, stack, by_key, found)
    return found


def _next(
    node: Node, body: Body, stack: _Stack, by_key: dict[str, Body], found: Carried
) -> list[tuple[Node, Body, _Stack]]:
    """Where the value goes from one place; what it comes to is entered."""
    below = node
    for above in body.ancestors(node):
        match above:
            case e.Call(name=name, arguments=arguments) if name in effects.SHUFFLES:
                if below is not arguments[1 if name.endswith("_sync") else 0]:
                    return []
                found.shuffles.add(above.span)
            case _ if is_arithmetic(above):
                pass
            case e.Call(key=key, arguments=arguments) if key in by_key:
                callee = by_key[key or ""]
                passed = [at for at, one in enumerate(arguments) if one is below]
                if not passed or passed[0] >= len(callee.function.parameters):
                    return []
                found.calls.add(above.span)
                inner = (*stack, (above, body))
                parameter = callee.function.parameters[passed[0]]
                return [(use, callee, inner) for use in _uses(parameter, None, callee)]
            case e.Call(name=name, arguments=(_, *values)) if name.startswith("atomic"):
                found.stores |= {above.span} if any(below is value for value in values) else set()
                return []
            case s.Declare(variable=variable):
                return [(use, body, stack) for use in _uses(variable, above, body)]
            case e.Assign(target=e.VariableReference(variable=variable) as target) if below is not target:
                return [(use, body, stack) for use in _uses(variable, above, body)]
            case e.Assign(target=target):
                found.stores |= {target.span} if below is not target else set()
                return []
            case s.Return():
                if stack:
                    call, caller = stack[-1]
                    return [(call, caller, stack[:-1])]
                return [(call, caller, ()) for caller in by_key.values() for call in _calls(body, caller)]
            case _:
                return []
        below = above
    return []


def _calls(body: Body, caller: Body) -> list[e.Call]:
    return [call for call in caller.of(e.Call) if call.key == body.function.key]


def _uses(variable: e.Variable, made: Node | None, body: Body) -> list[Node]:
    """Where the variable is read after the place that gives it the value; nowhere, if another place may put
    something else there. made: None for the start of the function.
    """
    uses: list[Node] = []
    for reference in body.of(e.VariableReference):
        if reference.variable.id != variable.id:
            continue
        above = body.parent(reference)
        if isinstance(above, e.AddressOf | e.Lambda):
            return []
        if made is not None and _is_before(reference, made, body):
            continue
        if not (isinstance(above, e.Assign) and above.target is reference):
            uses.append(reference)
        elif above.operator is None and above is not made and not _updates(above, variable):
            return []
    return uses


def _updates(assign: e.Assign, variable: e.Variable) -> bool:
    """Whether the new value is made of the old one."""
    return any(n.variable.id == variable.id for n in find(assign.value, e.VariableReference))


def _is_before(one: Node, made: Node, body: Body) -> bool:
    """Whether one place comes before the other, and no loop comes back to it."""
    around = {id(loop) for loop in body.loops(one)}
    earlier = (one.span.line, one.span.column) < (made.span.line, made.span.column)
    return earlier and not any(id(loop) in around for loop in body.loops(made))
