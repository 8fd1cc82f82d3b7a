"""`--statistics`: how much of a tree was analysed, and the findings by rule."""

from collections import Counter

from cudalint.report.content import plural
from cudalint.rule.findings import FileResult, Finding
from cudalint.rule.outcome import KernelCount, UnitResult
from cudalint.source.text import as_lines

_REASONS = 25


def render(
    findings: tuple[Finding, ...], files: tuple[FileResult, ...], results: tuple[UnitResult, ...]
) -> str:
    """The counts as text."""
    kernels = merged(results)
    modelled = sum(kernel.modelled for kernel in kernels)
    partly = sum(kernel.modelled and bool(kernel.unknowns) for kernel in kernels)
    share = f" ({modelled / len(kernels):.1%})" if kernels else ""
    states = Counter(file.status for file in files)
    rows = [
        f"files: {len(files)}, ok {states['ok']}, degraded {states['degraded']}, failed {states['failed']}",
        f"kernels in the source: {len(kernels)}",
        f"kernels modelled: {modelled}{share}",
        f"kernels with unknown parts: {partly}",
    ]
    rows += _reasons(
        "reasons for kernels not modelled", Counter(k.failure for k in kernels if not k.modelled)
    )
    unknowns: Counter[str] = Counter()
    for kernel in kernels:
        unknowns.update({reason for reason, _ in kernel.unknowns})
    rows += _reasons("reasons for unknown parts (kernels)", unknowns)
    rows += _reasons(
        "reasons for degraded files", Counter(f.reason or "" for f in files if f.status == "degraded")
    )
    rows += _reasons(
        "reasons for failed files", Counter(f.reason or "" for f in files if f.status == "failed")
    )
    below = {(f.code, f.span) for result in results for f in result.below}
    below -= {(f.code, f.span) for f in findings}
    rows += [f"findings below --min-impact: {len(below)}"] if below else []
    rows += _reasons("findings", Counter(f"{f.code} {f.name}" for f in findings), limit=len(findings))
    return as_lines(rows)


def merged(results: tuple[UnitResult, ...]) -> tuple[KernelCount, ...]:
    """Each kernel of the source once; it counts as modelled if some unit modelled it."""
    best: dict[tuple[str, int, str], KernelCount] = {}
    for result in results:
        for kernel in result.kernels:
            key = (kernel.path, kernel.line, kernel.name)
            if key not in best or (kernel.modelled and not best[key].modelled):
                best[key] = kernel
    return tuple(best[key] for key in sorted(best))


def _reasons(title: str, counted: "Counter[str]", limit: int = _REASONS) -> list[str]:
    if not counted:
        return []
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    rows = [f"{title}:"] + [f"  {number:6d}  {reason}" for reason, number in ordered[:limit]]
    if len(ordered) > limit:
        rows.append(f"          and {plural(len(ordered) - limit, 'more reason')}")
    return rows
