"""The axes of a grid along which every block does the same."""

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.cuda.effects import (
    BLOCK_BARRIERS,
    CLOCKS,
    FENCES,
    LOADS,
    SHUFFLES,
    STORES,
    VOTES,
    WARP_BARRIERS,
    is_by_value,
    of_registers,
)
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_ALIKE = BLOCK_BARRIERS | WARP_BARRIERS | FENCES | LOADS | STORES | VOTES | SHUFFLES.keys()


@once
def repeated_axes(unit: Unit, kernel: Function) -> frozenset[str]:
    """The axes on which the number of its block changes nothing for a thread: the kernel and what it calls
    never ask for it, and do nothing that adds up over blocks or goes another way in each: no atomics, no
    output, no clocks, no code that is not seen. What the blocks read may still be what others have written.
    """
    asked: set[str] = set()
    for function in reachable(unit, kernel):
        for node in walk(function.body) if function.body is not None else ():
            match node:
                case e.Builtin(name="blockIdx", axis=axis):
                    asked.update(axis or "xyz")
                case e.Unknown() | s.Opaque() | e.Launch() | e.Lambda():
                    return frozenset()
                case e.Call() if not _is_alike(unit, node):
                    return frozenset()
    return frozenset("xyz") - asked


def _is_alike(unit: Unit, call: e.Call) -> bool:
    """Whether a call does the same for threads of the same number in each block."""
    if call.name in CLOCKS:
        return False
    return (
        unit.defined(call.key) is not None
        or call.name in _ALIKE
        or is_by_value(call.name, call.qualified)
        or of_registers(call.name, call.qualified)
    )
