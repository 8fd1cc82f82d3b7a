"""Barriers: which threads reach them."""

from collections.abc import Iterable
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.cuda.spaces import BarrierScope
from cudalint.ir.render import render
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.launch.ragged import Ragged, Remainder
from cudalint.simt.threads.barriers import BarrierSite
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import NOWHERE, Span


class Barrier(Struct, frozen=True):
    """A barrier of a block (`__syncthreads()` and its variants), a cluster or the grid."""

    span: Span
    reached_by: Literal["all", "some", "unknown"]
    kernel: str
    reaching: Thread | None = None
    missing: Thread | None = None  # a thread that does not reach it while `reaching` does
    cause: Span | None = None  # of the condition that keeps `missing` away
    certain: bool = False  # under every valuation
    condition: str = ""
    configuration: Configuration | None = None
    returned: bool = False  # `missing` has exited
    scope: BarrierScope = "block"
    call: Span | None = None  # in the kernel, of the function that contains the barrier
    place: Span = NOWHERE  # its own, or the call of a function that does nothing else
    sizes: str = ""  # the first sizes that show it, if only some do
    remainder: Remainder | None = None  # of the size that it depends on, where that ends in such a block
    by_data: bool = False  # for some loaded data
    by_block: bool = False  # where a number that the whole block has loaded ends among its threads
    unwritten: bool = False  # threads of the block then read shared memory that none of them has written


def _thread(samples: Samples, lane: int) -> Thread:
    return Thread(samples.thread_of(lane), samples.block_of(lane))


def fact(
    site: BarrierSite,
    samples: Samples,
    kernel: str,
    configuration: Configuration,
    parameters: tuple[Parameter, ...],
    ragged: Ragged | None = None,
) -> Barrier:
    """A barrier as one run shows it; ragged: of a run of just such blocks."""
    some = site.reaching >= 0
    shape = (samples.valuations, len(samples.blocks))
    partial: Bools = np.asarray(site.partial.reshape(shape).any(axis=1))
    executed = site.executed.reshape(shape).any(axis=1)
    certain = some and ragged is None and not site.by_block and bool((partial | ~executed).all())
    condition = render(site.condition) if site.condition is not None else ""
    return Barrier(
        span=site.node.span,
        reached_by="some" if some else "unknown" if site.doubtful else "all",
        kernel=kernel,
        reaching=_thread(samples, site.reaching) if some else None,
        missing=_thread(samples, site.missing) if some else None,
        cause=site.condition.span if site.condition is not None else None,
        condition=condition,
        returned=site.left is not None and site.left.kernel,
        certain=certain,
        configuration=configuration,
        scope=site.scope,
        call=site.call,
        place=site.place,
        sizes="" if certain or not some else _sizes(partial, parameters),
        by_data=some and site.by_data,
        by_block=some and site.by_block,
        remainder=ragged.of(np.flatnonzero(site.partial)) if some and ragged is not None else None,
    )


def _sizes(partial: Bools, parameters: tuple[Parameter, ...]) -> str:
    """The first valuation of unknown parameters that shows it."""
    valuation = int(partial.argmax())
    numbers = [
        f"{p.name} = {p.tried[valuation]:g}"
        for p in parameters
        if len(p.tried) > valuation and not p.pointer and len(set(p.tried)) > 1
    ]
    return ", ".join(numbers[:3])


def barriers(runs: list[Run], kernel: str) -> tuple[Barrier, ...]:
    """Every barrier, by each call that it is reached through; 'some' in one run wins, most of all where it is
    so for every size.
    """
    return merged(
        fact(site, run.machine.state.samples, kernel, run.plan.configuration, run.parameters, run.ragged)
        for run in runs
        for site in run.machine.barriers.sites.values()
    )


def decided_by_data(barriers: tuple[Barrier, ...], done: Run, kernel: str) -> tuple[Barrier, ...]:
    """The barriers, where nobody knows who comes or all came by chance, as a run with made-up data shows."""
    sites = done.machine.barriers.sites.values()
    samples, configuration = done.machine.state.samples, done.plan.configuration
    shown = (fact(site, samples, kernel, configuration, done.parameters) for site in sites if site.by_data)
    missed = {_key(one): replace(one, certain=False, sizes="") for one in shown}
    return tuple(missed.get(_key(one), one) if one.reached_by != "some" else one for one in barriers)


def merged(found: Iterable[Barrier]) -> tuple[Barrier, ...]:
    """One for each barrier and call that it is reached through, the first of those that weigh most."""
    best: dict[object, Barrier] = {}
    for barrier in found:
        key = _key(barrier)
        if key not in best or _weight(barrier) > _weight(best[key]):
            best[key] = barrier
    return tuple(best.values())


def _key(barrier: Barrier) -> tuple[Span, Span | None, Span]:
    return barrier.span, barrier.call, barrier.place


def _weight(barrier: Barrier) -> tuple[bool, bool]:
    return barrier.reached_by == "some", barrier.certain
