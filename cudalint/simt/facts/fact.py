"""What a fact is. A file below simt/facts/ declares one as `FACT`; nothing else names it.

A fact states what it watches while the kernel runs, which other facts it needs, and how it is concluded from
the runs. Its parts are found by their type: `kernel.of(Reread)`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct, field

from cudalint.host.facts import LaunchFact
from cudalint.ir.unit import Function, Unit
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import other_shapes
from cudalint.simt.launch.kernel_run import ModelOptions, Run, RunMode, run_plan
from cudalint.simt.threads.watchers import Watch

_GIVEN = (Origin.LAUNCH, Origin.ASSUMPTION)

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
    found: dict[type, tuple[Any, ...]] = field(default_factory=dict)
    _kept: dict[object, Any] = field(default_factory=dict)

    def of(self, kind: type[Part]) -> tuple[Part, ...]:
        """The parts of a fact that this one needs, of the given type."""
        return self.found[kind]

    def once(self, ask: "Callable[[KernelRuns], Answer]") -> Answer:
        """The answer of `ask`, computed once for all conclusions that share it."""
        if ask not in self._kept:
            self._kept[ask] = ask(self)
        return self._kept[ask]  # type: ignore[no-any-return]

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

    @property
    def given(self) -> bool:
        """Whether launches or assumptions give the shapes."""
        return all(run.plan.configuration.origin in _GIVEN for run in self.runs)

    @cached_property
    def others(self) -> list[Run]:
        """Runs with quite different shapes, if those tried are a guess."""
        if self.given:
            return []
        plans, mode = other_shapes(self.function, self.runs[0].plan), RunMode(uncounted=True)
        watch = tuple(kind for kind in self.watch if kind.in_other_shapes)
        return [run_plan(self.unit, self.function, plan, self.options, mode, watch) for plan in plans]


class Fact(Struct, frozen=True):
    """One fact: the types of its parts, and how they are concluded."""

    of: tuple[type, ...]  # the types of its parts
    conclude: Callable[[KernelRuns], tuple[tuple[Any, ...], ...]]  # one tuple of parts for each type in `of`
    needs: tuple[type, ...] = ()  # types of other facts that `conclude` uses
    watch: Watch = ()  # its watchers in regular runs
    extra: bool = False  # takes runs of its own: computed only if named
    # Filters the parts of `of[0]`, by kernel key, once all kernels of a unit are concluded.
    settle: Callable[[Unit, dict[str, tuple[Any, ...]]], dict[str, tuple[Any, ...]]] | None = None
