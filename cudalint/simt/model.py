"""Runs every kernel of a unit and states the facts."""

from msgspec.structs import replace

from cudalint.assume import Assumption
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Function, Unit
from cudalint.simt import static
from cudalint.simt.configure import Plan, plans
from cudalint.simt.demand import demands
from cudalint.simt.facts import Access, Branch, KernelFacts
from cudalint.simt.further import Further, empty_reads, idle_barriers, in_all_kernels
from cudalint.simt.handover import handovers
from cudalint.simt.host_reads import host_reads
from cudalint.simt.kernel_run import How, ModelOptions, run_plan
from cudalint.simt.merge import Run, accesses, branches, reused
from cudalint.simt.ordering import ordering
from cudalint.simt.owners import private_arrays
from cudalint.simt.reaching import dynamic_reaches, overruns
from cudalint.simt.regrouped import bounded
from cudalint.simt.rereads import rereads
from cudalint.simt.stale import stale_reads
from cudalint.simt.waiting import block_waits
from cudalint.simt.warp_faults import warp_calls

__all__ = ["ModelOptions", "run", "run_kernel"]

_INSTANCES = 8  # instantiations of one kernel template that are run


def run(unit: Unit, host: HostFacts, options: ModelOptions) -> tuple[KernelFacts, ...]:
    """Facts of every kernel of the unit, in the order of `unit.kernels`; of a template's many instantiations
    the first _INSTANCES, launched ones before others.
    """
    launched = {launch.key for launch in host.launches}
    chosen: set[str] = set()
    count: dict[tuple[str, int], int] = {}
    for key in sorted(unit.kernels, key=lambda key: key not in launched):
        function = unit.functions.get(key)
        if function is None:
            continue
        definition = function.extent.path, function.extent.line
        count[definition] = count.get(definition, 0) + 1
        if count[definition] <= _INSTANCES:
            chosen.add(key)
    facts = {
        key: run_kernel(unit, unit.functions[key], host, options) for key in unit.kernels if key in chosen
    }
    return in_all_kernels(unit, facts)


def run_kernel(unit: Unit, function: Function, host: HostFacts, options: ModelOptions) -> KernelFacts:
    """Facts of one kernel; a failure of the model leaves it marked as not modelled, with unknown accesses."""
    launches = tuple(launch for launch in host.launches if launch.key == function.key)
    runs: list[Run] = []
    failure = "" if function.body is not None else "its body could not be read"
    if function.body is not None:
        alone = not static.tells_threads_apart(unit, function)
        for plan in plans(function, launches, options.assumptions, alone, function.name in unit.launched):
            done = run_plan(unit, function, plan, options)
            runs.append(done)
            failure = failure or done.failure
    unknowns: dict[str, int] = {}
    for done in runs:
        for reason, count in done.machine.state.unknowns.items():
            unknowns[reason] = unknowns.get(reason, 0) + count
    further: list[Run] = []
    found, booked = _complete(unit, function, runs, options, further)
    split = branches(runs, function.name)
    calls = warp_calls(unit, function, runs, options)
    found, booked = (bounded(unit, function, split, calls, some) for some in (found, booked))
    waits, conflicts = ordering(unit, function, runs, further, options)
    if launches and not any(launch.reached for launch in launches):
        conflicts = ()  # the program's constants keep it from being run, whatever its shape were
    whole = not failure and not any(done.machine.state.spent for done in runs)
    more = Further(unit, function, runs, found, options)
    empty = empty_reads(more) if whole else ()
    return KernelFacts(
        name=function.name,
        function=function,
        configurations=tuple(done.plan.configuration for done in runs),
        accesses=_settled(function, found),
        branches=tuple(b for b in split if b.booked == b.span),
        barriers=waits,
        races=conflicts,
        unknowns=tuple(sorted(unknowns.items(), key=lambda item: (-item[1], item[0]))),
        modelled=not failure,
        failure=failure,
        steps=sum(done.machine.state.steps for done in runs),
        budget_spent=any(done.machine.state.spent for done in runs),
        parameters=tuple(done.parameters for done in runs),
        assumptions=_bearing(function, options.assumptions),
        booked=_settled(function, booked),
        booked_branches=_with_others(split, further, function.name),
        reused=reused(runs),
        warp_calls=calls,
        stale_reads=stale_reads(function, runs, launches),
        handovers=handovers(unit, function, runs),
        waits=block_waits(unit, function, runs),
        idle_barriers=idle_barriers(more, waits) if whole and not empty else (),
        empty_reads=empty,
        dynamic_reaches=dynamic_reaches(runs),
        overruns=overruns(runs, function.name),
        private_arrays=private_arrays(more) if whole and not empty else (),
        host_reads=host_reads(
            [(run.host_reads, run.plan.configuration) for run in runs if run.host_reads is not None]
        ),
        rereads=rereads([(run.rereads, run.plan.configuration) for run in runs if run.rereads is not None])
        if whole
        else (),
        demands=demands(unit, function, [run.plan for run in runs], options) if options.demand else (),
    )


def _settled(function: Function, found: list[Access]) -> tuple[Access, ...]:
    """In source order, and with what stands on chosen template arguments marked."""
    if function.assumed:
        found = [_chosen(access, function.assumed) for access in found]
    return tuple(sorted(found, key=lambda a: (a.span.path, a.span.line, a.span.column, a.operation)))


def _bearing(function: Function, assumptions: tuple[Assumption, ...]) -> tuple[str, ...]:
    """The assumptions about the launch or a parameter of the kernel, as they are written."""
    names = {variable.name for variable in function.parameters}
    bearing = (a.text for a in assumptions if a.name in names or a.name.partition(".")[2] in ("x", "y", "z"))
    return tuple(dict.fromkeys(bearing))


def _chosen(access: Access, arguments: tuple[str, ...]) -> Access:
    """An access of a template whose arguments cudalint chose: another choice may have another number."""
    counted = access.transactions
    if counted.certainty == "exact":
        counted = replace(counted, certainty="bounded")
    return replace(access, transactions=counted, assumed=(*arguments, *access.assumed))


def _with_others(split: tuple[Branch, ...], further: list[Run], kernel: str) -> tuple[Branch, ...]:
    """With the branches that only further runs came to; what splits where data is made up, splits by data."""
    known = {branch.span for branch in split}
    sent = [run for run in further if run.machine.contents is None]
    others = [branch for branch in branches(sent, kernel) if branch.span not in known]
    known |= {branch.span for branch in others}
    made_up = [run for run in further if run.machine.contents is not None]
    by_data = (
        replace(branch, divergence="data-dependent") if branch.divergence == "divergent" else branch
        for branch in branches(made_up, kernel)
        if branch.span not in known
    )
    return (*split, *others, *by_data)


Found = tuple[list[Access], list[Access]]  # by their own places, and as booked


def _complete(
    unit: Unit, function: Function, runs: list[Run], options: ModelOptions, further: list[Run]
) -> Found:
    """Every access of the kernel: as the runs saw it, else as a further run sees it, else a record without a
    number. Further runs are added to `further`.
    """
    found, booked = accesses(runs, function.name)
    if not runs:
        missing = static.unreached(unit, function, set(), set())
        return missing, missing
    reached = _reached(unit, function, runs, options, (found, booked), further)
    return _scattered(unit, function, runs[0].plan, options, reached, further)


def _reached(
    unit: Unit,
    function: Function,
    runs: list[Run],
    options: ModelOptions,
    accessed: Found,
    further: list[Run],
) -> Found:
    """With the accesses that only a run comes to that is sent down the arms that none took."""
    found, booked = accessed
    executed = {span for done in runs for span in done.machine.touched}
    known = {(a.span, a.operation) for a in found}
    missing = static.unreached(unit, function, known, executed)
    if not missing:
        return found, booked
    targets = frozenset(access.span for access in missing)
    sent = run_plan(unit, function, runs[0].plan, options, How(targets=targets))
    further.append(sent)
    seen, seen_booked = (
        [
            replace(access, assumed=(*access.assumed, "a branch that no run took"))
            for access in some
            if (access.span, access.operation) not in known
        ]
        for some in accesses([sent], function.name)
    )
    executed |= sent.machine.touched
    rest = static.unreached(unit, function, known | {(a.span, a.operation) for a in seen}, executed)
    return found + seen + rest, booked + seen_booked + rest


def _scattered(
    unit: Unit, function: Function, plan: Plan, options: ModelOptions, accessed: Found, further: list[Run]
) -> Found:
    """With numbers for accesses whose places hang on data: those of a run that makes the data up, as one
    number between the fewest and the most transactions.
    """
    found, booked = accessed
    if not options.made_up or not any(a.transactions.certainty == "unknown" and not a.assumed for a in found):
        return accessed
    made_up = run_plan(unit, function, plan, options, How(inventing=True))
    further.append(made_up)
    counted = {
        (a.span, a.operation, a.booked): a
        for a in accesses([made_up], function.name)[1]
        if a.transactions.per_request is not None
    }
    filled = [_filled(a, counted.get((a.span, a.operation, a.booked))) for a in booked]
    own = [_filled(a, counted.get((a.span, a.operation, a.span))) for a in found]
    return own, filled


def _filled(access: Access, made_up: Access | None) -> Access:
    """The access with the made-up run's number where it has none."""
    if access.transactions.certainty != "unknown" or made_up is None or access.space != made_up.space:
        return access
    words = -(-access.bytes // 4) if access.space == "shared" else 1
    counted = replace(made_up.transactions, certainty="bounded", lower=1.0, upper=float(32 * words))
    assumed = (*access.assumed, "loaded numbers that lie apart")
    return replace(made_up, transactions=counted, data_dependent=True, made_up=True, assumed=assumed)
