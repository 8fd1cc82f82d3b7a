"""From what the runs recorded to the facts: weights, certainty, merging over configurations."""

from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.simt import diagonal
from cudalint.simt.arms import arms, cases, guarded
from cudalint.simt.barriers import fact
from cudalint.simt.configure import Plan
from cudalint.simt.facts import (
    Access,
    Barrier,
    Branch,
    Parameter,
    Reused,
    Transactions,
    Trial,
)
from cudalint.simt.host_reads import HostReads
from cudalint.simt.initialised import Initialised
from cudalint.simt.machine import Machine
from cudalint.simt.owners import Owners
from cudalint.simt.record import Recorder
from cudalint.simt.redundancy import Redundancy
from cudalint.simt.rereads import Rereads
from cudalint.simt.sites import AccessSite, BranchSite
from cudalint.simt.static import NO_NUMBER
from cudalint.simt.weights import per_valuation, sectors, shares

_SAME = 1e-6
_NEAR = 0.01  # numbers so close are one: the last warps of odd sizes make the difference
_MISFIT = "the sizes tried do not fit the shared array"
_FEW = 0.01  # splitting warps below this share are those of an edge of the grid


class Run(Struct, frozen=True):
    """One finished run of a kernel."""

    plan: Plan
    machine: Machine
    failure: str = ""
    parameters: tuple[Parameter, ...] = ()
    redundancy: Redundancy | None = None
    initialised: Initialised | None = None
    rereads: Rereads | None = None
    owners: Owners | None = None
    host_reads: HostReads | None = None


def _per_valuation(run: Run, numbers: np.ndarray) -> np.ndarray:
    """Weighted sums over the blocks, one a valuation."""
    return per_valuation(run.machine.state.worlds, run.plan.configuration.grid, numbers)


def _summed(run: Run, site: AccessSite, *numbers: np.ndarray) -> tuple[np.ndarray, ...]:
    """Sums over the blocks that requests of the site stand for, one each a valuation."""
    if _per_valuation(run, site.requests).any():
        return tuple(_per_valuation(run, row) for row in numbers)
    worlds = run.machine.state.worlds  # reached in the first block only
    shape = (worlds.valuations, len(worlds.blocks))
    return tuple(row.reshape(shape).sum(axis=1) for row in numbers)


def _sums(run: Run, site: AccessSite) -> tuple[np.ndarray, ...]:
    """Requests, transactions and their ideal, one each a valuation."""
    return _summed(run, site, site.requests, site.total, site.ideal)


def _used(run: Run, site: AccessSite) -> tuple[float, float]:
    """The least and the most part of what it moves that is asked for, over the valuations."""
    none = np.zeros(run.machine.state.worlds.count)
    asked, moved = _summed(run, site, none + site.asked, none + site.moved)
    parts = asked[moved > 0] / moved[moved > 0]
    return (float(parts.min()), float(parts.max())) if len(parts) else (1.0, 1.0)


def _trial(run: Run, site: AccessSite) -> Trial:
    requests, total, ideal = (row.tolist() for row in _sums(run, site))

    def means(sums: list[float]) -> tuple[float | None, ...]:
        return tuple(a / n if n else None for a, n in zip(sums, requests, strict=True))

    return Trial(run.plan.configuration, means(total), means(ideal))


def transactions(run: Run, site: AccessSite) -> Transactions:
    """Transactions a request, and how sure that number is: where valuations differ by more than a hundredth,
    the first one's, which has the roundest numbers, between the least and the most.
    """
    requests, total, ideal = _sums(run, site)
    live = requests > 0
    if not live.any():
        return NO_NUMBER
    means = total[live] / requests[live]
    ideals = ideal[live] / requests[live]
    mean, best = float(means[0]), float(ideals[0])
    if site.unknown:
        return replace(NO_NUMBER, upper=None)
    low, high = float(means.min()), float(means.max())
    if site.doubtful:
        low = min(low, 1.0)
    if (site.loose or _at_the_edge(run, site)) and site.highest > site.lowest:
        low, high = min(low, site.lowest), max(high, site.highest)
    if _step(site) == site.width:
        high = max(high, site.widened)
    if elsewhere := _elsewhere(run, site):
        low, high = min(low, *elsewhere), max(high, *elsewhere)
        mean = _turned(site) or mean
    tried = bool(live.all()) or not site.free
    if tried and high - low <= _NEAR * high:
        return Transactions(mean, best, "exact", mean, mean)
    return Transactions(mean, best, "bounded", low, high)


def _turned(site: AccessSite) -> float | None:
    """Transactions a request, with each place of a sector where blocks begin as often as the others."""
    requests = sum(one.requests for one in site.turned)
    return sum(one.requests * one.mean for one in site.turned) / requests if requests else None


def _elsewhere(run: Run, site: AccessSite) -> list[float]:
    """Transactions a request that blocks have which begin at other places of a sector than those run: those
    of whole shifts, and of the blocks run that are at no edge of the grid, where they differ.
    """
    worlds = run.machine.state.worlds
    if len(worlds.blocks) == prod(worlds.grid):
        return []
    pairs = [list(zip(block, worlds.grid, strict=True)) for block in worlds.blocks]
    inside = [all(0 < at < extent - 1 for at, extent in pair if extent > 1) for pair in pairs]
    shape = (worlds.valuations, len(worlds.blocks))
    requests, total = (row.reshape(shape)[:, inside] for row in (site.requests, site.total))
    found = [float(number) for number in total[requests > 0] / requests[requests > 0]]
    found = found if found and max(found) - min(found) > _NEAR * max(found) else []
    return found + [number for one in site.turned for number in (one.least, one.most)]


def _at_the_edge(run: Run, site: AccessSite) -> bool:
    """Whether only the first block came to the access, of a grid that nobody knows the size of."""
    return None in run.plan.configuration.grid and not _per_valuation(run, site.requests).any()


def _access(run: Run, site: AccessSite, kernel: str, share: float) -> Access:
    requests = int(site.requests.sum())
    strides = tuple(sorted(x for x in site.strides if x is not None))
    regular = None not in site.strides
    breaks = next(iter(site.breaks)) if len(site.breaks) == 1 else None
    layout = run.machine.unit.records.get(site.record[0]) if site.record else None
    return Access(
        span=site.node.span,
        booked=site.booked,
        expression=render(site.node),
        space=site.space,
        operation=site.operation,
        bytes=site.width,
        transactions=transactions(run, site),
        kernel=kernel,
        buffer=max(site.buffers, key=lambda name: site.buffers[name]) if site.buffers else "",
        configuration=run.plan.configuration,
        lane_stride=strides[0] if regular and len(strides) == 1 else None,
        lane_strides=strides if regular else (),
        row_breaks=breaks,
        row_stride=site.row_stride,
        step_stride=_step(site),
        offset=next(iter(site.offsets)) if len(site.offsets) == 1 else None,
        offsets=tuple(sorted(site.offsets)),
        active_lanes=site.active / requests if requests else 0.0,
        element=next(iter(site.elements)) if len(site.elements) == 1 else 0,
        record=site.record,
        record_align=layout.align if layout else 0,
        uniform=site.uniform and bool(requests),
        data_dependent=site.doubtful or bool(site.unknown),
        unknown=site.unknown or (_MISFIT if site.misfit and not requests else ""),
        requests=requests,
        worst_lanes=site.worst,
        volatile=site.volatile,
        trials=(_trial(run, site),),
        share=share,
        walks=len(site.starts) > 1 and (not site.steps or _step(site) is not None),
        used=_used(run, site),
        sectors=sectors(run.machine.state.worlds, run.plan.configuration.grid, site),
        full_lanes=site.fullest,
    )


def _step(site: AccessSite) -> int | None:
    """The gap between most executions; None where no one is that of half of them."""
    gap = max(site.steps, key=lambda gap: site.steps[gap], default=None)
    return gap if gap is not None and 2 * site.steps[gap] >= sum(site.steps.values()) else None


def _together(found: list[Access]) -> Access:
    """One access under several configurations: the first one's number, everyone's bounds, the worst
    picture.
    """
    if len(found) == 1:
        return found[0]
    numbers = [a.transactions for a in found if a.transactions.per_request is not None]
    first = next((a for a in found if a.transactions.per_request is not None), found[0])
    if any(a.unknown for a in found) or not numbers:
        return replace(
            first, transactions=NO_NUMBER, unknown=next((a.unknown for a in found if a.unknown), "")
        )
    low = min(n.lower for n in numbers if n.lower is not None)
    high = max(n.upper for n in numbers if n.upper is not None)
    exact = all(n.certainty == "exact" for n in numbers) and high - low <= _SAME
    merged = replace(numbers[0], certainty="exact" if exact else "bounded", lower=low, upper=high)
    worst = max(found, key=lambda a: a.transactions.per_request or 0.0)
    stride = {a.lane_stride for a in found}
    return replace(
        worst,
        transactions=merged,
        lane_stride=worst.lane_stride if len(stride) == 1 else None,
        lane_strides=tuple(sorted({x for a in found for x in a.lane_strides})),
        offsets=tuple(sorted({x for a in found for x in a.offsets})),
        uniform=all(a.uniform for a in found),
        share=max(a.share for a in found),
        walks=any(a.walks for a in found),
        used=(min(a.used[0] for a in found), max(a.used[1] for a in found)),
        sectors=None if any(a.sectors is None for a in found) else max(a.sectors or 0.0 for a in found),
    )


def accesses(runs: list[Run], kernel: str) -> tuple[list[Access], list[Access]]:
    """Every recorded access, merged over the runs: by its own place; and besides, for the lines of calls that
    it is inlined into, once more for each.
    """
    grouped: dict[object, list[Access]] = {}
    for run in runs:
        recorder = run.machine.recorder
        parts = shares(run.machine.state.worlds, run.plan.configuration.grid, recorder.accesses)
        for key, site in recorder.accesses.items():
            if _is_made(site, recorder):
                grouped.setdefault(key, []).append(_access(run, site, kernel, parts.get(key, 0.0)))
    booked = [
        replace(_together(group), trials=tuple(trial for one in group for trial in one.trials))
        for group in grouped.values()
    ]
    return [access for access in booked if access.booked == access.span], booked


def _is_made(site: AccessSite, recorder: Recorder) -> bool:
    """Whether the access is a request of its own, or one whose number is not known."""
    return bool(site.requests.any() or site.unknown) or site.node.span not in recorder.reused


def reused(runs: list[Run]) -> tuple[Reused, ...]:
    """Accesses that no run had to make."""
    made = {
        site.node.span
        for run in runs
        for site in run.machine.recorder.accesses.values()
        if _is_made(site, run.machine.recorder)
    }
    found = {
        span: Reused(span, render(node), space)
        for run in runs
        for span, (node, space) in run.machine.recorder.reused.items()
        if span not in made
    }
    return tuple(found[span] for span in sorted(found, key=lambda s: (s.path, s.line, s.column)))


# --- branches ---


def _share(run: Run, site: BranchSite) -> float | None:
    """The share of executed warps that split, under the first valuation that comes to the branch."""
    executed, split = _per_valuation(run, site.executed), _per_valuation(run, site.split)
    shape = (run.machine.state.worlds.valuations, -1)
    each, parted = site.executed.reshape(shape), site.split.reshape(shape)
    if not executed.any():  # reached in the first block only
        executed, split = each.sum(axis=1), parted.sum(axis=1)
    live = np.nonzero(executed)[0]
    if not len(live):
        return None
    first = live[0]
    rare = diagonal.share(run.machine.state.worlds, each[first], parted[first])
    return float(split[first] / executed[first]) if rare is None else rare


def _ways(site: BranchSite) -> tuple[tuple[int, int], ...]:
    """Operations and lanes of each case that lanes of the worst warp take."""
    if not isinstance(site.statement, s.Switch):
        return ()
    costs = cases(site.statement)
    return tuple((costs.get(index, 0), lanes) for index, lanes in site.ways)


def _branch(run: Run, site: BranchSite, kernel: str) -> Branch:
    share = _share(run, site)
    if share is not None and share >= _FEW:
        divergence = "divergent"
    elif site.unknown:
        divergence = "data-dependent"
    else:
        divergence = "uniform"
    then, otherwise = arms(site.statement)
    crowd = site.crowd if site.crowd is not None and site.crowd.fades else None
    return Branch(
        span=site.node.span,
        booked=site.booked,
        statement=site.statement.span,
        kind=site.kind,  # type: ignore[arg-type]
        divergence=divergence,  # type: ignore[arg-type]
        divergent_warps=share,
        condition=render(site.node),
        kernel=kernel,
        boundary=bool(site.split.any()) and divergence != "divergent",
        then_cost=then,
        else_cost=otherwise,
        trips=site.trips,
        idle=_idle(run, site),
        waiting=_waiting(run, site),
        threads=_threads(run, site),
        split=site.counts,
        lanes=site.lanes,
        configuration=run.plan.configuration,
        ways=_ways(site),
        guarded=guarded(run.machine.unit, site.statement),
        warps=(int(crowd.entered[crowd.world]), int(crowd.packed[crowd.world])) if crowd else None,
        crowd=(crowd.fewest, crowd.most) if crowd else None,
        chosen=site.free,
    )


def _idle(run: Run, site: BranchSite) -> float | None:
    """The share of a loop's rounds, over all blocks, that lanes wait for others of their warp, under the
    first valuation that comes to it.
    """
    if site.rounds is None or site.uncounted:
        return None
    blocks = run.machine.state.worlds.count
    needed, stayed = (_per_valuation(run, row.reshape(blocks, -1).sum(axis=1)) for row in site.rounds)
    live = np.nonzero(stayed)[0]
    return float(1.0 - needed[live[0]] / stayed[live[0]]) if len(live) else None


def _threads(run: Run, site: BranchSite) -> float | None:
    """The share of the threads that come to a loop."""
    return float(site.came.sum() / run.machine.state.worlds.everyone.sum()) if site.came is not None else None


def _waiting(run: Run, site: BranchSite) -> float | None:
    """The share of the warps that run a loop in which lanes wait for others for an eighth of the rounds; None
    where it is not the same from block to block and some were not run.
    """
    if site.rounds is None or site.uncounted or not site.rounds[1].any():
        return None
    needed, stayed = site.rounds
    live = stayed > 0
    worlds = run.machine.state.worlds
    own, issued = (row.reshape(worlds.count, -1).sum(axis=1) for row in (needed, stayed))
    shares = own[issued > 0] / issued[issued > 0]
    every = all(run.plan.configuration.grid) and len(worlds.blocks) == prod(worlds.grid)
    if not every and np.ptp(shares) > _NEAR:
        return None
    return float((needed[live] <= 7 / 8 * stayed[live]).mean())


_RANK = {"divergent": 3, "data-dependent": 2, "uniform": 1, "unknown": 0}


def branches(runs: list[Run], kernel: str) -> tuple[Branch, ...]:
    """Every branch as booked on its own line or that of a call, the most divergent of the runs."""
    best: dict[tuple[object, ...], Branch] = {}
    for run in runs:
        for site in run.machine.recorder.branches.values():
            branch = _branch(run, site, kernel)
            key = (branch.span, branch.booked, branch.kind)
            old = best.get(key)
            if old is None or _RANK[branch.divergence] > _RANK[old.divergence]:
                best[key] = branch
    return tuple(sorted(best.values(), key=lambda b: (b.span.path, b.span.line, b.span.column)))


# --- barriers ---


def barriers(runs: list[Run], kernel: str) -> tuple[Barrier, ...]:
    """Every barrier, by each call that it is reached through; 'some' in one run wins, most of all where it is
    so for every size.
    """
    best: dict[object, Barrier] = {}
    for run in runs:
        worlds, configuration = run.machine.state.worlds, run.plan.configuration
        for site in run.machine.barriers.sites.values():
            barrier = fact(site, worlds, kernel, configuration, run.parameters)
            key = barrier.span, barrier.call
            old = best.get(key)
            if old is None or _weight(barrier) > _weight(old):
                best[key] = barrier
    return tuple(best.values())


def _weight(barrier: Barrier) -> tuple[bool, bool]:
    return barrier.reached_by == "some", barrier.certain
