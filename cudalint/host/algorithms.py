"""Thrust's algorithms on device memory: work that the host queues and, but for `par_nosync`, waits for. Those
that keep temporary memory allocate and free it in each call.
"""

from cudalint.cuda.thrust import NUMBERS, TEMPORARY
from cudalint.host.call_arguments import Arguments
from cudalint.host.facts import MemorySpace
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine, OutOfBudget
from cudalint.host.values import UNKNOWN, Aggregate, Handle, Value, candidates
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.layout import leaves
from cudalint.ir.walk import Node, walk

_STEPS = 2000  # that the way to an algorithm's kernel may take
_MOST_PARTS = 64  # of an object that it is handed, which are looked at
_POLICIES = ("device", "par", "par_nosync")  # of Thrust itself


def policy_on(node: e.Call) -> bool:
    """Whether a call gives an execution policy its stream, which then stands for the policy."""
    return node.name == "on" and node.qualified.startswith("thrust::") and bool(node.arguments)


def call(m: Machine, node: e.Call, arguments: Arguments) -> Value:
    """The work of an algorithm, between taking and giving back its temporary memory."""
    work(m, node, arguments)
    stream = arguments[0][0] if isinstance(arguments[0][0], Handle) else 0
    touched = sorted({number for value, _ in arguments for number in _pointed_to(value)})
    for value, _ in arguments:
        for number in _cells(value):
            m.forget_numbers(number)
    policy = tuple(walk(node.arguments[0]))
    allocator = any(_is_own(part) or _names_allocator(part) for part in policy)
    keeps = node.name in TEMPORARY and not allocator
    waits = node.name in NUMBERS or not any(_is_unsynchronised(part) for part in policy)
    if keeps:
        m.record(m.call("allocate", node.qualified, node.span))
    made = m.call("library", node.qualified, node.span, stream_name(m, stream))
    space: MemorySpace = "device" if _is_on_device(m, node, arguments) else "unknown"
    m.record_with(made, expression=node, arguments=tuple(touched), blocking=waits, host_space=space)
    if keeps:
        m.record(m.call("free", node.qualified, node.span))
    return UNKNOWN


def _is_on_device(m: Machine, node: e.Call, arguments: Arguments) -> bool:
    """Whether all pointers that an algorithm is handed, by themselves, in iterators and in objects, lead to
    memory that only the device reaches.
    """
    spaces: list[MemorySpace] = []
    for written, (value, _) in zip(node.arguments, arguments, strict=True):
        cells = dict(value.cells) if isinstance(value, Aggregate) else {0: value}
        parts = leaves(m.unit, written.type, limit=_MOST_PARTS)
        spaces += [m.space(cells.get(at, UNKNOWN)) for at, kind in parts if isinstance(kind, t.Pointer)]
    return bool(spaces) and all(space == "device" for space in spaces)


def work(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """What an algorithm launches for each element, as the bundled headers write it: beside the walk, which
    knows nothing of it.
    """
    function = m.unit.algorithms.get(node.key or "")
    if function is None or m.working is not None:
        return
    values, places = tuple(value for value, _ in arguments), tuple(place for _, place in arguments)
    state, buffers, mark, spent = m.state.copy(), dict(m.buffers), m.log.mark(), (m.steps, m.last_step)
    m.working, m.last_step = node, m.steps + _STEPS
    try:
        m.run_function(m, function, values, places, None, node.span)
    except OutOfBudget:
        pass
    finally:
        m.working, m.state, m.buffers, (m.steps, m.last_step) = None, state, buffers, spent
        made = m.log.launches[mark[0] :]
        m.log.rewind(mark)
        m.log.launches += made


def _cells(value: Value) -> tuple[Value, ...]:
    """A pointer, or those that an iterator holds."""
    return tuple(cell for _, cell in value.cells) if isinstance(value, Aggregate) else (value,)


def _pointed_to(value: Value) -> frozenset[int]:
    return frozenset().union(*(candidates(cell) for cell in _cells(value)))


def _is_unsynchronised(part: Node) -> bool:
    return isinstance(part, e.VariableReference) and part.variable.name == "par_nosync"


def _is_own(part: Node) -> bool:
    """Whether a policy is kept in a variable of the program: it may have an allocator."""
    if not isinstance(part, e.VariableReference) or not isinstance(part.type, t.Record):
        return False
    return "policy" in part.type.name and part.variable.name not in _POLICIES


def _names_allocator(part: Node) -> bool:
    """Whether a policy is called with an allocator: `par(allocator)`."""
    return isinstance(part, e.Call) and part.name == "operator()"
