"""Where numbers that the model does not have enter an expression: the loads and calls that it comes from.

A search backwards through assignments, arguments and results, without their order: it may name more than one
place, and names none where the cause is no load and no call.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import nodes_by_span, reachable
from cudalint.analyses.once import once
from cudalint.cuda.effects import ATOMIC_PREFIXES, CLOCKS, LOADS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Array, Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find
from cudalint.source.span import Span

Part = Literal["address", "value", "conditions"]
_MOST = 6  # places that are named
_HOPS = 6  # from a pointer to the one that it was made of
_EXCHANGES = ("__shfl", "__ballot", "__any", "__all", "__match", "__activemask", "__reduce")


class Origin(Struct, frozen=True):
    """A place where something without a number enters. kind: 'load', 'call' or 'unread' (no IR)."""

    span: Span
    expression: str
    kind: str


class _Way(Struct, frozen=True):
    """What a value comes by: a variable, by its number, a function, by its key, or whatever the kernel
    stores. whole: also what is stored into the variable by way of a pointer.
    """

    key: int | str
    whole: bool = False


class _Load(Struct, frozen=True):
    """A load, and the place that it is where it comes from nothing else."""

    span: Span
    origin: Origin | None


class _Clock(Struct, frozen=True):
    """A clock is read."""

    origin: Origin


_Step = Origin | _Way | _Load | _Clock  # on the way back from a value
_STORED = _Way("stored")


class _Flow(Struct):
    """values: what is assigned to each variable, by its id, and written: where; through: what is stored by
    way of a private pointer; into: that by the private variable; members: what is assigned to members that
    point, by name; returns: what each function may return; enclosing: what has conditions. private, steps:
    answers of `_private` and `_behind`.
    """

    values: dict[int, list[e.Expression]] = field(default_factory=dict)
    written: dict[int, list[Span]] = field(default_factory=dict)
    through: list[tuple[e.Variable, e.Expression]] = field(default_factory=list)
    into: dict[int, list[e.Expression]] = field(default_factory=dict)
    members: dict[str, list[e.Expression]] = field(default_factory=dict)
    returns: dict[str, list[e.Expression]] = field(default_factory=dict)
    enclosing: list[s.If | s.Loop | s.Switch | e.Conditional] = field(default_factory=list)
    private: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    steps: dict["_Way", tuple["_Step", ...]] = field(default_factory=dict)


class _Search(Struct):
    """One search backwards: what it found, and the variables and functions that it came by. any_: the first
    place with data will do, and a clock has none.
    """

    flow: _Flow
    own: frozenset[Span] = frozenset()
    any_: bool = False
    found: dict[Span, Origin] = field(default_factory=dict)
    seen: set[object] = field(default_factory=set)


def origins(
    unit: Unit,
    kernel: Function,
    span: Span,
    of: Part,
    own: frozenset[Span] = frozenset(),
    expression: str = "",
) -> tuple[Origin, ...]:
    """What the address of the access at a span comes from, or the value of the expression there, or the
    conditions round it. At most _MOST places, in the order of the source. own: loads of what the thread has
    stored itself, which come from whatever the kernel stores. expression: which access of a macro it is.
    """
    search = _searched(unit, kernel, span, of, _Search(_flow(unit, kernel), own), expression)
    places = sorted(search.found.values(), key=lambda o: (o.span.path, o.span.line, o.span.column))
    return tuple(places[:_MOST])


def has_origin(unit: Unit, kernel: Function, span: Span, own: frozenset[Span] = frozenset()) -> bool:
    """Whether there is a place in memory that the value of the expression at a span comes from."""
    search = _Search(_flow(unit, kernel), own, any_=True)
    return bool(_searched(unit, kernel, span, "value", search).found)


def _searched(
    unit: Unit, kernel: Function, span: Span, of: Part, search: _Search, expression: str = ""
) -> _Search:
    for node in _parts(unit, kernel, span, of, expression):
        _follow(search, node)
    if not search.found:
        _follow_conditions(search)
    return search


@once
def _flow(unit: Unit, kernel: Function) -> _Flow:
    flow = _Flow()
    for function in reachable(unit, kernel):
        kinds = (s.Declare, e.Assign, s.Return, e.Call, s.If, s.Loop, s.Switch, e.Conditional)
        for node in find(function.body, *kinds):
            _enter(flow, node, unit, function)
    for pointer, value in flow.through:
        for number in _private(flow, pointer):
            flow.into.setdefault(number, []).append(value)
    return flow


def _enter(flow: _Flow, node: Node, unit: Unit, function: Function) -> None:
    match node:
        case s.Declare(variable=variable, initial=initial) if initial is not None:
            flow.values.setdefault(variable.id, []).append(initial)
        case e.Assign(target=target, value=value):
            root = _variable(target)
            if isinstance(target, e.Member) and isinstance(target.type, Pointer):
                flow.members.setdefault(target.name, []).append(value)
            if root is not None:
                flow.values.setdefault(root.id, []).append(value)
                flow.written.setdefault(root.id, []).append(node.span)
            elif (pointer := _pointer(target)) is not None:
                flow.through.append((pointer, value))
        case s.Return(value=value) if value is not None:
            flow.returns.setdefault(function.key, []).append(value)
        case e.Call(key=key, arguments=arguments, receiver=receiver) if key in unit.functions:
            called = unit.functions[key]
            for variable, value in zip(called.parameters, arguments, strict=False):
                flow.values.setdefault(variable.id, []).append(value)
            if called.this is not None and receiver is not None:
                object_ = e.AddressOf(receiver, called.this.type, receiver.span)
                flow.values.setdefault(called.this.id, []).append(object_)
        case s.If() | s.Loop() | s.Switch() | e.Conditional():
            flow.enclosing.append(node)


def _variable(node: e.Expression) -> e.Variable | None:
    """The private variable that an assignment writes, also through its fields or elements."""
    while not isinstance(node, e.VariableReference):
        match node:
            case e.Member(base=base):
                node = base
            case e.Index(base=base) if isinstance(base.type, Array):
                node = base
            case _:
                return None
    return node.variable if node.variable.storage in ("local", "parameter") else None


def _way(node: e.Expression) -> e.Expression:
    """The pointer that something is reached through: `p` of `p->part[2]` and of `*p`; `p->other` of
    `p->other[2]`, where another one leads on.
    """
    while True:
        match node:
            case e.Dereference(pointer=pointer):
                return pointer
            case e.Index(base=base) if isinstance(base.type, Pointer):
                return base
            case e.Member(base=inner) | e.Index(base=inner) | e.Cast(operand=inner):
                node = inner
            case _:
                return node


def _pointer(node: e.Expression) -> e.Variable | None:
    """The private pointer that something is reached through."""
    return _named(_way(node))


def _reached(flow: _Flow, node: e.Expression) -> frozenset[int]:
    """The private variables that something may be a part of; none where it may be elsewhere."""
    way = _way(node)
    while isinstance(way, e.Cast):
        way = way.operand
    match way:
        case e.Member(name=name) if isinstance(node, e.Member):  # of an object that a reference stands for
            return _objects(flow, flow.members.get(name, []), _HOPS)
        case e.VariableReference():
            pointer = _named(way)
            return _private(flow, pointer) if pointer is not None else frozenset()
    return frozenset()


def _named(node: e.Expression) -> e.Variable | None:
    """The private pointer that an expression is."""
    while isinstance(node, e.Cast):
        node = node.operand
    if not isinstance(node, e.VariableReference) or not isinstance(node.variable.type, Pointer):
        return None
    return node.variable if node.variable.storage in ("local", "parameter") else None


def _private(flow: _Flow, pointer: e.Variable, hops: int = _HOPS) -> frozenset[int]:
    """The private variables that a pointer points to; none where it may point to anything else."""
    known = flow.private.get((pointer.id, hops))
    if known is None:
        known = flow.private[pointer.id, hops] = _pointed(flow, pointer, hops)
    return known


def _pointed(flow: _Flow, pointer: e.Variable, hops: int) -> frozenset[int]:
    return _objects(flow, flow.values.get(pointer.id, []), hops)


def _objects(flow: _Flow, values: list[e.Expression], hops: int) -> frozenset[int]:
    """The private variables that pointers to these values point to."""
    found = set[int]()
    for value in values:
        further = _object(flow, value, hops)
        if not further:
            return frozenset()
        found |= further
    return frozenset(found)


def _object(flow: _Flow, value: e.Expression, hops: int) -> frozenset[int]:
    while isinstance(value, e.Cast):
        value = value.operand
    match value:
        case e.VariableReference(variable=variable) if isinstance(variable.type, Pointer):
            return _private(flow, variable, hops - 1) if hops else frozenset()
        case e.AddressOf(operand=e.Dereference(pointer=e.Member(name=name))) if hops:
            return _objects(flow, flow.members.get(name, []), hops - 1)
        case e.AddressOf(operand=operand) if (root := _variable(operand)) is not None:
            return frozenset((root.id,))
    return frozenset()


def _parts(unit: Unit, kernel: Function, span: Span, of: Part, expression: str = "") -> Iterator[Node]:
    if of == "conditions":
        yield from _enclosing(_flow(unit, kernel), span)
        return
    nodes = nodes_by_span(unit, kernel).get(span, [])
    named = [node for node in nodes if isinstance(node, e.Expression) and render(node) == expression]
    for node in named or nodes:
        yield from [node] if of == "value" else _address(node)


def _address(node: Node) -> Iterator[Node]:
    """What the address of an access is made of, down to pointers and indices; of an atomic function it is the
    first argument.
    """
    match node:
        case e.Call(arguments=(first, *_)):
            yield first
        case e.Dereference(pointer=pointer):
            yield pointer
        case e.Member(base=base) if _loads(base):
            yield from _address(base)
        case e.Index(base=base, index=index) if _loads(node):
            yield index
            yield from [base] if isinstance(base.type, Pointer) else _address(base)


def _enclosing(flow: _Flow, span: Span) -> Iterator[Node]:
    """The conditions of the statements round a span."""
    for node in flow.enclosing:
        condition = node.subject if isinstance(node, s.Switch) else node.condition
        if condition is not None and node.span.contains(span):
            yield condition


def _loads(node: Node) -> bool:
    """Whether the node is an lvalue in memory that the model keeps no contents of."""
    match node:
        case e.Dereference():
            return True
        case e.Index(base=base):
            return isinstance(base.type, Pointer) or _loads(base)
        case e.Member(base=base):
            return _loads(base)
        case e.VariableReference(variable=variable):
            return variable.storage in ("shared", "constant", "device", "managed")
        case _:
            return False


def _follow(search: _Search, node: Node) -> None:
    """Follow a value back to what it comes from."""
    _take(search, _steps(search.flow, node))


def _take(search: _Search, steps: Iterable[_Step]) -> None:
    for step in steps:
        if search.any_ and search.found:
            return
        match step:
            case _Load(span=span) if span in search.own:
                step = _STORED
            case _Load(origin=origin) if origin is not None:
                step = origin
            case _Clock(origin=origin) if not search.any_:
                step = origin
        if isinstance(step, Origin):
            search.found.setdefault(step.span, step)
        elif isinstance(step, _Way) and step.key not in search.seen:
            search.seen.add(step.key)
            _take(search, _behind(search.flow, step))


def _behind(flow: _Flow, way: _Way) -> tuple[_Step, ...]:
    """The steps of all values that come by a way, in their order: found once for all searches."""
    known = flow.steps.get(way)
    if known is None:
        if way is _STORED:
            values = [value for _, value in flow.through]
        elif isinstance(way.key, str):
            values = flow.returns[way.key]
        else:
            values = flow.values.get(way.key, [])
            values = [*values, *flow.into.get(way.key, [])] if way.whole else values
        known = flow.steps[way] = tuple(step for value in values for step in _steps(flow, value))
    return known


def _steps(flow: _Flow, node: Node) -> Iterator[_Step]:
    """The steps from a value that its expression shows."""
    match node:
        case e.AddressOf(operand=operand):
            for child in children(operand):
                yield from _steps(flow, child)
        case e.VariableReference(variable=variable) if variable.storage in ("local", "parameter"):
            yield _Way(variable.id)
        case e.Index() | e.Member() | e.Dereference() | e.VariableReference() if _loads(node):
            own = _reached(flow, node)
            yield from (_Way(number, whole=True) for number in own)
            alone = not own and not isinstance(node.type, Array)
            yield _Load(node.span, Origin(node.span, render(node), "load") if alone else None)
        case e.Unknown(reason=reason):
            yield Origin(node.span, reason, "unread")
        case e.Call(key=key) if key in flow.returns:
            yield _Way(key)
        case e.Call(name=name) if name in LOADS:
            yield Origin(node.span, render(node), "load")
        case e.Call(name=name) if name in CLOCKS:
            yield _Clock(Origin(node.span, render(node), "call"))
        case e.Call(name=name) if name.startswith((*ATOMIC_PREFIXES, *_EXCHANGES)):
            yield Origin(node.span, render(node), "call")
        case _:
            for child in children(node):
                yield from _steps(flow, child)


def _follow_conditions(search: _Search) -> None:
    """Where no value is to blame, the conditions under which the variables come by their values."""
    written = search.flow.written
    for span in [span for key in list(search.seen) if isinstance(key, int) for span in written.get(key, [])]:
        for node in _enclosing(search.flow, span):
            _follow(search, node)
