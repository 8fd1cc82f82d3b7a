"""One line a finding, in the form that editors jump to."""

from cudalint.report.content import Content
from cudalint.source import printable


def render(content: Content) -> str:
    rows = [
        f"{f.span.path}:{f.span.line}:{f.span.column}: {f.severity.value} {f.code} {f.name}: {f.message}"
        for f in content.findings
    ]
    return "".join(printable(row) + "\n" for row in rows)
