"""Loads of a loop that wait for the iteration before: the address is made of what the load itself returned,
a store in between may change what is loaded, for all the compiler knows, or it cannot count the iterations.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Literal, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.fields_apart import fields_apart
from cudalint.analyses.grid_stride import steps_by_launch
from cudalint.analyses.kernel_queries import is_volatile, lvalues, reachable, root_of
from cudalint.analyses.loop_values import own_values
from cudalint.analyses.private_objects import is_private
from cudalint.analyses.remainder_loops import remainder_trips
from cudalint.analyses.residues import never_meet
from cudalint.analyses.seen_through import seen_through
from cudalint.analyses.trip_counts import constant_trips, repeats, side_by_side, step_of, uncast, unrolled
from cudalint.analyses.updates import Sources, updates
from cudalint.cuda.effects import BLOCK_BARRIERS, CACHED_LOADS, WAITING
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.source.span import Span

_DEEPEST = 4  # functions that call each other
_EXCHANGES = ("__shfl", "__any", "__all", "__ballot", "__match", "__reduce", "__syncwarp")
_SEVERAL = 2  # loads that one iteration starts at once


class SerialLoad(Struct, frozen=True):
    """how: 'address' where the load's address depends on the load of the iteration before, 'store' where a
    store may alias it, 'step' where the compiler cannot count the iterations and starts the loads of one at a
    time. store: the store. most: iterations that the loop makes at most, where it is over what a division
    leaves.
    """

    load: e.Expression
    loop: s.Loop
    how: Literal["address", "store", "step"]
    store: e.Expression | None = None
    most: float = inf

    @property
    def span(self) -> Span:
        return self.load.span


def serial_loads(unit: Unit, kernel: Function, made: frozenset[Span]) -> Iterator[SerialLoad]:
    """Those of a kernel and of what it calls. made: places of loads and stores of global memory."""
    kept = {id(update.loop) for update in updates(unit, kernel)}
    for function in reachable(unit, kernel):
        sources, own = Sources(function), definitions(unit, function)
        for loop in find(function.body, s.Loop):
            if repeats(loop) and not unrolled(loop):
                inside = fields_apart(seen_through(unit, function, _with_calls(loop)))
                found = list(_by_address(inside, sources, made))
                if id(loop) not in kept:
                    found += _by_store(inside, sources, made, own)
                found = found or list(_by_step(loop, own, made))
                most = remainder_trips(loop, own) if found else inf
                yield from (
                    replace(one, loop=loop, most=most) for one in found if not _is_own(one, unit, kernel)
                )


def _is_own(one: SerialLoad, unit: Unit, kernel: Function) -> bool:
    """Whether the load, or the store that may alias it, is of an object of the thread."""
    return any(is_private(unit, kernel, place) for place in (one.load, one.store) if place is not None)


def _with_calls(loop: s.Loop) -> s.Loop:
    """The loop with what its head calls at the end of its body: `++it` of an object goes on, too."""
    heads = [part for part in (loop.condition, loop.step) if part is not None]
    calls = [part for head in heads for part in find(head, e.Call) if part.key is not None]
    if not calls:
        return loop
    return replace(
        loop, body=s.Block((loop.body, *(s.Evaluate(one, one.span) for one in calls)), loop.body.span)
    )


def _by_address(loop: s.Loop, sources: Sources, made: frozenset[Span]) -> Iterator[SerialLoad]:
    own = own_values(_setting(loop))
    for variable, values in (*_given(loop, whole=True).items(), *_shared_stores(loop)):
        own.setdefault(variable, []).extend(values)
    behind = _Behind(own)
    declared = {node.variable.id for node in find(loop.body, s.Declare)}
    reads: dict[int, frozenset[int]] = {}  # of the address of each load, by identity
    told = set()
    for variable, values in _given(loop).items():
        if variable in declared:
            continue
        for part in behind.loads(values):
            if part.span not in made or id(part) in told:
                continue
            root, _ = sources.of(part)
            if root is not None and root.storage == "shared":
                continue
            if id(part) not in reads:
                address = _address(part)
                reads[id(part)] = behind.variables(address) if address is not None else frozenset()
            if variable in reads[id(part)]:
                told.add(id(part))
                yield SerialLoad(part, loop, "address")


def _address(node: e.Expression) -> e.Expression | None:
    """What says where an element is, or the one that a member is of; nothing for a variable's own."""
    while isinstance(node, e.Member):
        node = node.base
    match node:
        case e.Index(index=index):
            return index
        case e.Dereference(pointer=pointer) | e.Call(name=str(), arguments=(pointer,)):
            return pointer
    return None


class _Made(Struct, frozen=True):
    """What an expression itself is made of: what may be loads, and variables by their numbers."""

    loads: list[e.Expression]
    variables: list[int]


class _Behind:
    """The loads and variables that expressions in a loop are made of; own: what it gives to variables."""

    def __init__(self, own: dict[int, list[e.Expression]]) -> None:
        self._own = own
        self._known: dict[int, _Made] = {}  # by the identity of an expression

    def loads(self, nodes: Iterable[e.Expression]) -> Iterator[e.Expression]:
        """Those in the expressions and in what is given to the variables in them, at any remove."""
        for made in self._all(nodes):
            yield from made.loads

    def variables(self, node: e.Expression) -> frozenset[int]:
        """Likewise."""
        return frozenset(variable for made in self._all([node]) for variable in made.variables)

    def _all(self, nodes: Iterable[e.Expression]) -> Iterator[_Made]:
        seen: set[int] = set()
        for node in nodes:
            stack = [node]
            while stack:
                made = self._made(stack.pop())
                yield made
                for variable in made.variables:
                    if variable not in seen:
                        seen.add(variable)
                        stack.extend(self._own.get(variable, ()))

    def _made(self, node: e.Expression) -> _Made:
        found = self._known.get(id(node))
        if found is None:
            parts = list(walk(node))
            variables = [part.variable.id for part in parts if isinstance(part, e.VariableReference)]
            found = self._known[id(node)] = _Made([part for part in parts if _may_load(part)], variables)
        return found


def _may_load(part: Node) -> TypeGuard[e.Expression]:
    if isinstance(part, e.Call):
        return part.name in CACHED_LOADS
    return isinstance(part, e.Index | e.Dereference | e.Member)


def _by_store(
    loop: s.Loop, sources: Sources, made: frozenset[Span], own: Definitions
) -> Iterator[SerialLoad]:
    """The first load of the loop that a store in it may alias, and that no others are started with."""
    calls = (call for root in _roots(loop) for call in find(root, e.Call))
    if find(loop.body, s.Opaque) or any(call.name in WAITING for call in calls):
        return
    loads: list[e.Expression] = []
    stores: list[e.Expression] = []
    last = set(_on_the_way_out(loop.body))
    for statement in _own_statements(loop.body):
        for lvalue, operation in lvalues(statement):
            if id(lvalue) in last and operation == "store":
                continue
            if lvalue.span in made and not is_volatile(lvalue):
                (stores if operation == "store" else loads).append(lvalue)
    moving, together = _changed(loop), _loaded_together(loop, made)
    for load in loads:
        if id(load) in together or moving.isdisjoint(_variables(load)):
            continue
        for store in stores:
            (one, promised), (other, kept) = sources.of(load), sources.of(store)
            same = one is not None and one is other
            if same and render(load) == render(store) and _is_apart(load, moving, loop):
                continue
            if same and never_meet(load, store, loop, moving, own):
                continue
            if same or not (promised or kept):
                yield SerialLoad(load, loop, "store", store)
                return


def _on_the_way_out(node: s.Statement) -> Iterator[int]:
    """What arms of an iteration hold that leave the loop, by identity: nothing of it comes before a load."""
    match node:
        case s.Block(body=body):
            for part in body:
                yield from _on_the_way_out(part)
        case s.If(then=then, otherwise=otherwise):
            for arm in (then, otherwise):
                if arm is not None and _leaves_loop(arm):
                    yield from map(id, walk(arm))
                elif arm is not None:
                    yield from _on_the_way_out(arm)


def _leaves_loop(node: s.Statement) -> bool:
    last = node.body[-1] if isinstance(node, s.Block) and node.body else node
    return isinstance(last, s.Return | s.Break)


def _is_apart(load: e.Expression, moving: set[int], loop: s.Loop) -> bool:
    """Whether what an iteration updates in place is surely not what another one does: the index moves by a
    constant. nvcc 13 then loads for many iterations at once, else for one (read off SASS).
    """
    step = step_of(loop.step)
    if step is None or not isinstance(uncast(step[2]), e.Literal) or not isinstance(load, e.Index):
        return False
    if moving & set(_variables(load.index)) != {step[0].id}:
        return False
    scaled = (p for p in find(load.index, e.Binary) if p.operator not in ("+", "-"))
    return not any(step[0].id in _variables(part) for part in scaled)


def _by_step(loop: s.Loop, own: Definitions, made: frozenset[Span]) -> Iterator[SerialLoad]:
    """The first load of a loop whose iterations the compiler cannot count; the other loads wait with it.
    Where threads or lanes meet in each iteration nothing would start earlier if it could: such a loop is not
    unrolled.
    """
    if not steps_by_launch(loop, own) or _meets(loop, own.unit):
        return
    moving, together = _changed(loop), _loaded_together(loop, made, _SEVERAL)
    for statement in _own_statements(loop.body):
        for lvalue, operation in _touched(statement):
            moves = not moving.isdisjoint(_variables(lvalue))
            if operation != "load" or not moves or id(lvalue) in together:
                continue
            if lvalue.span in made and not is_volatile(lvalue):
                yield SerialLoad(lvalue, loop, "step")
                return


def _meets(node: Node | None, unit: Unit, depth: int = 0) -> bool:
    """Whether something below waits for other threads, or exchanges with other lanes."""
    for call in find(node, e.Call):
        if call.name in BLOCK_BARRIERS or call.name.startswith(_EXCHANGES):
            return True
        called = unit.functions.get(call.key or "")
        if called is not None and depth < _DEEPEST and _meets(called.body, unit, depth + 1):
            return True
    return False


def _loaded_together(loop: s.Loop, made: frozenset[Span], least: int | None = None) -> set[int]:
    """Loads, by identity, in loops that are unrolled within an iteration and store nothing: as many are
    started at once as of iterations side by side, or so many at the least.
    """
    enough = side_by_side(loop) if least is None else least
    found: set[int] = set()
    for inner in find(loop.body, s.Loop):
        if unrolled(inner):
            many = (constant_trips(inner) or 0) >= enough
            touched = [one for one in _touched(inner.body) if one[0].span in made]
            if many and all(operation == "load" for _, operation in touched):
                found |= {id(lvalue) for lvalue, _ in touched}
    return found


def _touched(node: Node) -> Iterator[tuple[e.Expression, Operation]]:
    """As `lvalues`, and the functions that load, such as `__ldg`."""
    yield from lvalues(node)
    for part in find(node, e.Call):
        if part.name in CACHED_LOADS:
            yield part, "load"


def _shared_stores(loop: s.Loop) -> Iterator[tuple[int, list[e.Expression]]]:
    """What the loop gives to arrays in shared memory, by the array."""
    for node in (node for root in _roots(loop) for node in find(root, e.Assign)):
        if isinstance(node.target, e.Index):
            root = root_of(node.target)
            if root is not None and root.storage == "shared":
                yield root.id, [node.value]


def _roots(loop: s.Loop) -> tuple[Node | None, ...]:
    """What an iteration executes."""
    return loop.condition, loop.step, loop.body


def _setting(loop: s.Loop) -> Iterator[s.Declare | e.Assign]:
    for root in _roots(loop):
        yield from find(root, s.Declare, e.Assign)


def _given(loop: s.Loop, whole: bool = False) -> dict[int, list[e.Expression]]:
    """What an iteration gives to variables, with the conditions that it does so under. whole: in the loops in
    it too.
    """
    found: dict[int, list[e.Expression]] = {}

    def read(node: Node, under: tuple[e.Expression, ...]) -> None:
        match node:
            case s.Block(body=body):
                for statement in body:
                    read(statement, under)
            case s.If(condition=condition, then=then, otherwise=otherwise):
                read(then, (*under, condition))
                if otherwise is not None:
                    read(otherwise, (*under, condition))
            case s.Switch(subject=subject, body=body):
                for statement in body:
                    read(statement, (*under, subject))
            case s.Loop(body=body):
                if whole or not repeats(node):
                    read(body, under)
            case _:
                for part in find(node, e.Assign):
                    if isinstance(part.target, e.VariableReference):
                        values = found.setdefault(part.target.variable.id, [])
                        values += [part.value, *under]

    read(loop.body, ())
    if loop.step is not None:
        read(loop.step, ())
    return found


def _own_statements(node: s.Statement) -> Iterator[s.Statement | e.Expression]:
    """The statements and conditions of an iteration, but for those of loops in it that are not unrolled."""
    match node:
        case s.Block(body=body):
            for part in body:
                yield from _own_statements(part)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            yield condition
            yield from _own_statements(then)
            if otherwise is not None:
                yield from _own_statements(otherwise)
        case s.Loop():
            if unrolled(node) or not repeats(node):
                yield from _own_statements(node.body)
        case _:
            yield node


def _changed(loop: s.Loop) -> set[int]:
    """Variables that an iteration changes."""
    found: set[int] = set()
    for node in _setting(loop):
        if isinstance(node, s.Declare):
            found.add(node.variable.id)
        elif isinstance(node.target, e.VariableReference):
            found.add(node.target.variable.id)
    return found


def _variables(node: Node) -> Iterator[int]:
    return (part.variable.id for part in find(node, e.VariableReference))
