"""Which number that a launch passes is the distance between the lanes of an access."""

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import run_time, strides


def chosen_stride(access: Access, kernel: KernelFacts) -> bool:
    """Whether the lane stride is one of the numbers tried for what the source does not say, or differs
    between them.
    """
    seen = strides(access)
    if len(seen) > 1 and access.transactions.certainty != "exact":
        return True
    tried = {number for passed in kernel.parameters for value in passed for number in value.tried}
    return run_time(seen) or any({stride, stride / access.bytes} & tried for stride in seen)


def passed_stride(access: Access, kernel: KernelFacts) -> str | None:
    """The parameter that is the lane stride in elements, where no launch says which number it is."""
    elements = {stride / access.bytes for stride in strides(access)}
    for passed in kernel.parameters:
        for value in passed:
            tried = {abs(number) for number in value.tried}
            if not value.pointer and len(tried) > 1 and elements and elements <= tried:
                return value.name
    return None
