"""What a fact is. A file below simt/facts/ declares one as `FACT`; nothing else names it.

A fact states what it watches while the kernel runs, which other facts it needs, and how it is concluded from
the runs. Its parts are found by their type: `kernel.of(Reread)`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.definitions import definitions
from cudalint.analyses.guards import cooperates, idle_guards, size_choices
from cudalint.host.facts import LaunchFact
from cudalint.host.rounding import quotients
from cudalint.ir.unit import Function, Unit
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import Plan, other_shapes
from cudalint.simt.launch.kernel_run import ModelOptions, Run, RunMode, run_plan
from cudalint.simt.launch.ragged import Ragged, ragged_blocks
from cudalint.simt.threads.watchers import Watch

GIVEN = (Origin.LAUNCH, Origin.ASSUMPTION, Origin.COLLECTIVE)

Part = TypeVar("Part")
Answer = TypeVar("Answer")


class KernelRuns(Struct, dict=True):
    """The runs of one kernel and the facts concluded so far: the argument of `conclude`."""

    unit: Unit
    function: Function
    launches: tuple[LaunchFact, ...]
    options: ModelOptions
    watch: Watch  # watchers of regular runs
    runs: list[Run]  # one per configuration
    defaults: tuple[LaunchFact, ...] = ()  # launches of the program run without words on its command line
    trials: tuple[LaunchFact, ...] = ()  # launches with primes for the numbers that nobody knows
    found: dict[type, tuple[Any, ...]] = field(default_factory=dict)
    _kept: dict[object, Any] = field(default_factory=dict)
    _sized: list[Run] = field(default_factory=list)

    def of(self, kind: type[Part]) -> tuple[Part, ...]:
        """The parts of a fact that this one needs, of the given type."""
        return self.found[kind]

    def once(self, ask: "Callable[[KernelRuns], Answer]") -> Answer:
        """The answer of `ask`, computed once for all conclusions that share it."""
        if ask not in self._kept:
            self._kept[ask] = ask(self)
        return self._kept[ask]  # type: ignore[no-any-return]

    def sized(self, plan: Plan, watch: Watch) -> Run:
        """A run of another plan, uncounted: one that was made before, where enough looked on."""
        for run in (*self.runs, *self._sized):
            seen = set(map(type, run.machine.events.watchers))
            if seen.issuperset(watch) and run.plan == plan:
                return run
        mode = RunMode(uncounted=True)
        self._sized.append(run_plan(self.unit, self.function, plan, self.options, mode, watch))
        return self._sized[-1]

    @cached_property
    def failure(self) -> str:
        """Why the kernel, or one of its runs, could not be modelled; '' where all were."""
        if self.function.body is None:
            return "its body could not be read"
        return next((run.failure for run in self.runs if run.failure), "")

    @cached_property
    def whole(self) -> bool:
        """Whether every run ended within its budget."""
        return not self.failure and not any(run.machine.state.spent for run in self.runs)

    @cached_property
    def ended(self) -> bool:
        """Whether every run came to the end of the kernel, if with fewer iterations than its loops make."""
        return not self.failure and not any(run.machine.state.stopped for run in self.runs)

    @property
    def given(self) -> bool:
        """Whether launches or assumptions give the shapes."""
        return all(run.plan.configuration.origin in GIVEN for run in self.runs)

    @cached_property
    def others(self) -> list[Run]:
        """Runs with quite different shapes, if those tried are a guess."""
        if self.given:
            return []
        plans, mode = other_shapes(self.function, self.runs[0].plan), RunMode(uncounted=True)
        watch = tuple(kind for kind in self.watch if kind.in_other_shapes)
        return [run_plan(self.unit, self.function, plan, self.options, mode, watch) for plan in plans]

    @cached_property
    def ragged(self) -> list[Run]:
        """Runs of the blocks that sizes nobody knows end in, where that may keep some threads from what
        others of the block rely on.
        """
        if not self.whole or not cooperates(self.unit, self.function):
            return []
        return self._ends(self.runs, RunMode(uncounted=True))

    @cached_property
    def equal_ragged(self) -> list[Run]:
        """The like where all sizes that nobody knows are one number: what they are to each other is not
        known, and what only shows for different ones may be what the program excludes.
        """
        mode = RunMode(equal=True, uncounted=True)
        plans = [run.plan for run in self.runs if run.plan.configuration.origin != Origin.USUAL]
        return self._ends(
            [run_plan(self.unit, self.function, plan, self.options, mode) for plan in plans], mode
        )

    def _ends(self, runs: list[Run], mode: RunMode) -> list[Run]:
        """Runs of the ragged blocks that these runs tell."""
        watch = tuple(kind for kind in self.watch if kind.in_ragged_blocks)
        done = []
        for run in runs:
            blocks = self._ragged_blocks(run)
            if blocks is not None:
                how = replace(mode, ragged=blocks)
                done.append(run_plan(self.unit, self.function, run.plan, self.options, how, watch))
        return [run for run in done if not run.failure]

    def _ragged_blocks(self, run: Run) -> Ragged | None:
        if run.plan.configuration.origin == Origin.USUAL:
            return None
        idle = idle_guards(self.unit, self.function)
        margins = [margin for margin in run.machine.margins.values() if id(margin.node) not in idle]
        if not margins:
            return None
        samples, choices = run.machine.state.samples, size_choices(self.unit, self.function)
        return ragged_blocks(samples, margins, run.parameters, choices, self._full_axes)

    @cached_property
    def _full_axes(self) -> frozenset[int]:
        """The axes on which every launch rounds the grid down to blocks that are full."""
        rounded = []
        for launch in self.launches:
            function = self.unit.functions.get(launch.function)
            if function is None:
                return frozenset()
            found = quotients(launch, definitions(self.unit, function))
            rounded.append({quotient.axis for quotient in found if quotient.direction == "down"})
        return frozenset(set.intersection(*rounded)) if rounded else frozenset()


class Fact(Struct, frozen=True):
    """One fact: the types of its parts, and how they are concluded."""

    of: tuple[type, ...]  # the types of its parts
    conclude: Callable[[KernelRuns], tuple[tuple[Any, ...], ...]]  # one tuple of parts for each type in `of`
    needs: tuple[type, ...] = ()  # types of other facts that `conclude` uses
    watch: Watch = ()  # its watchers in regular runs
    extra: bool = False  # takes runs of its own: computed only if named
    # Filters the parts of `of[0]`, by kernel key, once all kernels of a unit are concluded.
    settle: Callable[[Unit, dict[str, tuple[Any, ...]]], dict[str, tuple[Any, ...]]] | None = None
