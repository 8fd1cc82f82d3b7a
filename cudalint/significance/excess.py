"""How much of what a kernel moves is above the ideal, and by which causes."""

from collections.abc import Iterable, Iterator

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import Pattern, Site, excess, place, sites, strides


def causes(accesses: tuple[Access, ...], pattern: Pattern) -> Iterator[Site]:
    """The sites of a pattern, those of one index as one."""
    groups: dict[tuple[str, tuple[float, ...]], list[Access]] = {}
    for site in sites(accesses, pattern):
        index = tuple(stride / site.worst.bytes for stride in strides(site.worst))
        groups.setdefault((site.worst.span.path, index), []).extend(site.accesses)
    for group in groups.values():
        yield Site(max(group, key=excess), tuple(sorted(group, key=place)))


def wasted(accesses: Iterable[Access]) -> float:
    """The part of the kernel's sectors that accesses ask for above their ideal, in the run of the most."""
    return sum(map(_wasted, accesses))


def _wasted(access: Access) -> float:
    most = access.transactions.per_request or 0.0
    return access.weight.share * max(0.0, 1.0 - (access.transactions.ideal or 0.0) / most) if most else 0.0
