"""Markdown for a comment on a merge request or a job's summary: a table, then each finding in full."""

import re

from cudalint.report.content import Content, plural
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.source.text import one_line

_CODE = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"([\\`*_\[\]|~#{}()!+.-])")
_MOST = 200  # findings in full: a comment has a limit of 65,536 characters


def render(content: Content) -> str:
    rows = [f"### cudalint: {plural(len(content.findings), 'finding')}", ""]
    if content.findings:
        rows += ["| place | rule | severity | finding | saves |", "|---|---|---|---|---|"]
    rows += [_row(finding) for finding in content.findings]
    for finding in content.findings[:_MOST]:
        rows += _details(finding)
    lost = [file for file in content.files if file.status == "failed"]
    rows += ["", *(f"- {code(file.path)} was not analysed: {inline(file.reason or '')}" for file in lost)]
    return "\n".join(rows).rstrip() + "\n"


def inline(text: str) -> str:
    """Text in which nothing is markup, HTML, a mention or a link; what stands between backticks is code."""
    parts = _CODE.split(one_line(text).replace("\t", " "))
    return "".join(code(part) if number % 2 else _plain(part) for number, part in enumerate(parts))


def code(text: str) -> str:
    """Text as code, in a table as well: no backtick can end it."""
    clean = one_line(text).replace("\t", " ").replace("`", "'").replace("|", "\\|")
    return f"`{clean}`" if clean.strip() else ""


def _plain(text: str) -> str:
    entities = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    return (
        _SPECIAL.sub(r"\\\1", entities.replace("&#64;", "\0"))
        .replace("\0", "&#64;")
        .replace("://", ":&#8203;//")
    )


def _row(finding: Finding) -> str:
    span, saves = finding.span, f"{finding.impact}" if finding.impact is not None else ""
    place = code(f"{span.path}:{span.line}")
    cells = (
        place,
        f"{finding.code} {finding.name}",
        finding.severity.value,
        inline(finding.message),
        inline(saves),
    )
    return f"| {' | '.join(cells)} |"


def _details(finding: Finding) -> list[str]:
    span = finding.span
    notes = [*finding.notes, *other_lines(finding), *([f"help: {finding.help}"] if finding.help else [])]
    where = (
        f"{code(f'{span.path}:{span.line}')}{f' in kernel {code(finding.kernel)}' if finding.kernel else ''}"
    )
    return [
        "",
        f"**{finding.code}** {where}: {inline(finding.message)}",
        "",
        *(f"- {inline(note)}" for note in notes),
    ]
