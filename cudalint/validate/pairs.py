"""The pairs shipped with the package: per rule a program with a slow and a fast variant of the same work."""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from msgspec import Struct

from cudalint.errors import UsageError
from cudalint.rule import registry
from cudalint.rule.rule import Rule

FILE = "pair.cu"


class Pair(Struct, frozen=True):
    """A rule and the program that shows what it costs. group: the rule's folder."""

    rule: Rule
    group: str
    path: Path

    @property
    def code(self) -> str:
        return self.rule.code


def folder() -> Path:
    """Where the fixtures are: beside the checkout's package, or inside the installed one."""
    return Path(str(resources.files("cudalint.fixtures")))


def pairs(words: tuple[str, ...] = ()) -> tuple[Pair, ...]:
    """The pairs of the rules that the words name, in the order of the codes; all without words.

    UsageError for a word that names no rule, and where no rule that is named has a pair.
    """
    named = {code for word in words for code in registry.matching(word)}
    found = tuple(pair for pair in _all() if not words or pair.code in named)
    if not found:
        have = ", ".join(pair.code for pair in _all())
        raise UsageError(f"--rule {' '.join(words)}: no such pair; rules with a pair: {have}")
    return found


def _all() -> Iterator[Pair]:
    root = folder()
    for loaded in registry.load():
        name = loaded.rule.name.replace("-", "_")
        for path in sorted(root.glob(f"*/{name}/{FILE}")):
            yield Pair(loaded.rule, path.parent.parent.name, path)
