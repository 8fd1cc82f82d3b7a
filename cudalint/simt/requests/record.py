"""Collects what each access site, branch and barrier did during a run, sample by sample."""

from typing import Any, cast

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.kernel_queries import root_of
from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.requests import active_lanes
from cudalint.simt.requests.active import Active, active
from cudalint.simt.requests.footprints import Footprints
from cudalint.simt.requests.lane_patterns import note_pattern
from cudalint.simt.requests.patterns import LINE, Form, Patterns
from cudalint.simt.requests.sites import (
    NO_CASE,
    AccessSite,
    BranchSite,
    Counted,
    Integers,
    Request,
    Sums,
    Way,
    add,
    transactions,
    transactions_once,
)
from cudalint.simt.requests.transactions import BANK_BYTES, SECTOR
from cudalint.simt.requests.work import Effort
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory, leads_out
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

_EACH = 64  # executions of a site that are all counted
_EVERY = 8  # of those after them one in so many is
_STEPS = 16  # executions of a site whose step from the one before is looked at
_SHARED_BYTES = 227 * 1024  # the most that a block of any capability may have
_ROOM = 1024  # masks and requests that are kept
_PERIODS = {"shared": BANK_BYTES, "global": SECTOR}  # bytes that a warp moves by to take the same again


class _Known(Struct, frozen=True, eq=False):
    """What was counted of an access."""

    addresses: Integers | int
    mask: Bools
    request: Request
    sums: Sums


class Recorder(Struct):
    """footprints: the sectors that blocks touch, in a run that asks; effort: instructions, likewise.
    counting: whether accesses and branches are asked for; else only calls that warps make together. factor:
    iterations that the present one stands for, by sample.
    """

    samples: Samples
    footprints: Footprints | None = None
    effort: Effort | None = None
    counting: bool = True
    accesses: dict[tuple[Any, ...], AccessSite] = field(default_factory=dict)
    branches: dict[tuple[int, Span], BranchSite] = field(default_factory=dict)
    reused: dict[Span, tuple[e.Expression, Space]] = field(default_factory=dict)  # loads of held values
    clock: int = 0
    factor: Integers | float = 1.0
    news: int = 0  # sites, lane patterns and ways of branches that were met for the first time
    records: int = 0  # requests that took less or more than any of their site before, and such ways
    _active: dict[int, Active] = field(default_factory=dict)  # of masks, by identity
    _counted: dict[tuple[object, ...], "_Known"] = field(default_factory=dict)  # requests, by identity
    _booked: dict[tuple[Any, ...], tuple[AccessSite, ...]] = field(default_factory=dict)  # by identity

    def site(
        self, node: e.Expression, attributed_to: Span, space: Space, operation: Operation, width: int
    ) -> AccessSite:
        """The site of an access expression as it is booked on one line; a macro may name several arrays."""
        root = root_of(node)
        key = (node.span, operation, space, type(node), attributed_to, root.name if root is not None else "")
        found = self.accesses.get(key)
        if found is None:
            zero = np.zeros(self.samples.count)
            found = AccessSite(
                node, attributed_to, space, operation, width, zero, zero.copy(), np.zeros(self.samples.count)
            )
            self.accesses[key] = found
        found.several |= found.node is not node
        found.width = max(found.width, width)
        return found

    def access(
        self,
        node: e.Expression,
        attributed_to: Span,
        memory: Memory,
        operation: Operation,
        width: int,
        addresses: Integers | int,
        mask: Bools,
        doubtful: bool,
    ) -> tuple[Counted, ...]:
        """Count one executed access, for its own place and for the line that a profiler books it on;
        addresses are in bytes, for all lanes.
        """
        if self.footprints is not None:
            self.footprints.access(memory, operation, width, addresses, mask)
        sites = self._sites(node, attributed_to, memory.space, operation, width)
        weights = [self._met(site, memory, doubtful) for site in sites]
        passes = self._passes(mask)
        for site in sites:
            site.passes = site.passes + passes
        if not any(weights):
            return tuple(Counted(site, 0, passes) for site in sites)
        request, sums = self._once(sites[0], memory, addresses, mask, width)
        for site, weight in zip(sites, weights, strict=True):
            if weight:
                self._count(site, weight, sums)
                if site.shapes == 0:
                    site.row_stride = self._row_stride(addresses, mask)
                    site.grid_strides = self._grid_strides(addresses, mask)
                note_pattern(site, request, self.samples)
        return tuple(
            Counted(site, weight, passes, sums, request) for site, weight in zip(sites, weights, strict=True)
        )

    def _sites(
        self, node: e.Expression, attributed_to: Span, space: Space, operation: Operation, width: int
    ) -> tuple[AccessSite, ...]:
        """The sites of an access: its own place and, where that is another, the line it is booked on."""
        key = id(node), operation, space, id(attributed_to)
        sites = self._booked.get(key)
        if sites is None:
            places = (node.span,) if attributed_to == node.span else (node.span, attributed_to)
            sites = tuple(self.site(node, place, space, operation, width) for place in places)
            self._booked[key] = sites
        for site in sites:
            site.width = max(site.width, width)
        return sites

    def widen(self, counted: tuple[Counted, ...], width: int, most: int) -> None:
        """Note what a load takes as a part of wider ones, with its neighbours of other iterations."""
        for one in counted:
            site, request, wide = one.site, one.request, 2 * width
            if request is None or not len(request.done):
                continue
            while wide <= most and not (request.lanes[request.on] % wide).any():
                done, _ = transactions(site, request.lanes, request.on, wide)
                site.widened = max(site.widened, float(done.max(initial=0)))
                wide *= 2

    def _passes(self, mask: Bools) -> Integers:
        """The warps with an active lane, by sample, as often as this iteration is made."""
        return np.asarray(self._live(mask).requests * self.factor)

    def _live(self, mask: Bools) -> Active:
        """The warps with an active lane: many accesses and branches have one mask."""
        known = self._active.get(id(mask))
        if known is None or known.mask is not mask:
            _make_room(self._active)
            known = self._active[id(mask)] = active(mask, self.samples.padded // WARP)
        return known

    def withdraw(self, counted: tuple[Counted, ...]) -> None:
        """Take back what was counted of an access that is a part of a wider one."""
        for one in counted:
            one.site.passes = one.site.passes - one.passes
            if one.sums is not None and one.weight:
                add(one.site, -one.weight, one.sums)

    def _met(self, site: AccessSite, memory: Memory, doubtful: bool) -> int:
        """Note an execution; how many executions it is counted for."""
        site.buffers[memory.name] = site.buffers.get(memory.name, 0) + 1
        site.elements.add(memory.element)
        site.doubtful |= doubtful
        site.unaligned |= not memory.aligned
        return self._weight(site)

    def _once(
        self, site: AccessSite, memory: Memory, addresses: Integers | int, mask: Bools, width: int
    ) -> tuple[Request, Sums]:
        """As `_request`; what a loop comes by again is known, and no news."""
        varies = isinstance(addresses, np.ndarray)
        key = id(site), id(addresses) if varies else addresses, varies, id(mask), width
        known = self._counted.get(key)
        if known is None or known.mask is not mask or (varies and known.addresses is not addresses):
            request, sums = self._request(site, memory, addresses, mask, width)
            _make_room(self._counted)
            known = self._counted[key] = _Known(addresses, mask, request, sums)
        return known.request, known.sums

    def _request(
        self, site: AccessSite, memory: Memory, addresses: Integers | int, mask: Bools, width: int
    ) -> tuple[Request, Sums]:
        """The warps with an active lane, what serving them takes, and its sums. Warps whose shared addresses
        no block can have are left out: the numbers tried are not those of the program.
        """
        live = self._live(mask)
        lanes, on, sample = live.rows_of(addresses), live.on, live.sample
        if memory.space == "shared" and leads_out(memory, lanes, _SHARED_BYTES):
            outside = (lanes < memory.base) | (lanes >= memory.base + (memory.bytes or _SHARED_BYTES))
            fits = ~(outside & on).any(axis=1)
            if not fits.all():
                site.misfit = True
                sample, on, lanes = sample[fits], on[fits], lanes[fits]
        if not len(sample):
            none = np.zeros(0, dtype=np.int64)
            form = Form(lanes, on, none, width)
            return Request(form, 0, lanes, on, none, none, none), self._sums(none, none, none, on)
        patterns = site.patterns if LINE % width == 0 else Patterns()
        found = patterns.find(lanes, on, sample, width, _PERIODS.get(memory.space, LINE))
        if found is None:
            done, best = transactions_once(site, lanes, on, width, self.samples.padded // WARP)
            found = done, best, self._sums(sample, done, best, on)
            patterns.enter(found)
        self.news += patterns.fresh
        done, best, sums = found
        form = cast(Form, patterns.form)
        return Request(form, patterns.moved, lanes, on, sample, done, best), sums

    def _sums(self, sample: Integers, done: Integers, best: Integers, on: Bools) -> Sums:
        count = self.samples.count
        lanes = np.count_nonzero(on, axis=1) if len(done) else np.zeros(0, dtype=np.int64)
        most = int(lanes.max(initial=0))
        return Sums(
            np.bincount(sample, weights=done, minlength=count),
            np.bincount(sample, weights=best, minlength=count),
            np.bincount(sample, minlength=count),
            int(np.count_nonzero(on)),
            float(done.min()) if len(done) else np.inf,
            float(done.max()) if len(done) else 0.0,
            most,
            float(done[lanes == most].min()) if len(done) else np.inf,
        )

    def _count(self, site: AccessSite, weight: int, sums: Sums) -> None:
        add(site, weight, sums)
        if sums.least < site.lowest or sums.most > site.highest:
            self.records += 1
            site.lowest, site.highest = min(site.lowest, sums.least), max(site.highest, sums.most)
        if sums.lanes > site.lanes:
            site.lanes, site.lowest_full = sums.lanes, sums.least_full
        elif sums.lanes == site.lanes:
            site.lowest_full = min(site.lowest_full, sums.least_full)
        self.clock += 1
        site.stamp = self.clock

    def _weight(self, site: AccessSite) -> int:
        """How many executions this one is counted for: the first ones each for itself, later every few."""
        site.executions += 1
        if site.executions <= _EACH:
            return 1
        site.sampled = True
        return _EVERY if site.executions % _EVERY == 0 else 0

    def forget(self) -> None:
        """Let go of what was kept of masks and requests."""
        self._active.clear()
        self._counted.clear()

    def loosen(self, since: int) -> None:
        """What was counted since then is a sample: the loop round it was cut short."""
        for site in self.accesses.values():
            if site.stamp > since:
                site.sampled = True

    def passes(self) -> dict[tuple[Any, ...], Integers | float]:
        """The requests of each site so far."""
        return {key: site.passes for key, site in self.accesses.items()}

    def multiply(self, before: dict[tuple[Any, ...], Integers | float], times: Integers) -> None:
        """Requests made since then stand for so many times as many, by sample: nobody knows how many."""
        for key, site in self.accesses.items():
            old = before.get(key, 0.0)
            if site.passes is not old:
                site.passes = old + (site.passes - old) * times
                site.guessed = True

    def doubt(self, since: int) -> None:
        """What was counted since then stands for other iterations that no run made."""
        for site in self.accesses.values():
            if site.stamp > since:
                site.doubtful = True

    def step(self, site: AccessSite, addresses: Integers | int, mask: Bools, way: Way) -> None:
        """Note how far a lane moved since the site's last execution, in a loop and by the same calls."""
        before = site.last.get(way)
        if sum(site.steps.values()) >= _STEPS:
            return
        site.last[way] = addresses, mask
        if before is None:
            return
        both = mask & before[1]
        if not both.any():
            return
        lane = int(both.argmax())
        now, then = (int(a[lane]) if isinstance(a, np.ndarray) else a for a in (addresses, before[0]))
        site.steps[now - then] = site.steps.get(now - then, 0) + 1

    def _row_stride(self, addresses: Integers | int, mask: Bools) -> int | None:
        """Bytes between two threads that are neighbours in y, the first ones that both execute it."""
        x, y, z = self.samples.block
        if y < 2:
            return None
        on = mask.reshape(-1, self.samples.padded)[:, : x * y * z].reshape(-1, z, y, x)
        both = on[:, :, :-1] & on[:, :, 1:]
        if not both.any():
            return None
        if not isinstance(addresses, np.ndarray):
            return 0
        sample, deep, row, column = np.unravel_index(int(both.argmax()), both.shape)
        lane = int(sample * self.samples.padded + (deep * y + row) * x + column)
        return int(addresses[lane + x] - addresses[lane])

    def _grid_strides(self, addresses: Integers | int, mask: Bools) -> tuple[int | None, ...]:
        """Bytes between the first block and its neighbour on each axis of the grid, where both were run."""
        blocks = self.samples.blocks
        if len(blocks) < 2 or not isinstance(addresses, np.ndarray):
            return ()
        rows, on = addresses.reshape(-1, self.samples.padded), mask.reshape(-1, self.samples.padded)
        found: list[int | None] = [None, None, None]
        for number, block in enumerate(blocks):
            if sum(block) == 1 and (both := on[0] & on[number]).any():
                lane = int(both.argmax())
                found[block.index(1)] = int(rows[number, lane] - rows[0, lane])
        return tuple(found)

    def lost(
        self,
        node: e.Expression,
        attributed_to: Span,
        space: Space,
        operation: Operation,
        width: int,
        mask: Bools,
        why: str,
        memory: Memory | None = None,
    ) -> None:
        """An access that was executed with an address without a number. memory: its object, where that is
        known.
        """
        passes = self._passes(mask)
        live = self._live(mask)
        for place in {node.span, attributed_to}:
            site = self.site(node, place, space, operation, width)
            site.unknown = site.unknown or why
            site.lost += len(live.sample)
            site.lost_lanes = max(site.lost_lanes, live.fullest)
            site.passes = site.passes + passes
            if memory is not None:
                site.buffers[memory.name] = site.buffers.get(memory.name, 0) + 1

    def reuse(self, node: e.Expression, memory: Memory) -> None:
        """A load that takes its value from a register: no request."""
        self.reused[node.span] = node, memory.space

    def branch(
        self,
        node: e.Expression,
        attributed_to: Span,
        statement: e.Expression | s.Statement,
        kind: str,
        taken: Bools | bool,
        unknown: Bools | None,
        mask: Bools,
        free: bool = False,
        within: tuple[object | None, int] = (None, 0),
    ) -> None:
        """One evaluation of a condition under a mask, for its own place and the line it is booked on. within:
        what stands for the pass through the loop round it, and how many barriers were executed so far.
        """
        if not self.counting:
            return
        for place in (node.span,) if attributed_to == node.span else (node.span, attributed_to):
            site = self.branches.get((id(node), place))
            if site is None:
                zero = np.zeros(self.samples.count)
                site = BranchSite(node, place, statement, kind, zero, zero.copy())
                self.branches[id(node), place] = site
            site.free |= free
            self._branch(site, taken, unknown, mask, within)

    def _branch(
        self,
        site: BranchSite,
        taken: Bools | bool,
        unknown: Bools | None,
        mask: Bools,
        within: tuple[object | None, int],
    ) -> None:
        live = self._live(mask)
        per_world = self.samples.padded // WARP
        site.executed += live.requests
        if unknown is not None and live.lanes > len(live.sample):  # one lane of a warp does not diverge
            site.unknown = True
        if not isinstance(taken, np.ndarray):
            return
        sure = mask if unknown is None else mask & ~unknown
        entering = taken & sure
        count = np.count_nonzero(entering)
        if not count:
            return
        yes = entering.reshape(-1, WARP)
        if site.kind in ("if", "logical"):
            site.crowd = active_lanes.count(site.crowd, yes, per_world, *within)
        if count == live.lanes:
            return
        no = (~taken & sure).reshape(-1, WARP)
        split = yes.any(axis=1) & no.any(axis=1)
        parted = int(np.count_nonzero(split))
        if parted != site.parted:
            site.parted = parted
            self.news += 1
            self.records += 1
        if not parted:
            return
        site.split += split.reshape(-1, per_world).sum(axis=1)
        row = int(split.argmax())
        if site.counts is None:
            site.counts = (int(yes[row].sum()), int(no[row].sum()))
            site.lanes = tuple(
                True if y else False if n else None for y, n in zip(yes[row], no[row], strict=True)
            )

    def cases(self, node: e.Expression, attributed_to: Span, rows: Integers, split: Bools) -> None:
        """The cases that lanes of a warp take: rows holds the index of each lane's, -1 for none."""
        for place in {node.span, attributed_to}:
            site = self.branches[id(node), place]
            if not site.ways and split.any():
                row = int(split.argmax())
                found, lanes = np.unique(rows[row], return_counts=True)
                site.ways = tuple(
                    (index, count)
                    for index, count in zip(found.tolist(), lanes.tolist(), strict=True)
                    if index >= NO_CASE
                )

    def loop_trips(
        self, node: e.Expression, trips: np.ndarray, entry: Bools, counted: Bools, cut: Bools
    ) -> None:
        """Iterations that lanes made of a loop that ended; a warp counts when all of its lanes do. cut: lanes
        that were still in it where it was cut short: a warp of them splits in what was left out.
        """
        site = self.branches.get((id(node), node.span))
        if site is None:
            return
        warps, on = trips.reshape(-1, WARP), entry.reshape(-1, WARP)
        whole = on.any(axis=1) & ~(on & ~counted.reshape(-1, WARP)).any(axis=1)
        site.came = entry if site.came is None else site.came | entry
        site.uncounted |= bool((on.any(axis=1) & ~whole).any())
        if not whole.any():
            return
        most = np.where(on, warps, 0).max(axis=1)
        least = np.where(on, warps, np.iinfo(np.int64).max).min(axis=1)
        self._rounds(site, np.where(on, warps, 0).sum(axis=1), most * on.sum(axis=1))
        gap = np.where(whole, most - least, -1)
        later = (gap > 0) & cut.reshape(-1, WARP).any(axis=1)
        site.split += later.reshape(-1, self.samples.padded // WARP).sum(axis=1)
        row = int(gap.argmax())
        if gap[row] > site.trip_gap:
            site.trip_gap = int(gap[row])
            site.trips = (int(least[row]), int(most[row]))

    def _rounds(self, site: BranchSite, own: Integers, issued: Integers) -> None:
        """Add up the rounds that lanes need, and those that they stay for, of each warp."""
        before = site.rounds or (0, 0)
        site.rounds = before[0] + own, before[1] + issued


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _ROOM:
        kept.clear()
