"""What a report is made of."""

from msgspec import Struct, field

from cudalint.rule.findings import FileResult, Finding
from cudalint.rule.rule import LoadedRule
from cudalint.source.text import Sources


class Content(Struct, frozen=True):
    """The findings in order, what became of the files, the text, and the rules that were on. arch: what most
    files were modelled for; archs: all, in the order asked for.
    """

    findings: tuple[Finding, ...]
    files: tuple[FileResult, ...]
    arch: str
    sources: Sources
    version: str
    rules: tuple[LoadedRule, ...] = ()
    fixed: int = 0
    failed: bool = False
    messages: tuple[str, ...] = field(default=())
    archs: tuple[str, ...] = ()


def plural(number: int, word: str) -> str:
    """'1 finding', '2 findings'."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
