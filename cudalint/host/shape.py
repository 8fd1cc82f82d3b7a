"""Numbers of a launch's shape, and the shape in words."""

import math

from cudalint.host.facts import LaunchFact

Extent = tuple[int | None, int | None, int | None]


def volume(extent: Extent) -> int | None:
    """The product of the three extents; None where one is not known."""
    known = [n for n in extent if n is not None]
    return math.prod(known) if len(known) == len(extent) else None


def threads(launch: LaunchFact) -> int | None:
    """Threads a block."""
    return volume(launch.block)


def blocks(launch: LaunchFact) -> int | None:
    """Blocks of the grid."""
    return volume(launch.grid)


def shapes(launch: LaunchFact, launches: tuple[LaunchFact, ...]) -> list[LaunchFact]:
    """The launch with every other shape that is launched at its place."""
    return [other for other in launches if other.span == launch.span and other.reached]


def as_run(launch: LaunchFact, defaults: tuple[LaunchFact, ...]) -> LaunchFact:
    """The launch, or the largest at its place as the program is run, where its own shape is not known."""
    if blocks(launch) is not None and threads(launch) is not None:
        return launch
    same = [one for one in defaults if (one.span, one.key) == (launch.span, launch.key)]
    known = [one for one in same if blocks(one) and threads(one)]
    if not known or len(known) < len(same):
        return launch
    return max(known, key=lambda one: (blocks(one) or 0) * (threads(one) or 0))


def spelled(extent: Extent) -> str:
    """'256', '16 x 16 = 256'; for an extent that is not known '?'."""
    shown = [("?" if n is None else str(n)) for n in extent]
    while len(shown) > 1 and shown[-1] == "1":
        shown.pop()
    if len(shown) == 1:
        return shown[0]
    total = volume(extent)
    return " x ".join(shown) + (f" = {total}" if total is not None else "")


def plural(count: int, noun: str) -> str:
    """'1 block', '1,024 blocks'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
