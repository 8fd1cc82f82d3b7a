"""What fixing a finding takes away from a kernel's work, and the impact of that."""

from collections.abc import Iterator
from math import inf
from typing import Literal, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.executed_with import homes
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.cuda.warp import WARP
from cudalint.gpu.functions import Instructions
from cudalint.gpu.throughput import Throughput
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.significance import roofline
from cudalint.significance.executed import executed
from cudalint.significance.filled import Held, filled
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.roofline import Assumed, Clocks
from cudalint.significance.unknowns import UNKNOWNS, Amount, Shares, between, likely
from cudalint.significance.used_sectors import UNUSED, Use, uses
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Executions, Numbers, Traffic, Workload

_STATEMENTS = frozenset(get_args(s.Statement))
_ADDRESSED = 3  # instructions of an access with its address
_LEFT = 0.2  # of what a fix is to take away, that it leaves at most; by half of the fixes in docs/impact.md


class Removed(Struct, frozen=True):
    """Requests of an access that are not made any more: this part (0..1) of them. again: others load the same
    sectors, so that L1 may hold them: the next accesses, or other threads of the block, for which shared
    memory serves them instead.
    """

    access: Access
    part: float
    again: Literal["", "soon", "block"] = ""


class Queue(Struct, frozen=True):
    """Atomics on one address, which lanes make one after the other: of so many lanes, or of one that does it
    for its warp, this much is left. within: who shares the queue.
    """

    access: Access
    lanes: int
    within: roofline.Shared
    left: float = 1.0


class Idle(Struct, frozen=True):
    """Statements that warps execute with lanes missing, with all that they hold and call. least, most: the
    part of their instructions that full warps save; None where the runs counted the lanes: then of those that
    missed besides any that missed at `branch` already.
    """

    statements: tuple[s.Statement, ...]
    branch: s.Statement
    least: float | None = None
    most: float | None = None


class Chain(Struct, frozen=True):
    """Steps that a block takes one after the other while all else waits. step: executed once a step, by every
    warp of the block, or by one alone; clocks: of one step, (least, most); part: (least, most) that is saved.
    """

    step: s.Statement
    clocks: tuple[float, float]
    part: tuple[float, float]
    alone: bool


class Saving(Struct, frozen=True):
    """What a fix takes away. excess: accesses whose transactions become ideal; again: those of them whose
    excess sectors other requests use, which caches may hold; removed: requests that are not made;
    joined: a part of them that wider ones make up for, which move the same sectors;
    waits: loads, a part of which does not wait for its predecessors any more; queues: on one address;
    instructions: at each execution of an expression; idle: statements whose warps become full; chains: steps
    that are fewer; in_flight: what waits is the first load of an iteration or of a thread, and more are
    asked for at a time.
    """

    basis: Basis
    excess: tuple[Access, ...] = ()
    again: tuple[Access, ...] = ()
    removed: tuple[Removed, ...] = ()
    joined: tuple[Removed, ...] = ()
    waits: tuple[Removed, ...] = ()
    queues: tuple[Queue, ...] = ()
    instructions: tuple[tuple[Node, Instructions], ...] = ()
    idle: tuple[Idle, ...] = ()
    chains: tuple[Chain, ...] = ()
    in_flight: Literal["iteration", "thread"] | None = None

    @property
    def accesses(self) -> tuple[Access, ...]:
        waiting = (*self.waits, *self.removed, *self.joined)
        return (*self.excess, *(one.access for one in waiting), *(one.access for one in self.queues))


class _Others(Struct, frozen=True, eq=False):
    """The accesses of a block, where a finding is about none of them: of each, of all, and how long a warp
    waits for its loads.
    """

    assumed: Assumed
    each: tuple[Clocks, ...]
    total: Clocks
    latency: Numbers


_NOTHING = Saving(Basis.LATENCY)


def impact(
    saving: Saving, kernel: KernelFacts, unit: Unit, rates: Throughput, grid: int | None = None
) -> Impact:
    """The share of the kernel's time that it saves, most probably, over all shapes and sizes that the kernel
    was run with; anything where none of its runs came to the place. grid: the most blocks that it is known
    to be launched with, where its runs do not know.
    """
    if not saving.accesses and not saving.instructions and not saving.idle and not saving.chains:
        return Impact(0.0, 0.0, saving.basis)
    places = homes(unit, kernel.function)
    used = _uses(saving, kernel)
    every = (_Kernel(unit, kernel.function, places, work, rates, used, grid) for work in kernel.of(Workload))
    found = [one for one in every if one.does(saving)]
    regular = [one for one in found if not one.work.forced]
    if not found:
        return Impact(0.0, 1.0, saving.basis)
    low, high = likely([one.share(saving) for one in regular or found])
    most = max(one.most(saving) for one in regular or found)
    return Impact(low if regular else 0.0, max(high, most), saving.basis)  # 0: no run comes there by itself


def clocks(
    work: Workload,
    kernel: KernelFacts,
    unit: Unit,
    rates: Throughput,
    assumed: Assumed,
    asked: Saving = _NOTHING,
) -> Clocks:
    """Of all that a block does. asked: what it is taken for much of, where the source does not say."""
    places = homes(unit, kernel.function)
    return _Kernel(unit, kernel.function, places, work, rates, {}).whole(asked, assumed)


def comes_to(saving: Saving, kernel: KernelFacts, unit: Unit) -> bool:
    """Whether a run of the kernel comes to the place of the finding."""
    places = homes(unit, kernel.function)
    held = {id(places.get(id(node), node)) for node, _ in saving.instructions}
    held |= {key for idle in saving.idle for one in idle.statements for key in _contents(unit, one)}
    made = (any(work.makes(access) for access in saving.accesses) for work in kernel.of(Workload))
    return any(made) or any(not held.isdisjoint(work.statements) for work in kernel.of(Workload))


def _uses(saving: Saving, kernel: KernelFacts) -> dict[tuple[object, ...], Use]:
    """Of each access whose transactions become ideal."""
    if not saving.excess:
        return {}
    again = {_key(access) for access in saving.again}
    keys = map(_key, saving.excess)
    found = dict(zip(keys, uses(saving.excess, kernel.of(Access)), strict=True))
    return {key: replace(one, share=1.0, sectors=inf) if key in again else one for key, one in found.items()}


class _Kernel(Struct, frozen=True):
    """One workload of a kernel. places: by identity of an expression, what it is executed with; uses: of
    the sectors of each access, where they are asked for.
    """

    unit: Unit
    function: Function
    places: dict[int, s.Statement]
    work: Workload
    rates: Throughput
    uses: dict[tuple[object, ...], Use]
    grid: int | None = None

    def does(self, saving: Saving) -> bool:
        """Whether it comes to the place of the finding."""
        made = any(self.work.makes(access) for access in saving.accesses)
        done = [node for node, _ in saving.instructions]
        done += [node for idle in saving.idle for node in idle.statements]
        done += [chain.step for chain in saving.chains]
        return made or any(self._executions(node) is not None for node in done)

    def share(self, saving: Saving) -> Shares:
        """That is saved, by draw and size."""
        assumed = self._assumed(saving)
        found = self._part(assumed, *self._fixed(saving, assumed))
        return replace(found, shares=found.shares * between(1.0, 1.0 - _LEFT, UNKNOWNS.left))

    def most(self, saving: Saving) -> float:
        """The largest share that it may be, in a kernel that is bound by what it saves. 0 of transactions in
        a grid that leaves half of the multiprocessors without a block: these bind no unit.
        """
        blocks = self.work.blocks if self.work.blocks is not None else self.grid
        few = blocks is not None and 2 * blocks < self.rates.multiprocessors
        if few and (saving.excess or saving.removed or saving.joined):
            return 0.0
        shares = [self._part(end, *self._fixed(saving, end)).shares for end in self._bounds(saving)]
        return max(float(one.max()) for one in shares)

    def _bounds(self, saving: Saving) -> list[Assumed]:
        """The ends in its favour. Memory may hide instructions, or not overlap with them."""
        if saving.in_flight is not None:
            return roofline.waiting(self.work, self.rates, saving.in_flight)
        saves = frozenset(self._saved(saving, self._bound(frozenset())[0]))
        bound, serial = self._bound(saves)
        return [bound] if roofline.Unit.MEMORY in saves else [bound, serial]

    def _bound(self, saves: frozenset[roofline.Unit]) -> tuple[Assumed, Assumed]:
        """The end in favour of what saves these; and where memory does not overlap with instructions."""
        known = _bounds(self.unit, self.work)
        if (self.rates, saves) not in known:
            bound = roofline.bound(self.work, self.rates, saves)
            known[self.rates, saves] = bound, replace(bound, serial=1.0)
        return known[self.rates, saves]

    def _assumed(self, saving: Saving) -> Assumed:
        """What is taken for granted where nobody knows."""
        if saving.in_flight is not None:
            return roofline.in_flight(self.work, self.rates, saving.in_flight)
        known = _drawn(self.unit, self.work)
        if self.rates not in known:
            known[self.rates] = roofline.drawn(self.work, self.rates)
        return known[self.rates]

    def _fixed(self, saving: Saving, assumed: Assumed) -> tuple[Clocks, Clocks]:
        """Of all that a block does, and of what is left of it."""
        whole, saved = self.whole(saving, assumed), self._saved(saving, assumed)
        rest = {
            unit: np.maximum(0.0, clocks - saved[unit]) if unit in saved else clocks
            for unit, clocks in whole.items()
        }
        return whole, rest

    def _part(self, assumed: Assumed, whole: Clocks, rest: Clocks) -> Shares:
        before = roofline.time(whole, self.work, assumed, self.rates)
        return Shares.of(before, roofline.time(rest, self.work, assumed, self.rates))

    def whole(self, saving: Saving, assumed: Assumed) -> Clocks:
        """Of all that a block does."""
        own = {_key(access) for access in saving.accesses}
        held = {id(self.places.get(id(node), node)) for node, _ in saving.instructions}
        held = held.union(*map(self._held, saving.idle))
        held |= {id(chain.step) for chain in saving.chains}
        again = {_key(one.access): one for one in (*saving.removed, *saving.joined) if one.again}
        others = self._others(assumed)
        moved, latency = others.total, others.latency
        if own:
            traffic = [(one, _key(one) in own) for one in self.work.traffic]
            moved = roofline.total(
                self._moved(one, True, assumed, again.get(_key(one))) if mine else other
                for (one, mine), other in zip(traffic, others.each, strict=True)
            )
            latency = self._latency(traffic, assumed)
        parts = [moved, self._executed(held, assumed), *self._queued(saving, assumed)]
        parts += [{roofline.Unit.LATENCY: clocks} for clocks, _ in self._chained(saving, assumed)]
        return roofline.total((*parts, {roofline.Unit.LATENCY: latency}))

    def _executed(self, held: set[int], assumed: Assumed) -> Clocks:
        """Of all statements of a block. held: those that the finding is about, by identity."""
        known = executed(self.unit, self.work, self.function)
        if known is None:
            return {}
        own = known.doubtful_of(frozenset(held))
        others = np.maximum(0.0, known.doubtful - own)
        rows = zip(known.sure, others, own, strict=True)
        done = [sure + other * assumed.others + mine * assumed.own for sure, other, mine in rows]
        return roofline.executed(done, assumed, self.rates)

    def _others(self, assumed: Assumed) -> "_Others":
        """Of the accesses of a block, where the finding is about none of them."""
        known = _moved_otherwise(self.unit, self.work)
        if id(assumed) not in known:
            each = tuple(self._moved(one, False, assumed) for one in self.work.traffic)
            latency = self._latency([(one, False) for one in self.work.traffic], assumed)
            known[id(assumed)] = _Others(assumed, each, roofline.total(each), latency)
        return known[id(assumed)]

    def _moved(self, one: Traffic, mine: bool, assumed: Assumed, again: Removed | None = None) -> Clocks:
        """again: which of its requests load, or store besides, what others do."""
        used = self.uses.get(_key(one), UNUSED) if mine else UNUSED
        requests, each = _requests(one, mine, assumed), _each(one, mine, assumed)
        found = roofline.moved(one, assumed, requests, each, one.lines, used)
        if again is not None:
            repeated = _again(one, assumed, requests * again.part, each, again)
            found[roofline.Unit.MEMORY] = found[roofline.Unit.MEMORY] * (1 - again.part) + repeated
        return found

    def _latency(self, traffic: list[tuple[Traffic, bool]], assumed: Assumed) -> Numbers:
        """Clocks that one warp waits for its loads. traffic: each with whether the finding is about it."""
        loads = [
            _requests(one, mine, assumed) / self.work.warps
            for one, mine in traffic
            if one.operation != "store" and one.space in ("global", "local")
        ]
        each = sum(loads, roofline.nothing(self.work))
        waits = assumed.first * np.minimum(1.0, each) + assumed.further * np.maximum(0.0, each - 1.0)
        return np.asarray(waits)

    def _saved(self, saving: Saving, assumed: Assumed) -> Clocks:
        excess = {_key(access) for access in saving.excess}
        removed = {_key(one.access): one for one in saving.removed}
        joined = {_key(one.access): one for one in saving.joined}
        waits = {_key(one.access): one.part for one in saving.waits}
        about = excess | {*removed, *joined, *waits}
        parts: list[Clocks] = []
        for one in self.work.traffic if about else ():
            key = _key(one)
            if key not in about:
                continue
            requests, each = _requests(one, True, assumed), _each(one, True, assumed)
            if key in excess:
                parts.append(_excess(one, assumed, requests, each, self.uses.get(key, UNUSED)))
            if key in removed:
                parts.append(_removed(one, assumed, requests, each, removed[key]))
            if key in joined:
                parts.append(self._joined(one, requests * joined[key].part, assumed))
                if joined[key].again:
                    spare = _again(one, assumed, requests * joined[key].part, each, joined[key])
                    parts.append({roofline.Unit.MEMORY: spare})
            if key in waits:
                waited = requests * (waits[key] * assumed.further / self.work.warps)
                parts.append({roofline.Unit.LATENCY: np.asarray(waited)})
        for node, each_node in saving.instructions:
            executions = self._executions(node)
            if executions is not None:
                done = _done(executions, True, assumed)
                parts.append(roofline.issued(done, each_node, assumed, self.rates))
        parts += self._queued(saving, assumed, saved=True)
        parts.append(self._filled(saving, assumed))
        parts += [{roofline.Unit.LATENCY: clocks * part} for clocks, part in self._chained(saving, assumed)]
        return roofline.total(parts)

    def _joined(self, one: Traffic, requests: Numbers, assumed: Assumed) -> Clocks:
        """Of requests that go with others, and of a load's wait for the one before."""
        found = roofline.issued(requests, Instructions(_ADDRESSED), assumed, self.rates)
        found[roofline.Unit.L1] = requests * one.lines
        if one.operation == "load":
            found[roofline.Unit.LATENCY] = np.asarray(requests * (assumed.further / self.work.warps))
        return found

    def _queued(self, saving: Saving, assumed: Assumed, saved: bool = False) -> Iterator[Clocks]:
        """Of the operations of all lanes of a request, or of those that a fix saves."""
        queues = {_key(queue.access): queue for queue in saving.queues}
        for one in self.work.traffic if queues else ():
            queue = queues.get(_key(one))
            if queue is not None:
                lanes = max(0.0, queue.lanes - queue.left) if saved else queue.lanes
                operations = _requests(one, True, assumed) * lanes
                joined = queue.lanes == 1
                yield roofline.queued(operations, queue.within, self.work, assumed, self.rates, joined)

    def _chained(self, saving: Saving, assumed: Assumed) -> Iterator[tuple[Numbers, Amount]]:
        """Clocks of the steps of each chain, and the part of them that is saved."""
        for chain in saving.chains:
            executions = self.work.statements.get(id(chain.step))
            if executions is not None:
                steps = _done(executions, True, assumed) / (1 if chain.alone else self.work.warps)
                clocks, part = (_within(*ends, assumed.length) for ends in (chain.clocks, chain.part))
                yield steps * clocks, part

    def _filled(self, saving: Saving, assumed: Assumed) -> Clocks:
        """Of the executions that full warps save; of a statement in several of the ways, the most of them."""
        held = [Held(self._held(idle), self._lanes(idle), _part_of(idle, assumed)) for idle in saving.idle]
        known = executed(self.unit, self.work, self.function) if held else None
        done = filled(known, held, assumed) if known is not None else None
        return roofline.executed(done, assumed, self.rates) if done is not None else {}

    def _lanes(self, idle: Idle) -> Numbers:
        """Of a full warp, where the branch stands."""
        branch = self.work.statements.get(id(idle.branch))
        return np.maximum(1.0, np.float64(WARP) if branch is None else _lanes_per_warp(branch))

    def _held(self, idle: Idle) -> frozenset[int]:
        """The statements, by identity."""
        contents = [_contents(self.unit, one) for one in idle.statements]
        return contents[0] if len(contents) == 1 else frozenset().union(*contents)

    def _executions(self, node: Node) -> Executions | None:
        return self.work.statements.get(id(self.places.get(id(node), node)))


def _lanes_per_warp(executions: Executions) -> Numbers:
    """Of a mean execution; of a full warp where there is none."""
    warps = executions.warps
    return np.asarray(np.where(warps > 0, executions.lanes / np.where(warps > 0, warps, 1.0), float(WARP)))


@once
def _contents(unit: Unit, statement: s.Statement) -> frozenset[int]:
    """The statement, those that it holds, and those of the functions that it calls, by identity."""
    nodes = list(walk(statement))
    called = [
        unit.functions[node.key]
        for node in nodes
        if isinstance(node, e.Call | e.Construct | e.Lambda) and node.key in unit.functions
    ]
    bodies = {one.key: one.body for function in called for one in reachable(unit, function)}
    nodes += [node for body in bodies.values() if body is not None for node in walk(body)]
    return frozenset(id(node) for node in nodes if type(node) in _STATEMENTS)


@once
def _moved_otherwise(unit: Unit, work: Workload) -> dict[int, _Others]:
    """What `_others` has found so far, by the identity of what was assumed."""
    return {}


@once
def _bounds(
    unit: Unit, work: Workload
) -> dict[tuple[Throughput, frozenset[roofline.Unit]], tuple[Assumed, Assumed]]:
    """The ends in favour of savings so far."""
    return {}


@once
def _drawn(unit: Unit, work: Workload) -> dict[Throughput, Assumed]:
    """The draws so far."""
    return {}


def _part_done(one: Executions | Traffic, own: bool, assumed: Assumed) -> Amount:
    """The part of it that is done, whatever data leaves out."""
    return (assumed.own if own else assumed.others) if one.doubtful else 1.0


def _done(executions: Executions, own: bool, assumed: Assumed) -> Numbers:
    return np.asarray(executions.warps * _part_done(executions, own, assumed))


def _requests(one: Traffic, own: bool, assumed: Assumed) -> Numbers:
    return np.asarray(one.requests * _part_done(one, own, assumed))


def _each(one: Traffic, own: bool, assumed: Assumed) -> Numbers:
    """Transactions of a request, no fewer than carry its bytes: n times the fewest are as likely as a part
    1/n of the most.
    """
    at = assumed.where if own else assumed.elsewhere
    least = np.maximum(one.least, np.minimum(one.ideal, one.most))
    return np.asarray(least * (one.most / np.maximum(least, 1e-9)) ** at)


def _part_of(idle: Idle, assumed: Assumed) -> Amount | None:
    """Of the instructions that full warps save; None where the runs counted the lanes."""
    if idle.least is None or idle.most is None:
        return None
    return _within(idle.least, idle.most, assumed.length)


def _within(least: Amount | Numbers, most: Amount | Numbers, at: Amount) -> Amount:
    return least + (most - least) * at


def _again(one: Traffic, assumed: Assumed, requests: Numbers, each: Numbers, by: Removed) -> Numbers:
    """Clocks of requests whose sectors others have loaded before, or store besides."""
    if one.operation == "store":
        together = Use(sectors=float(one.most.max()) / max(1e-9, 1 - by.part))
        return np.asarray(requests * each * assumed.merged * roofline.unmerged(one, assumed, together))
    missed = assumed.soon if by.again == "soon" else assumed.reloaded
    return np.asarray(requests * each * assumed.load * missed)


def _excess(one: Traffic, assumed: Assumed, requests: Numbers, each: Numbers, used: Use) -> Clocks:
    """Of the transactions above the ideal."""
    ideal_lines = max(1.0, float(one.ideal.min()) * 32 / 128)
    ideal = np.minimum(each, one.ideal)
    before = roofline.moved(one, assumed, requests, each, one.lines, used)
    after = roofline.moved(one, assumed, requests, ideal, ideal_lines, used)
    return {unit: np.asarray(np.maximum(0.0, clocks - after[unit])) for unit, clocks in before.items()}


def _removed(one: Traffic, assumed: Assumed, requests: Numbers, each: Numbers, removed: Removed) -> Clocks:
    """Of requests that are not made."""
    fewer = requests * removed.part
    if removed.again:
        return {roofline.Unit.MEMORY: _again(one, assumed, fewer, each, removed)}
    return roofline.moved(one, assumed, fewer, each, one.lines)


def _key(one: Access | Traffic) -> tuple[object, ...]:
    return one.span, one.operation, one.space
