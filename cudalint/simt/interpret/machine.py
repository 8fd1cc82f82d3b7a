"""The state of one run, which every handler of the interpreter is given."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, field

from cudalint.analyses.loads_in_both import Both
from cudalint.analyses.locks import Study, study
from cudalint.analyses.waiting_functions import only_calls
from cudalint.cuda.spaces import BarrierScope
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.interpret.data import MadeUpData
from cudalint.simt.interpret.margins import Margin
from cudalint.simt.interpret.settled_loops import Settling
from cudalint.simt.interpret.tickets import Tickets
from cudalint.simt.requests.record import Recorder
from cudalint.simt.requests.reuse import Registers
from cudalint.simt.requests.visits import Visits
from cudalint.simt.requests.wide import Neighbours
from cudalint.simt.threads.barriers import Barriers
from cudalint.simt.threads.events import Events
from cudalint.simt.threads.warp_calls import WarpCalls
from cudalint.simt.values.interned import Interned
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.own_stores import OwnStores
from cudalint.simt.values.state import Place, Result, State
from cudalint.source.span import Span


class Handlers(Struct, frozen=True):
    """The functions that run a node, by the type of the node; they run its operands through the machine."""

    expressions: "Mapping[type, Callable[[Machine, Any], Result]]"
    places: "Mapping[type, Callable[[Machine, Any], Place]]"  # of expressions as lvalues
    statements: "Mapping[type, Callable[[Machine, Any], None]]"


class Machine(Struct):
    """The state of one run of a kernel."""

    handlers: Handlers
    state: State
    recorder: Recorder
    events: Events
    barriers: Barriers
    own_stores: OwnStores  # what threads read back of what they stored
    visits: Visits | None = None  # of statements, in a run that counts
    touched: set[Span] = field(default_factory=set)  # spans of the lvalues that some lane evaluated
    loaded: Value | None = None  # address of the last load
    source: Value | None = None  # address that the value now being stored was loaded from
    targets: frozenset[Span] = frozenset()  # accesses to execute even against conditions
    wanted: dict[int, bool] = field(default_factory=dict)  # whether a node, by identity, holds a target
    loops: dict[int, object] = field(default_factory=dict)  # counters and unrolling, by identity
    arms: set[tuple[int, bool]] = field(default_factory=set)  # taken so far: `if`, by identity, and side
    varied: set[int] = field(default_factory=set)  # what a condition, that could be otherwise, decides on
    settling: Settling = field(default_factory=Settling)
    harmless: dict[int, bool] = field(default_factory=dict)  # expressions, by identity
    in_both: dict[int, Both] = field(default_factory=dict)  # loads of `?:`, by identity
    made: frozenset[int] = frozenset()  # loads that were made before the arms that name them, by identity
    contents: Contents | None = None  # of shared memory, in a run that makes up what lanes load
    data: MadeUpData | None = None  # what memory holds, in a run that looks for races that data decides
    tickets: Tickets | None = None  # what atomic additions return, in a run that takes threads in order
    masks: Interned = field(default_factory=Interned)
    addresses: Interned = field(default_factory=Interned)
    registers: Registers = field(default_factory=Registers)
    neighbours: Neighbours = field(default_factory=Neighbours)
    warps: WarpCalls = field(default_factory=WarpCalls)
    margins: dict[int, Margin] = field(default_factory=dict)  # of comparisons with a free size, by identity
    ragged: bool = False  # the run is one of ragged blocks: iterations that they do not make are not missing
    indexing: frozenset[int] = frozenset()  # arithmetic that somebody watches, by identity
    functions: dict[int, e.FunctionReference] = field(default_factory=dict)  # by the addresses taken of them
    resolved: dict[tuple[int, int], e.Call] = field(default_factory=dict)  # by identity and address called
    partly: bool = False  # in a loop that the compiler may unroll in part

    def enter(self) -> None:
        """An arm or an iteration begins."""
        self.registers.enter()
        self.neighbours.end()

    def leave(self) -> None:
        """An arm or an iteration ends."""
        self.registers.leave()
        self.neighbours.end()

    def forget(self) -> None:
        """The run has ended: what was kept so that nothing is worked out twice takes memory for nothing."""
        self.masks, self.addresses, self.registers = Interned(), Interned(), Registers()
        self.recorder.forget()
        self.own_stores.forget()
        if self.visits is not None:
            self.visits.forget()

    def fence(self) -> None:
        """Memory may be changed by others, or by what nobody sees into."""
        self.registers.anything_written()
        self.neighbours.end()
        self.own_stores.forget()

    def barrier(self, node: e.Expression | s.Opaque, scope: BarrierScope) -> None:
        """The active lanes come to a barrier."""
        state, place = self.state, self._place(node.span)
        self.barriers.reached(node, state, scope, place)
        self.events.barrier(node, scope, place, state.mask, not state.doubtful, state.tested)

    def _place(self, span: Span) -> Span:
        """Where a barrier stands: one in a function that does nothing else, where that is called."""
        for frame in reversed(self.state.frames):
            if frame.call is None or not only_calls(self.unit, frame.function):
                break
            span = frame.call
        return span

    @property
    def unit(self) -> Unit:
        return self.state.unit

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Accesses that race with nobody, though they look so."""
        racing, self.events.racing = self.events.racing, False
        try:
            yield
        finally:
            self.events.racing = racing

    @property
    def study(self) -> Study:
        """What the function that is being run waits for."""
        return study(self.state.unit, self.state.frames[-1].function)
