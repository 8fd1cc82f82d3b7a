"""Comments that speak to cudalint: suppressions and assumptions.

Pure text: a small lexer finds comments and leaves strings, characters and raw strings alone, so that it also
works
for a file that clang could not parse.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression

_TEXTS = 128  # that are looked through but once: most files of an edit are those of the edit before
_TOKEN = re.compile(
    r"""
    (?P<line>//(?:\\\r?\n|[^\n])*)
  | (?P<block>/\*.*?(?:\*/|\Z))
  | (?P<raw>\b(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>"(?:\\.|[^"\\\n])*"?)
  | (?P<number>\b\d(?:'?\w|\.)*)
  | (?P<character>'(?:\\.|[^'\\\n])*'?)
    """,
    re.VERBOSE | re.DOTALL,
)
_CODE_BEHIND = re.compile(r"[^\S\n]*(?!//)\S")
_VISIBLE = re.compile(r"[^\r\n]")
_IGNORE = re.compile(
    r"\bcudalint:\s*ignore(?P<scope>-next-line|-file)?\b(?P<list>\s*\[(?P<codes>[^\]\n]*)\])?(?P<reason>[^\n]*)"
)
_ASSUME = re.compile(r"\bcudalint:\s*assume\b[ \t]*(?P<expression>[^\n]*)")
_NOLINT = re.compile(r"\bNOLINT(?P<next>NEXTLINE)?\s*\((?P<checks>[^)\n]*)\)(?P<reason>[^\n]*)")
_PREFIX = re.compile(r"^cu\d{1,3}$", re.IGNORECASE)
_CODE = re.compile(r"^cu(\d{3})(?:-|$)", re.IGNORECASE)


class Comment(Struct, frozen=True):
    """One comment: its text without the marks, and where that text starts."""

    text: str
    offset: int


class _Lines:
    """Offsets to lines and columns."""

    __slots__ = ("_path", "_starts")

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._starts = [0, *(m.end() for m in re.finditer(r"\n", text))]

    def span(self, begin: int, end: int) -> Span:
        line, column = self._place(begin)
        end_line, end_column = self._place(end)
        return Span(self._path, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


@lru_cache(_TEXTS)
def comments(text: str) -> tuple[Comment, ...]:
    """The comments of a C++ source, in order."""
    found: list[Comment] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "line":
            found.append(Comment(match.group()[2:], match.start() + 2))
        elif match.lastgroup == "block":
            body = match.group()[2:]
            found.append(Comment(body.removesuffix("*/"), match.start() + 2))
    return tuple(found)


@lru_cache(_TEXTS)
def code(text: str) -> str:
    """A C++ source with nothing in its comments and strings; every line stays where it is."""
    return _TOKEN.sub(_emptied, text)


def _emptied(match: re.Match[str]) -> str:
    token = match.group()
    if match.lastgroup in ("number", "character"):
        return token
    quotes = "" if match.lastgroup in ("line", "block") else '""'
    return quotes + "\n" * token.count("\n") if "\n" in token else quotes or " "


def blanked(text: str) -> str:
    """A C++ source with blanks for its comments; every line stays where it is. NUL stands before and behind a
    raw string of several lines, and \\1 where code follows a comment of several: it may belong to the line
    where that began.
    """
    return _TOKEN.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    token = match.group()
    if match.lastgroup in ("line", "block"):
        blank = _VISIBLE.sub(" ", token)
        joins = "\n" in token and _CODE_BEHIND.match(match.string, match.end())
        return f"{blank}\1" if joins else blank
    return f"\0{token}\0" if match["raw"] and "\n" in token else token


def suppressions(path: str, text: str, names: Mapping[str, str] | None = None) -> Iterator[Suppression]:
    """The suppressing comments of a file. `names` maps rule names to codes; unknown words are kept as
    written.
    """
    lines = _Lines(path, text)
    known = names or {}
    for comment in comments(text):
        if "cudalint" in comment.text:
            for match in _IGNORE.finditer(comment.text):
                yield _native(match, comment, lines, known)
        if "NOLINT" in comment.text:
            for match in _NOLINT.finditer(comment.text):
                codes = _nolint_codes(match.group("checks"))
                if codes:
                    scope = "next-line" if match.group("next") else "line"
                    span = lines.span(
                        comment.offset + match.start(), comment.offset + match.end("checks") + 1
                    )
                    yield Suppression(codes, scope, span, _reason(match.group("reason")), native=False)


def _native(match: re.Match[str], comment: Comment, lines: _Lines, names: Mapping[str, str]) -> Suppression:
    written = [word.strip() for word in (match.group("codes") or "").split(",")]
    codes = tuple(names.get(word, word.upper() if _PREFIX.match(word) else word) for word in written if word)
    scope = (match.group("scope") or "-line")[1:]
    last = match.end("list") if match.group("list") else match.start("reason")
    span = lines.span(comment.offset + match.start(), comment.offset + last)
    return Suppression(codes, scope, span, _reason(match.group("reason")))


def _reason(text: str) -> str:
    return text.strip().lstrip(":- ").strip()


def _nolint_codes(checks: str) -> tuple[str, ...]:
    """The cudalint codes among the checks of a NOLINT; other tools' checks and bare NOLINTs are not ours."""
    found = []
    for check in checks.split(","):
        match = _CODE.match(check.strip())
        if match is not None:
            found.append(f"CU{match.group(1)}")
    return tuple(found)


def assumptions(path: str, text: str) -> Iterator[tuple[str, Span]]:
    """(expression as written, its place) of every `cudalint: assume EXPRESSION` comment."""
    lines = _Lines(path, text)
    for comment in comments(text):
        for match in _ASSUME.finditer(comment.text):
            expression = match.group("expression").strip()
            start = comment.offset + match.start("expression")
            yield expression, lines.span(start, start + len(expression))
