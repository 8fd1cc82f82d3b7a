"""What a run of the host model carries: the unit, memory, budgets, and the log of launches and calls."""

import contextlib
import math
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.cuda_reach import Reach, runs_on_host
from cudalint.analyses.plain_writes import Members
from cudalint.host.facts import Buffer, HostCall, HostOverflow, MemorySpace, Rounds, Stream, Turn, Use
from cudalint.host.forms import symbol
from cudalint.host.fresh import Fresh
from cudalint.host.log import Log, Reads, Stage, Task
from cudalint.host.memory import EMPTY, LOST, MOST_BYTES, ZERO, Contents, State, merge_states
from cudalint.host.sizes import Sizes
from cudalint.host.values import (
    GUESS,
    UNKNOWN,
    Address,
    Callee,
    Moment,
    Unknown,
    Value,
    candidates,
    is_structure,
    near,
    sampled,
    size_of,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.statements import Statement
from cudalint.ir.unit import Function, Unit
from cudalint.source.span import Span

STEPS_PER_ENTRY = 30_000  # expressions evaluated before loops are no longer unrolled
STEPS_PER_UNIT = 75_000  # the same for all entry points together
MOST_STEPS = 120_000  # that end the walk
LEAST_STEPS = 1_500  # that an entry point has where it launches a kernel, whatever the others took
MERGES_PER_STEP = 8  # merged cells that cost about as much as an expression
MOST_CALLS = 1_500  # logged calls an entry point
DEPTH = 14  # of inlined calls
RECENT = 16  # entries of a log among which a repeat in a loop is looked for


class OutOfBudget(Exception):
    """The walk of one entry point took too long; what it found so far stands."""


class Frame(Struct):
    """One inlined function: where its returns go. this: where the object is whose method it is."""

    function: Function
    site: Span
    this: Value | None = None
    returned: State | None = None
    value: Value | None = None
    scopes: list[tuple[Statement, ...]] = field(default_factory=list)  # the blocks that control is in


class LoopFrame(Struct):
    """The innermost loop or switch: where break and continue go. depth: of the scopes round it."""

    breaks: State | None = None
    continues: State | None = None
    switch: bool = False  # a switch: `continue` passes through it
    depth: int = 0


class Machine(Struct):
    """The state of a walk. run_function is injected: expressions call functions, which hold expressions."""

    unit: Unit
    reach: Reach
    run_function: (
        "Callable[[Machine, Function, tuple[Value, ...], tuple[Value, ...], Value | None, Span], Value]"
    )
    state: State = field(default_factory=State)
    log: Log = field(default_factory=Log)
    frames: list[Frame] = field(default_factory=list)
    loops: list[LoopFrame] = field(default_factory=list)
    iterations: list[int | str] = field(default_factory=list)
    loop_ids: list[int] = field(default_factory=list)
    buffers: dict[int, Buffer] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    handles: dict[str, Hashable] = field(default_factory=dict)  # what names of streams and events stand for
    watched: set[int] = field(default_factory=set)  # objects that a copy filled: their uses are logged
    closures: dict[str, State] = field(default_factory=dict)  # memory as they are made first, by key
    element_sizes: dict[int, int] = field(default_factory=dict)  # bytes, of arrays of objects
    classes: dict[tuple[int, int], str] = field(default_factory=dict)  # made at (object, offset)
    compared: set[int] = field(default_factory=set)  # numbers compared with unknown ones: guards of launches
    conditions: list[int] = field(default_factory=list)  # branches whose conditions are not known, by id
    captures: set[str] = field(default_factory=set)  # streams whose work goes into a graph
    working: e.Call | None = None  # the call of an algorithm whose launches are looked for
    recording: str = ""  # the graph that it goes into
    graphs: dict[Hashable, int] = field(default_factory=dict)  # numbers of graphs, by where they are recorded
    results: dict[str, set[int]] = field(default_factory=dict)  # objects that copies of a graph fill
    library_streams: dict[str, str] = field(default_factory=dict)  # by the names of libraries' handles
    results_on_device: set[str] = field(default_factory=set)  # handles whose calls return numbers there
    watches: dict[Hashable, Moment] = field(default_factory=dict)  # stop watches that run, by their variable
    lossy: bool = False  # the frontend lost code: what nobody was seen to write may still be written
    keys: dict[int, dict[object, int]] = field(default_factory=dict)  # of maps: elements, by their storage
    freed: set[int] = field(default_factory=set)  # allocations that some code frees
    fresh: Fresh = field(default_factory=Fresh)
    deleters: dict[int, tuple[Callee, e.Construct | e.Call]] = field(default_factory=dict)  # by what is owned
    frees_unknown: bool = False  # some code frees what nobody knows, or everything
    thread_waits: set[Span] = field(default_factory=set)  # places that wait for other threads
    strange_threads: bool = False  # some thread runs what nobody knows
    tasks: dict[str, Task] = field(default_factory=dict)  # of threads, by the function that they run
    muted: int = 0  # in code that touches no CUDA: only its reads are logged
    steps: int = 0
    entry_limit: int = STEPS_PER_ENTRY
    last_step: int = MOST_STEPS  # of the entry point that is walked
    entry: str = ""
    in_main: bool = False
    words: int | None = None  # argc of `main`, where it is assumed
    command: tuple[str, ...] = ()  # the words on the command line of `main`, where they are assumed
    quiet: bool = False  # only launches and calls are asked for, not what else the host accesses
    sizes: Sizes | None = None  # for what the command line or a caller chooses, where they are assumed
    visited: set[str] = field(default_factory=set)
    numeric: dict[str, Members | None] = field(default_factory=dict)  # what functions write, by key
    fatal: dict[str, bool] = field(default_factory=dict)  # records whose end calls CUDA, by name
    discovering: int = 0  # what the loops round here change is looked for: nothing is kept
    ending: int = 0  # in arms that end the program: functions that touch no CUDA are not followed
    unreached: int = 0  # in code that the program's constants keep control from
    explored: set[int] = field(default_factory=set)  # ids of statements that were looked into that way
    dirty_globals: frozenset[int] = frozenset()
    next_loop: int = 0
    rounds: dict[int, Rounds] = field(default_factory=dict)  # of loops with CUDA calls, by id
    outcomes: dict[int, e.Expression] = field(default_factory=dict)  # of unknown conditions, by variable
    arms: dict[tuple[int, object], int] = field(default_factory=dict)
    variables: set[int] = field(default_factory=set)  # objects that are variables
    places: dict[int, Address] = field(default_factory=dict)  # of variables of functions, by id
    ended: dict[int, Turn] = field(default_factory=dict)  # memory given back: where
    grown: set[Address] = field(default_factory=set)  # lengths that the loop that is run adds to
    counted: set[Address] = field(default_factory=set)  # integers that it adds to
    long: set[Span] = field(default_factory=set)  # loops of plain code that were too long to be unrolled
    widened: dict[int, tuple[State, State]] = field(default_factory=dict)  # by loop: begun and settled
    overflows: dict[int, HostOverflow] = field(default_factory=dict)  # by identity of the operation
    tight: dict[int, HostOverflow] = field(default_factory=dict)  # the largest of each, too
    stages: dict[str, dict[int, Stage]] = field(default_factory=dict)  # by entry point and statement
    rests: dict[str, list[Reads]] = field(default_factory=dict)  # likewise, what is read from there on
    earlier: "Machine | None" = None  # that has walked the same code with other numbers
    ids: dict[Hashable, int] = field(default_factory=dict)  # of objects, by what they are
    lasts: list[int] = field(default_factory=list)  # of the first `looked` of them, those that last
    looked: int = 0
    asked: set[str] = field(default_factory=set)  # entry points that look at the words of the command line

    # --- budgets ---

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.last_step:
            raise OutOfBudget

    @property
    def thrifty(self) -> bool:
        """Loops are no longer unrolled."""
        return self.steps > self.entry_limit

    def may_enter(self, function: Function) -> bool:
        """Whether a function of the host can be run inline here: not again inside itself."""
        if function.body is None or not runs_on_host(function) or function.dependent:
            return False
        return len(self.frames) < DEPTH and all(f.function.key != function.key for f in self.frames)

    @contextlib.contextmanager
    def another_walk(self, key: str, log: Log) -> Iterator[None]:
        """What is done here belongs to another thread, and has a log of its own."""
        outer = self.log, self.entry, self.loop_ids, self.iterations, self.conditions
        muted, self.muted = self.muted, 0
        self.log, self.entry, self.loop_ids, self.iterations, self.conditions = log, key, [], [], []
        try:
            yield
        finally:
            self.log, self.entry, self.loop_ids, self.iterations, self.conditions = outer
            self.muted = muted

    # --- objects ---

    def _object(
        self, key: Hashable, space: MemorySpace, size: int | None, name: str, span: Span | None
    ) -> int:
        number = self.ids.setdefault(key, len(self.ids) + 1)
        if number not in self.buffers:
            self.buffers[number] = Buffer(number, space, size, name, span)
        return number

    def variable(self, variable: e.Variable) -> int:
        """The object of a variable; of a reference, what it refers to, which may be part of anything."""
        variable = self.unit.variables.get(variable.id, variable) if variable.extern else variable
        key = ("variable", variable.id)
        known = self.ids.get(key, 0)
        if known in self.buffers:
            return known
        refers = isinstance(variable.type, t.Reference)
        size = None if refers else variable.type.bytes or None
        space: MemorySpace = "unknown" if refers else _space(variable)
        number = self._object(key, space, size, variable.name, variable.span)
        self.variables.add(number)
        return number

    def instance(self, type_: t.Record) -> Address:
        """The one object of a class that code outside of the unit makes."""
        return Address(self._object(("instance", type_.name), "pageable", type_.bytes, type_.name, None))

    def command_line(self) -> tuple[Value, ...]:
        """argc and argv of `main`, as far as they are assumed."""
        if not self.command:
            return (self.words,) if self.words is not None else ()
        words = Address(self._object(("command line",), "pageable", None, "argv", None), 0)
        for at, word in enumerate(self.command, 1):
            self.state.store(replace(words, offset=8 * at), word, 8)
        return len(self.command) + 1, words

    def next_word(self) -> Address:
        """Where the number of the word is kept that getopt looks at next."""
        place = Address(self._object(("next word",), "pageable", 8, "optind", None), 0)
        if place.object not in self.state.objects:
            self.state.store(place, 1, 8)
        return place

    def allocate(
        self, made: e.Expression, space: MemorySpace, size: Value | None, name: str, zero: bool = False
    ) -> Address:
        """A new allocation: one object a site, inlining, object whose method makes it and iteration. A macro
        has several at one place.
        """
        known_bytes, form = size_of(size)
        context = tuple((frame.site, frame.this) for frame in self.frames)
        key = ("allocation", id(made), name, context, tuple(self.iterations))
        new = key not in self.ids
        number = self._object(key, space, known_bytes, name, made.span)
        known = self.buffers[number]
        if new:
            self.buffers[number] = replace(known, form=form)
        elif (known.space, known.bytes, known.form) != (space, known_bytes, form):
            same = known.bytes if known.bytes == known_bytes else None
            self.buffers[number] = replace(known, space=space, bytes=same, form=form)
        self.state.objects.pop(number, None)
        if zero:
            self.state.objects[number] = ZERO
        return Address(number, 0)

    def storage(
        self, holder: Address, space: MemorySpace, index: int = 0, made: tuple[int | str, ...] = ()
    ) -> Address:
        """The elements of the container that stands at a place; of one of several there, by an index; of one
        that is new there, by the iterations that it was made in.
        """
        key = ("storage", holder.object, holder.offset, holder.near, index, made)
        name = self.buffers[holder.object].name if holder.object in self.buffers else ""
        return Address(self._object(key, space, None, name, None), 0)

    def of_the_host(self, holder: Address, variable: e.Variable) -> Address:
        """What a variable points to by the word of a copy: another object each time it was written."""
        key = ("host", holder, self.state.writes.get(holder.object, 0))
        return Address(self._object(key, "host", None, variable.name, None), 0)

    def lost(self, holder: Value, new: Address) -> Buffer | None:
        """The allocation that nothing points to once a new one stands at a place, if no code has freed it."""
        if not isinstance(holder, Address) or holder.offset is None or self.frees_unknown:
            return None
        old = self.state.load(holder, 8, False)
        if not isinstance(old, Address) or old.object == new.object or old.object in self.freed:
            return None
        for number, contents in self.state.objects.items():
            for offset, cell in contents.cells.items():
                if old.object in candidates(cell) and (number, offset) != (holder.object, holder.offset):
                    return None
        known = self.buffers.get(old.object)
        return known if known is not None and known.space != "pageable" else None

    def resize(self, number: int, size: Value | None) -> None:
        """An allocation changes its size."""
        known = self.buffers.get(number)
        if known is not None:
            known_bytes, form = size_of(size)
            self.buffers[number] = replace(known, bytes=known_bytes, form=form)

    def name_buffer(self, allocation: int, holder: int, member: str = "") -> None:
        """An allocation without a name is called after the variable or member that it is stored in."""
        known, variable = self.buffers.get(allocation), self.buffers.get(holder)
        unnamed = (
            known is not None and not known.name and not member.startswith("cudalint_")
        )  # of the headers
        if known is not None and variable is not None and unnamed:
            self.buffers[allocation] = replace(known, name=member or variable.name)

    def set_space(self, value: Value, space: MemorySpace) -> None:
        """cudaHostRegister and its opposite. Under a condition, or for one of several: not known any more."""
        objects = candidates(value)
        sure = len(objects) == 1 and not self.conditions
        for number in objects:
            if number in self.buffers:
                self.buffers[number] = replace(self.buffers[number], space=space if sure else "unknown")

    def space(self, value: Value) -> MemorySpace:
        """The memory space that a pointer points into, when all its candidates agree."""
        spaces = {self.buffers[n].space for n in candidates(value) if n in self.buffers}
        return spaces.pop() if len(spaces) == 1 else "unknown"

    def buffer(self, value: Value) -> Buffer | None:
        """The one allocation a pointer points into."""
        objects = candidates(value)
        return self.buffers.get(next(iter(objects))) if len(objects) == 1 else None

    def forget(self, value: Value, seen: set[int] | None = None, depth: int = 0) -> None:
        """Unknown code may have written through a pointer: drop what it reaches."""
        seen = seen if seen is not None else set()
        for number in candidates(value):
            if number in seen or depth > 3:
                continue
            seen.add(number)
            contents = self.state.objects.get(number)
            if contents is not None:
                for cell in list(contents.cells.values()):
                    self.forget(cell, seen, depth + 1)
            self.note_use(Address(number), write=True)
            self.state.forget(number)

    def forget_object(self, value: Value, size: int) -> None:
        """The same, through a pointer to an object of that many bytes, which may be part of another one."""
        if not isinstance(value, Address) or not 0 < size <= MOST_BYTES:
            self.forget(value)
            return
        start, stride = near(value), None if value.offset is not None else value.stride
        contents = self.state.objects.get(value.object, LOST)
        if stride is not None and stride < size:
            self.forget(value)
            return
        cells = {**dict.fromkeys(range(start, start + size, 4), UNKNOWN), **contents.cells}
        for offset, cell in contents.cells.items():
            if (offset - start if stride is None else (offset - start) % stride) in range(size):
                self.forget(cell)
                cells[offset] = UNKNOWN
        self.note_use(value, write=True)
        self.state.writes[value.object] = self.state.writes.get(value.object, 0) + 1
        self.state.objects[value.object] = Contents(cells, contents.default)

    def forget_numbers(self, value: Value) -> None:
        """Unknown code may have written numbers through a pointer, but no pointers or handles."""
        for number in candidates(value):
            self.note_use(Address(number), write=True)
            contents = self.state.objects.get(number, LOST)
            self.state.writes[number] = self.state.writes.get(number, 0) + 1
            cells = {k: v for k, v in contents.cells.items() if is_structure(v)}
            self.state.objects[number] = Contents(cells, UNKNOWN)

    def forget_elements(self, value: Value, depth: int = 0) -> None:
        """The same where objects hold numbers alone, and for what is reached by the pointers of others."""
        for number in candidates(value):
            contents = self.state.objects.get(number, LOST)
            cells = [v for v in contents.cells.values() if is_structure(v) and number not in candidates(v)]
            if not cells:
                self.forget_numbers(Address(number))
            elif depth <= 3:
                for cell in cells:
                    self.forget_elements(cell, depth + 1)

    def copy_contents(self, origin: Value, target: Address) -> None:
        """The one object holds what the other one does."""
        contents = self.state.objects.get(origin.object, EMPTY) if isinstance(origin, Address) else LOST
        self.state.objects[target.object] = contents

    def anew(self) -> Unknown:
        """A number from where nobody can see: another one in every iteration, by no rule."""
        number = self.iterations[-1] if self.iterations else None
        return sampled(1, GUESS + number * number) if isinstance(number, int) else UNKNOWN

    def formed(self, place: Address, value: Unknown) -> Unknown:
        """A number read from a place, with what it is made of: if nothing is known, the place between two
        writes to it, or itself where nobody knows the place. Iterations that are run to see what a loop
        changes have no such places.
        """
        if "*" in self.iterations:
            return replace(value, form=None) if value.form is not None else value
        if value.form is not None:
            return value
        if place.offset is None:
            return replace(value, form=symbol(f"{place.object}.?.{self.steps}"))
        count = self.state.writes.get(place.object, 0)
        value = replace(value, form=symbol(f"{place.object}.{place.offset}.{count}"))
        self.state.keep(place.object, place.offset, value)
        return value

    def note_use(self, value: Value, write: bool = False) -> None:
        """The host reads or writes memory that a copy filled."""
        if self.quiet:
            return
        for number in candidates(value) & self.watched:
            use = Use(self.entry, len(self.log.calls), number, write, tuple(self.loop_ids))
            if use not in self.log.uses[-RECENT:]:
                self.log.uses.append(use)

    def note_comparison(self, left: Value, right: Value) -> None:
        """A number is compared with an unknown one: what follows may depend on the outcome."""
        for known, other in ((left, right), (right, left)):
            if isinstance(other, Unknown) and isinstance(known, (int, float)):
                self.compared.add(int(known) if math.isfinite(known) else 0)

    # --- log ---

    @contextlib.contextmanager
    def under_condition(self, node: object, arm: object = True) -> Iterator[None]:
        """One arm of a branch that may or may not be taken; the same number each time it is come to."""
        self.conditions.append(self.arms.setdefault((id(node), arm), len(self.arms) + 1))
        try:
            yield
        finally:
            self.conditions.pop()

    def record(self, call: HostCall) -> None:
        if self.state.dead:
            return
        if len(self.log.calls) >= MOST_CALLS:
            raise OutOfBudget
        self.log.calls.append(call)

    def record_with(self, call: HostCall, **fields: Any) -> None:
        """Record a call with further fields."""
        self.record(replace(call, **fields))

    def call(self, kind: str, name: str, span: Span, stream: str = "") -> HostCall:
        """A record with where it stands filled in."""
        return HostCall(
            kind=kind,
            name=name,
            span=span,
            function=self.entry,
            order=len(self.log.calls),
            stream=stream,
            loop=len(self.loop_ids),
            loop_id=self.loop_ids[-1] if self.loop_ids else -1,
            conditional=bool(self.conditions),
            conditions=tuple(self.conditions),
            captured=bool(self.captures),
            graph=self.recording,
            loops=tuple(self.loop_ids),
            iteration=self.iterations[-1] if self.iterations and isinstance(self.iterations[-1], int) else -1,
            turns=self._turns(),
            came_by=self.came_by,
        )

    def _turns(self) -> tuple[int, ...]:
        """The iteration of each loop with CUDA calls; in its head, of the one before."""
        begun = self.iterations[: len(self.loop_ids)]
        known = [number if isinstance(number, int) else -1 for number in begun]
        return tuple(known + [-1] * (len(self.loop_ids) - len(known)))

    def host_work(self, name: str, span: Span, unseen: bool = False) -> None:
        """The host does something of its own; repeats of one place in a row are one."""
        if self.state.dead or (self.muted and not unseen):
            return
        recent = self.log.calls[-RECENT if self.muted else -1 :]
        if not any(call.kind == "host-work" and call.span == span for call in recent):
            self.record_with(self.call("host-work", name, span), unseen=unseen)

    def merge(self, a: State, b: State) -> State:
        """What holds when control may come from either; paid for by what differs."""
        merged, cost = merge_states(a, b)
        self.steps += cost // MERGES_PER_STEP
        return merged

    # --- control flow ---

    def leave(self, into: State | None) -> State:
        """Control leaves for another place: the state there, merged with this; here it is dead."""
        leaving = self.state.copy()
        self.state.dead = True
        return leaving if into is None else self.merge(into, leaving)

    @property
    def came_by(self) -> tuple[Span, ...]:
        """The calls that control has come by, outermost first. The ends of objects are not written."""
        return tuple(frame.site for frame in self.frames if frame.site != frame.function.span)

    @property
    def function(self) -> str:
        return self.frames[-1].function.key if self.frames else ""


def _space(variable: e.Variable) -> MemorySpace:
    match variable.storage:
        case "managed":
            return "managed"
        case "device" | "constant" | "shared" | "texture":
            return "device"
    return "pageable"
