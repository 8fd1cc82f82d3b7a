"""Where something stands in a text: lines and columns of offsets, and words of commands in JSON."""

import json
import re
from bisect import bisect_right
from functools import lru_cache
from typing import Any

from msgspec import Struct

from cudalint.source.span import Span
from cudalint.source.text import decode, read_bytes

_BETWEEN = r'(?:(?:\s|\\[nt])+|",\s*")'  # words of a command line, or items of a list
_BEFORE, _AFTER = r'(?<![^\s"\'])', r'(?![^\s"\'\\,])'


@lru_cache(maxsize=64)
def text(path: str) -> str:
    """A file's text with plain line ends; '' when it cannot be read."""
    try:
        return decode(read_bytes(path)).replace("\r\n", "\n")
    except OSError:
        return ""


@lru_cache(maxsize=64)
def _starts(path: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text(path)))]


def span(path: str, begin: int, end: int) -> Span:
    """The span of a range of offsets."""
    starts = _starts(path)
    first, last = bisect_right(starts, begin), bisect_right(starts, end)
    return Span(path, first, begin - starts[first - 1] + 1, last, end - starts[last - 1] + 1)


class Entry(Struct, frozen=True):
    """One item of a list in JSON, and its range of offsets."""

    value: Any
    begin: int
    end: int


@lru_cache(maxsize=4)
def entries(path: str) -> tuple[Entry, ...]:
    """The items of a file that holds one list; none where it is no such file."""
    whole, found = text(path), []
    decoder, gap = json.JSONDecoder(), re.compile(r"[\s,\[]*")
    here = gap.match(whole).end()  # type: ignore[union-attr]
    while here < len(whole) and whole[here] == "{":
        try:
            value, end = decoder.raw_decode(whole, here)
        except (ValueError, RecursionError):
            break
        found.append(Entry(value, here, end))
        here = gap.match(whole, end).end()  # type: ignore[union-attr]
    return tuple(found)


@lru_cache(maxsize=1024)
def of_words(path: str, words: tuple[str, ...], begin: int = 0, end: int | None = None) -> Span | None:
    """The first place in a compilation database, or in a range of it, where words follow each other; None
    where they are written in a way that is not looked for.
    """
    escaped = _BETWEEN.join(re.escape(json.dumps(word)[1:-1]) for word in words)
    whole = text(path)
    pattern = re.compile(f"{_BEFORE}{escaped}{_AFTER}")
    match = pattern.search(whole, begin, len(whole) if end is None else end)
    return span(path, *match.span()) if match else None
