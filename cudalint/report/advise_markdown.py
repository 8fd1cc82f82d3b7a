"""The advice as Markdown."""

from collections.abc import Iterator

from cudalint.advise.card import Advice
from cudalint.report import advise_words as words
from cudalint.report.markdown import code, inline
from cudalint.source.text import as_lines


def render(advice: Advice) -> str:
    """A heading for each kernel, a list for each step, then the ranked list."""
    return as_lines(_rows(advice))


def _rows(advice: Advice) -> Iterator[str]:
    yield "# Advice"
    yield ""
    yield words.introduction(advice) + "."
    for card in advice.cards:
        yield ""
        yield f"## {code(card.kernel)} ({code(f'{card.path}:{card.line}')})"
        for section in words.sections(card):
            yield ""
            yield f"**{section.title.capitalize()}**"
            yield ""
            yield from (_item(row) for row in section.rows)
    yield ""
    yield "## What to do first"
    yield ""
    yield from (f"{number}. {inline(words.step(one))}" for number, one in enumerate(advice.ranked, 1))
    if not advice.ranked:
        yield words.none(advice)


def _item(row: str) -> str:
    """A row of a list, indented as it is in the text."""
    text = row.lstrip()
    return f"{row[: len(row) - len(text)]}- {inline(text)}"
