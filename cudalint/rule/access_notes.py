"""What findings about an access have in common: other places of its pattern, and how sure they are."""

from cudalint.rule.findings import Confidence, Related
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import Site, guessed

_MOST_RELATED = 8


def also(site: Site) -> tuple[Related, ...]:
    """The other lines of a site, for a finding's related places."""
    return tuple(
        Related(other.span, f"{other.operation} of `{other.expression}` in the same pattern")
        for other in site.others[:_MOST_RELATED]
    )


def confidence(access: Access) -> Confidence:
    """High where the launch shape is known."""
    return Confidence.MEDIUM if guessed(access.configuration) else Confidence.HIGH
