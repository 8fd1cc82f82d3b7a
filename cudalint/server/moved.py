"""What was found of the text before an edit, at its places in the text after it."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.advise.card import Card
from cudalint.rule.findings import Edit, Finding
from cudalint.source.span import Span


class Move(Struct, frozen=True):
    """An edit of one file: `head` lines before it and `tail` lines after it are the same in both texts.
    before, after: the numbers of lines.
    """

    path: str
    head: int
    tail: int
    before: int
    after: int

    @property
    def edited(self) -> tuple[int, int]:
        """The first and last line of the edit in the text after it; where lines are gone, those beside."""
        first, last = self.head + 1, self.after - self.tail
        return (first, last) if first <= last else (max(1, last), min(first, self.after))

    def line(self, line: int) -> int | None:
        """Where a line is after the edit; None for those that it changes."""
        if line <= self.head:
            return line
        return line + self.after - self.before if line > self.before - self.tail else None

    def span(self, span: Span) -> Span | None:
        if span.path != self.path:
            return span
        first, last = self.line(span.line), self.line(span.end_line)
        return replace(span, line=first, end_line=last) if first is not None and last is not None else None

    def finding(self, finding: Finding) -> Finding | None:
        """The finding with all its places; without those that are gone, and without a fix of them."""
        span = self.span(finding.span)
        if span is None:
            return None
        related = [replace(o, span=to) for o in finding.related if (to := self.span(o.span)) is not None]
        fix = finding.fix
        edits = [Edit(to, e.text) for e in fix.edits if (to := self.span(e.span))] if fix is not None else []
        whole = fix is not None and len(edits) == len(fix.edits)
        moved = replace(fix, edits=tuple(edits)) if fix is not None and whole else None
        return replace(finding, span=span, related=tuple(related), fix=moved)

    def cards(self, cards: tuple[Card, ...]) -> Iterator[Card]:
        for card in cards:
            to = self.line(card.line) if card.path == self.path else card.line
            if to is not None:
                launches = (
                    replace(row, line=self.line(row.line))
                    if row.path == self.path and row.line is not None
                    else row
                    for row in card.launches
                )
                yield replace(card, line=to, launches=tuple(launches))


def between(path: str, before: tuple[str, ...], after: tuple[str, ...]) -> Move:
    """The edit that makes one text of the other, by whole lines."""
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    rest = most - head
    tail = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    return Move(path, head, tail, len(before), len(after))
