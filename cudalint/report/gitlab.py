"""GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/"""

from cudalint.report.content import Content
from cudalint.report.fingerprint import Fingerprints
from cudalint.report.json_report import dump
from cudalint.settings.severity import Severity
from cudalint.source.text import one_line

_LEVELS = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "minor"}


def render(content: Content) -> str:
    prints = Fingerprints()
    return dump(
        [
            {
                "description": one_line(f"{item.code} {item.name}: {item.message}"),
                "check_name": item.code,
                "fingerprint": prints.finding(
                    item.code, item.span.path, content.sources.lines(item.span.path), item.span.line
                ),
                "severity": _LEVELS[item.severity],
                "location": {
                    "path": item.span.path,
                    "lines": {"begin": max(1, item.span.line), "end": max(1, item.span.end_line)},
                },
            }
            for item in content.findings
        ]
    )
