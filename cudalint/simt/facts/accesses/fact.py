"""The fact of a kernel's accesses: all of them, in source order."""

from msgspec.structs import replace

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.accesses.regrouped import bounded
from cudalint.simt.facts.branches.merge import of_runs
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.warp_calls import WarpCall


def _conclude(kernel: KernelRuns) -> tuple[tuple[Access, ...]]:
    found = list(kernel.once(complete).accesses)
    found = bounded(kernel.unit, kernel.function, kernel.once(of_runs), kernel.of(WarpCall), found)
    if kernel.function.assumed:
        found = [_chosen(access, kernel.function.assumed) for access in found]
    return (tuple(sorted(found, key=lambda a: (a.span.path, a.span.line, a.span.column, a.operation))),)


def _chosen(access: Access, arguments: tuple[str, ...]) -> Access:
    """An access of a template whose arguments cudalint chose: another choice may have another number."""
    counted = access.transactions
    if counted.certainty == "exact":
        counted = replace(counted, certainty="bounded")
    basis = replace(access.basis, assumed=(*arguments, *access.basis.assumed))
    return replace(access, transactions=counted, basis=basis)


FACT = Fact(of=(Access,), conclude=_conclude, needs=(WarpCall,))
