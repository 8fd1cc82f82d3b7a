"""Launches whose grid or block the source does not tell, with the sizes that a profile measured."""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.profile.read import base_name
from cudalint.settings.launch_shape import LaunchShape


def filled(host: HostFacts, shapes: tuple[LaunchShape, ...]) -> HostFacts:
    """The launches of the host model; in place of each one with an unknown extent, one for each measured
    shape that agrees with the extents known. A call has the launch of its first shape.
    """
    if not shapes:
        return host
    found = {id(launch): tuple(_measured(launch, shapes)) or (launch,) for launch in host.launches}
    calls = tuple(
        replace(call, launch=found[id(call.launch)][0]) if id(call.launch) in found else call
        for call in host.calls
    )
    launches = tuple(shape for launch in host.launches for shape in found[id(launch)])
    return replace(host, launches=launches, calls=calls)


def _measured(launch: LaunchFact, shapes: tuple[LaunchShape, ...]) -> Iterator[LaunchFact]:
    known = (*launch.grid, *launch.block)
    for shape in shapes if None in known else ():
        measured = (*shape.grid, *shape.block)
        agrees = all(extent in (None, number) for extent, number in zip(known, measured, strict=True))
        if agrees and shape.kernel == base_name(launch.name):
            yield replace(launch, grid=shape.grid, block=shape.block, measured=True)
