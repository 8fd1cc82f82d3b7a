"""The machine: registers of one run, and reading and writing memory through it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.kernel_queries import is_volatile, root_of, space_of
from cudalint.analyses.locks import Study, study
from cudalint.analyses.whole_records import Parts, parts_that_count
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.ir.layout import chunk, innermost, leaves
from cudalint.ir.types import Array, Pointer, Record, Reference, Scalar, Type
from cudalint.ir.unit import Unit
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.interpret.tickets import Tickets
from cudalint.simt.requests.record import Recorder
from cudalint.simt.requests.reuse import Registers, parts_of
from cudalint.simt.requests.sites import AccessSite
from cudalint.simt.requests.wide import Made, Neighbours
from cudalint.simt.threads.barriers import Barriers
from cudalint.simt.threads.events import Events
from cudalint.simt.threads.warp_calls import WarpCalls
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Bools, Value, unknown
from cudalint.simt.values.memory import (
    Journal,
    LaneJournal,
    Memory,
    distinct_offsets,
    gather,
    offset_of,
    read,
)
from cudalint.simt.values.samples import WARP, Samples, free_value, invented
from cudalint.simt.values.state import Aggregate, Place, Result, State, object_numbers
from cudalint.source.span import Span

Integers = np.ndarray
_WORD = 4  # narrower members of records are left as they are: not measured
_SHARED_ALIGNMENT = 16  # that the compiler gives shared arrays
_NO_SIZE = "access of a type without a known size"


class Machine(Struct):
    """touched: spans of lvalues through pointers that some lane came to. targets: spans of accesses that this
    run is to come to against conditions; wanted: statements, by identity, that hold one. contents: what
    shared memory holds in a run that makes up what lanes load for themselves, else None. tickets: what atomic
    additions return in a run that takes the threads in order, else None.
    partly: in a loop that the compiler may unroll in part.
    """

    state: State
    recorder: Recorder
    events: Events
    barriers: Barriers
    touched: set[Span] = field(default_factory=set)
    loaded: Value | None = None  # address of the last load
    source: Value | None = None  # address that the value now being stored was loaded from
    targets: frozenset[Span] = frozenset()
    wanted: dict[int, bool] = field(default_factory=dict)
    loops: dict[int, object] = field(default_factory=dict)  # counters and unrolling, by identity
    harmless: dict[int, bool] = field(default_factory=dict)  # expressions, by identity
    contents: Contents | None = None
    tickets: Tickets | None = None
    registers: Registers = field(default_factory=Registers)
    neighbours: Neighbours = field(default_factory=Neighbours)
    warps: WarpCalls = field(default_factory=WarpCalls)
    partly: bool = False

    def enter(self) -> None:
        """An arm or an iteration begins."""
        self.registers.enter()
        self.neighbours.end()

    def leave(self) -> None:
        """An arm or an iteration ends."""
        self.registers.leave()
        self.neighbours.end()

    def fence(self) -> None:
        """Memory may be changed by others, or by what nobody sees into."""
        self.registers.anything_written()
        self.neighbours.end()

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


# --- private memory ---


def write_slot(m: Machine, memory: Memory, offset: int, value: Value) -> None:
    """Store under the current mask, remembering the old value for every watcher."""
    state = m.state
    old = memory.slots.get(offset)
    key = (memory.number, offset)
    for journal in state.journals:
        journal.enter(key, memory, old, state.mask)
    if state.mask is not state.samples.everyone and old is not None:
        value = lanes.select(state.mask, value, old)
    memory.slots[offset] = value


def read_place(m: Machine, where: Place, type: Type, node: e.Expression) -> Result:
    """Load what an lvalue of that type holds."""
    if where.memory is not None:
        return _read_private(m, where.memory, where.offset, type)
    assert where.address is not None
    return load(m, where.address, type, node)


def _read_private(m: Machine, memory: Memory, offset: int, type: Type) -> Result:
    if isinstance(type, Array):
        return Value(memory.base + offset)
    if isinstance(type, Record):
        end = offset + type.bytes
        return Aggregate({o - offset: v for o, v in memory.slots.items() if offset <= o < end})
    return read(memory, offset, type)


def write_place(m: Machine, where: Place, value: Result, type: Type, node: e.Expression) -> None:
    """Store to an lvalue of that type."""
    if where.memory is None:
        assert where.address is not None
        store(m, where.address, value, type, node)
        return
    memory, offset = where.memory, where.offset
    if isinstance(value, Aggregate):
        for part, item in value.parts.items():
            write_slot(m, memory, offset + part, item)
    elif isinstance(type, Record | Array):
        for part, _ in leaves(m.unit, type, offset):
            write_slot(m, memory, part, value if value.known is False else unknown("record without fields"))
    else:
        write_slot(m, memory, offset, value)


# --- addresses ---


def objects_of(m: Machine, address: Value) -> list[Memory]:
    """The objects that the active, known lanes point into."""
    if not isinstance(address.data, np.ndarray):
        found = m.state.object_at(int(address.data))
        return [found] if found else []
    mask = m.state.mask if address.known is True else m.state.mask & address.known
    numbers = object_numbers(address.data[mask])
    if not len(numbers):
        return []
    if numbers[0] == numbers[-1] and bool((numbers == numbers[0]).all()):
        unique = [int(numbers[0])]
    else:
        unique = [int(n) for n in np.unique(numbers)]
    return [m.state.objects[n] for n in unique if n in m.state.objects]


def _lost(m: Machine, node: e.Expression, operation: Operation, type: Type, why: str) -> None:
    m.state.note(why)
    space = space_of(node)
    if space == "local":
        return
    shared_by_threads(m, node, operation)
    m.recorder.lost(node, m.state.attributed_to(node.span), space, operation, chunk(type), m.state.mask, why)
    if operation != "load":
        m.fence()


def shared_by_threads(m: Machine, node: e.Expression, operation: Operation) -> None:
    """Tell of an access without an address what its root tells: the shared array, or that it is global."""
    root = root_of(node)
    if root is not None and root.storage == "shared":
        m.events.lost(operation, "shared", static_object(m, root))
    elif root is not None and root in m.state.frames[0].function.parameters:
        m.events.lost(operation, "global", None)
    elif root is None or root.storage != "constant":
        m.events.lost(operation, None, None)


def _access(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    address: Value,
    type: Type,
    value: Result | None,
) -> None:
    """Record one access to an object that is not private."""
    state = m.state
    state.step()
    mask = state.mask
    if address.known is not True:
        active_unknown = mask if address.known is False else mask & ~address.known
        if active_unknown.any():
            why = address.why or "index depends on data that the model does not have"
            attributed_to = state.attributed_to(node.span)
            m.recorder.lost(node, attributed_to, memory.space, operation, chunk(type), active_unknown, why)
            state.note(why)
            m.events.lost(operation, memory.space, memory)
        m.fence()
        if address.known is False:
            return
        mask = mask & address.known
        if not mask.any():
            return
    addresses = address.data if isinstance(address.data, np.ndarray) else int(address.data)
    if m.recorder.counting:
        _count(m, node, memory, operation, addresses, type, mask, address.free)
    memory.written |= operation != "load"
    m.events.access(
        node,
        memory,
        operation,
        addresses,
        type.bytes,
        mask,
        state.doubt if state.any_doubt else None,
        under=state.doubts[-1] if state.doubts else None,
        value=value,
        origin=_origin(m, operation),
        free=address.free,
        tested=state.tested,
        sampled=state.spent,
        sure_only=state.hurried,  # no data is behind the doubt that loops cut short leave
        parts=_parts(m, node, type),
    )


def _parts(m: Machine, node: e.Expression, type: Type) -> Parts | None:
    """The parts of a record that count, where not all of them do."""
    if not isinstance(type, Record):
        return None
    return parts_that_count(m.unit, m.state.frame.function).get(id(node))


def _count(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    addresses: Integers | int,
    type: Type,
    mask: Bools,
    free: int,
) -> None:
    """Count the requests of one access and their transactions, as the compiler makes them."""
    state = m.state
    width = chunk(type)
    if _kept(m, node, memory, operation, addresses, type, mask):
        m.recorder.reuse(node, memory)
        return
    sites: tuple[AccessSite, ...] = ()
    attributed_to = state.attributed_to(node.span)
    pieces = max(1, min(type.bytes // width, 16)) if isinstance(type, Record) else 1
    for piece in range(pieces):
        at = addresses + piece * width
        counted = m.recorder.access(node, attributed_to, memory, operation, width, at, mask, state.any_doubt)
        sites = tuple(one.site for one in counted)
    if pieces == 1 and (align := _sure_alignment(node, memory, operation)) > width:
        if m.partly and operation == "load":
            m.recorder.widen(counted, width, align)
        sites = m.neighbours.add(
            m.recorder,
            Made(
                node,
                attributed_to,
                memory,
                operation,
                width,
                addresses,
                mask,
                state.any_doubt,
                align,
                counted,
            ),
        )
    volatile, owner = is_volatile(node), owner_record(node)
    for site in sites:
        if state.loop_depth:
            m.recorder.step(site, addresses, mask, tuple(frame.call for frame in state.frames))
        site.sampled |= state.spent
        site.free |= bool(free)
        site.volatile |= volatile
        if owner is not None:
            site.record = (owner.name, owner.bytes)


def _sure_alignment(node: e.Expression, memory: Memory, operation: Operation) -> int:
    """Bytes that the compiler knows the surroundings of an access to be aligned to."""
    if operation == "atomic" or isinstance(node, e.Call) or is_volatile(node):
        return 0
    if memory.space == "shared":
        return _SHARED_ALIGNMENT
    owner = owner_record(node)
    return owner.align if owner is not None and memory.aligned and node.type.bytes >= _WORD else 0


def _kept(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    addresses: Integers | int,
    type: Type,
    mask: Bools,
) -> bool:
    """Whether the access is a load of what a register holds; what registers hold is brought up to date."""
    registers = m.registers
    if memory.space not in ("global", "shared") or memory.several:
        return False
    if operation == "atomic" or is_volatile(node):
        m.fence()
        return False
    parts = parts_of(m.unit, memory, addresses, type, mask)
    if operation == "load" and registers.holds(parts, mask):
        return True
    if operation == "store":
        registers.written(memory, addresses, type.bytes)
        m.neighbours.written(memory, addresses, type.bytes)
    else:
        m.neighbours.loaded(memory, addresses, type.bytes)
    registers.hold(memory, parts, mask)
    return False


def _origin(m: Machine, operation: Operation) -> np.ndarray | int | None:
    """Where each lane's value to be stored was loaded from, when that is known for all."""
    if operation != "store" or m.source is None or m.source.known is not True:
        return None
    return m.source.data if isinstance(m.source.data, np.ndarray) else int(m.source.data)


def owner_record(node: e.Expression) -> Record | None:
    """The struct whose field, or an element of one, an access names: `p[i].x` gives the type of `p[i]`."""
    while isinstance(node, e.Index) and isinstance(node.base, e.Member) and isinstance(node.base.type, Array):
        node = node.base
    while isinstance(node, e.Member):
        node = node.base
        if _is_referred(node) and isinstance(node.type, Record):
            return node.type
    if _is_referred(node) and isinstance(node.type, Record):
        return node.type
    return None


def _is_referred(node: e.Expression) -> bool:
    """Whether the expression names what a pointer or a reference leads to."""
    if isinstance(node, e.VariableReference):
        return is_reference(node.variable)
    return isinstance(node, e.Index | e.Dereference)


def _astray(address: Value) -> str:
    """Why no active lane's address is in an object."""
    if address.known is True:
        return "pointer outside every known object"
    return address.why or "index depends on data that the model does not have"


def load(m: Machine, address: Value, type: Type, node: e.Expression, operation: Operation = "load") -> Result:
    """Read memory at lane addresses."""
    m.loaded = address
    if isinstance(type, Array):
        return address
    if address.known is False or type.bytes <= 0:
        why = address.why or (_NO_SIZE if type.bytes <= 0 else "pointer without a known target")
        _lost(m, node, operation, type, why)
        return unknown("loaded through an unknown pointer")
    objects = objects_of(m, address)
    if not objects:
        if np.count_nonzero(m.state.mask):
            _lost(m, node, operation, type, _astray(address))
        return unknown("loaded through an unknown pointer")
    if len(objects) == 1 and objects[0].space == "local":
        return _load_local(m, objects[0], address, type)
    result: Result | None = None
    for memory in objects:
        if memory.space == "local":
            return unknown("pointer to local or other memory")
        _access(m, node, memory, operation, address, type, None)
        result = _contents(m, memory, address, type)
    return (
        result if result is not None and len(objects) == 1 else unknown("loaded from one of several places")
    )


def _known_here(m: Machine, value: Value) -> bool:
    """Whether the value is known for every active lane."""
    return value.known is True or (value.known is not False and not bool((m.state.mask & ~value.known).any()))


def _load_local(m: Machine, memory: Memory, address: Value, type: Type) -> Result:
    if not isinstance(address.data, np.ndarray):
        return _read_private(m, memory, offset_of(int(address.data)), type)
    if isinstance(type, Record) or not _known_here(m, address):
        return unknown("local array indexed by unknown values")
    return gather(memory, address.data - memory.base, m.state.mask, type)


def _contents(m: Machine, memory: Memory, address: Value, type: Type) -> Result:
    """What a load from memory without contents gives: a free number when it is one a warp, else unknown."""
    if isinstance(type, Record):
        return Aggregate({at: _loaded(m, memory, address, at, kind) for at, kind in leaves(m.unit, type)})
    return _loaded(m, memory, address, 0, type)


def _loaded(m: Machine, memory: Memory, address: Value, at: int, type: Type) -> Value:
    state = m.state
    if m.contents is not None:
        made_up = _made_up(m, m.contents, memory, address, at, type)
        if made_up is not None:
            return made_up
    if address.known is not True or (state.any_doubt and memory.space == "shared"):
        return unknown("loaded data")
    if isinstance(address.data, np.ndarray):
        if _first_varies(address.data, state.mask):
            return unknown("loaded data")
        rows = np.where(state.mask, address.data, np.int64(-1)).reshape(-1, WARP)
        top = rows.max(axis=1, keepdims=True)
        if bool(((rows != top) & (rows != -1)).any()):
            return unknown("loaded data")
        if isinstance(type, Pointer):
            return unknown("pointer loaded by a varying index")
        spread = np.broadcast_to(((top - memory.base + at) // max(type.bytes, 1)) % 13, rows.shape).ravel()
        base = free_value(state.samples, memory.number * 5, type)
        if isinstance(type, Scalar) and type.kind == "bool":
            return base
        data = base.data + 64 * spread if not isinstance(base.data, float) else base.data + spread
        free = lanes.BY_BLOCK if _one_a_block(top, state.samples) else lanes.BY_WARP
        return Value(lanes.wrap(data, type), True, lanes.CHOSEN | free | _inherited(address))
    offset = int(address.data) - memory.base + at
    if isinstance(type, Pointer):
        return loaded_pointer(m, memory, offset, type)
    changes = memory.space == "shared" or (memory.space == "global" and memory.written)
    free = lanes.CHOSEN | (lanes.BY_BLOCK if changes else 0) | _inherited(address)
    return free_value(state.samples, memory.number * 5 + offset // max(type.bytes, 1), type, free)


def _first_varies(addresses: Integers, mask: Bools) -> bool:
    """Whether active lanes of the first warp that has any load from several places: most loads are such."""
    start = int(mask.argmax()) // WARP * WARP
    warp = slice(start, start + WARP)
    some = addresses[warp][mask[warp]]
    return bool((some[1:] != some[:-1]).any())


def _inherited(address: Value) -> int:
    """What is loaded where each warp or block has a place of its own is a number of its own."""
    return address.free & (lanes.BY_WARP | lanes.BY_BLOCK)


def _one_a_block(top: Integers, samples: Samples) -> bool:
    """Whether the warps of each block that load at all load from one address. top: by warp, -1 for none."""
    warps = top.reshape(samples.count, -1)
    most = warps.max(axis=1, keepdims=True)
    return bool(((warps == most) | (warps == -1)).all())


def _made_up(
    m: Machine, contents: Contents, memory: Memory, address: Value, at: int, type: Type
) -> Value | None:
    """What shared memory is known to hold; for other lanes with places of their own, made-up numbers."""
    held = None
    if memory.space == "shared" and address.known is True:
        held = contents.load(memory, cast(Any, address.data) + at, type, m.state.mask)
        if held is not None and not (m.state.mask & ~np.asarray(held.known)).any():
            return held
    if not isinstance(address.data, np.ndarray) or not contents.inventing:
        return held
    made_up = invented(m.state.samples, address.data + at, type, contents.most)
    made_up = Value(made_up.data, lanes.both_known(made_up.known, address.known), True, made_up.why)
    return made_up if held is None else lanes.select(np.asarray(held.known), held, made_up)


def _keep_contents(
    m: Machine, contents: Contents, memory: Memory, address: Value, value: Result, type: Type, plain: bool
) -> None:
    """Enter a store to shared memory into its contents. plain: no atomic."""
    if not plain or address.known is not True:
        contents.forget(memory)
        return
    parts = value.parts if isinstance(value, Aggregate) else {0: value}
    for at, kind in leaves(m.unit, type):
        part = parts.get(at, unknown("field without a value"))
        contents.store(memory, cast(Any, address.data) + at, kind, part, m.state.mask)


def loaded_pointer(m: Machine, memory: Memory, offset: int, type: Pointer) -> Value:
    """A pointer found in memory at one address: an object of its own whose alignment is not known."""
    from cudalint.simt.values.samples import free_alignment

    key = ("loaded", memory.number, offset)
    target = m.state.named.get(key)
    if target is None:
        element = innermost(type.pointee).bytes
        target = m.state.create(f"{memory.name}[...]", "global", 0, element, aligned=False)
        m.state.named[key] = target
    start = free_alignment(m.state.samples, type)
    return Value(cast(Integers, start.data) + target.base, True, lanes.CHOSEN)


def store(
    m: Machine, address: Value, value: Result, type: Type, node: e.Expression, operation: Operation = "store"
) -> None:
    """Write memory at lane addresses."""
    if address.known is False or type.bytes <= 0:
        why = address.why or (_NO_SIZE if type.bytes <= 0 else "pointer without a known target")
        _lost(m, node, operation, type, why)
        return
    objects = objects_of(m, address)
    if not objects and np.count_nonzero(m.state.mask):
        _lost(m, node, operation, type, _astray(address))
    for memory in objects:
        if memory.space == "local":
            _store_local(m, memory, address, value, type)
        else:
            _access(m, node, memory, operation, address, type, value)
            if m.contents is not None and memory.space == "shared":
                _keep_contents(m, m.contents, memory, address, value, type, operation == "store")


def _store_local(m: Machine, memory: Memory, address: Value, value: Result, type: Type) -> None:
    state = m.state
    if not isinstance(address.data, np.ndarray):
        write_place(m, Place(memory, offset_of(int(address.data))), value, type, None)  # type: ignore[arg-type]
        return
    choices = None
    if isinstance(value, Value) and _known_here(m, address):
        choices = distinct_offsets(address.data - memory.base, state.mask)
    if choices is None:
        lose(m, memory)
        return
    everyone = state.mask
    for offset in choices:
        state.mask = everyone & (address.data - memory.base == offset)
        if offset not in memory.slots:
            memory.slots[offset] = unknown("uninitialised or lost local value")
        write_slot(m, memory, offset, cast(Value, value))
    state.mask = everyone


def lose(m: Machine, memory: Memory) -> None:
    """Something was written to a private object, nobody knows where in it."""
    memory.touched = True
    for offset in list(memory.slots):
        write_slot(m, memory, offset, unknown("local array written at an unknown place"))


# --- journals ---


def watch(m: Machine) -> Journal:
    """Begin to remember overwritten private values."""
    journal = Journal()
    m.state.journals.append(journal)
    return journal


def watch_lanes(m: Machine) -> LaneJournal:
    """Begin to remember overwritten private values, and by which lanes they were."""
    journal = LaneJournal()
    m.state.journals.append(journal)
    return journal


def unwatch(m: Machine, journal: Journal | None) -> None:
    """Forget a watcher; one that is already forgotten, or None, is let pass."""
    m.state.journals[:] = [kept for kept in m.state.journals if kept is not journal]


def slot_value(memory: Memory, offset: int) -> Value:
    return memory.slots.get(offset, unknown("uninitialised or lost local value"))


def blur(m: Machine, journal: Journal, doubtful: Bools, why: str) -> None:
    """For the doubtful lanes: a private value that may or may not have changed is unknown unless both
    agree.
    """
    for (_, offset), (memory, old) in journal.items():
        new = slot_value(memory, offset)
        if old is None or new is old:
            continue
        same = lanes.agree(new, old)
        mask = doubtful if same is False else doubtful & ~np.asarray(same)
        if mask.any():
            memory.slots[offset] = lanes.forget(new, mask, why)


def private(m: Machine, variable: e.Variable) -> Memory:
    """The storage of a local variable or parameter; made on first sight."""
    memory = m.state.variables.get(variable.id)
    if memory is None:
        memory = fresh(m, variable)
    return memory


def fresh(m: Machine, variable: e.Variable) -> Memory:
    """New storage for a variable that comes to life."""
    element = innermost(variable.type)
    memory = m.state.create(variable.name, "local", variable.type.bytes, element.bytes)
    m.state.variables[variable.id] = memory
    return memory


def static_object(m: Machine, variable: e.Variable) -> Memory:
    """The one object of a shared, constant, device or global variable."""
    memory = m.state.named.get(variable.id)
    if memory is None:
        space = "shared" if variable.storage == "shared" else "global"
        if variable.storage == "constant":
            space = "constant"
        size = variable.type.bytes
        if variable.storage == "shared" and variable.extern:
            memory = m.state.named.get("extern shared")
        if memory is None:
            memory = m.state.create(variable.name, space, size, innermost(variable.type).bytes)
            memory.own = True
        if variable.storage == "shared" and variable.extern:
            m.state.named["extern shared"] = memory
        m.state.named[variable.id] = memory
    return memory


def is_reference(variable: e.Variable) -> bool:
    return isinstance(variable.type, Reference)
