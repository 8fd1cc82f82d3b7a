"""Memory that a kernel only moves about in: what it stores there was loaded there, and nobody else looks at
it. What threads do to it in which order has no effect.
"""

from cudalint.analyses.kernel_queries import root_of
from cudalint.host.facts import Argument, HostCall, HostFacts, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import find, walk


def is_closed(name: str, function: Function, host: HostFacts) -> bool:
    """Whether the parameter of that name points to such memory, in every launch."""
    at = next((at for at, variable in enumerate(function.parameters) if variable.name == name), None)
    launches = [launch for launch in host.launches if launch.key == function.key]
    if at is None or not launches or not _stays_inside(function.parameters[at], function):
        return False
    return all(_is_nobody_elses(launch, at, host) for launch in launches)


def _stays_inside(parameter: e.Variable, function: Function) -> bool:
    """Whether all that the kernel does with a pointer is to store behind it what it has loaded there."""
    inside = 0
    for node in find(function.body, s.Evaluate):
        match node:
            case s.Evaluate(expression=e.Assign(target=target, value=value)) if root_of(target) == parameter:
                if not (_comes_from(value, parameter) and _is_plain(target)):
                    return False
                inside += _mentions(node, parameter)
    return function.body is not None and 0 < inside == _mentions(function.body, parameter)


def _comes_from(value: e.Expression, parameter: e.Variable) -> bool:
    """Whether a value is made of constants and of what is loaded through the parameter."""
    match value:
        case e.Literal():
            return True
        case e.Cast(operand=operand) | e.Unary(operand=operand):
            return _comes_from(operand, parameter)
        case e.Binary(left=left, right=right):
            return _comes_from(left, parameter) and _comes_from(right, parameter)
        case e.Index():
            return root_of(value) == parameter and _is_plain(value)
    return False


def _is_plain(place: e.Expression) -> bool:
    """Whether evaluating a place calls nothing and changes nothing."""
    return not find(place, e.Call, e.Assign, e.Lambda, e.Unknown)


def _mentions(node: s.Statement, parameter: e.Variable) -> int:
    return sum(isinstance(part, e.VariableReference) and part.variable == parameter for part in walk(node))


def _is_nobody_elses(launch: LaunchFact, at: int, host: HostFacts) -> bool:
    """Whether the host allocates what a launch passes there, and lets nothing but the kernel come to it save
    what fills it.
    """
    arguments = launch.arguments or ()
    buffer = arguments[at].buffer if at < len(arguments) else None
    if buffer is None or buffer.space != "device" or buffer.span is None:
        return False
    if any(buffer.id in _buffers(other) for number, other in enumerate(arguments) if number != at):
        return False
    if any(access.buffer.id == buffer.id for access in host.accesses):
        return False
    if any(use.buffer == buffer.id for use in host.uses):
        return False
    return not any(_takes(call, buffer.id, launch.key) for call in host.calls)


def _takes(call: HostCall, buffer: int, key: str | None) -> bool:
    """Whether a call copies out of a buffer, or hands it to other code than the kernel."""
    if call.kind == "copy" and (call.source is None or call.source.id == buffer):
        return True
    return buffer in call.arguments and (call.launch is None or call.launch.key != key)


def _buffers(argument: Argument) -> set[int]:
    """The buffers that an argument may lead to."""
    own = {argument.buffer.id} if argument.buffer is not None else set()
    return own.union({one.id for one in argument.among}, *(_buffers(part) for _, part in argument.fields))
