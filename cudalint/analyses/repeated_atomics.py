"""Atomics in a loop that combine something with one place in every iteration, though nobody asks for the sum
before the loop has ended.
"""

import re
from collections.abc import Iterator

from cudalint.analyses.equality_conditions import picks
from cudalint.analyses.kernel_queries import is_volatile, lvalues, reachable, root_of
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.updates import changed_in, stays
from cudalint.cuda.effects import BLOCK_BARRIERS, FENCES
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_COMBINING = re.compile("atomic(?:Add|Sub|Min|Max|And|Or|Xor)(?:_block|_system)?")


def repeated_atomics(unit: Unit, kernel: Function) -> Iterator[tuple[e.Call, s.Loop]]:
    """The calls whose result is not used, each with the outermost loop that does not move their place."""
    seen: set[int] = set()
    for function in reachable(unit, kernel):
        for loop in find(function.body, s.Loop):
            if _is_watched(loop):
                continue
            changed = changed_in(loop)
            for call in _calls(loop.body):
                mine = id(call) not in seen and call.arguments and _stays(call.arguments[0], changed)
                if mine and not _is_read(call, loop):
                    seen.add(id(call))
                    yield call, loop


def _calls(node: s.Statement) -> Iterator[e.Call]:
    """Atomics that are statements of the loop, also of inner ones; none under conditions that pick few."""
    match node:
        case s.Block(body=body):
            for part in body:
                yield from _calls(part)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            if not picks(condition):
                yield from _calls(then)
            if otherwise is not None:
                yield from _calls(otherwise)
        case s.Loop(body=body):
            yield from _calls(body)
        case s.Evaluate(expression=expression):
            call = uncast(expression)
            if isinstance(call, e.Call) and _COMBINING.fullmatch(call.name):
                yield call


def _stays(pointer: e.Expression, changed: set[int]) -> bool:
    """Whether the loop does not change where it points, nor loads it."""
    pointer = uncast(pointer)
    if isinstance(pointer, e.AddressOf):
        return stays(pointer.operand, changed)
    named = find(pointer, e.VariableReference)
    loads = any(True for _ in lvalues(pointer)) or bool(find(pointer, e.Call, e.Assign))
    return bool(named) and not loads and all(part.variable.id not in changed for part in named)


def _is_watched(loop: s.Loop) -> bool:
    """Whether other threads may wait for what the loop does meanwhile."""
    calls = any(call.name in BLOCK_BARRIERS or call.name in FENCES for call in find(loop, e.Call))
    return calls or bool(find(loop, s.Opaque)) or any(is_volatile(node) for node, _ in lvalues(loop))


def _is_read(call: e.Call, loop: s.Loop) -> bool:
    """Whether the loop reads what the atomic changes, or may: through the same pointer or array."""
    root = root_of(call.arguments[0])
    return root is None or any(root_of(node) == root for node, how in lvalues(loop) if how == "load")
