"""Findings below the name of their file, in the order of lines."""

from itertools import groupby

from cudalint.report.content import Content, plural
from cudalint.rule.findings import Finding
from cudalint.source.text import one_line


def render(content: Content) -> str:
    rows: list[str] = []
    for path, group in groupby(sorted(content.findings, key=_place), key=lambda one: one.span.path):
        rows += [f"{path}:", *map(_row, group), ""]
    rows.append(plural(len(content.findings), "finding"))
    return "".join(one_line(row) + "\n" for row in rows)


def _place(finding: Finding) -> tuple[str, int, int, str]:
    return finding.span.path, finding.span.line, finding.span.column, finding.code


def _row(finding: Finding) -> str:
    saves = f" (fixing it saves {finding.impact})" if finding.impact is not None else ""
    place = f"{finding.span.line}:{finding.span.column}"
    return f"  {place:8} {finding.severity.value:8} {finding.code} {finding.message}{saves}"
