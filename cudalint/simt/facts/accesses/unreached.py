"""Accesses that no run reached: records without a number."""

from cudalint.analyses.kernel_queries import lvalues, reachable, root_of, space_of
from cudalint.analyses.pointer_roots import pointer_roots
from cudalint.analyses.private_objects import is_private
from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.types import Type
from cudalint.ir.unit import Function, Unit
from cudalint.simt.facts.accesses.access import NO_NUMBER, Access, Basis
from cudalint.source.span import Span

NOT_REACHED = "not reached in any run"


def _width(type: Type) -> int:
    return max(1, min(type.bytes, 16))


def _space(unit: Unit, kernel: Function, node: e.Expression) -> Space:
    """That of what the pointers of all callers start from."""
    found = space_of(node)
    root = root_of(node) if found == "global" else None
    return "shared" if root is not None and pointer_roots(unit, kernel).are_shared(root) else found


def unreached(
    unit: Unit,
    function: Function,
    recorded: set[tuple[Span, Operation]],
    executed: set[Span],
    dead: frozenset[int] = frozenset(),
) -> list[Access]:
    """A record without a number for every access of the kernel to memory of several threads that no run
    reached. dead: nodes, by identity, that no thread ever comes to.
    """
    found: dict[tuple[Span, Operation], Access] = {}
    for current in reachable(unit, function):
        if current.body is None:
            continue
        for node, operation in lvalues(current.body):
            key = (node.span, operation)
            if key in recorded or node.span in executed or key in found or id(node) in dead:
                continue
            if is_private(unit, function, node):
                continue
            found[key] = Access(
                node.span,
                render(node),
                _space(unit, function, node),
                operation,
                _width(node.type),
                NO_NUMBER,
                function.name,
                basis=Basis(unknown=NOT_REACHED),
                attributed_to=node.span,
            )
    return list(found.values())
