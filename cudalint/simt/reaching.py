"""What the runs of a kernel say together of how far its accesses go."""

from collections.abc import Iterator, Sequence

from cudalint.ir.render import render
from cudalint.simt.extents import Site
from cudalint.simt.facts import DynamicReach, Overrun, Thread
from cudalint.simt.merge import Run


def dynamic_reaches(runs: Sequence[Run]) -> tuple[DynamicReach, ...]:
    """For each run that surely uses dynamic shared memory, the access that reaches furthest."""
    found = []
    for run in runs:
        sites = [site for site in _sites(run, "shared") if site.used or site.end]
        if sites:
            found.append(_reach(run, max(sites, key=lambda site: site.end)))
    return tuple(found)


def overruns(runs: Sequence[Run], kernel: str) -> tuple[Overrun, ...]:
    """The accesses beyond the ends of buffers, of launches whose grid is known."""
    return tuple(
        _overrun(run, site, kernel)
        for run in runs
        if run.plan.configuration.origin == "launch" and None not in run.plan.configuration.grid
        for site in _sites(run, "global")
        if site.beyond >= 0
    )


def _sites(run: Run, space: str) -> Iterator[Site]:
    log = run.machine.extents
    for site in log.sites.values() if log is not None and not run.failure else ():
        if site.memory.space == space:
            yield site


def _thread(run: Run, lane: int) -> Thread:
    worlds = run.machine.state.worlds
    return Thread(worlds.thread_of(lane), worlds.block_of(lane))


def _reach(run: Run, site: Site) -> DynamicReach:
    element = site.memory.element or site.width or 1
    return DynamicReach(
        span=site.node.span,
        expression=render(site.node),
        bytes=site.end,
        index=f"{site.memory.name}[{(site.end - 1) // element}]",
        thread=_thread(run, max(site.lane, 0)),
        configuration=run.plan.configuration,
    )


def _overrun(run: Run, site: Site, kernel: str) -> Overrun:
    element = site.memory.element or site.width
    return Overrun(
        span=site.node.span,
        expression=render(site.node),
        operation=site.operation,
        kernel=kernel,
        buffer=site.memory.name,
        index=site.start // element,
        elements=site.memory.bytes // element,
        bytes=site.memory.bytes,
        thread=_thread(run, site.beyond),
        inside=site.inside,
        configuration=run.plan.configuration,
    )
