"""Which instantiations of a kernel template a finding holds for, where it is not all of them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.texts import listed
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span

_MOST = 4  # that are named

Asked = tuple[KernelFacts, list[Finding]]  # an instantiation, and what rules found in it


def named(unit: Unit, asked: Sequence[Asked]) -> list[Finding]:
    """The findings of all kernels; one that some instantiations of its template lack names those with it."""
    found: list[Finding] = []
    there = Counter(_definition(unit.functions[key]) for key in unit.kernels if key in unit.functions)
    for mine in _together(asked):
        analysed, all = len(mine), there[_definition(mine[0][0].function)]
        count = f"{analysed} instantiations" + (
            f" that were analysed ({all} in all)" if all > analysed else ""
        )
        for _, findings in mine:
            for one in findings:
                own = [
                    kernel
                    for kernel, others in mine
                    if any((other.code, other.span) == (one.code, one.span) for other in others)
                ]
                found.append(one if len(own) == len(mine) else _noted(one, own, count))
    return found


def _together(asked: Sequence[Asked]) -> Iterable[list[Asked]]:
    """The instantiations of each kernel of the source."""
    groups: dict[object, list[Asked]] = {}
    for entry in asked:
        groups.setdefault(_definition(entry[0].function), []).append(entry)
    return groups.values()


def _definition(function: Function) -> tuple[str, Span]:
    return function.name, function.extent


def _noted(finding: Finding, own: list[KernelFacts], count: str) -> Finding:
    names = [_name(kernel) for kernel in own]
    rest = [f"{len(names) - _MOST} more"] if len(names) > _MOST else []
    note = f"in {listed([*names[:_MOST], *rest])}, of {count}"
    return replace(finding, notes=(*finding.notes, note))


def _name(kernel: KernelFacts) -> str:
    return f"`{kernel.name}<{', '.join(map(str, kernel.function.template_arguments))}>`"
