"""What a kernel does in a block, as its runs counted it: the traffic of every access and the executions of
every statement. From this significance/ derives how long the kernel takes and what a fix saves.

All amounts are arrays over the sizes tried: each valuation, with loops of unknown length long, then each with
these loops short.
"""

import math

import numpy as np
from msgspec import Struct

from cudalint.analyses.executed_with import homes
from cudalint.analyses.grid_stride import has_grid_stride
from cudalint.analyses.kernel_queries import accessed
from cudalint.analyses.static_shared import most_wavefronts, static_shared_bytes
from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import statements as s
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.accesses.merge import is_made, transactions
from cudalint.simt.facts.accesses.weights import weights
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.requests.sites import AccessSite
from cudalint.simt.requests.transactions import SECTOR
from cudalint.source.span import Span

Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]

_WORD = 4  # bytes of a bank
_LINE = 128  # bytes that L1 looks up at once


class Traffic(Struct, frozen=True, eq=False):
    """The requests of one access. requests: those of a mean block. transactions: sectors (global, local),
    wavefronts (shared) or passes (constant) of one request, at least `least` and at most `most`; ideal: the
    fewest that carry the same bytes. lines: 128-byte lines of its worst request. doubtful: data decides
    whether it is made.
    """

    span: Span
    operation: Operation
    space: Space
    requests: Numbers
    least: Numbers
    most: Numbers
    ideal: Numbers
    lines: float
    doubtful: bool


class Executions(Struct, frozen=True, eq=False):
    """The executions of one statement by a mean block: by warps, and by lanes."""

    warps: Numbers
    lanes: Numbers
    doubtful: bool


class Workload(Struct, frozen=True, eq=False):
    """What a mean block of one configuration does. statements: by identity; shared_bytes: of a block, None
    where it is not known; forced: the run was sent down arms that it does not take by itself; shared_out:
    blocks among which loops over the grid shared their iterations out, where nobody knows their number, else
    0.
    """

    configuration: Configuration
    sizes: int  # how many were tried: the length of all arrays
    traffic: tuple[Traffic, ...]
    statements: dict[int, Executions]
    shared_bytes: int | None
    forced: bool = False
    shared_out: int = 0

    @property
    def threads(self) -> int:
        """Of a block."""
        x, y, z = self.configuration.block
        return x * y * z

    @property
    def warps(self) -> int:
        """Of a block."""
        return -(-self.threads // WARP)

    @property
    def blocks(self) -> int | None:
        """Of the grid; None where it is not known."""
        x, y, z = self.configuration.grid
        return None if x is None or y is None or z is None else x * y * z

    def makes(self, access: Access) -> bool:
        """Whether the access is made in it."""
        key = access.span, access.operation, access.space
        return any((one.span, one.operation, one.space) == key for one in self.traffic)


def workload(kernel: KernelRuns, run: Run, forced: bool = False) -> Workload:
    """Of one run."""
    recorder = run.machine.recorder
    shape = run.plan.configuration
    static = static_shared_bytes(kernel.unit, kernel.function)
    dynamic = shape.dynamic_shared_bytes
    statements = _statements(run)
    places = homes(kernel.unit, kernel.function)
    return Workload(
        configuration=shape,
        sizes=2 * run.machine.state.samples.valuations,
        traffic=tuple(
            _traffic(run, site, statements, places)
            for site in recorder.accesses.values()
            if site.attributed_to == site.node.span and is_made(site, recorder)
        ),
        statements=statements,
        shared_bytes=None if dynamic is None else static + dynamic,
        forced=forced,
        shared_out=_shared_out(kernel, run),
    )


def _shared_out(kernel: KernelRuns, run: Run) -> int:
    """The blocks of a run of loops over the grid; 0 where their number is known or there is no such loop."""
    if None not in run.plan.configuration.grid or not has_grid_stride(kernel.unit, kernel.function):
        return 0
    return math.prod(run.machine.state.samples.grid)


def _statements(run: Run) -> dict[int, Executions]:
    known = run.machine.visits.known if run.machine.visits is not None else {}
    if not known:
        return {}
    means = _mean(run, np.stack([visit.amount for visit in known.values()]))
    many, lanes, few = means[:, 0], means[:, 1], means[:, 2]
    fewer = lanes * np.where(many > 0, few / np.where(many > 0, many, 1.0), 0.0)
    warps, threads = np.concatenate((many, few), axis=1), np.concatenate((lanes, fewer), axis=1)
    return {
        key: Executions(warps[at], threads[at], visit.doubtful)
        for at, (key, visit) in enumerate(known.items())
    }


def _traffic(
    run: Run, site: AccessSite, statements: dict[int, Executions], places: dict[int, s.Statement]
) -> Traffic:
    asked = _mean(run, np.zeros(run.machine.state.samples.count) + site.passes)
    home = places.get(id(site.node))
    beside = statements.get(id(home))
    total, ideal, counted = _mean(run, np.stack((site.total, site.ideal, site.requests)))
    here = counted > 0
    told = transactions(run, site)
    unit = _WORD * WARP if site.space == "shared" else SECTOR
    plain = max(1.0, site.width * site.most_lanes / unit)
    each = np.where(here, total / np.where(here, counted, 1.0), told.per_request or plain)
    best = np.where(here, ideal / np.where(here, counted, 1.0), told.ideal or plain)
    if site.space == "constant":
        best = np.ones_like(best)  # one element for all lanes
    if told.certainty == "unknown":
        least, most = np.full_like(best, 1.0), np.full_like(best, float(_most(run, site)))
    else:
        least = np.minimum(each, told.lower if told.lower is not None else each)
        most = np.maximum(each, told.upper if told.upper is not None else each)
    return Traffic(
        span=site.node.span,
        operation=site.operation,
        space=site.space,
        requests=np.append(asked, asked * _shortened(beside)),
        least=np.append(least, least),
        most=np.append(most, most),
        ideal=np.append(best, best),
        lines=_lines(site),
        doubtful=site.doubtful,
    )


def _most(run: Run, site: AccessSite) -> int:
    """Transactions of a request of which no address is known: one for each lane, and for each word of a bank
    that its array in shared memory has.
    """
    lanes = min(site.most_lanes, math.prod(run.plan.configuration.block))
    words = most_wavefronts(accessed(site.node), _WORD * WARP) if site.space == "shared" else None
    return lanes if words is None or site.operation == "atomic" else min(lanes, words)


def _shortened(beside: Executions | None) -> Numbers | float:
    """The executions with short loops of those with long ones."""
    if beside is None:
        return 1.0
    many, few = np.split(beside.warps, 2)
    return np.asarray(np.where(many > 0, few / np.where(many > 0, many, 1.0), 1.0))


def _lines(site: AccessSite) -> float:
    """The lines of its worst request; of neighbours where no address is known."""
    found = {address // _LINE for address in site.worst if address is not None}
    return float(len(found)) or max(1.0, site.width * site.most_lanes / _LINE)


def _mean(run: Run, amounts: np.ndarray) -> np.ndarray:
    """Of numbers by sample (the last axis), the mean over the blocks of the grid, by valuation; over those
    that were run where only the first of them has any.
    """
    samples = run.machine.state.samples
    table = amounts.reshape(*amounts.shape[:-1], samples.valuations, len(samples.blocks))
    weight = weights(samples, run.plan.configuration.grid)
    mean = (table * weight).sum(axis=-1) / weight.sum()
    return np.asarray(np.where(mean.any(axis=-1, keepdims=True), mean, table.mean(axis=-1)))


def _conclude(kernel: KernelRuns) -> tuple[tuple[Workload, ...]]:
    done = kernel.once(complete)
    regular = [workload(kernel, run) for run in (*kernel.runs, *done.chosen)]
    sent = [workload(kernel, run, forced=True) for run in done.further if run.machine.contents is None]
    return ((*regular, *sent),)


FACT = Fact(of=(Workload,), conclude=_conclude)
