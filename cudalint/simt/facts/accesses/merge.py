"""From recorded requests to `Access` facts: weights, certainty, merging over configurations."""

from math import prod

import numpy as np
from msgspec.structs import replace

from cudalint.ir.render import render
from cudalint.simt.facts.accesses.access import (
    NO_NUMBER,
    Access,
    Basis,
    Element,
    Lanes,
    Layout,
    Transactions,
    Trial,
    Weight,
)
from cudalint.simt.facts.accesses.weights import sectors, shares
from cudalint.simt.facts.sums import NEAR, by_valuation
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.requests.record import Recorder
from cudalint.simt.requests.sites import AccessSite

_SAME = 1e-6
MISFIT = "the sizes tried do not fit the shared array"


def _summed(run: Run, site: AccessSite, *numbers: np.ndarray) -> tuple[np.ndarray, ...]:
    """Sums over blocks, one per valuation, weighted by the blocks that each one represents."""
    if by_valuation(run, site.requests).any():
        return tuple(by_valuation(run, row) for row in numbers)
    samples = run.machine.state.samples  # reached in the first block only
    shape = (samples.valuations, len(samples.blocks))
    return tuple(row.reshape(shape).sum(axis=1) for row in numbers)


def _sums(run: Run, site: AccessSite) -> tuple[np.ndarray, ...]:
    """Requests, transactions and their ideal, one per valuation."""
    return _summed(run, site, site.requests, site.total, site.ideal)


def _used(run: Run, site: AccessSite) -> tuple[float, float]:
    """(least, most) share of the bytes moved that is used, over the valuations."""
    none = np.zeros(run.machine.state.samples.count)
    asked, moved = _summed(run, site, none + site.asked, none + site.moved)
    parts = asked[moved > 0] / moved[moved > 0]
    return (float(parts.min()), float(parts.max())) if len(parts) else (1.0, 1.0)


def _trial(run: Run, site: AccessSite) -> Trial:
    requests, total, ideal = (row.tolist() for row in _sums(run, site))

    def means(sums: list[float]) -> tuple[float | None, ...]:
        return tuple(a / n if n else None for a, n in zip(sums, requests, strict=True))

    return Trial(run.plan.configuration, means(total), means(ideal))


def transactions(run: Run, site: AccessSite) -> Transactions:
    """Transactions per request and their certainty: if valuations differ by more than a hundredth, the number
    of the first one, which has the roundest sizes, bounded by the least and the most.
    """
    requests, total, ideal = _sums(run, site)
    live = requests > 0
    if not live.any():
        return NO_NUMBER
    means = total[live] / requests[live]
    ideals = ideal[live] / requests[live]
    mean, best = float(means[0]), float(ideals[0])
    if site.uncounted:
        return replace(NO_NUMBER, upper=None)
    low, high = float(means.min()), float(means.max())
    if site.doubtful:
        low = min(low, 1.0)
    if _at_the_edge(run, site) and site.highest > site.lowest:
        low, high = min(low, site.lowest), max(high, site.highest)
    elif (site.sampled or site.several) and site.highest > site.lowest_full:
        low, high = min(low, site.lowest_full), max(high, site.highest)
    if _step(site) == site.width:
        high = max(high, site.widened)
    if elsewhere := _elsewhere(run, site):
        low, high = min(low, *elsewhere), max(high, *elsewhere)
        mean = _turned(site) or mean
    tried = bool(live.all()) or not site.free
    if tried and not site.unknown and high - low <= NEAR * high:
        return Transactions(mean, best, "exact", mean, mean)
    return Transactions(mean, best, "bounded", low, high)


def _turned(site: AccessSite) -> float | None:
    """Transactions per request, the mean over the sector offsets at which blocks start."""
    requests = sum(one.requests for one in site.turned)
    return sum(one.requests * one.mean for one in site.turned) / requests if requests else None


def _elsewhere(run: Run, site: AccessSite) -> list[float]:
    """Transactions per request of blocks that start at other sector offsets than those run, and of the blocks
    run inside the grid, where they differ.
    """
    samples = run.machine.state.samples
    if len(samples.blocks) == prod(samples.grid):
        return []
    pairs = [list(zip(block, samples.grid, strict=True)) for block in samples.blocks]
    inside = [all(0 < at < extent - 1 for at, extent in pair if extent > 1) for pair in pairs]
    shape = (samples.valuations, len(samples.blocks))
    requests, total = (row.reshape(shape)[:, inside] for row in (site.requests, site.total))
    found = [float(number) for number in total[requests > 0] / requests[requests > 0]]
    found = found if found and max(found) - min(found) > NEAR * max(found) else []
    return found + [number for one in site.turned for number in (one.least, one.most)]


def _at_the_edge(run: Run, site: AccessSite) -> bool:
    """Whether only the first block of a grid of unknown size reached the access."""
    return None in run.plan.configuration.grid and not by_valuation(run, site.requests).any()


def _access(run: Run, site: AccessSite, kernel: str, share: float) -> Access:
    requests = int(site.requests.sum())
    active = site.active / requests if requests else 0.0
    strides = tuple(sorted(x for x in site.strides if x is not None))
    regular = None not in site.strides
    record = run.machine.unit.records.get(site.record[0]) if site.record else None
    return Access(
        span=site.node.span,
        attributed_to=site.attributed_to,
        expression=render(site.node),
        space=site.space,
        operation=site.operation,
        bytes=site.width,
        transactions=transactions(run, site),
        kernel=kernel,
        buffer=max(site.buffers, key=lambda name: site.buffers[name]) if site.buffers else "",
        configuration=run.plan.configuration,
        trials=(_trial(run, site),),
        layout=Layout(
            lane_stride=strides[0] if regular and len(strides) == 1 else None,
            lane_strides=strides if regular else (),
            row_stride=site.row_stride,
            grid_strides=site.grid_strides,
            row_breaks=_breaks(site),
            step_stride=_step(site),
            offset=next(iter(site.offsets)) if len(site.offsets) == 1 else None,
            offsets=tuple(sorted(site.offsets)),
            first_offset=next(iter(site.first_offsets)) if len(site.first_offsets) == 1 else None,
            uniform=site.uniform and bool(requests),
            walks=len(site.starts) > 1 and (not site.steps or _step(site) is not None),
            used=_used(run, site),
        ),
        element=Element(
            bytes=next(iter(site.elements)) if len(site.elements) == 1 else 0,
            record=site.record,
            whole=site.whole,
            alignment=record.align if record else 0,
            volatile=site.volatile,
        ),
        lanes=Lanes(active, most=site.most_lanes, worst=site.worst, full=site.fullest),
        basis=Basis(
            unknown=site.uncounted or (MISFIT if site.misfit and not requests else ""),
            data_dependent=site.doubtful or bool(site.unknown),
        ),
        weight=Weight(
            requests=requests,
            share=share,
            sectors=sectors(run.machine.state.samples, run.plan.configuration.grid, site),
        ),
    )


def _breaks(site: AccessSite) -> tuple[int, int] | None:
    """(lanes per row, bytes between rows): where only the pitch differs, the shortest."""
    known = [one for one in site.breaks if one is not None]
    if len(known) != len(site.breaks) or len({lanes for lanes, _ in known}) != 1:
        return None
    return min(known, key=lambda one: abs(one[1]))


def _step(site: AccessSite) -> int | None:
    """The stride between executions, if at least half of them have the same; else None."""
    gap = max(site.steps, key=lambda gap: site.steps[gap], default=None)
    return gap if gap is not None and 2 * site.steps[gap] >= sum(site.steps.values()) else None


def _together(found: list[Access]) -> Access:
    """One access under several configurations: the first number, the bounds over all, the worst request."""
    if len(found) == 1:
        return found[0]
    numbers = [a.transactions for a in found if a.transactions.per_request is not None]
    first = next((a for a in found if a.transactions.per_request is not None), found[0])
    most = max(a.lanes.most for a in found)
    if any(a.basis.unknown for a in found) or not numbers:
        unknown = next((a.basis.unknown for a in found if a.basis.unknown), "")
        lanes, basis = replace(first.lanes, most=most), replace(first.basis, unknown=unknown)
        return replace(first, transactions=NO_NUMBER, lanes=lanes, basis=basis)
    low = min(n.lower for n in numbers if n.lower is not None)
    high = max(n.upper for n in numbers if n.upper is not None)
    exact = all(n.certainty == "exact" for n in numbers) and high - low <= _SAME
    merged = replace(numbers[0], certainty="exact" if exact else "bounded", lower=low, upper=high)
    worst = max(found, key=lambda a: a.transactions.per_request or 0.0)
    return replace(
        worst,
        transactions=merged,
        layout=_one_layout(worst.layout, [a.layout for a in found]),
        lanes=replace(worst.lanes, most=most),
        weight=_largest(worst.weight, [a.weight for a in found]),
    )


def _one_layout(worst: Layout, found: list[Layout]) -> Layout:
    """The layout of the worst request, with what was seen under any configuration."""
    return replace(
        worst,
        lane_stride=worst.lane_stride if len({one.lane_stride for one in found}) == 1 else None,
        lane_strides=tuple(sorted({stride for one in found for stride in one.lane_strides})),
        offsets=tuple(sorted({offset for one in found for offset in one.offsets})),
        uniform=all(one.uniform for one in found),
        walks=any(one.walks for one in found),
        used=(min(one.used[0] for one in found), max(one.used[1] for one in found)),
    )


def _largest(worst: Weight, found: list[Weight]) -> Weight:
    """The requests of the worst, the largest share, the most sectors where all are known."""
    known = [one.sectors for one in found if one.sectors is not None]
    return replace(
        worst,
        share=max(one.share for one in found),
        sectors=max(known) if len(known) == len(found) else None,
    )


def accesses(runs: list[Run], kernel: str) -> list[Access]:
    """Every recorded access, merged over the runs: once for its own place, and once for each line of a call
    that it is inlined into.
    """
    grouped: dict[object, list[Access]] = {}
    for run in runs:
        recorder = run.machine.recorder
        parts = shares(run.machine.state.samples, run.plan.configuration.grid, recorder.accesses)
        for key, site in recorder.accesses.items():
            if is_made(site, recorder):
                grouped.setdefault(key, []).append(_access(run, site, kernel, parts.get(key, 0.0)))
    return [
        replace(_together(group), trials=tuple(trial for one in group for trial in one.trials))
        for group in grouped.values()
    ]


def is_made(site: AccessSite, recorder: Recorder) -> bool:
    """Whether the access is a separate request, or one with an unknown number."""
    return bool(site.requests.any() or site.unknown) or site.node.span not in recorder.reused
