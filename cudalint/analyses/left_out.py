"""The elements at the end that no thread of a grid comes to, for known numbers: threads compare the number of
their element with the number of all, and the blocks' shares end before it.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.condition_kinds import reads_thread, varying
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.idle_blocks import Extents, Known
from cudalint.analyses.whole_numbers import calculated
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_SAYS = ("<", ">=")  # of an element and the number of all; others may let one too many through
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DEEPEST = 24


class LeftOut(Struct, frozen=True):
    """`count` elements, of which each block takes `share`: `left` at the end remain. guard: what says so."""

    guard: e.Binary
    count: int
    share: int
    left: int


def left_out(
    unit: Unit, kernel: Function, axis: int, grid: Extents, block: Extents, known: Known
) -> LeftOut | None:
    """Where the blocks on the axis are the number of all divided by a block's share, rounded down."""
    own = definitions(unit, kernel)
    counters = _counters(kernel)
    for guard, index, limit in _guards(kernel):
        numbers = _Largest(own, known, counters, grid, block, grid[axis] - 1, axis)
        count, last = numbers.of(limit), numbers.of(index)
        before = _Largest(own, known, counters, grid, block, grid[axis] - 2, axis).of(index)
        if count is None or last is None or before is None or grid[axis] < 2:
            continue
        share, end = last - before, last + 1
        if share > 1 and end == grid[axis] * share and count // share == grid[axis] and count % share:
            return LeftOut(guard, count, share, count - end)
    return None


def _guards(kernel: Function) -> Iterator[tuple[e.Binary, e.Expression, e.Expression]]:
    """Comparisons of a thread's number with a limit: not those of loops."""
    differs = varying(kernel)
    nodes = list(walk(kernel.body)) if kernel.body is not None else []
    heads = [n.condition for n in nodes if isinstance(n, s.Loop) and n.condition is not None]
    looping = {id(part) for head in heads for part in walk(head)}
    for node in nodes:
        if not isinstance(node, e.Binary) or node.operator not in _TURNED or id(node) in looping:
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
    for node in walk(kernel.body) if kernel.body is not None else ():
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


class _Largest(Struct, frozen=True):
    """Numbers of the last thread of a block, in the last iteration of the loops round them."""

    own: Definitions
    known: Known
    counters: dict[int, e.Expression]
    grid: Extents
    block: Extents
    number: int
    axis: int

    def of(self, node: e.Expression, depth: int = 0) -> int | None:
        if depth > _DEEPEST:
            return None
        match node:
            case e.Literal(value=bool() | int() as value):
                return int(value)
            case e.Cast(operand=operand):
                return self.of(operand, depth + 1)
            case e.Builtin(name="threadIdx", axis=axis):
                return self.block["xyz".index(axis)] - 1
            case e.Builtin(name="blockIdx", axis=axis):
                at = "xyz".index(axis)
                return self.number if at == self.axis else self.grid[at] - 1
            case e.Builtin(name="blockDim", axis=axis):
                return self.block["xyz".index(axis)]
            case e.Builtin(name="gridDim", axis=axis):
                return self.grid["xyz".index(axis)]
            case e.VariableReference(variable=variable):
                return self._variable(variable, depth)
            case e.Member(base=e.VariableReference(variable=variable), offset=offset):
                return self.known.get((variable.id, offset)) if variable.id not in self.own.changed else None
            case e.Binary(operator="+" | "*" | "<<" as operator, left=left, right=right):
                a, b = self.of(left, depth + 1), self.of(right, depth + 1)
                return None if a is None or b is None or min(a, b) < 0 else calculated(operator, a, b)
            case e.Call():
                found = self.own.resolve(node)
                return self.of(found, depth + 1) if found is not node else None
        return None

    def _variable(self, variable: e.Variable, depth: int) -> int | None:
        given = self.known.get((variable.id, 0))
        if given is not None and variable.id not in self.own.changed | self.own.values.keys():
            return given
        limit = self.counters.get(variable.id)
        if limit is not None:
            last = self.of(limit, depth + 1)
            return last - 1 if last is not None else None
        only = self.own.only(variable)
        return self.of(only, depth + 1) if only is not None else None
