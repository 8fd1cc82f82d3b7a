"""The fact of a kernel's branches: those that its runs came to, then those that only further runs came to."""

from msgspec.structs import replace

from cudalint.analyses.origin import origins
from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.branches.default_trips import with_defaults
from cudalint.simt.facts.branches.merge import merged, of_runs
from cudalint.simt.facts.fact import Fact, KernelRuns


def _conclude(kernel: KernelRuns) -> tuple[tuple[Branch, ...]]:
    """What splits where data is made up, splits by data."""
    name, done = kernel.function.name, kernel.once(complete)
    split = with_defaults(kernel, kernel.once(of_runs))
    known = {branch.span for branch in split}
    split = (*split, *(branch for branch in merged(list(done.chosen), name) if branch.span not in known))
    known |= {branch.span for branch in split}
    sent = [run for run in done.further if run.machine.contents is None]
    others = [replace(b, forced=True) for b in merged(sent, name) if b.span not in known]
    known |= {branch.span for branch in others}
    made_up = [run for run in done.further if run.machine.contents is not None]
    by_data = (_by_data(branch) for branch in merged(made_up, name) if branch.span not in known)
    found = (*split, *others, *by_data)
    if kernel.function.dependent:
        return (tuple(map(_as_written, found)),)
    return (tuple(_as_read(kernel, one) for one in found) if kernel.unit.errors else found,)


def _as_written(branch: Branch) -> Branch:
    """In a template that nothing instantiates a condition without a number need not hang on data."""
    return replace(branch, divergence="unknown") if branch.divergence == "data-dependent" else branch


def _as_read(kernel: KernelRuns, branch: Branch) -> Branch:
    """Nor need one that comes from nothing but code that could not be parsed."""
    if branch.divergence != "data-dependent":
        return branch
    places = origins(kernel.unit, kernel.function, branch.span, "value")
    unread = bool(places) and all(place.kind == "unread" for place in places)
    return replace(branch, divergence="unknown") if unread else branch


def _by_data(branch: Branch) -> Branch:
    divergence = "data-dependent" if branch.divergence == "divergent" else branch.divergence
    return replace(branch, divergence=divergence, forced=True)


FACT = Fact(of=(Branch,), conclude=_conclude)
