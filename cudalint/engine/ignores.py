"""`--add-ignores`: a suppression comment, with codes, on every line that has a finding."""

import re
from collections import defaultdict
from pathlib import Path

from msgspec import Struct

from cudalint.engine.discovery import Plan
from cudalint.engine.suppression import covers
from cudalint.rule.findings import Finding
from cudalint.source import comments
from cudalint.source.span import Span
from cudalint.source.text import decode, encode, read_bytes

_LIST = re.compile(r"(\bcudalint:\s*ignore\s*\[)([^\]\n]*)(\])")
_END = re.compile(r"(\r?\n|\r)")


class Added(Struct, frozen=True):
    """How many lines were changed, and what could not be, in words."""

    lines: int
    refused: tuple[str, ...]


def add(findings: tuple[Finding, ...], plan: Plan) -> Added:
    """Write the comments into the files below the paths given. A line that goes on with a backslash or stands
    inside a string cannot take one.
    """
    wanted: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for finding in findings:
        for span in (finding.span, *(place.span for place in finding.repeats)):
            if plan.may_change(span.path):
                wanted[span.path][span.line].add(finding.code)
    parts = [_write(path, lines) for path, lines in sorted(wanted.items())]
    return Added(sum(p.lines for p in parts), tuple(text for p in parts for text in p.refused))


def _write(path: str, lines: dict[int, set[str]]) -> Added:
    refused: list[str] = []
    try:
        raw = read_bytes(path)
        text = decode(raw)
        changed = 0
        for number, codes in sorted(lines.items()):
            made = with_ignore(text, number, codes)
            if made is None:
                refused.append(
                    f"{path}:{number}: takes no comment; use `ignore-file[{','.join(sorted(codes))}]`"
                )
            else:
                text, changed = made, changed + 1
        mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
        if changed:
            Path(path).write_bytes(mark + encode(text))
        return Added(changed, tuple(refused))
    except OSError as error:
        return Added(0, (f"{path}: cannot be changed: {error.strerror or error}; check its permissions",))


def with_ignore(text: str, number: int, codes: set[str]) -> str | None:
    """The text with a comment on the line that silences the codes; None where that cannot be without changing
    the program.
    """
    parts = _END.split(text)  # lines and their ends, in turn
    row = parts[2 * (number - 1)]
    if found := _LIST.search(row):
        listed = {word.strip() for word in found[2].split(",") if word.strip()}
        made = row[: found.start(2)] + ", ".join(sorted(listed | codes)) + row[found.end(2) :]
    else:
        made = f"{row}  // cudalint: ignore[{', '.join(sorted(codes))}]"
    parts[2 * (number - 1)] = made
    after = "".join(parts)
    place = Span("", number, 1, number, 1)
    heard = list(comments.suppressions("", after))
    silent = all(any(covers(one, code, place) for one in heard) for code in codes)
    same = comments.code(after).split() == comments.code(text).split()
    return after if silent and same and not row.endswith("\\") else None
