"""Texts that say the same code in other lines: empty ones, indentation and comments make no difference."""

from functools import lru_cache
from itertools import accumulate

from cudalint.source import comments
from cudalint.source.text import split

Places = dict[
    int, tuple[int, int]
]  # by line of the text before: the line after, and by how much columns move


def relaid(before: str, after: str) -> Places | None:
    """Where each line with code of a text stands in another one; None where the code is not the same, or a
    comment says something else to cudalint.
    """
    old, new = _rows(before), _rows(after)
    if len(old) != len(new):
        return None
    places: Places = {}
    for (line, indent, code), (to, by, other) in zip(old, new, strict=True):
        if code != other:
            return None
        places[line] = (to, by - indent)
    return places if _heard(before, places) == _heard(after, None) else None


@lru_cache(maxsize=8)
def _rows(text: str) -> tuple[tuple[int, int, str], ...]:
    """The number, the indentation and the code of each line that holds some. A line that goes on one before
    it, or stands in a string, counts with all its blanks.
    """
    found = []
    continued = False
    lines = split(comments.blanked(text))
    ends = accumulate(row.count("\0") for row in lines)
    for number, (row, marks) in enumerate(zip(lines, ends, strict=True), start=1):
        code = row if continued else row.strip()
        if code or continued:
            found.append((number, 0 if continued else len(row) - len(row.lstrip()), code))
        continued = row.rstrip().endswith("\\") or marks % 2 == 1
    return tuple(found)


def _heard(text: str, places: Places | None) -> list[tuple[object, ...]]:
    """What the comments of a text say to cudalint, and about which lines. places: where those stand in
    another text.
    """
    if "cudalint" not in text and "NOLINT" not in text:
        return []

    def at(line: int) -> int | None:
        if places is None:
            return line if line in held else None
        return places[line][0] if line in places else None

    held = {number for number, _, _ in _rows(text)}
    said: list[tuple[object, ...]] = []
    for one in comments.suppressions("", text):
        about: int | None = None
        if one.scope != "file":
            about = at(one.span.end_line + 1 if one.scope == "next-line" else one.span.line)
        said.append((one.codes, one.scope, one.reason, one.native, about))
    return said + [(expression,) for expression, _ in comments.assumptions("", text)]
