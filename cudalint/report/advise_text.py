"""The advice as text."""

from collections.abc import Iterator

from cudalint.advise.card import Advice
from cudalint.report import advise_words as words
from cudalint.source.text import as_lines


def render(advice: Advice) -> str:
    """A card for each kernel, then the ranked list."""
    return as_lines(_rows(advice))


def _rows(advice: Advice) -> Iterator[str]:
    yield words.introduction(advice)
    for card in advice.cards:
        yield ""
        yield f"kernel {card.kernel} ({card.path}:{card.line})"
        for section in words.sections(card):
            yield f"  {section.title}"
            yield from (f"    {row}" for row in section.rows)
    yield ""
    yield "what to do first"
    width = len(str(len(advice.ranked)))
    yield from (f"  {number:>{width}}. {words.step(one)}" for number, one in enumerate(advice.ranked, 1))
    if not advice.ranked:
        yield f"  {words.none(advice)}"
