"""Accesses at places that data decides: which kernels have some that may be races."""

from cudalint.analyses.kernel_queries import accessed, root_of
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.requests.sites import AccessSite
from cudalint.simt.threads.race_log import RaceLog
from cudalint.source.span import Span

Pair = frozenset[Span]  # of the read and of the write


def unknown_places(runs: list[Run]) -> frozenset[Span]:
    """Accesses whose places the runs could not tell."""
    return frozenset(
        site.node.span for run in runs for site in run.machine.recorder.accesses.values() if site.unknown
    )


def unknown_shared_places(function: Function, runs: list[Run]) -> dict[Span, e.Variable | None]:
    """Those that may be in shared memory, with the variables that they go through: through a pointer that was
    handed on, the space is a guess.
    """
    sites = [site for run in runs for site in run.machine.recorder.accesses.values()]
    if not any(site.space == "shared" for site in sites):
        return {}
    roots = {site.node.span: root_of(accessed(site.node)) for site in sites if site.unknown}
    told = {site.node.span for site in sites if site.unknown and site.space == "shared"}
    return {span: root for span, root in roots.items() if span in told or root not in function.parameters}


def decided_by_data(function: Function, runs: list[Run]) -> bool:
    """Whether data may lead two threads to one place, which one of them writes: a store at an unknown place,
    several that data sends to one, an atomic at an unknown place that may be in shared memory, or a store to
    what is loaded at one, or where a number leads that a block has loaded.
    """
    logs = [run.seen(RaceLog) for run in runs]
    sites = [site for run in runs for site in run.machine.recorder.accesses.values() if site.space != "local"]
    if any(log.meeting or not log.picked.isdisjoint(log.stored) for log in logs):
        return True
    if any(site.unknown and site.operation == "store" for site in sites):
        return True
    shared = unknown_shared_places(function, runs)
    if any(site.operation == "atomic" and site.node.span in shared for site in sites):
        return True
    loaded = {root_of(accessed(s.node)) for s in sites if s.unknown and s.operation != "store"}
    if any(site.operation == "store" and root_of(site.node) in loaded for site in sites):
        return True
    tables = {name for s in sites if s.unknown and s.operation == "load" for name in _shared(s)}
    return any(site.operation == "store" and not tables.isdisjoint(_shared(site)) for site in sites)


def _shared(site: AccessSite) -> frozenset[str]:
    """The shared arrays that it accesses, whatever it goes through."""
    return frozenset(site.buffers) if site.space == "shared" else frozenset()
