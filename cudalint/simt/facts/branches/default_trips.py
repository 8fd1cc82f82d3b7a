"""Loops whose lanes go round a number of times that nobody knows, with the sizes that the program has where
nothing stands on its command line.
"""

from msgspec.structs import replace

from cudalint.analyses.kernel_queries import nodes_by_span
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.branches.merge import merged
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import run_plan
from cudalint.source.span import Span

_LAUNCHES = 2


def with_defaults(kernel: KernelRuns, branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """The branches, loops of unknown length with the most iterations of a launch with default sizes; those
    that are divergent as such a launch shows them.
    """
    if not any(_is_divergent(one) or _steps_by_threads(one, kernel) for one in branches):
        return branches
    known: dict[tuple[Span, Span], Branch] = {}
    most: dict[Span, int] = {}
    for launch in [one for one in kernel.defaults if one.reached][:_LAUNCHES]:
        plan = plans(kernel.function, (launch,), kernel.options.assumptions)[0]
        if plan.configuration.origin != Origin.LAUNCH:
            continue
        same = (run for run in kernel.runs if run.plan == plan)
        run = next(same, None) or run_plan(kernel.unit, kernel.function, plan, kernel.options)
        for branch in merged([run], kernel.function.name) if not run.failure else ():
            if branch.kind == "loop" and not branch.loop.chosen and branch.loop.trips is not None:
                known.setdefault((branch.span, branch.attributed_to), branch)
                most[branch.span] = max(most.get(branch.span, 0), branch.loop.trips[1])
    return tuple(_as_known(one, known, most) for one in branches)


def _is_divergent(branch: Branch) -> bool:
    """Whether lanes differ in how often they go round, in numbers that hang on those that were tried."""
    trips = branch.loop.trips
    apart = trips is not None and trips[1] > trips[0] + 1
    return branch.kind == "loop" and branch.divergence == "divergent" and branch.loop.chosen and apart


def _steps_by_threads(branch: Branch, kernel: KernelRuns) -> bool:
    """Whether it is a loop of unknown length whose counter grows by the size of the block or the grid."""
    if branch.kind != "loop" or not branch.loop.chosen:
        return False
    loops = nodes_by_span(kernel.unit, kernel.function).get(branch.statement, ())
    steps = (node.step for node in loops if isinstance(node, s.Loop) and node.step is not None)
    return any(find(step, e.Builtin) for step in steps)


def _as_known(branch: Branch, known: dict[tuple[Span, Span], Branch], most: dict[Span, int]) -> Branch:
    if branch.kind != "loop" or not branch.loop.chosen:
        return branch
    other = known.get((branch.span, branch.attributed_to))
    if other is not None and other.divergence == "divergent" and _is_divergent(branch):
        return replace(other, loop=replace(other.loop, default=True, usual=most.get(branch.span)))
    return replace(branch, loop=replace(branch.loop, usual=most.get(branch.span)))
