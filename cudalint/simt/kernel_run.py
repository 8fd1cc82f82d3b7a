"""One run of a kernel on lane vectors."""

import numpy as np
from msgspec import Struct, field

from cudalint.assume import Assumption
from cudalint.ir.source import Span
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.simt.barriers import Barriers
from cudalint.simt.configure import Plan, enter_parameters, worlds_of
from cudalint.simt.contents import Contents
from cudalint.simt.execute import execute
from cudalint.simt.extents import Extents
from cudalint.simt.facts import Parameter
from cudalint.simt.footprints import Footprints
from cudalint.simt.guarding import Numbers
from cudalint.simt.hazards import Hazards
from cudalint.simt.host_reads import HostReads
from cudalint.simt.initialised import Initialised
from cudalint.simt.machine import Machine
from cudalint.simt.merge import Run
from cudalint.simt.owners import Owners
from cudalint.simt.parameters import parameters
from cudalint.simt.record import Recorder
from cudalint.simt.redundancy import Redundancy
from cudalint.simt.rereads import Rereads
from cudalint.simt.state import Frame, State, Stop
from cudalint.simt.tickets import Tickets
from cudalint.simt.uses import block_axes, deciders
from cudalint.simt.work import Effort
from cudalint.simt.worlds import Sizes, make

_FEW = 8  # different numbers, where they are to coincide
_INDEPENDENT_THREADS = 70  # from here on the threads of a warp do not run in step


class ModelOptions(Struct, frozen=True):
    """arch: compute capability times ten. made_up: count accesses whose places hang on data in a run of their
    own; rules do not ask for those. demand: add up what each launch asks of the memory system.
    """

    arch: int = 90
    made_up: bool = True
    assumptions: tuple[Assumption, ...] = field(default=())
    demand: bool = False


class How(Struct, frozen=True):
    """What is unlike the usual in a run. targets: accesses to come to even where a free or varying condition
    says otherwise. inventing: made-up numbers for what lanes load for themselves; coinciding: so small that
    many are the same. numbers: for parameters (by identity) that nobody knows. remembering: shared memory
    holds what is stored there. tickets: atomic additions are done in the order of the threads. blocks: those
    to run instead of the usual ones. checking: races are looked at again, with made-up data and with sizes of
    quite different scales. small: sizes are no more than the threads of a block. thorough: loops go on to
    their end, for sums over the whole launch. uncounted: of accesses and branches nothing is counted; what
    orders the threads is all that is asked for.
    """

    targets: frozenset[Span] = frozenset()
    inventing: bool = False
    coinciding: bool = False
    numbers: Numbers = field(default_factory=dict)
    remembering: bool = False
    tickets: bool = False
    blocks: tuple[tuple[int, int, int], ...] = ()
    checking: bool = False
    small: bool = False
    thorough: bool = False
    uncounted: bool = False


_PLAIN = How()


def _fits(unit: Unit, function: Function, plan: Plan) -> bool:
    """Whether every argument that decides what threads do has a number, so that the grid fits; where a
    pointer points does not matter.
    """
    arguments = plan.arguments
    if arguments is None or len(arguments) != len(function.parameters):
        return False
    deciding = deciders(unit, function)
    return all(
        a.value is not None
        or a.buffer is not None
        or isinstance(variable.type, Pointer)
        or variable.id not in deciding
        for a, variable in zip(arguments, function.parameters, strict=True)
    )


def run_plan(
    unit: Unit,
    function: Function,
    plan: Plan,
    options: ModelOptions,
    how: How = _PLAIN,
) -> Run:
    """Run a kernel once, over all worlds of one configuration."""
    axes = block_axes(unit, function)
    sizes: Sizes = "mixed" if how.checking else "small" if how.small else "usual"
    whole = _fits(unit, function, plan) and None not in plan.configuration.grid
    worlds = worlds_of(plan.configuration, whole, axes, sizes)
    if how.blocks:
        worlds = make(worlds.block, worlds.grid, how.blocks, worlds.valuations, worlds.known_grid)
    state = State(unit, worlds, worlds.everyone, np.zeros(worlds.lanes, dtype=bool))
    state.thorough = how.thorough
    recorder = Recorder(worlds, counting=not how.uncounted)
    if how.thorough:
        recorder.footprints, recorder.effort = Footprints(worlds), Effort()
    watching = not (how.targets or how.inventing or how.blocks)
    watchers = (
        Redundancy(worlds),
        Initialised(worlds, plan.configuration.dynamic_shared_bytes),
        Rereads(worlds),
        Owners(worlds),
        HostReads(worlds),
    )
    hazards = Hazards(
        worlds,
        watching,
        options.arch < _INDEPENDENT_THREADS,
        set(axes),
        watchers if how == _PLAIN else (),
    )
    if how.coinciding:
        hazards.covering = {}
    contents = None
    if how.checking:
        hazards.reached = {}
    if how.small:
        hazards.outside = set()
    if how.inventing or how.coinciding or how.checking or how.remembering:
        contents = Contents(worlds, _FEW if how.coinciding else 0, not how.remembering)
    machine = Machine(
        state,
        recorder,
        hazards,
        Barriers(worlds),
        targets=how.targets,
        contents=contents,
        tickets=Tickets(worlds) if how.tickets else None,
        extents=Extents(worlds) if how == _PLAIN else None,
    )
    failure = ""
    given: tuple[Parameter, ...] = ()
    state.frames.append(Frame(function, state.none(), state.none()))
    try:
        with np.errstate(all="ignore"):  # lanes whose numbers do not matter divide by zero and overflow
            enter_parameters(machine, function, plan, options.assumptions, how.numbers)
            given = parameters(machine, function, plan)
            if function.body is not None:
                execute(machine, function.body)
    except Stop:
        state.note("the run's budget was spent")
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
    with np.errstate(all="ignore"):
        hazards.settle()
        for watcher in hazards.watchers:
            watcher.close()
    return Run(plan, machine, failure, given, *watchers)
