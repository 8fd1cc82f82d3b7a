"""A kind of mistake: where it can be planted, which rules are to report it, and who judges it."""

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from tools.planting.source import Mistake, Source

Judge = Literal[
    "conflicts",
    "partial",
    "unwritten",
    "outside",
    "sectors",
    "wavefronts",
    "doubles",
    "longer",
    "rejected",
    "",
]


class Kind(Struct, frozen=True):
    """What is changed, in words. codes: of the rules that are to report it; places: all in one file; needle:
    what the text of a file has if it has any; judge: '' where nobody but the author says that it is a
    mistake.
    """

    name: str
    codes: tuple[str, ...]
    places: Callable[[Source], Iterator[Mistake]]
    needle: str
    judge: Judge = ""
