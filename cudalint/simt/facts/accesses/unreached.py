"""Accesses that no run reached: records without a number."""

from cudalint.analyses.kernel_queries import lvalues, reachable, space_of
from cudalint.analyses.private_objects import is_private
from cudalint.cuda.spaces import Operation
from cudalint.ir.render import render
from cudalint.ir.types import Type
from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.accesses.access import NO_NUMBER, Access, Basis
from cudalint.source.span import Span

NOT_REACHED = "not reached in any run"


def _width(type: Type) -> int:
    return max(1, min(type.bytes, 16))


def unreached(
    unit: Unit, function: Function, recorded: set[tuple[Span, Operation]], executed: set[Span]
) -> list[Access]:
    """A record without a number for every access of the kernel to memory of several threads that no run
    reached.
    """
    found: dict[tuple[Span, Operation], Access] = {}
    for current in reachable(unit, function):
        if current.body is None:
            continue
        for node, operation in lvalues(current.body):
            key = (node.span, operation)
            if key in recorded or node.span in executed or key in found or is_private(unit, function, node):
                continue
            found[key] = Access(
                node.span,
                render(node),
                space_of(node),
                operation,
                _width(node.type),
                NO_NUMBER,
                function.name,
                basis=Basis(unknown=NOT_REACHED),
                attributed_to=node.span,
            )
    return list(found.values())
