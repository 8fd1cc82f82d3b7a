"""Every access of a kernel: from its runs, else from a further run, else without a number."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.modes import leading
from cudalint.cuda.spaces import Operation
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.dead_arms import dead_code
from cudalint.simt.facts.accesses.merge import accesses
from cudalint.simt.facts.accesses.unreached import NOT_REACHED, unreached
from cudalint.simt.facts.fact import KernelRuns
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.source.span import Span

UNTAKEN = "an untaken branch is taken"
_LONG = 0.05  # of the work that a run may take: kernels that take more are not run once more for a number


class Complete(Struct, frozen=True):
    """All accesses of a kernel. chosen: runs with other numbers for parameters that choose what the kernel
    does; later: accesses that only these came to; further: runs through untaken arms, and with invented data.
    """

    accesses: tuple[Access, ...]
    chosen: tuple[Run, ...] = ()
    later: frozenset[Span] = frozenset()
    further: tuple[Run, ...] = ()

    @property
    def irregular(self) -> tuple[Run, ...]:
        """All runs but the regular ones."""
        return (*self.chosen, *self.further)


def complete(kernel: KernelRuns) -> Complete:
    """The accesses of all runs with those that only further runs come to."""
    if not kernel.runs:
        return Complete(tuple(unreached(kernel.unit, kernel.function, set(), set())))
    found = tuple(accesses(kernel.runs, kernel.function.name))
    return _with_made_up(kernel, _with_untaken(kernel, _with_chosen(kernel, found)))


def _with_chosen(kernel: KernelRuns, found: tuple[Access, ...]) -> Complete:
    """Add the accesses that only a run comes to whose parameters choose other parts of the kernel."""
    if kernel.runs[0].machine.state.work > _LONG * kernel.options.work:
        return Complete(found)
    missing = _missing(kernel, found, kernel.runs)
    free = {one.name for one in kernel.runs[0].parameters if one.tried and not one.pointer}
    named = {one.id: one.name for one in kernel.function.parameters if one.name in free}
    wanted = frozenset(access.span for access in missing)
    numbers = leading(kernel.unit, kernel.function, frozenset(named), wanted) if wanted and named else {}
    if not numbers:
        return Complete(found)
    run = _sent(kernel, RunMode(numbers=numbers))
    what = tuple(f"{named[parameter]} is {number}" for parameter, (number,) in numbers.items())
    seen = tuple(_further(run, kernel.function.name, found, what))
    return Complete((*found, *seen), (run,), frozenset(access.span for access in seen))


def _with_untaken(kernel: KernelRuns, done: Complete) -> Complete:
    """Add the accesses that only a run through the untaken arms reaches."""
    unit, function = kernel.unit, kernel.function
    missing = _missing(kernel, done.accesses, (*kernel.runs, *done.chosen))
    if not missing:
        return done
    sent: tuple[Run, ...] = ()
    found = done.accesses
    if _may_turn(kernel):
        sent = (_sent(kernel, RunMode(targets=frozenset(access.span for access in missing))),)
        found = (*found, *_further(sent[0], function.name, found, (UNTAKEN,)))
    dead = dead_code(unit, function, kernel.runs, constants=True)
    dead &= dead_code(unit, function, kernel.runs, *done.chosen, *sent, constants=True)
    rest = unreached(unit, function, *_reached(found, (*kernel.runs, *done.chosen, *sent)), dead)
    return replace(done, accesses=(*found, *rest), further=(*done.further, *sent))


def _may_turn(kernel: KernelRuns) -> bool:
    """Whether a run that is sent somewhere can go another way than the first one, or further."""
    first, allowed = kernel.runs[0].machine, kernel.options.work
    return bool(first.varied) or first.state.work > allowed != first.state.allowed


def _missing(kernel: KernelRuns, found: tuple[Access, ...], runs: Sequence[Run]) -> list[Access]:
    """The accesses that the runs did not come to, and that are no dead code."""
    dead = dead_code(kernel.unit, kernel.function, kernel.runs)
    return unreached(kernel.unit, kernel.function, *_reached(found, runs), dead)


def _reached(found: tuple[Access, ...], runs: Sequence[Run]) -> tuple[set[tuple[Span, Operation]], set[Span]]:
    executed = {span for run in runs for span in run.machine.touched}
    return {(access.span, access.operation) for access in found}, executed


def _sent(kernel: KernelRuns, mode: RunMode) -> Run:
    watch = tuple(kind for kind in kernel.watch if kind.on_untaken_paths)
    return run_plan(kernel.unit, kernel.function, kernel.runs[0].plan, kernel.options, mode, watch)


def _further(run: Run, name: str, found: tuple[Access, ...], assumed: tuple[str, ...]) -> Iterator[Access]:
    """The accesses of a run beyond those that are known."""
    known = {(access.span, access.operation) for access in found}
    for access in accesses([run], name):
        if (access.span, access.operation) not in known:
            yield replace(access, basis=replace(access.basis, assumed=(*access.basis.assumed, *assumed)))


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
    return replace(done, accesses=tuple(filled), further=(*done.further, made_up))


def _filled(access: Access, made_up: Access | None) -> Access:
    """The access, with the number of the run with invented data if it has none."""
    if access.transactions.certainty != "unknown" or made_up is None or access.space != made_up.space:
        return access
    words, most = -(-access.bytes // 4) if access.space == "shared" else 1, access.lanes.most
    counted = replace(made_up.transactions, certainty="bounded", lower=1.0, upper=float(most * words))
    assumed = (*access.basis.assumed, "scattered loaded data")
    basis = replace(made_up.basis, data_dependent=True, made_up=True, assumed=assumed)
    lanes = replace(made_up.lanes, most=most)
    return replace(made_up, transactions=counted, lanes=lanes, basis=basis)


def never_seen(kernel: KernelRuns) -> list[Access]:
    """The accesses that no regular run reached."""
    done = kernel.once(complete)
    return [
        access
        for access in done.accesses
        if access.basis.unknown == NOT_REACHED or UNTAKEN in access.basis.assumed or access.span in done.later
    ]
