"""The further places of a finding: as related places, and as the note that names their lines."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Protocol, TypeVar

from cudalint.rule.findings import Related
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


def same_pattern(site: Site) -> tuple[Related, ...]:
    """The accesses of a site on other lines."""
    return elsewhere(site.others, lambda other: f"same pattern: {other.operation} of `{other.expression}`")


def other_lines(site: Site) -> tuple[str, ...]:
    """The note that names other lines with the same pattern; a kernel may have more that no run reached."""
    lines = [access.span.line for access in site.others]
    if not lines:
        return ()
    shown = [str(line) for line in lines[:_MOST_LINES]]
    rest = [f"{len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    return (f"same pattern on line{'s' if len(lines) > 1 else ''} {listed([*shown, *rest])}",)
