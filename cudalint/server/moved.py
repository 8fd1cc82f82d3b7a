"""What was found of the text before an edit, at its places in the text after it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from cudalint.advise.card import Card
from cudalint.rule.findings import Edit, Finding
from cudalint.source.relaid import Places, relaid
from cudalint.source.span import Span
from cudalint.source.text import split

_NUMBER = re.compile(r"\d+")


class Move(Struct, frozen=True):
    """An edit of one file: `head` lines before it and `tail` lines after it are the same in both texts.
    before, after: the numbers of lines. inner: where lines with code went that the edit leaves as they are
    but for blanks and comments.
    """

    path: str
    head: int
    tail: int
    before: int
    after: int
    inner: Places = {}

    @property
    def edited(self) -> tuple[int, int]:
        """The first and last line of the edit in the text after it; where lines are gone, those beside."""
        first, last = self.head + 1, self.after - self.tail
        return (first, last) if first <= last else (max(1, last), min(first, self.after))

    def line(self, line: int) -> int | None:
        """Where a line is after the edit; None for those that it changes."""
        if line <= self.head:
            return line
        if line > self.before - self.tail:
            return line + self.after - self.before
        return self.inner[line][0] if line in self.inner else None

    def span(self, span: Span) -> Span | None:
        if span.path != self.path:
            return span
        first, last = self.line(span.line), self.line(span.end_line)
        if first is None or last is None:
            return None
        column = span.column + self._by(span.line)
        return replace(
            span,
            line=first,
            end_line=last,
            column=column,
            end_column=span.end_column + self._by(span.end_line),
        )

    def _by(self, line: int) -> int:
        """How far the columns of a line move."""
        return self.inner[line][1] if line in self.inner else 0

    def edit(self, edit: Edit) -> Edit | None:
        """An edit of a fix; None where the text that it replaces may be another."""
        span = edit.span
        beside = span.end_line <= self.head or span.line > self.before - self.tail
        there = self.span(span) if beside or span.path != self.path else None
        return replace(edit, span=there) if there is not None else None

    def words(self, text: str) -> str:
        """A text with the numbers of the lines that it names outside of code as they are after the edit."""
        if not (self.inner or self.before != self.after):
            return text
        parts = text.split("`")
        parts[::2] = (_named(self.path).sub(self._renumbered, part) for part in parts[::2])
        return "`".join(parts)

    def _renumbered(self, words: re.Match[str]) -> str:
        kept = words["path"] or ""
        return kept + _NUMBER.sub(lambda n: str(self.line(int(n[0])) or n[0]), words[0][len(kept) :])

    def finding(self, finding: Finding) -> Finding | None:
        """The finding with all its places; without those that are gone, and without a fix of them."""
        span = self.span(finding.span)
        if span is None:
            return None
        related = [
            replace(o, span=to, message=self.words(o.message))
            for o in finding.related
            if (to := self.span(o.span)) is not None
        ]
        fix = finding.fix
        edits = [new for e in fix.edits if (new := self.edit(e)) is not None] if fix is not None else []
        whole = fix is not None and len(edits) == len(fix.edits)
        return replace(
            finding,
            span=span,
            message=self.words(finding.message),
            notes=tuple(map(self.words, finding.notes)),
            help=self.words(finding.help),
            related=tuple(related),
            fix=replace(fix, edits=tuple(edits)) if fix is not None and whole else None,
        )

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


@lru_cache(maxsize=8)
def _named(path: str) -> re.Pattern[str]:
    """Words that name lines of a file."""
    own = rf"(?P<path>(?<![\w./]){re.escape(path)}:)\d+"
    return re.compile(rf"{own}|\blines? \d+(?:, \d+)*(?: (?:and|or) \d+)?")


def between(path: str, before: tuple[str, ...], after: tuple[str, ...]) -> Move:
    """The edit that makes one text of the other, by whole lines."""
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    rest = most - head
    tail = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    return Move(path, head, tail, len(before), len(after))


def in_place(move: Move) -> Move:
    """The same edit, where as many lines come as go: each of these for the one that stood there."""
    if move.before != move.after:
        return move
    edited = range(move.head + 1, move.before - move.tail + 1)
    return replace(move, inner={line: (line, 0) for line in edited})


def exactly(path: str, before: str, after: str) -> Move | None:
    """The edit that makes one text of the other, where it changes nothing but empty lines, indentation and
    comments: what is found then is the same.
    """
    places = relaid(before, after)
    if places is None:
        return None
    move = between(path, split(before), split(after))
    edited = range(move.head + 1, move.before - move.tail + 1)
    return replace(move, inner={line: to for line, to in places.items() if line in edited})
