"""A line of the source as the command line names it."""

import re

from msgspec import Struct

from cudalint.errors import UsageError
from cudalint.source.span import Span
from cudalint.source.text import shown

_PLACE = re.compile(r"(.+):([1-9][0-9]{0,8})", re.DOTALL)


class Place(Struct, frozen=True):
    """A line of a file; path as reports print it."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"

    def holds(self, span: Span) -> bool:
        return span.line == self.line and shown(span.path) == self.path


def parse(text: str, option: str) -> Place:
    """The line that `FILE:LINE` names. Raises UsageError, naming the option, for anything else."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UsageError(f"{option}: '{text}' is not FILE:LINE; expected one like src/a.cu:12")
    return Place(shown(found[1]), int(found[2]))
