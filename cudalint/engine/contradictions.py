"""Assumptions about the shape of launches that a launch in the source contradicts."""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.settings.assume import Assumption
from cudalint.source.text import shown


def contradictions(assumptions: tuple[Assumption, ...], host: HostFacts) -> tuple[str, ...]:
    """One sentence for each assumption and launch that do not agree."""
    return tuple(
        f"assumption '{one.text}' contradicts the launch at {shown(launch.span.path)}:{launch.span.line}, "
        f"whose {one.name} is {extent}; it is used all the same"
        for one in assumptions
        for launch in host.launches
        for name, extent in _extents(launch)
        if name == one.name and not one.holds(extent)
    )


def _extents(launch: LaunchFact) -> Iterator[tuple[str, int]]:
    """The extents that are known, by the names that kernels have for them."""
    for variable, extents in (("blockDim", launch.block), ("gridDim", launch.grid)):
        for axis, extent in zip("xyz", extents, strict=True):
            if extent is not None:
                yield f"{variable}.{axis}", extent
