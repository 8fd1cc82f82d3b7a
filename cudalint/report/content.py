"""What a report is made of."""

from typing import Any

from msgspec import Struct, field

from cudalint.advise.card import Card
from cudalint.rule.findings import FileResult, Finding
from cudalint.rule.rule import LoadedRule
from cudalint.source.text import Sources


class Content(Struct, frozen=True):
    """Everything that a report prints."""

    findings: tuple[Finding, ...]  # in the order of the report
    files: tuple[FileResult, ...]
    arch: str  # of most files
    sources: Sources
    version: str
    rules: tuple[LoadedRule, ...] = ()  # those enabled
    fixed: int = 0
    hidden: int = 0  # findings of the baseline, or on lines that did not change
    failed: bool = False
    messages: tuple[str, ...] = field(default=())
    archs: tuple[str, ...] = ()  # all, in the order requested
    cards: tuple[Card, ...] = ()  # of kernels, where the report shows them
    streams: tuple[dict[str, Any], ...] = ()  # timelines of loops, likewise


def plural(number: int, word: str, several: str = "") -> str:
    """'1 finding', '2 findings'."""
    return f"{number} {word}" if number == 1 else f"{number} {several or f'{word}s'}"
