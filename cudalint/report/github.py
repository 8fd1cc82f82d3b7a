"""GitHub workflow commands: annotations on the lines of a pull request."""

from cudalint.report.content import Content
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.settings.severity import Severity
from cudalint.source.text import printable, without_azure

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(content: Content) -> str:
    return "".join(_command(finding) + "\n" for finding in content.findings)


def _command(finding: Finding) -> str:
    span = finding.span
    properties = {
        "file": span.path,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "title": f"{finding.code} {finding.name}",
    }
    if span.line == span.end_line:  # columns are only understood within one line
        properties["col"] = str(span.column)
        properties["endColumn"] = str(max(span.column, span.end_column - 1))
    fields = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    impact = [f"fixing it saves {finding.impact}"] if finding.impact is not None else []
    help_ = [f"help: {finding.help}"] if finding.help else []
    text = "\n".join([finding.message, *impact, *finding.notes, *other_lines(finding), *help_])
    return f"::{_LEVELS[finding.severity]} {fields}::{_data(printable(text))}"


def _data(text: str) -> str:
    return without_azure(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
