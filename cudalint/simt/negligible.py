"""Accesses that cannot be felt, however they are made: in launches that are over before it matters, or where
each lane does something far longer besides.
"""

from collections.abc import Iterable

from cudalint.gpu.throughput import LAUNCH_SECTORS
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.once import once
from cudalint.ir.source import Span
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.simt.beside import Stand, stands
from cudalint.simt.facts import Access, KernelFacts
from cudalint.simt.static import reachable

# The heap of the device, which one lock or another guards; each takes thousands of clocks.
_HEAP = frozenset(("malloc", "free", "operator new", "operator delete", "cudaMalloc", "cudaFree"))


def negligible(
    accesses: Iterable[Access], kernel: KernelFacts, unit: Unit, launches: Iterable[LaunchFact]
) -> bool:
    """Whether none of the accesses, nor all of them, can be felt."""
    found = tuple(accesses)
    if _small(found, kernel, launches):
        return True
    places = stands(unit, kernel.function)
    long = [places[span] for span in _long(unit, kernel.function) if span in places]
    return all(access.span in places and _outweighed(places[access.span], long) for access in found)


def _small(accesses: tuple[Access, ...], kernel: KernelFacts, launches: Iterable[LaunchFact]) -> bool:
    """Whether in every launch one multiprocessor alone would move all of it while an empty one is made."""
    shapes = {shape.block for shape in kernel.configurations if shape.origin == "launch"}
    own = [launch for launch in launches if launch.key == kernel.function.key]
    if not own or any(launch.block not in shapes for launch in own):
        return False
    numbers = [access.sectors for access in accesses]
    return all(n is not None for n in numbers) and sum(n or 0.0 for n in numbers) < LAUNCH_SECTORS


@once
def _long(unit: Unit, function: Function) -> tuple[Span, ...]:
    """Where device code asks for memory, gives it back, or launches a grid."""
    return tuple(
        node.span
        for current in reachable(unit, function)
        for node in (walk(current.body) if current.body is not None else ())
        if isinstance(node, e.Launch) or (isinstance(node, e.Call) and node.name in _HEAP)
    )


def _outweighed(stand: Stand, long: list[Stand]) -> bool:
    """Whether each lane that comes to a place does one of these as often, or more often."""
    return any(
        one.arms == stand.arms[: len(one.arms)] and stand.loops == one.loops[: len(stand.loops)]
        for one in long
    )
