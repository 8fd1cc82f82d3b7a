"""Asynchronous copies of libcu++ and of cooperative groups: what they read and write, for races.

A copy goes on after the call. What it touches counts where the call is: that nothing before the call is in
its way, and nothing after it up to the next barrier.
"""

import numpy as np

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Pointer, Scalar
from cudalint.simt.interpret.dispatch import evaluate, number
from cudalint.simt.interpret.library.groups import group_kind
from cudalint.simt.interpret.library.memory_functions import touch
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import objects_of
from cudalint.simt.interpret.private_memory import lose
from cudalint.simt.values.lanes import Value, binary, unknown
from cudalint.simt.values.state import Aggregate, Result

_WORD = 4
_ADDRESS = Scalar("unsigned long", "unsigned", 8)


def memcpy_async(m: Machine, node: e.Call) -> Result | None:
    """`memcpy_async([group,] to, from, size [, pipeline or barrier])`: each thread copies all of it, or the
    threads of the group a part each. None where the parts or the size are not known.
    """
    group = group_kind(node.arguments[0].type) if node.arguments else None
    operands = node.arguments if group is None else node.arguments[1:]
    members = _members(m, group)
    if len(operands) < 3 or not members or not isinstance(operands[1].type, Pointer | Array):
        return None
    size = _size(m, operands[2])
    if not size:
        return None
    to, source = number(m, operands[0]), number(m, operands[1])
    share = size if group is None else -(-size // (members * _WORD)) * _WORD
    start = m.state.samples.thread % members * share
    m.state.note(f"call of {node.name}, whose requests are not known")
    m.events.unseen()
    m.fence()
    everyone, m.state.mask = m.state.mask, m.state.mask & (start + share <= size)
    to, source = _moved(to, start), _moved(source, start)
    touch(m, operands[1], "load", source, share, collective=group is not None)
    for memory in objects_of(m, to):
        if memory.space == "local":
            lose(m, memory)
    origin = source.data if source.known is True and isinstance(source.data, np.ndarray) else None
    touch(m, operands[0], "store", to, share, unknown("loaded data"), origin, group is not None)
    m.state.mask = everyone
    return Value(0)


def _moved(address: Value, start: np.ndarray) -> Value:
    return binary("+", address, Value(start), _ADDRESS)


def _members(m: Machine, group: tuple[str, int] | None) -> int:
    """How many threads make a copy together; 0 where that is not known."""
    match group:
        case None:
            return 1
        case ("tile", width):
            return width
        case ("block", _):
            return m.state.samples.threads
    return 0


def _size(m: Machine, argument: e.Expression) -> int:
    """How many bytes, a number or an `aligned_size_t`; 0 where that is not known."""
    value = evaluate(m, argument)
    if isinstance(value, Aggregate) and len(value.parts) == 1:
        (value,) = value.parts.values()
    if not isinstance(value, Value) or not value.is_scalar or value.free or isinstance(value.data, float):
        return 0
    return int(value.data)
