"""What an edit of some lines belongs to: the functions that they stand in, and the kernels that run those."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda.effects import WAITING, WARP_BARRIERS
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span

Lines: TypeAlias = tuple[int, int]  # the first and the last, counted from 1


class Edited(Struct, frozen=True):
    """Lines of a file that were edited. path: as spans of a unit have it. nothing: none were, and only what
    an answer to the next edit takes is made ready.
    """

    path: str
    lines: Lines = (0, 0)

    @property
    def nothing(self) -> bool:
        return self.lines == (0, 0)

    def meets(self, span: Span) -> bool:
        first, last = self.lines
        return span.path == self.path and span.line <= last and first <= span.end_line


class Touched(Struct, frozen=True):
    """kernels: keys of those whose code or launch edited lines belong to; lines: those of the edited file
    that these kernels and the functions round the lines take.
    """

    path: str
    kernels: tuple[str, ...]
    lines: tuple[Lines, ...]

    def holds(self, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines)

    def with_sharers(self, unit: Unit) -> "Touched":
        """The same with the kernels that call functions of these which hold barriers: what needs a barrier of
        such a function is told by all of them.
        """
        called = {key: reachable(unit, unit.functions[key]) for key in unit.kernels if key in unit.functions}
        shared = {one.key for key in self.kernels for one in called[key] if one.key != key and _waits(one)}
        kernels = (k for k, all_ in called.items() if k in self.kernels or any(f.key in shared for f in all_))
        return replace(self, kernels=tuple(kernels))

    def alone(self, unit: Unit) -> Unit:
        """The unit with no other kernels to ask about."""
        written = tuple(k for k in unit.kernels_in_source if k[0] == self.path and self.holds(k[1]))
        return replace(unit, kernels=self.kernels, kernels_in_source=written)


def touched(unit: Unit, edited: Edited) -> Touched:
    """What edited lines of the unit, or of a file that it includes, belong to."""
    own = [f for f in unit.functions.values() if edited.meets(f.extent)]
    launched = {key for function in own for key in _launched(function, edited)}
    kernels = tuple(
        key for key in unit.kernels if key in launched or _runs(unit, unit.functions.get(key), own)
    )
    extents = [f.extent for f in own]
    extents += [found for key in kernels if (found := unit.functions[key].extent).path == edited.path]
    return Touched(edited.path, kernels, tuple(dict.fromkeys((span.line, span.end_line) for span in extents)))


def _waits(function: Function) -> bool:
    return any(call.name in WAITING | WARP_BARRIERS for call in find(function.body, e.Call))


def _runs(unit: Unit, kernel: Function | None, functions: list[Function]) -> bool:
    """Whether a kernel is one of the functions or calls one."""
    called = reachable(unit, kernel) if kernel is not None else ()
    return any(one is function for one in called for function in functions)


def _launched(function: Function, edited: Edited) -> set[str]:
    """The kernels whose launches stand in the lines."""
    launches = (node for node in find(function.body, e.Launch) if edited.meets(node.span))
    return {launch.key for launch in launches if launch.key is not None}
