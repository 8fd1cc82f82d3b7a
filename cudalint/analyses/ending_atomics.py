"""Atomics that each block of a grid makes outside of its loops, on one address for all."""

from collections.abc import Iterator

from cudalint.analyses.once import once
from cudalint.analyses.varying import varying
from cudalint.cuda.effects import ATOMIC_PREFIXES
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_DEEPEST = 4  # functions that call each other


@once
def ending_atomics(unit: Unit, kernel: Function) -> tuple[e.Call, ...]:
    """Those whose address is the same in all threads of all blocks."""
    threads, blocks = varying(unit, kernel), varying(unit, kernel, "blockIdx")
    return tuple(
        call
        for call in _outside_of_loops(unit, kernel)
        if call.arguments and not any(one.varies(call.arguments[0]) for one in (threads, blocks))
    )


def _outside_of_loops(unit: Unit, function: Function, depth: int = 0) -> Iterator[e.Call]:
    inside = {id(part) for loop in find(function.body, s.Loop) for part in walk(loop)}
    for call in find(function.body, e.Call):
        if id(call) in inside:
            continue
        called = unit.defined(call.key)
        if call.name.startswith(ATOMIC_PREFIXES):
            yield call
        elif called is not None and depth < _DEEPEST:
            yield from _outside_of_loops(unit, called, depth + 1)
