"""Which number that a launch passes is the distance between the lanes of an access."""

from cudalint.analyses.definitions import definitions
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import SECTOR, run_time, strides


def chosen_stride(access: Access, kernel: KernelFacts) -> bool:
    """Whether the lane stride is one of the numbers tried for what the source does not say, or differs
    between them.
    """
    seen = strides(access)
    if len(seen) > 1 and access.transactions.certainty != "exact":
        return True
    tried = {number for passed in kernel.parameters for value in passed for number in value.tried}
    return run_time(seen) or any({stride, stride / access.bytes} & tried for stride in seen)


def passed_stride(access: Access, kernel: KernelFacts, unit: Unit) -> str | None:
    """The parameter that is the lane stride in elements, where no launch says which number it is; of several
    that were tried alike the one that the index is made of.
    """
    elements = {stride / access.bytes for stride in strides(access)}
    found = [
        value.name
        for passed in kernel.parameters
        for value in passed
        if not value.pointer and _fits(elements, {abs(number) for number in value.tried})
    ]
    if len(set(found)) > 1:
        made_of = _made_of(access, kernel.function, unit)
        found = [name for name in found if name in made_of] if made_of else found
    return found[0] if found else None


def far_apart(access: Access, passed: str) -> str:
    """The condition on such a number with which each lane has a sector of its own, as was counted."""
    return f"{passed} >= {max(2, -(-SECTOR // access.bytes))}"


def _fits(elements: set[float], tried: set[float]) -> bool:
    return len(tried) > 1 and bool(elements) and elements <= tried


def _made_of(access: Access, kernel: Function, unit: Unit) -> set[str]:
    """What the place is made of as it is written, by way of the kernel's variables."""
    known = definitions(unit, kernel)
    waiting: list[e.Expression] = [
        node for node in find(kernel.body, e.Index, e.Dereference) if node.span == access.span
    ]
    found: set[str] = set()
    while waiting:
        for node in find(waiting.pop(), e.VariableReference, e.Member, e.Index):
            name = render(node)
            if name not in found:
                found.add(name)
                value = known.only(node.variable) if isinstance(node, e.VariableReference) else None
                waiting += [value] if value is not None else []
    return found
