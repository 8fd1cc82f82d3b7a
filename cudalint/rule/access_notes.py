"""What findings about accesses share: the other places of a pattern, and the confidence."""

from cudalint.rule.findings import Confidence, Related
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import Site, guessed

_MOST_RELATED = 8


def same_pattern(site: Site) -> tuple[Related, ...]:
    """The other lines of a site, as related places of a finding."""
    return tuple(
        Related(other.span, f"same pattern: {other.operation} of `{other.expression}`")
        for other in site.others[:_MOST_RELATED]
    )


def confidence(access: Access) -> Confidence:
    """High where the launch shape is known, else medium."""
    return Confidence.MEDIUM if guessed(access.configuration) else Confidence.HIGH
