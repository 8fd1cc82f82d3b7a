"""Which values may differ between the threads of a block, or between blocks, told from the code alone: what a
compiler can prove to be the same in all of them, whatever sizes are passed.

Assignments are followed without their order and without the conditions round them.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Record, Reference, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, walk

_UNIFORM_CALLS = effects.MINIMA | effects.MAXIMA | effects.ABSOLUTES | effects.PRODUCTS | effects.LOADS


def _is_uniform(name: str) -> bool:
    """Whether a function that is not seen gives the same for the same arguments."""
    return name in _UNIFORM_CALLS or effects.is_pure(name)


Place = int | tuple[int, str]  # a variable by its id, or a field of it; field '': whichever of them


class Varying(Struct):
    """Of one kernel. variables: ids of those that may differ, as a whole or in every field; fields: of other
    variables, those that may; functions: keys of those whose result may; seen: of those with a body. by: the
    built-in variable that tells one from the other.
    """

    by: str = "threadIdx"
    variables: set[int] = field(default_factory=set)
    fields: set[tuple[int, str]] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def varies(self, node: Node) -> bool:
        """Whether the value of an expression may differ between threads, or blocks."""
        return any(self._own(part) for part in _parts(node))

    def _own(self, node: Node) -> bool:
        match node:
            case e.Builtin(name=name):
                return name == self.by
            case e.VariableReference() | e.Member():
                return any(source in self.variables or source in self.fields for source in _sources(node))
            case e.Call(key=str() as key) if key in self.seen:
                return key in self.functions
            case e.Call(name=name):
                return not _is_uniform(name)
            case e.Unknown() | e.Lambda():
                return True
            case _:
                return False


class _Flow(Struct, frozen=True):
    """A value, or what stands at other places, that comes to a place, or is what a function (by its key)
    returns.
    """

    target: Place | str
    value: e.Expression | None
    places: tuple[Place, ...] = ()


class _Given(Struct, frozen=True):
    """What a flow's target is made of: built-in variables, places, functions with the names they are
    called by; lost: it may be anything.
    """

    target: Place | str
    builtins: frozenset[str]
    places: frozenset[Place]
    calls: frozenset[tuple[str | None, str]]
    lost: bool


class _Code(Struct, frozen=True):
    """Of one function: what comes to where, and the variables that something writes unseen."""

    flows: tuple[_Given, ...]
    lost: frozenset[int]


def varying(unit: Unit, kernel: Function, by: str = "threadIdx") -> Varying:
    """What may differ between the threads that run the kernel; by blockIdx: between its blocks."""
    found = Varying(by)
    codes = []
    for function in reachable(unit, kernel):
        if function.body is not None:
            found.seen.add(function.key)
            codes.append(_code(unit, function))
    reached: list[Place | str] = [lost for code in codes for lost in code.lost]
    after: dict[Place | str, list[Place | str]] = {}  # the targets of flows from a place or function
    for flow in (flow for code in codes for flow in code.flows):
        if _differs(flow, found):
            reached.append(flow.target)
        for source in (*flow.places, *(key for key, _ in flow.calls if key in found.seen)):
            after.setdefault(source, []).append(flow.target)
    told: set[Place | str] = set()
    while reached:
        one = reached.pop()
        if one not in told:
            told.add(one)
            reached += after.get(one, ())
            if isinstance(one, tuple):
                reached.append((one[0], ""))
    found.variables.update(one for one in told if isinstance(one, int))
    found.fields.update(one for one in told if isinstance(one, tuple))
    found.functions.update(one for one in told if isinstance(one, str))
    return found


def _differs(flow: _Given, found: Varying) -> bool:
    """Whether what comes there differs by itself."""
    unseen = (name for key, name in flow.calls if key not in found.seen)
    return flow.lost or found.by in flow.builtins or any(not _is_uniform(name) for name in unseen)


@once
def _code(unit: Unit, function: Function) -> _Code:
    nodes = list(walk(function.body)) if function.body is not None else []
    flows = [_given(flow) for node in nodes for flow in _flows(unit, function, node)]
    return _Code(tuple(flows), frozenset(lost for node in nodes for lost in _lost(node)))


def _given(flow: _Flow) -> _Given:
    builtins, places, calls, lost = set(), set(flow.places), set(), False
    for part in _parts(flow.value) if flow.value is not None else ():
        match part:
            case e.Builtin(name=name):
                builtins.add(name)
            case e.VariableReference() | e.Member():
                places.update(_sources(part))
            case e.Call(key=key, name=name):
                calls.add((key, name))
            case e.Unknown() | e.Lambda():
                lost = True
    return _Given(flow.target, frozenset(builtins), frozenset(places), frozenset(calls), lost)


def _parts(node: Node) -> Iterator[Node]:
    """The node and what is below it; a field of a variable is one part."""
    yield node
    if _field(node) is None:
        for child in children(node):
            yield from _parts(child)


def _sources(node: Node) -> tuple[Place, ...]:
    """Where the value of a variable, or of a field of one, comes from."""
    place = _field(node)
    if place is not None:
        return (place[0], place)
    if isinstance(node, e.VariableReference):
        return (node.variable.id, (node.variable.id, ""))
    return ()


def _field(node: Node) -> tuple[int, str] | None:
    """The field that `v.f` and `p->f` name."""
    if not isinstance(node, e.Member):
        return None
    variable = _object(node.base)
    return (variable.id, node.name) if variable is not None else None


def _object(node: Node | None) -> e.Variable | None:
    """The private variable that an lvalue names, or the private pointer to what it names."""
    if isinstance(node, e.Dereference):
        node = node.pointer
    if isinstance(node, e.VariableReference) and node.variable.storage in ("local", "parameter"):
        return node.variable
    return None


def _flows(unit: Unit, function: Function, node: Node) -> Iterator[_Flow]:
    match node:
        case s.Declare(variable=variable, initial=initial) if initial is not None:
            yield from _set(unit, variable, initial)
        case e.Assign(target=e.VariableReference(variable=variable), value=value) if private(node.target):
            yield from _set(unit, variable, value)
        case e.Assign(target=target, value=value):
            place = _written(target, function)
            if place is not None:
                yield _Flow(place, value)
                yield _Flow(place, target)  # an element at a place that differs
        case s.Return(value=value) if value is not None:
            yield _Flow(function.key, value)
        case e.Call(key=key, arguments=arguments) if key in unit.functions:
            yield from _passed(unit, unit.functions[key], arguments, node.receiver)


def _written(target: e.Expression, function: Function) -> Place | None:
    """The private variable, or the field of one or of the method's object, that an lvalue is a part of."""
    node = target
    while not isinstance(node, e.VariableReference):
        match node:
            case e.Member(base=base):
                owner = _object(base)
                own = isinstance(base, e.VariableReference) or owner == function.this
                if owner is not None and own:
                    return (owner.id, node.name)
                node = base
            case e.Index(base=base) if not isinstance(base.type, Pointer):
                node = base
            case _:
                return None
    return node.variable.id if node.variable.storage in ("local", "parameter") else None


def _set(unit: Unit, variable: e.Variable, value: e.Expression) -> Iterator[_Flow]:
    """A variable is given a value, an object field by field where the code says how."""
    names = _names(unit, variable.type)
    match value:
        case e.InitList(elements=elements) if len(elements) <= len(names):
            for name, element in zip(names, elements, strict=False):
                yield _Flow((variable.id, name), element)
        case e.Construct(key=key, arguments=arguments) if key in unit.functions and names:
            made = unit.functions[key]
            yield from _passed(unit, made, arguments, None)
            if made.this is not None:
                yield from _copied(names, made.this.id, variable.id)
        case _ if names and (source := _object(value)) is not None:
            yield from _copied(names, source.id, variable.id)
        case _:
            yield _Flow(variable.id, value)


def _names(unit: Unit, type: Type) -> tuple[str, ...]:
    """The fields of an object, or of what a reference or pointer to one names."""
    match type:
        case Record(name=name) if name in unit.records and not unit.records[name].union:
            return tuple(each.name for each in unit.records[name].fields)
        case Reference(target=target) | Pointer(pointee=target):
            return _names(unit, target)
        case _:
            return ()


def _copied(names: tuple[str, ...], source: int, target: int) -> Iterator[_Flow]:
    """From one object to another, field by field."""
    yield _Flow(target, None, (source,))
    for name in names:
        yield _Flow((target, name), None, ((source, name),))


def _passed(
    unit: Unit, called: Function, arguments: tuple[e.Expression, ...], receiver: e.Expression | None
) -> Iterator[_Flow]:
    """From arguments to parameters, and back through references."""
    if called.this is not None and receiver is not None:
        yield from _lent_to(unit, called.this, receiver, True)
    for parameter, argument in zip(called.parameters, arguments, strict=False):
        if isinstance(parameter.type, Reference):
            yield from _lent_to(unit, parameter, argument, not parameter.type.const)
        else:
            yield from _set(unit, parameter, argument)


def _lent_to(unit: Unit, to: e.Variable, lent: e.Expression, changes: bool) -> Iterator[_Flow]:
    """From what is lent to a reference, or to a method as its object, and back if that may change it."""
    names, owner, root = _names(unit, to.type), _object(lent), private(lent)
    if names and owner is not None:
        yield from _copied(names, owner.id, to.id)
        if changes:
            yield from _copied(names, to.id, owner.id)
        return
    yield _Flow(to.id, lent)
    if changes and root is not None:
        yield _Flow(root.id, None, (to.id, (to.id, "")))


def _lost(node: Node) -> Iterator[int]:
    """Variables that something writes which is not followed: through a pointer, or by assembly."""
    match node:
        case e.AddressOf(operand=operand):
            root = private(operand)
            if root is not None:
                yield root.id
        case s.Opaque() | e.Unknown():
            yield from named(node)


def named(node: Node) -> Iterator[int]:
    """The ids of the variables that it names."""
    return (part.variable.id for part in find(node, e.VariableReference))


def private(node: e.Expression) -> e.Variable | None:
    """The local variable or parameter that an lvalue is, or is a part of."""
    while not isinstance(node, e.VariableReference):
        match node:
            case e.Member(base=base):
                node = base
            case e.Index(base=base) if not isinstance(base.type, Pointer):
                node = base
            case _:
                return None
    return node.variable if node.variable.storage in ("local", "parameter") else None
