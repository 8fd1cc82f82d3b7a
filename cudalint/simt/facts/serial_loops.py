"""Loops that one thread of a block runs while the others wait, or have nothing to do; and long ones of a few
threads of one warp.
"""

from collections.abc import Iterator
from math import inf

from msgspec import Struct

from cudalint.analyses.between_barriers import held, loops_beside
from cudalint.analyses.definitions import definitions
from cudalint.analyses.kernel_queries import is_volatile, reachable
from cudalint.analyses.remainder_loops import remainder_trips
from cudalint.analyses.serial import carries
from cudalint.analyses.trip_counts import ASSUMED_TRIPS, counter, most_trips, step_of
from cudalint.cuda.effects import WAITING
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.requests.sites import BranchSite
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

_FEW = 8  # iterations
_LONG = 32  # of a loop that several threads run
_SHARE = 4  # the whole block is more than so many times as many threads, or a loop iterations


class SerialLoop(Struct, frozen=True):
    """The outermost loop whose iterations one thread runs alone, though they could be shared out. threads: of
    the block; iterations: where they are known; longer: how many times as many as the run made there may be,
    where a number that was chosen for it ended the loop; busy: threads that run it, each all iterations.
    """

    loop: s.Loop
    kernel: str
    threads: int
    iterations: int | None
    configuration: Configuration
    longer: float = 1.0
    busy: int = 1

    @property
    def span(self) -> Span:
        return self.loop.span


def _conclude(kernel: KernelRuns) -> tuple[tuple[SerialLoop, ...]]:
    if kernel.function.body is None or not kernel.runs:
        return ((),)
    each = [dict(_alone(kernel, run)) for run in kernel.runs if not run.failure]
    both = [one for key, one in (each[0] if each else {}).items() if all(key in other for other in each)]
    inner = {id(part) for one in both for part in held(kernel.unit, one.loop.body)}
    outermost = [one for one in both if id(one.loop) not in inner]
    busy = _arms_of_choices(kernel.unit, kernel.function)
    return (tuple(one for one in outermost if id(one.loop) not in busy and _shareable(one.loop)),)


def _alone(kernel: KernelRuns, run: Run) -> Iterator[tuple[int, SerialLoop]]:
    """The loops that at most one thread of each block comes to, and long ones that a few come to."""
    samples, configuration = run.machine.state.samples, run.plan.configuration
    single = samples.threads == 1 and configuration.grid == (1, 1, 1)
    if samples.threads < WARP and not single:
        return
    cut_short = _left_early(run)
    for site in run.machine.recorder.branches.values():
        loop = site.statement
        if site.kind != "loop" or site.came is None or not isinstance(loop, s.Loop):
            continue
        if site.uncounted and not (id(loop) in cut_short and step_of(loop.step) is not None):
            continue
        busy = int(site.came.reshape(samples.count, -1).sum(axis=1).max())
        if busy != 1 and not _few_of_one_warp(kernel, run, site, loop):
            continue
        unseen = site.free or site.trips is None or id(loop) in cut_short
        iterations = None if unseen or site.trips is None else site.trips[1]
        if (iterations is None or iterations >= _FEW) and _most(kernel, loop) >= _FEW:
            name = kernel.function.name
            longer = _longer(loop, site.trips[1]) if id(loop) in cut_short and site.trips else 1.0
            yield id(loop), SerialLoop(loop, name, samples.threads, iterations, configuration, longer, busy)


def _few_of_one_warp(kernel: KernelRuns, run: Run, site: BranchSite, loop: s.Loop) -> bool:
    """Whether the threads that come to a long loop are few of their block, of one warp, and the others have
    no loop of their own to run until they wait for them.
    """
    samples = run.machine.state.samples
    if site.came is None or site.free or site.trips is None or site.trips[0] < _LONG:
        return False
    warps = site.came.reshape(samples.count, -1, WARP)
    busy = warps.sum(axis=(1, 2)).max()
    if warps.any(axis=2).sum(axis=1).max() != 1 or busy * _SHARE >= samples.threads:
        return False
    if run.plan.configuration.origin == Origin.USUAL:
        return False
    beside = loops_beside(kernel.unit, kernel.function, loop)
    return beside is not None and not any(
        id(other.statement) in beside and _keeps_busy(other, int(busy), samples, site.trips[0])
        for other in run.machine.recorder.branches.values()
        if other.kind == "loop"
    )


def _keeps_busy(loop: BranchSite, few: int, samples: Samples, trips: int) -> bool:
    """Whether more threads run a loop that is not much shorter."""
    if loop.came is None or loop.came.reshape(samples.count, -1).sum(axis=1).max() <= few:
        return False
    return loop.trips is None or loop.free or loop.trips[1] * _SHARE > trips


def _most(kernel: KernelRuns, loop: s.Loop) -> float:
    """The most iterations of a loop over what a division leaves."""
    own = (f for f in reachable(kernel.unit, kernel.function) if any(part is loop for part in _all(f)))
    return min((remainder_trips(loop, definitions(kernel.unit, function)) for function in own), default=inf)


def _all(function: Function) -> Iterator[Node]:
    return walk(function.body) if function.body is not None else iter(())


def _longer(loop: s.Loop, made: int) -> float:
    """How many times as many iterations it may make."""
    most = most_trips(loop)
    return max(1.0, (most if most != inf else ASSUMED_TRIPS) / max(1, made))


def _left_early(run: Run) -> frozenset[int]:
    """Loops, by identity, that may go on for long and that a number nobody knows ends: a `break` or `return`
    under a condition on it says nothing of how many iterations the data has.
    """
    sites = run.machine.recorder.branches.values()
    open_ = {id(site.statement) for site in sites if site.kind != "loop" and (site.unknown or site.free)}
    return frozenset(
        id(site.statement)
        for site in sites
        if site.kind == "loop" and isinstance(site.statement, s.Loop)
        if isinstance(site.statement.condition, e.Binary) and most_trips(site.statement) >= _FEW
        if any(
            id(part) in open_ and find(part, s.Break, s.Return) for part in find(site.statement.body, s.If)
        )
    )


def _shareable(loop: s.Loop) -> bool:
    """Whether its iterations do not wait for others, and are no chain in which each one needs the last."""
    nodes = list(walk(loop))
    calls = [node for node in nodes if isinstance(node, e.Call)]
    if any(isinstance(node, s.Opaque) for node in nodes) or any(call.name in WAITING for call in calls):
        return False
    polls = any(call.name.startswith("atomic") for call in calls) or any(map(is_volatile, nodes))
    if counter(loop) is None and polls:
        return False
    return not any(isinstance(node, s.Loop) and carries(node) for node in nodes)


def _arms_of_choices(unit: Unit, function: Function) -> frozenset[int]:
    """Loops in an arm of a condition whose other arm has a loop, too: other threads work meanwhile."""
    found = set()
    for current in reachable(unit, function):
        for node in find(current.body, s.If):
            if node.otherwise is not None:
                ways = (node.then, node.otherwise)
                arms = [find(way, s.Loop) for way in ways]
                if all(arms):
                    found |= {id(loop) for arm in arms for loop in arm}
    return frozenset(found)


FACT = Fact(of=(SerialLoop,), conclude=_conclude)
