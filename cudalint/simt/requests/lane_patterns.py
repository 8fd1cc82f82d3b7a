"""What a site remembers of the lane patterns of its first requests: strides, starts, the worst warp and the
fullest, and how much of their sectors is asked for.
"""

import math
from typing import Any

import numpy as np

from cudalint.cuda.warp import WARP
from cudalint.simt.requests.sites import AccessSite, Request, Turned
from cudalint.simt.requests.transactions import SECTOR, sectors
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import OBJECT_BITS
from cudalint.simt.values.samples import Samples

Integers = np.ndarray[Any, np.dtype[np.int64]]

_SHAPES = 12  # executions of a site whose lane pattern is looked at
_STRIDES = 3  # and in how many of them every valuation's is


def note_pattern(site: AccessSite, request: Request, samples: Samples) -> None:
    """Remember the lane pattern of the worst warp, and the strides of one warp a valuation."""
    if not len(request.done):
        return
    excess = request.done - request.best
    worst = int(excess.argmax())
    if excess[worst] > site.worst_excess:
        site.worst_excess = int(excess[worst])
        site.worst = _relative(request, worst)
    if site.shapes >= _SHAPES:
        return
    if site.space == "global":
        _use(site, request, samples)
    site.shapes += 1
    lowest = request.form.lowest + (request.moved[:, 0] if isinstance(request.moved, np.ndarray) else 0)
    site.offsets.update(different(lowest % SECTOR).tolist())
    first = request.sample % len(samples.blocks) == 0
    site.first_offsets.update(different(lowest[first] % SECTOR).tolist())
    if site.form is not request.form:
        site.form, site.rows = request.form, set()
    _strides(site, worst, samples)
    valuations = request.sample // len(samples.blocks)
    _starts(site, lowest[valuations == valuations[0]])
    if site.space == "global":
        _turn(site, request, samples)
    if site.shapes <= _STRIDES:
        firsts = _firsts(valuations)
        for other in firsts[valuations[firsts] != valuations[worst]].tolist():
            _strides(site, other, samples, alone=False)


def _use(site: AccessSite, request: Request, samples: Samples) -> None:
    """Note how much of their sectors requests ask for, and one of the most lanes."""
    moved = request.done * SECTOR
    asked = np.minimum(request.form.different * site.width, moved)
    site.asked = site.asked + np.bincount(request.sample, weights=asked, minlength=samples.count)
    site.moved = site.moved + np.bincount(request.sample, weights=moved, minlength=samples.count)
    full = request.form.fullest
    if int(request.on[full].sum()) > sum(lane is not None for lane in site.fullest):
        site.fullest = _relative(request, full)


def _turn(site: AccessSite, request: Request, samples: Samples) -> None:
    """Note what the first valuation takes at the other places of a sector where blocks begin."""
    mine = request.sample < len(samples.blocks)
    if not mine.any():
        return
    lanes, on = request.lanes[mine], request.on[mine]
    shift = _shift(lanes, on, request.sample[mine], samples)
    if shift:
        means = [float(sectors(lanes + at, on, site.width).mean()) for at in range(0, SECTOR, shift)]
        site.turned.append(Turned(len(lanes), min(means), sum(means) / len(means), max(means)))


def _shift(lanes: Integers, on: Bools, sample: Integers, samples: Samples) -> int:
    """How many bytes lie between the places in a sector where blocks begin that do the same further on, by
    the lanes that their first warps have in common; 0 where all begin at the same. Blocks at the end of the
    grid are left out.
    """
    rows = _firsts(sample).tolist()
    inner = [row for row in rows if not _at_the_end(samples.blocks[sample[row]], samples.grid)]
    shift = SECTOR
    for row in inner[1:]:
        away = (lanes[row] - lanes[inner[0]])[on[inner[0]] & on[row]]
        if len(away) and bool((away == away[0]).all()):
            shift = math.gcd(shift, int(away[0]))
    return shift % SECTOR


def _firsts(numbers: Integers) -> Integers:
    """Where another number begins, the first one among them."""
    return np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))


def _starts(site: AccessSite, lowest: Integers) -> None:
    """Note where requests start, those of one valuation, whose lanes have one stride."""
    stride = next(iter(site.strides)) if len(site.strides) == 1 else None
    if stride:
        site.starts.update(different(lowest % abs(stride)).tolist())


def _strides(site: AccessSite, warp: int, samples: Samples, alone: bool = True) -> None:
    """Note the distance between neighbouring lanes of one warp of the site's form, and where it is `alone`
    whether all have one address.
    """
    if site.form is None or (warp, alone) in site.rows:
        return
    site.rows.add((warp, alone))
    active = site.form.on[warp]
    used = site.form.lanes[warp][active]
    gaps = np.diff(used)
    if alone:
        site.uniform &= not gaps.any()
    if not len(gaps):
        return
    same = bool((gaps == gaps[0]).all())
    if active.all() or bool((np.diff(np.nonzero(active)[0]) == 1).all()):
        if same:
            site.strides.add(int(gaps[0]))
            return
        x = samples.block[0]
        inner = gaps[(np.arange(1, len(used)) % x) != 0] if x < WARP else gaps
        outer = gaps[(np.arange(1, len(used)) % x) == 0] if x < WARP else gaps[:0]
        if len(inner) and bool((inner == inner[0]).all()):
            site.strides.add(int(inner[0]))
            if len(outer) and bool((outer == outer[0]).all()):
                site.breaks.add((x, int(outer[0] + inner[0] * (x - 1))))
            return
    elif (rows := _rows(np.nonzero(active)[0], used, samples.block[0])) is not None:
        site.strides.add(rows[0])
        site.breaks.add((samples.block[0], rows[1]))
        return
    site.strides.add(None)


def _rows(lane: Integers, used: Integers, x: int) -> tuple[int, int] | None:
    """(bytes between neighbouring threads of a row of the block, bytes between rows) where some lanes of each
    row are left out; None where no two such numbers place all active lanes.
    """
    if not 1 < x < WARP or WARP % x:
        return None
    row, gaps = lane // x, np.diff(used)
    beside = (np.diff(row) == 0) & (np.diff(lane) == 1)
    if not beside.any():
        return None
    inner = int(gaps[beside][0])
    starts, steps = used - inner * (lane % x), np.diff(row)
    if not steps.any():
        return None
    pitch = int(np.diff(starts)[steps > 0][0]) // int(steps[steps > 0][0])
    placed = starts[0] + pitch * (row - row[0])
    return (inner, pitch) if bool((placed == starts).all()) else None


def _at_the_end(block: tuple[int, int, int], grid: tuple[int, int, int]) -> bool:
    return any(extent > 1 and at == extent - 1 for at, extent in zip(block, grid, strict=True))


def _relative(request: Request, warp: int) -> tuple[int | None, ...]:
    """Addresses of one warp in the object they are in."""
    lanes, on = request.lanes[warp] & ((1 << OBJECT_BITS) - 1), request.on[warp]
    return tuple(a if o else None for a, o in zip(lanes.tolist(), on.tolist(), strict=True))
