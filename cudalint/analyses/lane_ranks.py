"""Places that lanes get by counting themselves: the votes of the lanes below, or a scan by shuffles."""

from collections.abc import Iterable

from cudalint.analyses.origin import Origin

_COUNTS = ("__ballot", "__shfl_up")


def are_ranks(places: Iterable[Origin]) -> bool:
    """Whether an index comes by votes of the warp or by a scan over its lanes: those that store have
    neighbouring places, whatever the data is.
    """
    return any(place.kind == "call" and place.expression.startswith(_COUNTS) for place in places)
