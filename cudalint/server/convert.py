"""Findings and cards in the words of the language server protocol. Its columns count UTF-16 code units."""

from pathlib import Path

from lsprotocol import types

from cudalint.advise.card import Card, LaunchCard
from cudalint.engine.ignores import with_ignore
from cudalint.report.advise_words import bound, occupancy
from cudalint.rule import guides, registry
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.server.linting import Analysis
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from cudalint.source.text import printable, read_lines, split

_LEVELS = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


def uri(path: str) -> str:
    return Path(path).resolve().as_uri()


def range_of(span: Span, lines: tuple[str, ...]) -> types.Range:
    """A span in UTF-16 units; columns from 0."""

    def position(line: int, column: int) -> types.Position:
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        units = len(text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2
        return types.Position(max(0, line - 1), units)

    return types.Range(position(span.line, span.column), position(span.end_line, span.end_column))


def diagnostic(finding: Finding, analysis: Analysis) -> types.Diagnostic:
    """The finding with its notes; the other thread of a race and the like are related places."""
    saves = [f"fixing it saves {finding.impact}"] if finding.impact is not None else []
    help_ = [f"help: {finding.help}"] if finding.help else []
    rows = [finding.message, *saves, *finding.notes, *other_lines(finding), *help_]
    rule = registry.find(finding.code)
    address = guides.address(rule.rule.guides) if rule is not None else None
    return types.Diagnostic(
        range=range_of(finding.span, analysis.lines),
        message=printable("\n".join(rows)),
        severity=_LEVELS[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(address) if address else None,
        source="cudalint",
        related_information=[
            types.DiagnosticRelatedInformation(location(other.span, analysis), printable(other.message))
            for other in finding.related
        ],
    )


def location(span: Span, analysis: Analysis) -> types.Location:
    lines = analysis.lines if span.path == analysis.path else read_lines(span.path)
    return types.Location(uri(span.path), range_of(span, lines))


def actions(finding: Finding, analysis: Analysis) -> list[types.CodeAction]:
    """Its fix, and a comment that ignores it."""
    found = []
    own = [diagnostic(finding, analysis)]
    if finding.fix is not None:
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in finding.fix.edits:
            place = location(edit.span, analysis)
            changes.setdefault(place.uri, []).append(types.TextEdit(place.range, edit.text))
        kind = "" if finding.fix.safe else " (may change results)"
        title = printable(f"{finding.code}: {finding.help or 'fix'}{kind}")
        found.append(_action(title, changes, own, preferred=finding.fix.safe))
    line = finding.span.line
    made = with_ignore(analysis.text, line, {finding.code})
    if made is not None:
        whole = Span(analysis.path, line, 1, line, len(analysis.lines[line - 1]) + 1)
        comment = types.TextEdit(range_of(whole, analysis.lines), split(made)[line - 1])
        found.append(_action(f"Ignore {finding.code} on this line", {uri(analysis.path): [comment]}, own))
    return found


def _action(
    title: str, changes: dict[str, list[types.TextEdit]], own: list[types.Diagnostic], preferred: bool = False
) -> types.CodeAction:
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=own,
        is_preferred=preferred,
        edit=types.WorkspaceEdit(changes=changes),
    )


def lens(card: Card, analysis: Analysis) -> types.CodeLens:
    """What bounds the kernel, above its first line."""
    measured = next((row for row in card.launches if row.work is not None), None)
    text = card.failure or "no launch is known"
    if measured is not None and measured.work is not None:
        slow, fast = measured.work.roofs
        text = next(iter(bound(slow, fast, measured.origin)), "nothing in it takes time")
    place = Span(analysis.path, card.line, 1, card.line, 1)
    command = types.Command(title=printable(f"{card.kernel}: {text}"), command="")
    return types.CodeLens(range_of(place, analysis.lines), command)


def launch_text(row: LaunchCard) -> str:
    """Occupancy and waves of a launch."""
    grid = "x".join("?" if extent is None else str(extent) for extent in row.grid)
    block = "x".join(map(str, row.block))
    held = row.residency
    text = occupancy(held, row) if held is not None else "the device cannot run such a block"
    waves = f"; {held.waves:.3g} waves" if held is not None and held.waves is not None else ""
    return printable(f"grid {grid}, block {block}: {text}{'' if 'wave' in text else waves}")
