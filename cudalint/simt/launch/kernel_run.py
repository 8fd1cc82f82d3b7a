"""One run of a kernel on lane vectors."""

from typing import TypeVar

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.always import always
from cudalint.analyses.data_order import used_data
from cudalint.analyses.distinct_arrays import distinct_parameters
from cudalint.analyses.grid_stride import has_grid_stride
from cudalint.analyses.guard_values import Numbers
from cudalint.analyses.index_arithmetic import of_kernel
from cudalint.analyses.kernel_queries import tells_blocks_apart
from cudalint.analyses.uses import block_axes, deciders
from cudalint.cuda.maths import floating
from cudalint.host.facts import Argument
from cudalint.ir.layout import leaves
from cudalint.ir.types import Pointer, Record, Type
from cudalint.ir.unit import Function, Unit
from cudalint.settings.assume import Assumption
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.interpret.data import MadeUpData
from cudalint.simt.interpret.dispatch import execute
from cudalint.simt.interpret.handlers import HANDLERS
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.tickets import Tickets
from cudalint.simt.launch.budget import RUN
from cudalint.simt.launch.configure import Plan, enter_parameters, samples_of
from cudalint.simt.launch.parameters import Parameter, parameters, tie_grid
from cudalint.simt.launch.ragged import Ragged, of_ragged
from cudalint.simt.requests.footprints import Footprints
from cudalint.simt.requests.record import Recorder
from cudalint.simt.requests.visits import Visits
from cudalint.simt.requests.work import Effort
from cudalint.simt.threads.barriers import Barriers
from cudalint.simt.threads.events import Events
from cudalint.simt.threads.watchers import Setting, Watch, Watcher
from cudalint.simt.values.own_stores import OwnStores
from cudalint.simt.values.samples import Sizes, make
from cudalint.simt.values.state import Frame, State, Stop
from cudalint.source.span import Span

_COMPARED = 12  # numbers that data may be equal to
_INDEPENDENT_THREADS = 70  # from here on the threads of a warp do not run in step


Seen = TypeVar("Seen", bound=Watcher)


class Run(Struct, frozen=True):
    """One finished run of a kernel."""

    plan: Plan
    machine: Machine
    failure: str = ""
    parameters: tuple[Parameter, ...] = ()
    ragged: Ragged | None = None  # of a run of just such blocks

    def seen(self, kind: type[Seen]) -> Seen:
        """What the watcher of that type saw. Raises LookupError where none looked on."""
        for watcher in self.machine.events.watchers:
            if isinstance(watcher, kind):
                return watcher
        raise LookupError(f"no {kind.__name__} watched this run")


class ModelOptions(Struct, frozen=True):
    """arch: compute capability times ten. made_up: count accesses whose places hang on data in a run of their
    own; rules do not ask for those. work: that a run may take, see budget.py. hasty: somebody waits, so the
    runs of all kernels may take little.
    """

    arch: int = 90
    made_up: bool = True
    assumptions: tuple[Assumption, ...] = field(default=())
    work: int = RUN
    hasty: bool = False


class RunMode(Struct, frozen=True):
    """What is unlike the usual in a run. targets: accesses to come to even where a free or varying condition
    says otherwise. inventing: made-up numbers for what lanes load for themselves. arbitrary: memory holds
    data that is arbitrary, but the same for the same address; atomics are done in the order of the threads.
    numbers: for parameters (by identity) that nobody knows. remembering: shared memory holds what is stored
    there. tickets: atomic additions are done in the order of the threads. blocks: those to run instead of the
    usual ones; ragged: likewise, others under each valuation. checking: races are looked at again, with
    made-up data and with sizes of quite different scales. small: sizes are no more than the threads of a
    block; equal: one for everything that nobody knows. thorough: loops go on to their end, for sums over the
    whole launch. uncounted: of accesses and branches nothing is counted; what orders the threads is all that
    is asked for.
    """

    targets: frozenset[Span] = frozenset()
    inventing: bool = False
    arbitrary: bool = False
    numbers: Numbers = field(default_factory=dict)
    remembering: bool = False
    tickets: bool = False
    blocks: tuple[tuple[int, int, int], ...] = ()
    ragged: Ragged | None = None
    checking: bool = False
    small: bool = False
    equal: bool = False
    thorough: bool = False
    uncounted: bool = False


PLAIN = RunMode()


def _fits(unit: Unit, function: Function, plan: Plan) -> bool:
    """Whether every argument that decides what threads do has a number, so that the grid fits; where a
    pointer points does not matter, nor do numbers with a fraction, which say no size.
    """
    arguments = plan.arguments
    if arguments is None or len(arguments) != len(function.parameters):
        return False
    deciding = deciders(unit, function)
    return all(
        a.value is not None
        or a.buffer is not None
        or isinstance(variable.type, Pointer)
        or floating(variable.type)
        or _fields_known(unit, variable.type, a)
        or variable.id not in deciding
        for a, variable in zip(arguments, function.parameters, strict=True)
    )


def _fields_known(unit: Unit, type: Type, argument: Argument) -> bool:
    """Whether every integer in a struct has a value."""
    told = {at for at, part in argument.fields if part.value is not None}
    return isinstance(type, Record) and all(
        at in told or isinstance(kind, Pointer) or floating(kind) for at, kind in leaves(unit, type)
    )


def _numbers(function: Function, mode: RunMode) -> Numbers:
    """The numbers for parameters; those of ragged blocks by valuation."""
    if mode.ragged is None:
        return mode.numbers
    places = {variable.id: at for at, variable in enumerate(function.parameters)}
    return {
        variable: tuple(numbers[(v - places[variable]) % len(numbers)] for v in range(len(numbers)))
        for variable, numbers in mode.ragged.numbers.items()
        if variable in places
    }


def _made_up(m: Machine, function: Function, options: ModelOptions) -> MadeUpData:
    """Data for the kernel, which may be what it compares data with."""
    used = used_data(m.unit, function)
    given = (m.state.variables[number].slots.get(0) for number in used.parameters)
    numbers = (value.data for value in given if value is not None and value.known is True)
    assumed = {a.name for a in options.assumptions if a.operator == "distinct"}
    distinct = distinct_parameters(m.unit, function) | assumed
    return MadeUpData(m.state.samples, used, distinct, (*used.compared, *numbers)[:_COMPARED])


def _watched_arithmetic(unit: Unit, function: Function, plan: Plan, watch: Watch) -> frozenset[int]:
    """What becomes an index, where someone looks on and a launch gives all sizes."""
    asked = plan.configuration.told_whole and any(kind.arithmetic is not Watcher.arithmetic for kind in watch)
    return frozenset(of_kernel(unit, function).nodes) if asked else frozenset()


def run_plan(
    unit: Unit,
    function: Function,
    plan: Plan,
    options: ModelOptions,
    mode: RunMode = PLAIN,
    watch: Watch = (),
) -> Run:
    """Run a kernel once, over all samples of one configuration. watch: who looks on."""
    axes = block_axes(unit, function)
    sizes: Sizes = "mixed" if mode.checking else "small" if mode.small else "equal" if mode.equal else "usual"
    whole = _fits(unit, function, plan) and None not in plan.configuration.grid
    samples = samples_of(plan.configuration, whole, axes, sizes, has_grid_stride(unit, function))
    if mode.blocks:
        samples = make(samples.block, samples.grid, mode.blocks, samples.valuations, samples.known_grid)
    if mode.ragged is not None:
        samples = of_ragged(samples, mode.ragged)
    state = State(
        unit,
        samples,
        samples.everyone,
        np.zeros(samples.lanes, dtype=bool),
        allowed=options.work,
        thorough=mode.thorough,
    )
    recorder = Recorder(samples, counting=not mode.uncounted)
    if mode.thorough:
        recorder.footprints, recorder.effort = Footprints(samples), Effort()
    setting = Setting(
        samples,
        plan.configuration.dynamic_shared_bytes,
        options.arch < _INDEPENDENT_THREADS,
        frozenset(axes),
        mode.arbitrary,
        mode.checking,
        mode.small,
        mode.ragged is not None,
        not tells_blocks_apart(unit, function),
        always(unit, function),
    )
    events = Events(samples, tuple(kind.begin(setting) for kind in watch))
    contents = None
    if mode.inventing or mode.arbitrary or mode.checking or mode.remembering:
        contents = Contents(samples, not mode.remembering)
    machine = Machine(
        HANDLERS,
        state,
        recorder,
        events,
        Barriers(samples),
        OwnStores(samples.sample),
        visits=None if mode.uncounted else Visits(samples.count),
        targets=mode.targets,
        contents=contents,
        tickets=Tickets(samples) if mode.tickets else None,
        ragged=mode.ragged is not None,
        indexing=_watched_arithmetic(unit, function, plan, watch),
    )
    failure = ""
    given: tuple[Parameter, ...] = ()
    state.frames.append(Frame(function, state.none(), state.none()))
    try:
        with np.errstate(all="ignore"):  # lanes whose numbers do not matter divide by zero and overflow
            enter_parameters(machine, function, plan, options.assumptions, _numbers(function, mode))
            tie_grid(machine, function, plan)
            given = parameters(machine, function, plan)
            if mode.arbitrary:
                machine.data = _made_up(machine, function, options)
            if function.body is not None:
                execute(machine, function.body)
    except Stop:
        pass  # what it came to so far stands
    except RecursionError:
        failure = "expressions nested deeper than the model follows"
    except (
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        AssertionError,
        MemoryError,
    ) as error:
        failure = f"the model failed: {type(error).__name__}: {error}"
    if state.spent:
        state.note("the run's budget was spent")
    with np.errstate(all="ignore"):
        events.close()
    machine.forget()
    return Run(plan, machine, failure, given, mode.ragged)
