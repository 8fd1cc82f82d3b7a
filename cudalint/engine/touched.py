"""What an edit of some lines belongs to: the functions that they stand in, and the kernels that run those."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.source.span import Span

Lines: TypeAlias = tuple[int, int]  # the first and the last, counted from 1


class Touched(Struct, frozen=True):
    """kernels: keys of those whose code or launch the lines belong to; lines: of these and of the functions
    that the lines stand in.
    """

    kernels: tuple[str, ...]
    lines: tuple[Lines, ...]

    def holds(self, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines)

    def alone(self, unit: Unit) -> Unit:
        """The unit with no other kernels to ask about."""
        written = tuple(k for k in unit.kernels_in_source if k[0] == unit.path and self.holds(k[1]))
        return replace(unit, kernels=self.kernels, kernels_in_source=written)


def touched(unit: Unit, lines: Lines) -> Touched:
    """What lines of the unit's own file belong to."""
    own = [f for f in unit.functions.values() if _meet(unit, f.extent, lines)]
    launched = {key for function in own for key in _launched(unit, function, lines)}
    kernels = tuple(
        key for key in unit.kernels if key in launched or _runs(unit, unit.functions.get(key), own)
    )
    extents = [f.extent for f in own]
    extents += [unit.functions[key].extent for key in kernels if unit.functions[key].extent.path == unit.path]
    return Touched(kernels, tuple(dict.fromkeys((span.line, span.end_line) for span in extents)))


def _meet(unit: Unit, span: Span, lines: Lines) -> bool:
    first, last = lines
    return span.path == unit.path and span.line <= last and first <= span.end_line


def _runs(unit: Unit, kernel: Function | None, functions: list[Function]) -> bool:
    """Whether a kernel is one of the functions or calls one."""
    called = reachable(unit, kernel) if kernel is not None else ()
    return any(one is function for one in called for function in functions)


def _launched(unit: Unit, function: Function, lines: Lines) -> set[str]:
    """The kernels whose launches stand in the lines."""
    nodes = walk(function.body) if function.body is not None else ()
    launches = (node for node in nodes if isinstance(node, e.Launch) and _meet(unit, node.span, lines))
    return {launch.key for launch in launches if launch.key is not None}
