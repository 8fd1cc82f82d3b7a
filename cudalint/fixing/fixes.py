"""Applying fixes: all edits of a fix or none, never two that overlap."""

import difflib
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.source.span import Span
from cudalint.source.text import Sources, decode, encode, one_line, read_bytes


def choose(findings: Iterable[Finding], unsafe: bool) -> tuple[Fix, ...]:
    """The fixes that can be applied together, in order of findings. The same edits count once."""
    chosen: list[Fix] = []
    taken: list[Edit] = []
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.edits or not (fix.safe or unsafe):
            continue
        fresh = [edit for edit in fix.edits if edit not in taken]
        if not fresh or any(_overlap(edit.span, other.span) for edit in fresh for other in taken):
            continue
        chosen.append(fix)
        taken.extend(fresh)
    return tuple(chosen)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with non-overlapping edits of one file applied. Line ends stay as they are."""
    starts = _line_starts(text)
    for edit in sorted(set(edits), key=lambda e: (e.span.line, e.span.column, e.span.end_line), reverse=True):
        begin = starts[edit.span.line - 1] + edit.span.column - 1
        end = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text


def by_file(fixes: Iterable[Fix]) -> dict[str, list[Edit]]:
    """All edits by the file they change."""
    files: dict[str, list[Edit]] = {}
    for fix in fixes:
        for edit in fix.edits:
            files.setdefault(edit.span.path, []).append(edit)
    return files


class Written(Struct, frozen=True):
    """The paths that changed, and those that could not be, with the reason."""

    changed: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()


def write(fixes: tuple[Fix, ...]) -> Written:
    """Apply the fixes to the files on disk."""
    changed: list[str] = []
    refused: list[tuple[str, str]] = []
    for path, edits in sorted(by_file(fixes).items()):
        try:
            if _write_file(Path(path), edits):
                changed.append(path)
        except OSError as error:
            refused.append((path, f"cannot be fixed: {error.strerror or error}; check its permissions"))
    return Written(tuple(changed), tuple(refused))


def _write_file(file: Path, edits: list[Edit]) -> bool:
    """Whether the edits changed anything. Its byte order mark, line ends and broken bytes stay."""
    raw = read_bytes(file)
    mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
    before = decode(raw)
    after = edited(before, edits)
    if after == before:
        return False
    file.write_bytes(mark + encode(after))
    return True


def diff(fixes: tuple[Fix, ...], sources: Sources) -> str:
    """A unified diff of what `write` would do."""
    parts: list[str] = []
    for path, edits in sorted(by_file(fixes).items()):
        before = "\n".join(sources.lines(path))
        after = edited(before, edits)
        name = one_line(path)
        rows = difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
        for row in rows:
            parts.append(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n")
    return "".join(parts)


def _overlap(left: Span, right: Span) -> bool:
    if left.path != right.path:
        return False
    left_begin, left_end = (left.line, left.column), (left.end_line, left.end_column)
    right_begin, right_end = (right.line, right.column), (right.end_line, right.end_column)
    if left_begin == left_end or right_begin == right_end:  # an insertion collides also at a border
        return left_begin <= right_end and right_begin <= left_end
    return left_begin < right_end and right_begin < left_end


def _line_starts(text: str) -> list[int]:
    starts = [0]
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "\r" and position < len(text) and text[position] == "\n":
            position += 1
        if character in "\r\n":
            starts.append(position)
    return starts
