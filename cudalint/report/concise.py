"""One line per finding, in the form that editors jump to."""

from cudalint.report.content import Content
from cudalint.rule.findings import Finding
from cudalint.source.text import one_line


def render(content: Content) -> str:
    return "".join(one_line(_row(finding)) + "\n" for finding in content.findings)


def _row(finding: Finding) -> str:
    span, archs = finding.span, f" [{', '.join(finding.archs)}]" if finding.archs else ""
    place = f"{span.path}:{span.line}:{span.column}"
    return f"{place}: {finding.severity.value} {finding.code} {finding.name}: {finding.message}{archs}"
