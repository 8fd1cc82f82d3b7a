"""Pointers to functions: a function has an address, and a call through a pointer that holds one is a call
of that function.
"""

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.simt.interpret.dispatch import evaluate
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values.lanes import Value


def address(m: Machine, node: e.FunctionReference) -> Value:
    """The address of a function, the same wherever it is taken."""
    key = "function", node.key or node.name
    if key not in m.state.named:
        m.state.named[key] = memory = m.state.create(node.name, "constant", 0)
        m.functions[memory.base] = node
    return Value(m.state.named[key].base)


def resolved(m: Machine, node: e.Call) -> e.Call:
    """The call with the function that its pointer holds for all lanes; as it is where nobody knows it."""
    if node.key is not None or node.target is None or isinstance(node.target, e.Lambda):
        return node
    held = evaluate(m, node.target)
    if not isinstance(held, Value) or not held.is_scalar or not isinstance(held.data, int):
        return node
    function = m.functions.get(held.data)
    if function is None:
        return node
    known = m.resolved.get((id(node), held.data))
    if known is None:
        known = replace(node, key=function.key, name=function.name, qualified=function.name)
        m.resolved[id(node), held.data] = known
    return known
