"""What the direction of a copy says of a pointer that nobody knows: it points into memory of the host."""

from cudalint.host.call_arguments import Arguments, value
from cudalint.host.copies import COPIES, direction_of
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Unknown
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import walk

_PLAIN = (e.Literal, e.VariableReference, e.Cast, e.Unary, e.Binary, e.Index, e.Member, e.AddressOf)


def bound(m: Machine, node: e.Call, arguments: Arguments) -> int | None:
    """The argument of a copy that can be evaluated again: the variable that it is made from points to an
    object from now on, one for every value that the variable is given.
    """
    how = COPIES.get(node.name)
    if how is None or how.kind is None:
        return None
    host = {"HtoD": how.source, "DtoH": how.destination}.get(
        direction_of(m, arguments, how, UNKNOWN, UNKNOWN)
    )
    if host is None or not isinstance(value(arguments, host), Unknown):
        return None
    root = _root(node.arguments[host])
    if root is None:
        return None
    holder = Address(m.variable(root), 0)
    if not isinstance(m.state.load(holder, 8, False), Unknown):
        return None
    m.state.store(holder, m.of_the_host(holder, root), 8)
    return host


def _root(node: e.Expression) -> e.Variable | None:
    """The local variable that a pointer is made from by plain arithmetic."""
    if not all(isinstance(part, _PLAIN) for part in walk(node)):
        return None
    while not isinstance(node, e.VariableReference):
        match node:
            case e.Cast(operand=inner):
                node = inner
            case e.Binary(operator="+" | "-", left=left) if isinstance(left.type, t.Pointer):
                node = left
            case e.AddressOf(operand=e.Index(base=base)):
                node = base
            case _:
                return None
    variable = node.variable
    own = variable.storage in ("local", "parameter") and not variable.static
    return variable if own and isinstance(variable.type, t.Pointer) else None
