"""reviewdog's diagnostic format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf

Columns count bytes of UTF-8, not characters.
"""

from typing import Any

from cudalint.report.content import Content
from cudalint.report.json_report import dump
from cudalint.rule import guides
from cudalint.rule.findings import Finding
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

_LEVELS = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(content: Content) -> str:
    links = {loaded.rule.code: guides.address(loaded.rule.guides) for loaded in content.rules}
    diagnostics = [_diagnostic(item, content, links.get(item.code)) for item in content.findings]
    return dump({"source": {"name": "cudalint"}, "diagnostics": diagnostics})


def _diagnostic(item: Finding, content: Content, link: str | None) -> dict[str, Any]:
    saves = [f"Fixing it saves {item.impact}."] if item.impact is not None else []
    found: dict[str, Any] = {
        "message": "\n".join(
            [item.message, *saves, *item.notes, *([f"Help: {item.help}"] if item.help else [])]
        ),
        "location": _location(item.span, content),
        "severity": _LEVELS[item.severity],
        "code": {"value": item.code, **({"url": link} if link else {})},
    }
    if item.related:
        found["related_locations"] = [
            {"message": other.message, "location": _location(other.span, content)} for other in item.related
        ]
    if item.fix is not None:
        found["suggestions"] = [
            {"range": _range(edit.span, content), "text": edit.text}
            for edit in item.fix.edits
            if edit.span.path == item.span.path
        ]
    return found


def _location(span: Span, content: Content) -> dict[str, Any]:
    return {"path": span.path, "range": _range(span, content)}


def _range(span: Span, content: Content) -> dict[str, Any]:
    def place(line: int, column: int) -> dict[str, int]:
        before = content.sources.line(span.path, line)[: column - 1]
        return {"line": max(1, line), "column": len(before.encode("utf-8", "surrogateescape")) + 1}

    return {"start": place(span.line, span.column), "end": place(span.end_line, span.end_column)}
