"""Every access of a kernel: from its runs, else from a further run, else without a number."""

from msgspec import Struct
from msgspec.structs import replace

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.dead_arms import dead_code
from cudalint.simt.facts.accesses.merge import accesses
from cudalint.simt.facts.accesses.unreached import NOT_REACHED, unreached
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan

UNTAKEN = "an untaken branch is taken"


class Complete(Struct, frozen=True):
    """All accesses of a kernel."""

    accesses: tuple[Access, ...]
    further: tuple[Run, ...] = ()  # runs through untaken arms, and with invented data


def complete(kernel: KernelRuns) -> Complete:
    """The accesses of all runs with those that only further runs come to."""
    if not kernel.runs:
        return Complete(tuple(unreached(kernel.unit, kernel.function, set(), set())))
    return _with_made_up(kernel, _with_untaken(kernel, tuple(accesses(kernel.runs, kernel.function.name))))


def _with_untaken(kernel: KernelRuns, found: tuple[Access, ...]) -> Complete:
    """Add the accesses that only a run through the untaken arms reaches."""
    unit, function = kernel.unit, kernel.function
    executed = {span for run in kernel.runs for span in run.machine.touched}
    known = {(a.span, a.operation) for a in found}
    dead = dead_code(unit, function, kernel.runs)
    missing = unreached(unit, function, known, executed, dead)
    if not missing:
        return Complete(found)
    mode = RunMode(targets=frozenset(access.span for access in missing))
    watch = tuple(kind for kind in kernel.watch if kind.on_untaken_paths)
    sent = run_plan(unit, function, kernel.runs[0].plan, kernel.options, mode, watch)
    seen = tuple(
        replace(access, basis=replace(access.basis, assumed=(*access.basis.assumed, UNTAKEN)))
        for access in accesses([sent], function.name)
        if (access.span, access.operation) not in known
    )
    executed |= sent.machine.touched
    known |= {(a.span, a.operation) for a in seen}
    dead &= dead_code(unit, function, kernel.runs, sent)
    rest = unreached(unit, function, known, executed, dead)
    return Complete((*found, *seen, *rest), (sent,))


def _with_made_up(kernel: KernelRuns, done: Complete) -> Complete:
    """Add numbers for accesses whose addresses depend on data: those of a run with invented data, bounded by
    the fewest and the most transactions possible.
    """
    unknown = any(a.transactions.certainty == "unknown" and not a.basis.assumed for a in done.accesses)
    if not kernel.options.made_up or not unknown:
        return done
    plan = kernel.runs[0].plan
    made_up = run_plan(kernel.unit, kernel.function, plan, kernel.options, RunMode(inventing=True))
    counted = {
        (a.span, a.operation, a.attributed_to): a
        for a in accesses([made_up], kernel.function.name)
        if a.transactions.per_request is not None
    }
    filled = (_filled(a, counted.get((a.span, a.operation, a.attributed_to))) for a in done.accesses)
    return Complete(tuple(filled), (*done.further, made_up))


def _filled(access: Access, made_up: Access | None) -> Access:
    """The access, with the number of the run with invented data if it has none."""
    if access.transactions.certainty != "unknown" or made_up is None or access.space != made_up.space:
        return access
    words = -(-access.bytes // 4) if access.space == "shared" else 1
    counted = replace(made_up.transactions, certainty="bounded", lower=1.0, upper=float(32 * words))
    assumed = (*access.basis.assumed, "scattered loaded data")
    basis = replace(made_up.basis, data_dependent=True, made_up=True, assumed=assumed)
    return replace(made_up, transactions=counted, basis=basis)


def never_seen(kernel: KernelRuns) -> list[Access]:
    """The accesses that no regular run reached."""
    accesses = kernel.once(complete).accesses
    return [a for a in accesses if a.basis.unknown == NOT_REACHED or UNTAKEN in a.basis.assumed]
