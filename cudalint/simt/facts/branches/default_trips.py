"""Loops whose lanes go round a number of times that nobody knows, with the sizes that the program has where
nothing stands on its command line.
"""

from msgspec.structs import replace

from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.branches.merge import merged
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import run_plan
from cudalint.source.span import Span

_LAUNCHES = 2


def with_defaults(kernel: KernelRuns, branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """The branches, divergent loops of unknown length as a launch with default sizes shows them."""
    if not any(map(_is_open, branches)):
        return branches
    known: dict[tuple[Span, Span], Branch] = {}
    for launch in [one for one in kernel.defaults if one.reached][:_LAUNCHES]:
        plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
        if plan.configuration.origin != Origin.LAUNCH:
            continue
        run = run_plan(kernel.unit, kernel.function, plan, kernel.options)
        for branch in merged([run], kernel.function.name) if not run.failure else ():
            if branch.kind == "loop" and not branch.loop.chosen and branch.divergence == "divergent":
                known.setdefault((branch.span, branch.attributed_to), branch)
    return tuple(_as_known(one, known) for one in branches)


def _is_open(branch: Branch) -> bool:
    """Whether lanes differ in how often they go round, in numbers that hang on those that were tried."""
    trips = branch.loop.trips
    apart = trips is not None and trips[1] > trips[0] + 1
    return branch.kind == "loop" and branch.divergence == "divergent" and branch.loop.chosen and apart


def _as_known(branch: Branch, known: dict[tuple[Span, Span], Branch]) -> Branch:
    other = known.get((branch.span, branch.attributed_to))
    if other is None or not _is_open(branch):
        return branch
    return replace(other, loop=replace(other.loop, default=True))
