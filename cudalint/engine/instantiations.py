"""Which instantiations of a kernel template a finding holds for, where it is not all of them."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from cudalint.rule.findings import Finding
from cudalint.rule.texts import listed
from cudalint.simt.facts.kernel import KernelFacts

_MOST = 4  # that are named

Asked = tuple[KernelFacts, list[Finding]]  # an instantiation, and what rules found in it


def named(asked: Sequence[Asked]) -> list[Finding]:
    """The findings of all kernels; one that some instantiations of its template lack names those with it."""
    found: list[Finding] = []
    for mine in _together(asked):
        for _, findings in mine:
            for one in findings:
                own = [
                    kernel
                    for kernel, others in mine
                    if any((other.code, other.span) == (one.code, one.span) for other in others)
                ]
                found.append(one if len(own) == len(mine) else _noted(one, own, len(mine)))
    return found


def _together(asked: Sequence[Asked]) -> Iterable[list[Asked]]:
    """The instantiations of each kernel of the source."""
    groups: dict[object, list[Asked]] = {}
    for entry in asked:
        function = entry[0].function
        groups.setdefault((function.name, function.extent), []).append(entry)
    return groups.values()


def _noted(finding: Finding, own: list[KernelFacts], count: int) -> Finding:
    names = [_name(kernel) for kernel in own]
    rest = [f"{len(names) - _MOST} more"] if len(names) > _MOST else []
    note = f"in {listed([*names[:_MOST], *rest])}, of {count} instantiations"
    return replace(finding, notes=(*finding.notes, note))


def _name(kernel: KernelFacts) -> str:
    return f"`{kernel.name}<{', '.join(map(str, kernel.function.template_arguments))}>`"
