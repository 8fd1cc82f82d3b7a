"""Merge the results of a file for several architectures."""

from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from cudalint.engine.analysis import Task, deduplicated
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnitResult

_BADNESS = {"ok": 0, "degraded": 1, "failed": 2}


def together(tasks: list[Task], results: list[UnitResult]) -> list[UnitResult]:
    """The results, merged per file; tasks of one file are adjacent."""
    pairs = zip(tasks, results, strict=True)
    found: list[UnitResult] = []
    for _, group in groupby(pairs, key=lambda pair: pair[0].path):
        of_file = list(group)
        if len(of_file) == 1:
            found.append(of_file[0][1])
        else:
            found.append(_merged([(task.settings.target, result) for task, result in of_file]))
    return found


def _merged(parts: list[tuple[str, UnitResult]]) -> UnitResult:
    """One result for all architectures: the worst outcome, the kernels of the first one modelled."""
    worst = max(parts, key=lambda part: _BADNESS[part[1].outcome.status])[1]
    first = next((result for _, result in parts if result.arch), parts[0][1])
    return replace(
        first,
        outcome=worst.outcome,
        findings=_findings(parts),
        suppressions=tuple(use for _, result in parts for use in result.suppressions),
        below=tuple(finding for _, result in parts for finding in result.below),
        headers=tuple(dict.fromkeys(header for _, result in parts for header in result.headers)),
        archs=tuple(arch for arch, _ in parts),
    )


def _findings(parts: list[tuple[str, UnitResult]]) -> tuple[Finding, ...]:
    """Each finding once, with its architectures where these are not all, and with messages that
    differ between architectures as notes.
    """
    archs = tuple(arch for arch, _ in parts)
    said: dict[tuple[object, ...], list[tuple[str, Finding]]] = {}
    for arch, result in parts:
        for finding in result.findings:
            said.setdefault((finding.code, finding.span), []).append((arch, finding))
    marked = []
    for group in said.values():
        holds = tuple(dict.fromkeys(map(itemgetter(0), group)))
        (kept,) = deduplicated([finding for _, finding in group])
        others: dict[str, list[str]] = {}
        for arch, finding in group:
            if finding.message != kept.message:
                others.setdefault(finding.message, []).append(arch)
        notes = [f"for {', '.join(where)}: {message}" for message, where in others.items()]
        if holds != archs:
            notes.append(f"for {', '.join(holds)}; not for {', '.join(a for a in archs if a not in holds)}")
        marked.append(replace(kept, notes=(*kept.notes, *notes), archs=() if holds == archs else holds))
    return tuple(deduplicated(marked))
