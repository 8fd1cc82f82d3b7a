"""The advice as Markdown."""

from collections.abc import Iterator

from cudalint.advise.card import Advice
from cudalint.report import advise_words as words


def render(advice: Advice) -> str:
    """A heading for each kernel, a list for each step, then the ranked list."""
    return "".join(row + "\n" for row in _rows(advice))


def _rows(advice: Advice) -> Iterator[str]:
    yield "# Advice"
    yield ""
    yield words.introduction(advice) + "."
    for card in advice.cards:
        yield ""
        yield f"## `{card.kernel}` ({card.path}:{card.line})"
        for section in words.sections(card):
            yield ""
            yield f"**{section.title.capitalize()}**"
            yield ""
            yield from (_item(row) for row in section.rows)
    yield ""
    yield "## What to do first"
    yield ""
    yield from (f"{number}. {_escaped(words.step(one))}" for number, one in enumerate(advice.ranked, 1))
    if not advice.ranked:
        yield words.none(advice)


def _item(row: str) -> str:
    """A row of a list, indented as it is in the text."""
    text = row.lstrip()
    return f"{row[: len(row) - len(text)]}- {_escaped(text)}"


def _escaped(text: str) -> str:
    """With what Markdown would take for markup escaped, outside of code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # no pairs: nothing is code
        return _plain(text).replace("`", "\\`")
    return "`".join(part if number % 2 else _plain(part) for number, part in enumerate(parts))


def _plain(text: str) -> str:
    for mark in ("\\", "*", "_", "<", "[", "]"):
        text = text.replace(mark, f"\\{mark}")
    return text
