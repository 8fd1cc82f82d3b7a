"""The order of findings in every report, and which of them would give most."""

from collections.abc import Iterable

from cudalint.rule.findings import Finding

_NAMED = 3  # changes at the end of a report


def place(finding: Finding) -> tuple[str, int, int, str, int, int, str]:
    """Where a finding stands; of one place, by code."""
    span = finding.span
    return span.path, span.line, span.column, finding.code, span.end_line, span.end_column, finding.kernel


def by_impact(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """File by file and kernel by kernel, each kernel where its first finding stands. Within a kernel: what
    has no impact (what is wrong, not slow) as it stands in the source, then by impact, the largest first.
    """
    placed = sorted(findings, key=place)
    first: dict[tuple[str, str], Finding] = {}
    for one in placed:
        if one.kernel:
            first.setdefault((one.span.path, one.kernel), one)
    of = {id(one): first[one.span.path, one.kernel] if one.kernel else one for one in placed}
    return tuple(sorted(placed, key=lambda one: (place(of[id(one)]), _worth(one))))


def _worth(finding: Finding) -> tuple[bool, float]:
    return finding.impact is not None, -finding.impact.middle if finding.impact is not None else 0.0


def most_worth(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The few that save most of their kernel's time, of the whole run's where a profile tells the kernels'
    shares of it; none where only one says what it saves. What may save nothing under a condition is left out.
    """
    sure = [
        one for one in findings if one.condition is None or (one.impact is not None and one.impact.low > 0)
    ]
    known = [(one.impact.middle * _share(one), one) for one in sure if one.impact is not None]
    known.sort(key=lambda pair: -pair[0])
    return tuple(one for _, one in known[:_NAMED]) if len(known) > 1 else ()


def _share(finding: Finding) -> float:
    return finding.profile.share if finding.profile is not None else 1.0
