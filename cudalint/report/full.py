"""The default report: the source line with its span underlined, notes and help."""

import unicodedata
from collections.abc import Iterator

from cudalint.report.content import Content, plural
from cudalint.report.styled import Line, plain
from cudalint.rule.findings import Finding, Related
from cudalint.rule.ranking import most_worth
from cudalint.rule.related import other_lines
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold cyan"}
_FRAME = "blue"
_TAB = 4
_WIDEST = 160  # characters shown of a source line
_LEAD = 40  # of these before the span, where the line is longer
_CUT = "... "
_PLACES = 8  # shown with their text, of those that belong to a finding


def render(content: Content) -> str:
    """The report without styles."""
    return plain(lines(content))


def lines(content: Content) -> Iterator[Line]:
    """All findings, those that would give most, then a summary line."""
    for finding in content.findings:
        yield from _finding(finding, content)
        yield (("", ""),)
    yield from _most_worth(content)
    yield ((_summary(content), "bold"),)


def _most_worth(content: Content) -> Iterator[Line]:
    """A row for each, with its kernel, place and impact."""
    found = most_worth(content.findings)
    if found:
        yield (("most to gain:", "bold"),)
    for number, finding in enumerate(found, 1):
        span, where = finding.span, f" in kernel {finding.kernel}" if finding.kernel else ""
        yield (
            (f"  {number}. ", _FRAME),
            (f"{span.path}:{span.line}{where}: {finding.message}", ""),
            (f" [{finding.code}]", "dim"),
        )
        profile = f"; {finding.profile}" if finding.profile is not None else ""
        yield ((f"     saves {finding.impact}{profile}", ""),)
    if found:
        yield (("", ""),)


def _finding(finding: Finding, content: Content) -> Iterator[Line]:
    style = _STYLES[finding.severity]
    yield (
        (f"{finding.severity.value}", style),
        (f"[{finding.code}]", style),
        (f" {finding.message}", "bold"),
    )
    spans = [finding.span, *(item.span for item in finding.related)]
    gutter = max(len(str(span.line)) for span in spans)
    kernel = f"  in kernel {finding.kernel}" if finding.kernel else ""
    yield from _place(finding.span, gutter, "-->", kernel)
    own, others = _split(finding)
    yield from _excerpt(finding.span, gutter, content, "^", style, own)
    for item in others[:_PLACES]:
        yield from _place(item.span, gutter, ":::", "")
        yield from _excerpt(item.span, gutter, content, "-", _FRAME, item.message)
    pad = " " * gutter
    if finding.condition:
        yield from _remark(pad, "holds if", finding.condition)
    if finding.impact is not None:
        yield from _remark(pad, "impact", f"fixing it saves {finding.impact}")
    if finding.profile is not None:
        yield from _remark(pad, "profile", str(finding.profile))
    for note in (*finding.notes, *other_lines(finding)):
        yield from _remark(pad, "note", note)
    if finding.help:
        yield from _remark(pad, "help", finding.help)
    if finding.fix is not None:
        how = "--fix" if finding.fix.safe else "--fix --unsafe-fixes"
        yield from _remark(pad, "fix", f"available with `cudalint {how}`")
    sure = f"{finding.confidence.value} confidence"
    yield from _remark(pad, "rule", f"{finding.name}, {sure}, see `cudalint rule {finding.code}`")


def _split(finding: Finding) -> tuple[str, tuple[Related, ...]]:
    """(the label of the finding's own place, the other places)."""
    if finding.related and finding.related[0].span == finding.span:
        return finding.related[0].message, finding.related[1:]
    return "", finding.related


def _place(span: Span, gutter: int, arrow: str, kernel: str) -> Iterator[Line]:
    where = f"{span.path}:{span.line}:{span.column}"
    yield ((" " * gutter, ""), (arrow + " ", _FRAME), (where, ""), (kernel, "dim"))


def _remark(pad: str, word: str, text: str) -> Iterator[Line]:
    first, *rest = text.split("\n")
    yield ((f"{pad} = ", _FRAME), (f"{word}: ", "bold"), (first, ""))
    for row in rest:
        yield ((f"{pad}   ", _FRAME), (" " * (len(word) + 2) + row, ""))


def _excerpt(
    span: Span, gutter: int, content: Content, mark: str, style: str, message: str
) -> Iterator[Line]:
    """The span's first line with marks below it, up to the end of the span or of that line."""
    source = content.sources.line(span.path, span.line)
    if not source.strip():
        if message:
            yield ((" " * gutter + " = ", _FRAME), (message, ""))
        return
    end = span.end_column if span.end_line == span.line else len(source.rstrip()) + 1
    before = _expanded(source[: span.column - 1])
    marked = _expanded(source[span.column - 1 : max(end, span.column + 1) - 1])
    row = _expanded(source)
    if len(before) + len(marked) > _WIDEST and len(before) > _LEAD:  # a long line is cut before the span
        cut = len(before) - _LEAD
        before, row = _CUT + before[cut:], _CUT + row[cut:]
    indent = _width(before)
    marks = mark * max(1, min(_width(marked), _WIDEST - indent))
    tail = f" {message}" if message else ""
    yield ((" " * gutter + " |", _FRAME),)
    yield ((f"{span.line:>{gutter}} | ", _FRAME), (row[:_WIDEST], ""))
    yield ((" " * gutter + " | ", _FRAME), (" " * indent, ""), (marks, style), (tail, style))


def _expanded(text: str) -> str:
    return text.expandtabs(_TAB)


def _width(text: str) -> int:
    """Columns of a terminal: wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _summary(content: Content) -> str:
    counts = [
        plural(number, level.value)
        for level in (Severity.ERROR, Severity.WARNING, Severity.NOTE)
        if (number := sum(f.severity is level for f in content.findings))
    ]
    fixable = sum(f.fix is not None and f.fix.safe for f in content.findings)
    degraded = sum(f.status == "degraded" for f in content.files)
    failed = sum(f.status == "failed" for f in content.files)
    nothing = [] if counts or (content.files and failed == len(content.files)) else ["no findings"]
    text = f"{plural(len(content.files), 'file')}: " + ", ".join([*counts, *nothing])
    lost = len({name for f in content.files for name in f.lost})
    if degraded:
        text += f"; {degraded} partially analysed"
    if lost:
        text += f" ({plural(lost, 'kernel')} lost)"
    if failed:
        text += f"{'' if text.endswith(': ') else '; '}{failed} not analysed"
    if bounded := len({name for f in content.files for name in f.bounded}):
        text += f"; budget of {plural(bounded, 'kernel')} spent (counts are bounds)"
    if content.hidden:
        text += f"; {content.hidden} hidden"
    if content.fixed:
        text += f"; {content.fixed} fixed"
    if fixable:
        text += f"; {fixable} fixable with --fix"
    return text
