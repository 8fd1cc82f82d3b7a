"""Savings in an instantiation of a template that no run came to, told of one that a run did come to."""

from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.significance.saving import Saving, comes_to
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span


def of_those_run(
    saving: Saving, kernels: Iterable[KernelFacts], unit: Unit
) -> list[tuple[Saving, KernelFacts]]:
    """The saving in each kernel that comes to it; where none does, that of the same expressions of the source
    in each that comes to those.
    """
    kernels = tuple(kernels)
    found = [(saving, kernel) for kernel in kernels if comes_to(saving, kernel, unit)]
    if found or not saving.instructions:
        return found
    moved = ((_moved(saving, kernel, unit), kernel) for kernel in kernels)
    return [(one, kernel) for one, kernel in moved if comes_to(one, kernel, unit)]


def _moved(saving: Saving, kernel: KernelFacts, unit: Unit) -> Saving:
    """The saving at what the kernel has in the place of its expressions."""
    own = _by_place(unit, kernel.function)
    instructions = [(own.get((node.span, type(node)), node), each) for node, each in saving.instructions]
    return replace(saving, instructions=tuple(instructions))


@once
def _by_place(unit: Unit, kernel: Function) -> dict[tuple[Span, type], Node]:
    """The nodes of a kernel and of what it calls, by their place in the source and their kind."""
    bodies = [function.body for function in reachable(unit, kernel) if function.body is not None]
    return {(node.span, type(node)): node for body in reversed(bodies) for node in reversed(list(walk(body)))}
