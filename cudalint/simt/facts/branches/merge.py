"""From what the runs recorded of each branch to the facts."""

from math import prod

import numpy as np

from cudalint.analyses.arms import arms, cases, guarded
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import walk
from cudalint.simt.facts.branches import diagonal, growing
from cudalint.simt.facts.branches.branch import ArmCost, Branch, Fading, LoopTrips, Split
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.facts.sums import NEAR, by_valuation
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.launch.ragged import Remainder, split_warps
from cudalint.simt.requests.active_lanes import ActiveLanes
from cudalint.simt.requests.sites import BranchSite


def _share(run: Run, site: BranchSite) -> float | None:
    """The share of executed warps that split, under the first valuation that comes to the branch."""
    executed, split = by_valuation(run, site.executed), by_valuation(run, site.split)
    shape = (run.machine.state.samples.valuations, -1)
    each, parted = site.executed.reshape(shape), site.split.reshape(shape)
    if not executed.any():  # reached in the first block only
        executed, split = each.sum(axis=1), parted.sum(axis=1)
    live = np.nonzero(executed)[0]
    if not len(live):
        return None
    first = live[0]
    rare = diagonal.share(run.machine.state.samples, each[first], parted[first])
    return float(split[first] / executed[first]) if rare is None else rare


def _ways(run: Run, site: BranchSite) -> tuple[tuple[int, int], ...]:
    """Operations and lanes of each case that lanes of the worst warp take."""
    if not isinstance(site.statement, s.Switch):
        return ()
    costs = cases(run.machine.unit, site.statement)
    return tuple((costs.get(index, 0), lanes) for index, lanes in site.ways)


def _costs(run: Run, site: BranchSite) -> tuple[int, ...]:
    """Operations of the cases of a switch, those without any left out."""
    if not isinstance(site.statement, s.Switch):
        return ()
    costs = cases(run.machine.unit, site.statement).values()
    return tuple(sorted((cost for cost in costs if cost), reverse=True))


def _branch(run: Run, site: BranchSite, kernel: str, ends: dict[int, Remainder]) -> Branch:
    """ends: comparisons, by identity, at which the warp splits that a size ends in."""
    share = _share(run, site)
    untold = site.kind == "loop" and site.unknown and site.uncounted
    if share is not None and share >= _FEW and not untold:
        divergence = "divergent"
    elif site.unknown:
        divergence = "data-dependent"
    else:
        divergence = "uniform"
    then, otherwise = arms(run.machine.unit, site.statement)
    kept = guarded(run.machine.unit, site.statement) if divergence == "divergent" else (0, 0)
    return Branch(
        span=site.node.span,
        attributed_to=site.attributed_to,
        statement=site.statement.span,
        kind=site.kind,  # type: ignore[arg-type]
        divergence=divergence,  # type: ignore[arg-type]
        split=Split(
            share=share,
            sides=site.counts,
            lanes=site.lanes,
            ways=_ways(run, site),
            boundary=bool(site.split.any()) and divergence != "divergent" and not untold,
            remainder=next((ends[id(part)] for part in walk(site.node) if id(part) in ends), None),
        ),
        cost=ArmCost(then, otherwise, kept, _costs(run, site)),
        loop=LoopTrips(
            trips=site.trips,
            idle=_idle(run, site),
            waiting=_waiting(run, site),
            threads=_threads(run, site),
            chosen=site.free,
        ),
        condition=render(site.node),
        kernel=kernel,
        configuration=run.plan.configuration,
        fading=_fading(crowd) if (crowd := _crowd(run, site)) is not None else None,
    )


def _crowd(run: Run, site: BranchSite) -> ActiveLanes | None:
    """The lanes that take it; where data decides in the end, those that an operand before lets through."""
    condition, found = site.node, None if site.unknown else site.crowd
    while found is None and isinstance(condition, e.Binary) and condition.operator == "&&":
        condition = condition.left
        first = run.machine.recorder.branches.get((id(condition), condition.span))
        found = first.crowd if first is not None and not first.unknown else None
    return found


def _fading(lanes: ActiveLanes) -> Fading | None:
    """Of a branch that fewer threads take in each iteration."""
    if not lanes.fades:
        return None
    warps, packed = int(lanes.entered[lanes.sample]), int(lanes.packed[lanes.sample])
    return Fading(warps, packed, lanes.fewest, lanes.most)


def _idle(run: Run, site: BranchSite) -> float | None:
    """The share of a loop's rounds, over all blocks, that lanes wait for others of their warp, under the
    first valuation that comes to it.
    """
    if site.rounds is None or site.uncounted:
        return None
    samples, grid = run.machine.state.samples, run.plan.configuration.grid
    own, issued = (row.reshape(samples.count, -1).sum(axis=1) for row in site.rounds)
    needed, stayed = by_valuation(run, own), by_valuation(run, issued)
    live = np.nonzero(stayed)[0]
    if not len(live):
        return None
    first = live[0]
    shape = (samples.valuations, -1)
    grown = growing.idle(samples, grid, own.reshape(shape)[first], issued.reshape(shape)[first])
    return float(1.0 - needed[first] / stayed[first]) if grown is None else grown


def _threads(run: Run, site: BranchSite) -> float | None:
    """The share of the threads that come to a loop."""
    if site.came is None or site.rounds is None:
        return None
    return float(site.came.sum() / run.machine.state.samples.everyone.sum())


def _waiting(run: Run, site: BranchSite) -> float | None:
    """The share of the warps that run a loop in which lanes wait for others for an eighth of the rounds; None
    where it is not the same from block to block and some were not run.
    """
    if site.rounds is None or site.uncounted or not site.rounds[1].any():
        return None
    needed, stayed = site.rounds
    live = stayed > 0
    samples = run.machine.state.samples
    own, issued = (row.reshape(samples.count, -1).sum(axis=1) for row in (needed, stayed))
    shares = own[issued > 0] / issued[issued > 0]
    every = all(run.plan.configuration.grid) and len(samples.blocks) == prod(samples.grid)
    if not every and np.ptp(shares) > NEAR:
        return None
    return float((needed[live] <= 7 / 8 * stayed[live]).mean())


_RANK = {"divergent": 3, "data-dependent": 2, "uniform": 1, "unknown": 0}


def of_runs(kernel: KernelRuns) -> tuple[Branch, ...]:
    """The branches that the kernel's runs came to by themselves."""
    return merged(kernel.runs, kernel.function.name)


def merged(runs: list[Run], kernel: str) -> tuple[Branch, ...]:
    """Every branch as booked on its own line or that of a call, the most divergent of the runs."""
    best: dict[tuple[object, ...], Branch] = {}
    for run in runs:
        ends = split_warps(run.machine.state.samples, run.machine.margins.values(), run.parameters)
        for site in run.machine.recorder.branches.values():
            branch = _branch(run, site, kernel, ends)
            key = (branch.span, branch.attributed_to, branch.kind)
            old = best.get(key)
            if old is None or _RANK[branch.divergence] > _RANK[old.divergence]:
                best[key] = branch
    return tuple(sorted(best.values(), key=lambda b: (b.span.path, b.span.line, b.span.column)))


_FEW = 0.01  # splitting warps below this share are those of an edge of the grid
