"""What the iterations that a loop leaves out may do, and those that were run did not: assign in arms that
nobody took, and wait at barriers that nobody came to.
"""

from cudalint.analyses.once import once
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Reference
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, find
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.private_memory import write_slot
from cudalint.simt.values.lanes import Bools, unknown
from cudalint.simt.values.memory import LaneJournal, Memory


def forget_untaken(m: Machine, node: s.Loop, last: LaneJournal, cut: Bools) -> None:
    """The lanes that a loop was cut short for lose what its body assigns and they did not, in the last
    iteration, whose journal is given.
    """
    everyone = m.state.mask
    for variable in assigned(m.unit, node):
        for memory, offset in _slots(m, variable):
            m.state.mask = cut & ~last.lanes.get((memory.number, offset), m.state.none())
            if m.state.mask.any():
                write_slot(m, memory, offset, unknown("assigned in iterations that were left out"))
    m.state.mask = everyone


def _slots(m: Machine, variable: e.Variable) -> list[tuple[Memory, int]]:
    """The private values that the variable holds, or refers to, by now."""
    memory, start = m.state.variables.get(variable.id), 0
    if (bound := m.state.bound.get(variable.id)) is not None:
        memory, start = bound.memory, bound.offset
    if memory is None:
        return []
    kind = variable.type
    end = start + (kind.target if isinstance(kind, Reference) else kind).bytes
    return [(memory, offset) for offset in memory.slots if start <= offset < end]


@once
def assigned(unit: Unit, node: s.Loop) -> tuple[e.Variable, ...]:
    """The private variables of before the loop that its body assigns to."""
    declared = {part.variable for part in find(node.body, s.Declare)}
    targets = (private(part.target) for part in find(node.body, e.Assign))
    return tuple(dict.fromkeys(target for target in targets if target is not None and target not in declared))


@once
def may_wait(unit: Unit, node: Node) -> bool:
    """Whether there is a barrier of the block in it, or in what it calls."""
    seen: set[str] = set()
    stack = [node]
    while stack:
        for part in find(stack.pop(), e.Call, e.Construct):
            if isinstance(part, e.Call) and part.name in effects.WAITING:
                return True
            function = unit.defined(part.key)
            if function is not None and function.body is not None and function.key not in seen:
                seen.add(function.key)
                stack.append(function.body)
    return False
