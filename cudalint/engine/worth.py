"""Which findings about speed are shown, and how severe they are: by impact alone."""

from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.rule.findings import Finding
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Impact

_GRAVE = 0.2  # of the time, at most, from which on a finding is a warning


def worth(findings: Iterable[Finding], least: float) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """(Those without an impact and those that may save so large a share (0..1) of the time, the others), each
    with the severity of its impact.
    """
    judged = [_judged(one) for one in findings]
    shown = tuple(one for one in judged if one.impact is None or one.impact.high >= least)
    return shown, tuple(one for one in judged if one.impact is not None and one.impact.high < least)


def _judged(finding: Finding) -> Finding:
    if finding.impact is None:
        return finding
    known = Severity.NOTE if finding.condition else severity(finding.impact)
    return replace(finding, severity=known)


def severity(impact: Impact) -> Severity:
    """A warning where it may save a fifth, and saves a hundredth for certain; else a note."""
    return Severity.WARNING if impact.high >= _GRAVE and round(impact.low, 2) > 0 else Severity.NOTE
