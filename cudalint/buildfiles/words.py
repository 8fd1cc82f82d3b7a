"""One thing that a build file says of how sources are preprocessed."""

import os
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_MACRO = re.compile(r"[A-Za-z_]\w*(?:=.+)?", re.DOTALL)
_OPTION = re.compile(r"-([ID])(.+)", re.DOTALL)


class Word(Struct, frozen=True):
    """option: -I with a folder, or -D with a macro and its value. file: that says it, at a line. sources:
    that it is said for, None for all; but: those that it is not said for.
    """

    option: str
    value: str
    file: str
    line: int
    sources: frozenset[str] | None = None
    but: frozenset[str] = frozenset()

    def holds_for(self, source: str) -> bool:
        return source not in self.but if self.sources is None else source in self.sources


def folder(path: str, base: str, file: str, line: int) -> Iterator[Word]:
    """A folder that is named from another. One with nothing in common with that is the machine's: what it
    holds is not of the project.
    """
    whole = os.path.normpath(os.path.join(base, path))
    if path and os.path.commonpath([whole, base]) != os.sep:
        yield Word("-I", whole, file, line)


def macro(text: str, file: str, line: int, sources: frozenset[str] | None = None) -> Iterator[Word]:
    """A macro as it follows -D."""
    if _MACRO.fullmatch(text):
        yield Word("-D", text, file, line, sources)


def options(
    words: Iterable[str], base: str, file: str, line: int, sources: frozenset[str] | None = None
) -> Iterator[Word]:
    """Those of the words of a command that say it, in one word or in two."""
    rest = iter(words)
    for text in rest:
        if text in ("-I", "-isystem", "-D"):
            text = text.replace("-isystem", "-I") + next(rest, "")
        match = _OPTION.fullmatch(text)
        if match and match[1] == "I":
            yield from folder(match[2], base, file, line)
        elif match:
            yield from macro(match[2], file, line, sources)
