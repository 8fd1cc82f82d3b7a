"""The elements at the end that no thread of a grid comes to, for known numbers: threads compare the number of
their element with the number of all, and the blocks' shares end before it.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.condition_kinds import reads_thread, varying
from cudalint.analyses.definitions import definitions
from cudalint.analyses.once import once
from cudalint.analyses.thread_numbers import Extents, Known, ThreadNumbers, on_axis
from cudalint.analyses.whole_numbers import calculated
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_SAYS = ("<", ">=")  # of an element and the number of all; others may let one too many through
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class LeftOut(Struct, frozen=True):
    """`count` elements, of which each block takes `share`: `left` at the end remain. guard: what says so."""

    guard: e.Binary
    count: int
    share: int
    left: int


class _Read(Struct, frozen=True):
    """guards: comparisons of a thread's number with a limit, as the comparison, the number and the limit;
    counters: what those of loops stay below, by the variables' numbers.
    """

    guards: tuple[tuple[e.Binary, e.Expression, e.Expression], ...]
    counters: dict[int, e.Expression]


def left_out(
    unit: Unit, kernel: Function, axis: int, grid: Extents, block: Extents, known: Known
) -> LeftOut | None:
    """Where the blocks on the axis are the number of all divided by a block's share, rounded down, as the
    last thread of the last block and that of the one before show, in the last iterations of their loops.
    """
    if grid[axis] < 2:
        return None
    own, read = definitions(unit, kernel), _read(unit, kernel)
    for guard, index, limit in read.guards:
        numbers = ThreadNumbers(own, known, grid, block, _lasts(block), _lasts(grid), _grown, read.counters)
        count, last = numbers.of(limit), numbers.of(index)
        before = replace(numbers, place=on_axis(numbers.place, axis, grid[axis] - 2)).of(index)
        if count is None or last is None or before is None:
            continue
        share, end = last - before, last + 1
        if share > 1 and end == grid[axis] * share and count // share == grid[axis] and count % share:
            return LeftOut(guard, count, share, count - end)
    return None


@once
def _read(unit: Unit, kernel: Function) -> _Read:
    return _Read(tuple(_guards(kernel)), _counters(kernel))


def _guards(kernel: Function) -> Iterator[tuple[e.Binary, e.Expression, e.Expression]]:
    """Comparisons of a thread's number with a limit: not those of loops."""
    differs = varying(kernel)
    looping = {id(part) for loop in find(kernel.body, s.Loop) for part in find(loop.condition, e.Binary)}
    for node in find(kernel.body, e.Binary):
        if node.operator not in _TURNED or id(node) in looping:
            continue
        for index, limit, operator in (
            (node.left, node.right, node.operator),
            (node.right, node.left, _TURNED[node.operator]),
        ):
            one = reads_thread(index, differs) and not reads_thread(limit, differs)
            if one and operator in _SAYS:
                yield node, index, limit


def _counters(kernel: Function) -> dict[int, e.Expression]:
    """What the counters of loops that step by one stay below, by the variables' numbers."""
    found: dict[int, e.Expression] = {}
    for node in find(kernel.body, s.Loop):
        match node:
            case s.Loop(
                kind="for",
                initial=s.Declare(variable=counter),
                condition=e.Binary(operator="<", left=left, right=right),
            ) if _names(left, counter):
                found[counter.id] = right
    return found


def _names(node: e.Expression, variable: e.Variable) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.VariableReference) and node.variable.id == variable.id


def _lasts(extents: Extents) -> Extents:
    x, y, z = extents
    return x - 1, y - 1, z - 1


def _grown(operator: str, a: int, b: int) -> int | None:
    """Of what grows with its operands alone."""
    return calculated(operator, a, b) if operator in ("+", "*", "<<") and min(a, b) >= 0 else None
