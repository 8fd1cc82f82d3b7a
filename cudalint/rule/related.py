"""The further places of a finding: as related places, as the note that names their lines, and what is left
of a finding where comments silence some of them.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Protocol, TypeVar

from msgspec.structs import replace

from cudalint.rule.findings import Finding, Related
from cudalint.rule.texts import listed
from cudalint.simt.query.pattern import Site
from cudalint.source.span import Span

_MOST_RELATED = 8
_MOST_LINES = 8  # named in a note


class Placed(Protocol):
    """Anything that stands at a place of the source."""

    @property
    def span(self) -> Span: ...


Some = TypeVar("Some", bound=Placed)


def elsewhere(places: Iterable[Some], says: str | Callable[[Some], str]) -> tuple[Related, ...]:
    """The first few places, each with what is said of it."""
    first = islice(places, _MOST_RELATED)
    return tuple(Related(one.span, says if isinstance(says, str) else says(one)) for one in first)


def at_spans(spans: Iterable[Span], message: str) -> tuple[Related, ...]:
    """The first few spans, with one message for all."""
    return tuple(Related(span, message) for span in islice(spans, _MOST_RELATED))


def repeated(places: Iterable[Some], says: str | Callable[[Some], str]) -> tuple[Related, ...]:
    """All further places where the finding holds, each with what is said of it."""
    return tuple(Related(one.span, says if isinstance(says, str) else says(one), same=True) for one in places)


def same_pattern(site: Site) -> tuple[Related, ...]:
    """The accesses of a site on other lines."""
    return repeated(site.others, lambda other: f"same pattern: {other.operation} of `{other.expression}`")


def other_lines(finding: Finding) -> tuple[str, ...]:
    """The note that names the other lines where the finding holds."""
    own = finding.span.path, finding.span.line
    places = dict.fromkeys((place.span.path, place.span.line) for place in finding.repeats)
    lines = [line if path == own[0] else f"{path}:{line}" for path, line in places if (path, line) != own]
    if not lines:
        return ()
    shown = [str(line) for line in lines[:_MOST_LINES]]
    rest = [f"{len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    return (f"same pattern on line{'s' if len(lines) > 1 else ''} {listed([*shown, *rest])}",)


def without(finding: Finding, silenced: Collection[Span]) -> Finding | None:
    """What is left of the finding: at the next of its places where its own is silenced, None where all are.
    Its numbers stay those of its first place.
    """
    own, left = finding.span, [place for place in finding.repeats if place.span not in silenced]
    if own in silenced and not left:
        return None
    others = tuple(place for place in finding.related if not place.same or place in left)
    lines = {span.line for span in silenced}
    named = f"line{'s' if len(lines) > 1 else ''} {listed([str(line) for line in sorted(lines)])}"
    counted = "; the impact counts it too" if finding.impact is not None else ""
    note = f"silenced on {named}{counted}"
    if own in silenced:
        note = f"the numbers are those of line {own.line}; {note}"
        others = (left[0], *(place for place in others if place is not left[0]))
    edits = finding.fix.edits if finding.fix is not None else ()
    touched = any(edit.span.path == own.path and edit.span.line in lines for edit in edits)
    return replace(
        finding,
        span=left[0].span if own in silenced else own,
        notes=(*finding.notes, note),
        related=others,
        fix=None if touched else finding.fix,
    )
