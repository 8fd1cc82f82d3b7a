"""Launches with the sizes that they surely have, and with those of the program as it is run."""

from collections.abc import Collection, Iterator

from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.walks import run_of


def with_run(host: HostFacts, paths: Collection[str]) -> Iterator[tuple[LaunchFact, str]]:
    """(launch, whose sizes it has: '' where every run has them) of those that are reached and that nothing
    guards; of a run only what other runs may have otherwise. paths: files whose launches are asked for.
    """
    known = set()
    guarded = set()
    for launch in host.launches:
        if launch.guarded:
            guarded.add(launch.span)
        elif launch.reached and launch.span.path in paths:
            if None not in (*launch.grid, *launch.block):
                known.add(launch.span)
            yield launch, ""
    for launch in host.defaults:
        open_ = launch.span not in known and launch.span not in guarded and not launch.guarded
        if launch.reached and open_ and launch.span.path in paths:
            yield launch, run_of(host)
