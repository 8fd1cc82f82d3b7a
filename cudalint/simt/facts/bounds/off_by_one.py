"""Guards that one thread too many passes: `if (i > n) return;` where the grid is n rounded up to blocks.

Thread n exists unless n is a multiple of the block. Arrays of n elements are overrun by it; were they of
n + 1, nothing would take the last one where n is a multiple. One of guard and grid is wrong, whatever the
arrays are.
"""

from collections.abc import Iterator
from typing import Self

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.coverage import takes_by_number
from cudalint.analyses.definitions import definitions
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.cuda.spaces import Operation
from cudalint.host.chosen_sizes import ChosenLaunch, with_chosen_sizes
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.simt.facts.bounds.reach import Overrun
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.threads.watchers import AccessEvent, Setting, Watcher
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.samples import Block, Samples
from cudalint.source.span import Span

_LAUNCHES = 4  # of a kernel that are tried
_STORES = ("store", "atomic")


class OffByOne(Struct, frozen=True):
    """An access that thread `count` makes, and none after it, on an axis whose extent is `count` threads
    rounded up to blocks of `per`, a number where the launch tells it.
    """

    span: Span
    expression: str
    operation: Operation
    kernel: str
    axis: int
    count: str  # as the host code has it
    per: int | str
    launched: Span
    configuration: Configuration


class _Site(Struct):
    """One access to global memory. addresses: of the lanes that may make it, the last that each accessed."""

    node: e.Expression
    operation: Operation
    lanes: Bools
    addresses: np.ndarray


class _Lanes(Watcher):
    """Which lanes come to each access."""

    sites: dict[tuple[int, Operation], _Site] = field(default_factory=dict)

    @classmethod
    def begin(cls, setting: Setting) -> Self:
        return cls(setting.samples)

    @property
    def everything(self) -> bool:
        return True

    def access(self, event: AccessEvent) -> None:
        if event.memory.space != "global" or not event.counted:
            return
        key = id(event.node), event.operation
        if key not in self.sites:
            none = np.zeros(self.samples.lanes, dtype=bool)
            self.sites[key] = _Site(event.node, event.operation, none, np.zeros(len(none), dtype=np.int64))
        site = self.sites[key]
        site.lanes = site.lanes | event.mask
        site.addresses = np.where(event.mask, event.addresses, site.addresses)


def _conclude(kernel: KernelRuns) -> tuple[tuple[OffByOne, ...]]:
    """Those of the first launch that has any; none where an access beyond a buffer is known."""
    if kernel.failure or any(one.inside and one.space == "global" for one in kernel.of(Overrun)):
        return ((),)
    if not _may_be(kernel.unit, kernel.function) or not takes_by_number(kernel.unit, kernel.function):
        return ((),)
    for chosen in _launches(kernel):
        found = tuple(_of_launch(kernel, chosen))
        if found:
            return (found,)
    return ((),)


@once
def _may_be(unit: Unit, function: Function) -> bool:
    """Whether the code has a comparison that may take the limit in: `i <= n`, `n < i` or `i < n + 1`."""
    limits = frozenset(parameter.id for parameter in function.parameters)
    return any(
        node.operator in ("<=", ">") or (node.operator in ("<", ">=") and not _is_name(node.right, limits))
        for current in reachable(unit, function)
        if current.body is not None
        for node in find(current.body, e.Binary)
    )


def _is_name(node: e.Expression, limits: frozenset[int]) -> bool:
    """Whether it is a number, or one of these variables or a member of one."""
    while isinstance(node, e.Cast | e.Member):
        node = node.operand if isinstance(node, e.Cast) else node.base
    return isinstance(node, e.Literal) or (
        isinstance(node, e.VariableReference) and node.variable.id in limits
    )


def _launches(kernel: KernelRuns) -> Iterator[ChosenLaunch]:
    """One for each place of a launch, with the block of the runs where it tells none."""
    block = kernel.runs[0].plan.configuration.block if kernel.runs else None
    places = {launch.span: launch for launch in kernel.launches if launch.reached}
    for launch in list(places.values())[:_LAUNCHES]:
        host = kernel.unit.functions.get(launch.function) or kernel.unit.templates.get(launch.function)
        if host is not None:
            chosen = with_chosen_sizes(launch, definitions(kernel.unit, host), kernel.function, block)
            if chosen is not None:
                yield chosen


def _of_launch(kernel: KernelRuns, chosen: ChosenLaunch) -> Iterator[OffByOne]:
    plan = plans(kernel.function, (chosen.launch,), kernel.options.assumptions)[0]
    if plan.configuration.origin != Origin.LAUNCH:
        return
    grid = tuple(extent or 1 for extent in plan.configuration.grid)
    told = kernel.runs[0].plan.configuration if chosen.given_block else plan.configuration
    for quotient, count in chosen.counts:
        last: Block = tuple(grid[at] - 1 if at == quotient.axis else 0 for at in range(3))  # type: ignore[assignment]
        mode = RunMode(blocks=(last,), uncounted=True)
        run = run_plan(kernel.unit, kernel.function, plan, kernel.options, mode, (_Lanes,))
        for site in _passing(run, quotient.axis, count):
            yield OffByOne(
                span=site.node.span,
                expression=render(site.node),
                operation=site.operation,
                kernel=kernel.function.name,
                axis=quotient.axis,
                count=_written(quotient.count),
                per=_written(quotient.division.right) if chosen.given_block else quotient.per or 1,
                launched=chosen.launch.span,
                configuration=told,
            )


def _written(node: e.Expression) -> str:
    return render(node).replace("this->", "")


def _passing(run: Run, axis: int, count: int) -> list[_Site]:
    """The sites at which thread `count` is the last one; none where only loads are, and other accesses end
    one thread before: what is loaded may be the neighbour of the last element.
    """
    if run.failure or run.machine.state.spent:
        return []
    samples = run.machine.state.samples
    numbers, step = _numbers(samples, axis), _step(samples, axis)
    last, passing = [], []
    for site in run.seen(_Lanes).sites.values():
        if (site.lanes & (numbers > count)).any():
            continue
        at = np.flatnonzero(site.lanes & (numbers == count))
        if len(at) == 0:
            last.append(site)
        elif site.lanes[at - step].all() and (site.addresses[at] != site.addresses[at - step]).all():
            passing.append(site)
    stores = [site for site in passing if site.operation in _STORES]
    return passing if stores or not any((s.lanes & (numbers == count - 1)).any() for s in last) else []


def _numbers(samples: Samples, axis: int) -> np.ndarray:
    """The number of each lane's thread in the grid, on one axis."""
    thread = np.asarray(samples.builtins["threadIdx", "xyz"[axis]].data)
    block = np.asarray(samples.builtins["blockIdx", "xyz"[axis]].data)
    return np.broadcast_to(block * samples.block[axis] + thread, (samples.lanes,))


def _step(samples: Samples, axis: int) -> int:
    """Lanes from a thread to its neighbour on an axis."""
    x, y, _ = samples.block
    return (1, x, x * y)[axis]


FACT = Fact(of=(OffByOne,), conclude=_conclude, needs=(Overrun,))
