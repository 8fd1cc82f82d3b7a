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
from cudalint.ir.types import Pointer, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, walk

_UNIFORM_CALLS = effects.MINIMA | effects.MAXIMA | effects.ABSOLUTES | effects.PRODUCTS | effects.LOADS


def _is_uniform(name: str) -> bool:
    """Whether a function that is not seen gives the same for the same arguments."""
    return name in _UNIFORM_CALLS or effects.is_pure(name)


Held = tuple[int, str]  # a variable, or `this`, by its id, and a member of it
Target = int | str | Held  # a variable, a function by its key, or what an object holds in a member


class Varying(Struct):
    """Of one kernel. variables: ids of those that may differ; members: likewise, of objects; functions: keys
    of those whose result may; seen: of those with a body. by: the built-in variable that tells one from the
    other.
    """

    by: str = "threadIdx"
    variables: set[int] = field(default_factory=set)
    members: set[Held] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def varies(self, node: Node) -> bool:
        """Whether the value of an expression may differ between threads, or blocks."""
        return any(self._own(part) for part in _read(node))

    def _own(self, part: Node | Held) -> bool:
        match part:
            case (int() as number, name):
                return number in self.variables or (number, name) in self.members
            case e.Builtin(name=name):
                return name == self.by
            case e.VariableReference(variable=variable):
                return variable.id in self.variables or any(variable.id == one for one, _ in self.members)
            case e.Call(key=str() as key) if key in self.seen:
                return key in self.functions
            case e.Call(name=name):
                return not _is_uniform(name)
            case e.Unknown() | e.Lambda():
                return True
            case _:
                return False


def _read(node: Node) -> Iterator[Node | Held]:
    """The parts of an expression; in place of a variable's member and what it is a member of, the two."""
    left = [node]
    while left:
        part = left.pop()
        held = _held(part)
        if held is not None:
            yield held
        else:
            yield part
            left += children(part)


def _held(node: Node) -> Held | None:
    """The member of a variable, or of what a pointer variable points to, that an expression is."""
    match node:
        case e.Member(base=e.VariableReference(variable=variable), name=name):
            return variable.id, name
        case e.Member(base=e.Dereference(pointer=e.VariableReference(variable=variable)), name=name):
            return variable.id, name
    return None


class _Flow(Struct, frozen=True):
    """A value that comes to a target."""

    target: Target
    value: e.Expression


class _Given(Struct, frozen=True):
    """What a flow's target is made of: built-in variables, variables, members of objects, functions with the
    names they are called by; lost: it may be anything.
    """

    target: Target
    builtins: frozenset[str]
    variables: frozenset[int]
    members: frozenset[Held]
    calls: frozenset[tuple[str | None, str]]
    lost: bool


class _Code(Struct, frozen=True):
    """Of one function: what comes to where, the variables that something writes unseen, and the pairs of
    variables, one of them a reference or `this`, that are one object.
    """

    flows: tuple[_Given, ...]
    lost: frozenset[int]
    same: frozenset[tuple[int, int]]


def varying(unit: Unit, kernel: Function, by: str = "threadIdx") -> Varying:
    """What may differ between the threads that run the kernel; by blockIdx: between its blocks."""
    found = Varying(by)
    codes = []
    for function in reachable(unit, kernel):
        if function.body is not None:
            found.seen.add(function.key)
            codes.append(_code(unit, function))
    for code in codes:
        found.variables.update(code.lost)
    reached: list[Target] = list(found.variables)
    after: dict[Target, list[Target]] = {}  # the targets of flows from each
    same: dict[int, set[int]] = {}
    for one, other in (pair for code in codes for pair in code.same):
        same.setdefault(one, set()).add(other)
        same.setdefault(other, set()).add(one)
    for flow in (flow for code in codes for flow in code.flows):
        if _differs(flow, found):
            reached.append(flow.target)
        for source in (*flow.variables, *flow.members, *(k for k, _ in flow.calls if k in found.seen)):
            after.setdefault(source, []).append(flow.target)  # type: ignore[arg-type]
            if isinstance(source, tuple):
                after.setdefault(source[0], []).append(flow.target)  # all of it may differ
    told: set[Target] = set()
    while reached:
        at = reached.pop()
        if at not in told:
            told.add(at)
            reached += after.get(at, ())
            if isinstance(at, tuple):
                reached += ((other, at[1]) for other in same.get(at[0], ()))
                reached += (target for target in after.get(at[0], ()) if target not in told)
    found.variables.update(one for one in told if isinstance(one, int))
    found.members.update(one for one in told if isinstance(one, tuple))
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
    lost = frozenset(lost for node in nodes for lost in _lost(node))
    return _Code(tuple(flows), lost, frozenset(pair for node in nodes for pair in _same(unit, node)))


def _given(flow: _Flow) -> _Given:
    builtins, variables, members, calls, lost = set(), set(), set(), set(), False
    for part in _read(flow.value):
        match part:
            case (int(), str()):
                members.add(part)
            case e.Builtin(name=name):
                builtins.add(name)
            case e.VariableReference(variable=variable):
                variables.add(variable.id)
            case e.Call(key=key, name=name):
                calls.add((key, name))
            case e.Unknown() | e.Lambda():
                lost = True
    return _Given(
        flow.target,
        frozenset(builtins),
        frozenset(variables),
        frozenset(members),
        frozenset(calls),
        lost,
    )


def _flows(unit: Unit, function: Function, node: Node) -> Iterator[_Flow]:
    match node:
        case s.Declare(variable=variable, initial=initial) if initial is not None:
            yield _Flow(variable.id, initial)
        case e.Assign(target=target, value=value):
            root = _written(function, target)
            if root is not None:
                yield _Flow(root, value)
                if not isinstance(root, tuple) or _held(target) is None:
                    yield _Flow(root, target)  # an element at a place that differs
        case s.Return(value=value) if value is not None:
            yield _Flow(function.key, value)
        case e.Call(key=key, arguments=arguments) if key in unit.functions:
            yield from _passed(unit.functions[key], arguments, node.receiver)


def _written(function: Function, target: e.Expression) -> Target | None:
    """The member of a private object, or of the method's own, that an lvalue is in; else the variable."""
    inner = target
    while True:
        held = _held(inner)
        if held is not None and (isinstance(inner, e.Member) and _is_own(function, inner.base)):
            return held
        match inner:
            case e.Member(base=base):
                inner = base
            case e.Index(base=base) if not isinstance(base.type, Pointer):
                inner = base
            case _:
                break
    variable = private(target)
    return variable.id if variable is not None else None


def _is_own(function: Function, base: e.Expression) -> bool:
    """Whether it is a private variable, or the object of the method."""
    if isinstance(base, e.VariableReference):
        return private(base) is not None
    pointer = base.pointer if isinstance(base, e.Dereference) else None
    return isinstance(pointer, e.VariableReference) and pointer.variable == function.this


def _passed(
    called: Function, arguments: tuple[e.Expression, ...], receiver: e.Expression | None
) -> Iterator[_Flow]:
    """From arguments to parameters, and back through references. What an object holds is not where it is."""
    if called.this is not None and receiver is not None and _object(receiver) is None:
        yield _Flow(called.this.id, receiver)
    for parameter, argument in zip(called.parameters, arguments, strict=False):
        yield _Flow(parameter.id, argument)
        root = private(argument)
        if isinstance(parameter.type, Reference) and not parameter.type.const and root is not None:
            yield _Flow(root.id, e.VariableReference(parameter, parameter.type, parameter.span))


def _same(unit: Unit, node: Node) -> Iterator[tuple[int, int]]:
    """The variables that a call lets stand for the objects of its caller."""
    called = unit.functions.get(node.key) if isinstance(node, e.Call) and node.key is not None else None
    if called is None or not isinstance(node, e.Call):
        return
    given = _object(node.receiver)
    if called.this is not None and given is not None:
        yield called.this.id, given
    for parameter, argument in zip(called.parameters, node.arguments, strict=False):
        given = _object(argument)
        if isinstance(parameter.type, Reference) and given is not None:
            yield parameter.id, given


def _object(node: e.Expression | None) -> int | None:
    """The variable that an object is, or whose pointer points to it."""
    match node:
        case e.VariableReference(variable=variable):
            return variable.id
        case e.Dereference(pointer=e.VariableReference(variable=variable)):
            return variable.id
    return None


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
    return (part.variable.id for part in walk(node) if isinstance(part, e.VariableReference))


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
