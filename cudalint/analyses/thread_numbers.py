"""Numbers that one thread of a launch computes from its place, the shape, and what it is passed."""

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from cudalint.analyses.definitions import Definitions
from cudalint.ir import expressions as e

Known = Mapping[tuple[int, int], int]  # numbers of parameters and of their fields: (variable, byte offset)
Extents = tuple[int, int, int]

_DEEPEST = 24  # expressions in expressions that are looked into


class ThreadNumbers(Struct, frozen=True):
    """own: of the kernel; thread, place: its threadIdx and blockIdx; combined: what an operator makes of two
    numbers, None where that is not known; limits: of counters of loops, by variable, that are taken to be in
    their last iteration.
    """

    own: Definitions
    known: Known
    grid: Extents
    block: Extents
    thread: Extents
    place: Extents
    combined: Callable[[str, int, int], int | None]
    limits: Mapping[int, e.Expression] = field(default_factory=dict)

    def of(self, node: e.Expression, depth: int = 0) -> int | None:
        """The number of an expression; None where nobody knows it."""
        if depth > _DEEPEST:
            return None
        match node:
            case e.Literal(value=bool() | int() as value):
                return int(value)
            case e.Cast(operand=operand):
                return self.of(operand, depth + 1)
            case e.Builtin(name="threadIdx" | "blockIdx" | "blockDim" | "gridDim" as name, axis=axis):
                return self._builtin(name)["xyz".index(axis)]
            case e.VariableReference(variable=variable):
                return self._variable(variable, depth)
            case e.Member(base=e.VariableReference(variable=variable), offset=offset):
                return self.known.get((variable.id, offset)) if variable.id not in self.own.changed else None
            case e.Binary(operator=operator, left=left, right=right):
                a, b = self.of(left, depth + 1), self.of(right, depth + 1)
                return None if a is None or b is None else self.combined(operator, a, b)
            case e.Call():
                found = self.own.resolve(node)
                return self.of(found, depth + 1) if found is not node else None
        return None

    def _builtin(self, name: str) -> Extents:
        values = {"threadIdx": self.thread, "blockIdx": self.place, "blockDim": self.block}
        return values.get(name, self.grid)

    def _variable(self, variable: e.Variable, depth: int) -> int | None:
        given = self.known.get((variable.id, 0))
        if given is not None and variable.id not in self.own.changed | self.own.values.keys():
            return given
        limit = self.limits.get(variable.id)
        if limit is not None:
            last = self.of(limit, depth + 1)
            return last - 1 if last is not None else None
        only = self.own.only(variable)
        return self.of(only, depth + 1) if only is not None else None


def on_axis(extents: Extents, axis: int, number: int) -> Extents:
    """The extents with another number on one axis."""
    x, y, z = (number if at == axis else extent for at, extent in enumerate(extents))
    return x, y, z
