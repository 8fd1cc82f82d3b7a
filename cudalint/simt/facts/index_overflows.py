"""Integer arithmetic of an index whose result 32 bits do not hold, for the sizes that a launch gives.

A loop that is cut short is followed to its last iteration: what changes by the same amount in each iteration
is known there.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.index_arithmetic import of_kernel
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import ArithmeticEvent, Watcher
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_SIGNED = 1 << 31
_UNSIGNED = 1 << 32
_EXACT = 1 << 62  # beyond it, numbers of 64 bits do not tell either


class IndexOverflow(Struct, frozen=True):
    """An operation whose result does not fit its type. value: the exact one; sure: all data leads there;
    default: only in the program as it is run, where its command line decides about the sizes.
    """

    node: e.Expression
    value: int
    thread: Thread
    sure: bool
    kernel: str
    configuration: Configuration
    default: bool = False

    @property
    def span(self) -> Span:
        return self.node.span


class _Seen(Struct):
    """The last result of an operation in a loop, and the one of the iteration before."""

    last: ArithmeticEvent
    before: ArithmeticEvent | None = None


class _Found(Struct):
    node: e.Expression
    value: int
    lane: int
    sure: bool


class Overflows(Watcher):
    """The log of one run. loops: operations in the loops that are running, outermost first."""

    found: dict[int, _Found] = field(default_factory=dict)
    loops: list[dict[int, _Seen]] = field(default_factory=list)
    rounds: np.ndarray | None = None  # that the loop which ends next leaves out

    def arithmetic(self, event: ArithmeticEvent) -> None:
        self._judge(event)
        if self.loops:
            known = self.loops[-1].get(id(event.node))
            self.loops[-1][id(event.node)] = _Seen(event, known.last if known is not None else None)

    def enter_loop(self, node: s.Loop) -> None:
        self.loops.append({})

    def skip_iterations(self, rounds: np.ndarray) -> None:
        self.rounds = rounds

    def leave_loop(self, cut: bool) -> None:
        rounds, self.rounds = self.rounds, None
        for seen in self.loops.pop().values():
            self.arithmetic(seen.last if rounds is None or seen.before is None else _continued(seen, rounds))

    def _judge(self, event: ArithmeticEvent) -> None:
        low, high = _range(event.node)
        exact = event.exact
        most, least = (exact, exact) if isinstance(exact, int) else (int(exact.max()), int(exact.min()))
        if (most < high and least >= low) or most >= _EXACT or least <= -_EXACT:
            return
        outside = event.mask & (np.asarray(exact) >= high) | event.mask & (np.asarray(exact) < low)
        certain = outside if event.doubt is None else outside & ~event.doubt
        sure = bool(certain.any()) and not event.tested
        known = self.found.get(id(event.node))
        if not outside.any() or (known is not None and known.sure >= sure):
            return
        lane = int(np.flatnonzero(certain if certain.any() else outside)[0])
        value = exact if isinstance(exact, int) else int(exact[lane])
        self.found[id(event.node)] = _Found(event.node, value, lane, sure)


def _continued(seen: _Seen, rounds: np.ndarray) -> ArithmeticEvent:
    """The result in the last iteration, of lanes that made the last two that were run."""
    last, before = seen.last, seen.before
    assert before is not None
    exact = np.asarray(last.exact + rounds * (last.exact - np.asarray(before.exact)))
    return ArithmeticEvent(last.node, exact, last.mask & before.mask, last.doubt, last.tested)


def _range(node: e.Expression) -> tuple[int, int]:
    """[low, high) of what the result's type holds. Sums and differences of unsigned numbers may be meant to
    wrap.
    """
    computed = node.computed if isinstance(node, e.Assign) and node.computed is not None else node.type
    if isinstance(computed, Scalar) and computed.bytes > 4:
        return -_EXACT, _EXACT
    if isinstance(computed, Scalar) and computed.kind == "unsigned":
        wraps = not isinstance(node, e.Binary | e.Assign) or node.operator in ("+", "-")
        return -_EXACT, _EXACT if wraps else _UNSIGNED
    return -_SIGNED, _SIGNED


def _conclude(kernel: KernelRuns) -> tuple[tuple[IndexOverflow, ...]]:
    """With the sizes that the launches give, else with those of the program as it is run."""
    found = _overflows(kernel, kernel.runs)
    if found or not may_reach_far(kernel):
        return (found,)
    shapes = plans(kernel.function, kernel.defaults, kernel.options.assumptions)
    runs = [kernel.sized(plan, (Overflows,)) for plan in shapes if plan.configuration.told_whole]
    return (tuple(replace(one, default=True) for one in _overflows(kernel, runs)),)


def may_reach_far(kernel: KernelRuns) -> bool:
    """Whether a size is open that the program has a default for, and with it a buffer has as many bytes as an
    int can count, or one that nobody knows.
    """
    if all(_is_sized(launch) for launch in kernel.launches):
        return False
    passed = (argument for launch in kernel.defaults for argument in launch.arguments or ())
    return any(b.bytes is None or b.bytes >= _SIGNED for argument in passed for b in argument.buffers)


def _is_sized(launch: LaunchFact) -> bool:
    """Whether the grid and all numbers that are passed are known."""
    given = [part for one in launch.arguments or () for part in (one, *(field for _, field in one.fields))]
    return None not in launch.grid and all(
        one.value is not None or one.buffers or one.fields for one in given
    )


def _overflows(kernel: KernelRuns, runs: Sequence[Run]) -> tuple[IndexOverflow, ...]:
    feeding = of_kernel(kernel.unit, kernel.function)
    overflows: dict[int, IndexOverflow] = {}
    for run in runs:
        configuration = run.plan.configuration
        if not configuration.told_whole or run.failure:
            continue
        found = run.seen(Overflows).found
        samples = run.machine.state.samples
        for key in feeding.first(found):
            one = found[key]
            thread = Thread(samples.thread_of(one.lane), samples.block_of(one.lane))
            here = IndexOverflow(one.node, one.value, thread, one.sure, kernel.function.name, configuration)
            known = overflows.get(key)
            if known is None or here.sure > known.sure:
                overflows[key] = here
    return tuple(overflows.values())


FACT = Fact(of=(IndexOverflow,), conclude=_conclude, watch=(Overflows,))
