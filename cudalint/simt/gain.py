"""What mending an access can give its kernel: Amdahl's law on the sectors that the kernel asks for."""

from cudalint.gpu.speedup import amdahl
from cudalint.simt.facts import Access
from cudalint.simt.pattern import Site

_WORTH = 1.1  # times


def gain(site: Site, accesses: tuple[Access, ...]) -> tuple[str, ...]:
    """The note that says so, where every number is exact and each access of the kernel is made as often as
    every other: how often a loop runs may hang on what nobody knows.
    """
    moved = [access for access in accesses if access.space in ("global", "local")]
    counts = [access.transactions for access in moved]
    if len({access.requests for access in moved}) != 1 or any(c.certainty != "exact" for c in counts):
        return ()
    all_of_it = sum(count.per_request or 0.0 for count in counts)
    mine = sum(access.transactions.per_request or 0.0 for access in site.accesses)
    ideal = sum(access.transactions.ideal or 0.0 for access in site.accesses)
    if not 0 < ideal < mine <= all_of_it:
        return ()
    part = mine / all_of_it
    times = amdahl(part, mine / ideal)
    if times < _WORTH:
        return ()
    return (
        f"{part:.0%} of the sectors that the kernel asks for: where it waits for them, it can get"
        f" {times:.3g} times as fast",
    )
