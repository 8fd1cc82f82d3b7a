"""Names of streams and events: each stands for one of them, of one place and one iteration."""

from cudalint.host.describe import render
from cudalint.host.machine import Machine
from cudalint.host.values import Address, Value, candidates, near
from cudalint.ir import expressions as e

MOST_HANDLES = 64  # streams and events of one name


def named(m: Machine, node: e.Call, holder: Value, kind: str) -> str:
    """The name of what a call creates: where it is stored. One that something else has gets the line, then a
    number.
    """
    name = _place(m, node, holder)
    identity = (node.span, kind, candidates(holder), near(holder) if isinstance(holder, Address) else None)
    for tried in (name, f"{name} (line {node.span.line})", *(f"{name} #{n}" for n in range(2, MOST_HANDLES))):
        if m.handles.setdefault(tried, identity) == identity:
            return tried
    return name


def _place(m: Machine, node: e.Call, holder: Value) -> str:
    """The variable, or the element of an array, that a handle is stored in."""
    written = render(node.arguments[0]).removeprefix("&") if node.arguments else ""
    made = [number for number in m.iterations if isinstance(number, int)]
    match holder:
        case Address(object=number, offset=offset):
            known = m.buffers.get(number)
            if known is None or not known.name:
                return f"{written}[{made[-1]}]" if made else written
            if known.bytes == 8 and known.name == written:
                return written if not made else f"{written}[{made[-1]}]"
            if "." in written or "->" in written or number not in m.variables:
                return f"{written}[{made[-1]}]" if made else written
            if known.bytes == 8:
                return known.name
            each = m.element_sizes.get(number, 8)
            return f"{known.name}[{'?' if offset is None else offset // each}]"
    return written
