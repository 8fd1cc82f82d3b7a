"""Runs every kernel of a unit and concludes the facts that are asked for."""

from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from cudalint.analyses import kernel_queries
from cudalint.analyses.collective_blocks import collective_block
from cudalint.host.facts import HostFacts, LaunchFact, TextLaunch
from cudalint.ir.unit import Function, Unit
from cudalint.settings.assume import Assumption
from cudalint.simt.facts.catalogue import in_order, usual
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.kernel import KernelFacts, Modelling
from cudalint.simt.launch.budget import Budget, hasty
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import ModelOptions, Run, run_plan

__all__ = ["ModelOptions", "listed", "run", "run_kernel"]

_INSTANCES = 4  # instantiations of one kernel template that are run


Elsewhere = Callable[[Function], tuple[TextLaunch, ...]]


def _nowhere(function: Function) -> tuple[TextLaunch, ...]:
    return ()


def run(
    unit: Unit,
    host: HostFacts,
    options: ModelOptions,
    wanted: Iterable[type] | None = None,
    elsewhere: Elsewhere = _nowhere,
) -> tuple[KernelFacts, ...]:
    """Every kernel of the unit with the facts of the wanted types (None: all that take no runs of their own),
    in the order of `unit.kernels`, those that libraries make last, with what the others leave of the budget;
    of a template's many instantiations _INSTANCES that differ, launched ones before others. Once the file's
    budget is spent, only one instantiation of a kernel is run, with one shape. elsewhere: what the text of
    the project tells of launches, asked where the unit tells no block.
    """
    order = in_order(usual() if wanted is None else wanted)
    chosen = _chosen(unit, {launch.key for launch in host.every})
    done: dict[str, KernelFacts] = {}
    budget, seen = hasty() if options.hasty else Budget(), set[tuple[str, int, int]]()
    own = [key for key in unit.kernels if key in chosen and not unit.functions[key].made]
    keys = [*own, *(key for key in unit.kernels if key in chosen and unit.functions[key].made)]
    for number, key in enumerate(keys, 1):
        function = unit.functions[key]
        definition = _definition(function)
        brief = budget.left <= 0
        if brief and definition in seen:
            continue
        part = budget.kernel(len(keys if function.made else own) - number)
        done[key] = _concluded(unit, function, host, options, order, part, brief, elsewhere)
        budget.spend(done[key].modelling.work)
        seen.add(definition)
    for fact in order:
        if fact.settle is not None:
            kind = fact.of[0]
            kept = fact.settle(unit, {key: one.of(kind) for key, one in done.items()})
            done = {key: replace(one, facts=one.facts | {kind: kept[key]}) for key, one in done.items()}
    return tuple(done.values())


def listed(unit: Unit, host: HostFacts) -> tuple[KernelFacts, ...]:
    """The kernels that `run` would run, of which nothing is asked."""
    chosen = _chosen(unit, {launch.key for launch in host.every})
    functions = (unit.functions[key] for key in unit.kernels if key in chosen)
    return tuple(KernelFacts(function.name, function, (), {}) for function in functions)


def _chosen(unit: Unit, launched: set[str | None]) -> set[str]:
    """The keys of the kernels to run: of those that libraries make, the ones that the program comes to."""
    templates: dict[tuple[str, int, int], list[Function]] = {}
    for key in sorted(unit.kernels, key=lambda key: key not in launched):
        function = unit.functions.get(key)
        if function is not None and (key in launched or not function.made):
            definition = _definition(function)
            templates.setdefault(definition, []).append(function)
    return {one.key for instances in templates.values() for one in _unlike(instances, launched)}


def _definition(function: Function) -> tuple[str, int, int]:
    """What all instances of a kernel template share: where it stands."""
    extent = function.extent
    return extent.path, extent.line, extent.column


def _unlike(instances: list[Function], launched: set[str | None]) -> list[Function]:
    """The first one, then always the one that differs most from those before: launched ones before others, by
    how few of its template arguments each of them shares with it.
    """
    chosen, rest = instances[:1], instances[1:]
    shared = [0] * len(rest)
    while rest and len(chosen) < _INSTANCES:
        last = chosen[-1].template_arguments
        shared = [
            max(most, sum(a == b for a, b in zip(last, one.template_arguments, strict=False)))
            for most, one in zip(shared, rest, strict=True)
        ]
        at = min(range(len(rest)), key=lambda at: (rest[at].key not in launched, shared[at], at))
        chosen.append(rest.pop(at))
        shared.pop(at)
    return chosen


def run_kernel(
    unit: Unit,
    function: Function,
    host: HostFacts,
    options: ModelOptions,
    wanted: Iterable[type] | None = None,
) -> KernelFacts:
    """The facts of one kernel; a failure of the model leaves it marked as not modelled, with unknown
    accesses.
    """
    order = in_order(usual() if wanted is None else wanted)
    return _concluded(unit, function, host, options, order, Budget())


def _concluded(
    unit: Unit,
    function: Function,
    host: HostFacts,
    options: ModelOptions,
    order: tuple[Fact, ...],
    budget: Budget,
    brief: bool = False,
    elsewhere: Elsewhere = _nowhere,
) -> KernelFacts:
    kernel = _run(unit, function, host, options, order, budget, brief, elsewhere)
    for fact in order:
        kernel.found.update(zip(fact.of, fact.conclude(kernel), strict=True))
    return KernelFacts(
        name=function.name,
        function=function,
        configurations=tuple(done.plan.configuration for done in kernel.runs),
        facts=kernel.found,
        modelling=_modelling(kernel, brief),
        parameters=tuple(done.parameters for done in kernel.runs),
        assumptions=_bearing(function, options.assumptions),
    )


def _run(
    unit: Unit,
    function: Function,
    host: HostFacts,
    options: ModelOptions,
    order: tuple[Fact, ...],
    budget: Budget,
    brief: bool,
    elsewhere: Elsewhere,
) -> KernelRuns:
    """One run a configuration, watched by what the facts want to see; brief: of the first alone."""
    launches = tuple(launch for launch in host.every if launch.key == function.key) or _written(
        function, host
    )
    watch = tuple(dict.fromkeys(watcher for fact in order for watcher in fact.watch))
    defaults = tuple(launch for launch in host.defaults if launch.key == function.key)
    runs: list[Run] = []
    regular = budget.run(0)
    if function.body is not None:
        alone = not kernel_queries.tells_threads_apart(unit, function)
        launched = function.name in unit.launched
        collective = None if function.assumed else collective_block(unit, function)
        further = partial(elsewhere, function)
        shapes = plans(
            function, launches, options.assumptions, alone, launched, defaults, collective, further
        )
        shapes = shapes[: 1 if brief else None]
        for number, plan in enumerate(shapes, 1):
            if options.hasty and budget.left <= 0:
                break
            own = replace(options, work=budget.run(len(shapes) - number))
            runs.append(run_plan(unit, function, plan, own, watch=watch))
            budget.spend(runs[-1].machine.state.work)
    trials = tuple(launch for launch in host.trials if launch.key == function.key)
    rest = replace(options, work=budget.further(regular))
    return KernelRuns(unit, function, launches, rest, watch, runs, defaults, trials)


def _written(function: Function, host: HostFacts) -> tuple[LaunchFact, ...]:
    """The launches of a kernel in templates that nothing instantiates: they say what they launch by name."""
    found = (launch for launch in host.written if launch.key in (None, function.key))
    count = len(function.parameters)
    return tuple(
        replace(launch, key=function.key)
        for launch in found
        if launch.name == function.name and len(launch.arguments or ()) == count
    )


def _modelling(kernel: KernelRuns, brief: bool) -> Modelling:
    states = [done.machine.state for done in kernel.runs]
    unknowns: dict[str, int] = {}
    for state in states:
        for reason, count in state.unknowns.items():
            unknowns[reason] = unknowns.get(reason, 0) + count
    return Modelling(
        failure=kernel.failure,
        unknowns=tuple(sorted(unknowns.items(), key=lambda item: (-item[1], item[0]))),
        work=sum(state.work for state in states),
        budget_spent=brief or any(state.spent for state in states),
    )


def _bearing(function: Function, assumptions: tuple[Assumption, ...]) -> tuple[str, ...]:
    """The assumptions about the launch or a parameter of the kernel, as they are written."""
    names = {variable.name for variable in function.parameters}
    bearing = (a.text for a in assumptions if a.name in names or a.name.partition(".")[2] in ("x", "y", "z"))
    return tuple(dict.fromkeys(bearing))
