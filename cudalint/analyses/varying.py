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
from cudalint.ir.walk import Node, walk

_UNIFORM_CALLS = effects.MINIMA | effects.MAXIMA | effects.ABSOLUTES | effects.PRODUCTS | effects.LOADS


def _is_uniform(name: str) -> bool:
    """Whether a function that is not seen gives the same for the same arguments."""
    return name in _UNIFORM_CALLS or effects.is_pure(name)


class Varying(Struct):
    """Of one kernel. variables: ids of those that may differ; functions: keys of those whose result may;
    seen: of those with a body. by: the built-in variable that tells one from the other.
    """

    by: str = "threadIdx"
    variables: set[int] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def varies(self, node: Node) -> bool:
        """Whether the value of an expression may differ between threads, or blocks."""
        return any(self._own(part) for part in walk(node))

    def _own(self, node: Node) -> bool:
        match node:
            case e.Builtin(name=name):
                return name == self.by
            case e.VariableReference(variable=variable):
                return variable.id in self.variables
            case e.Call(key=str() as key) if key in self.seen:
                return key in self.functions
            case e.Call(name=name):
                return not _is_uniform(name)
            case e.Unknown() | e.Lambda():
                return True
            case _:
                return False


class _Flow(Struct, frozen=True):
    """A value that comes to a variable (by its id), or is what a function (by its key) returns."""

    target: int | str
    value: e.Expression


class _Given(Struct, frozen=True):
    """What a flow's target is made of: built-in variables, variables, functions with the names they are
    called by; lost: it may be anything.
    """

    target: int | str
    builtins: frozenset[str]
    variables: frozenset[int]
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
    for code in codes:
        found.variables.update(code.lost)
    reached: list[int | str] = list(found.variables)
    after: dict[int | str, list[int | str]] = {}  # the targets of flows from a variable or function
    for flow in (flow for code in codes for flow in code.flows):
        if _differs(flow, found):
            reached.append(flow.target)
        for source in (*flow.variables, *(key for key, _ in flow.calls if key in found.seen)):
            after.setdefault(source, []).append(flow.target)  # type: ignore[arg-type]
    told: set[int | str] = set()
    while reached:
        one = reached.pop()
        if one not in told:
            told.add(one)
            reached += after.get(one, ())
    found.variables.update(one for one in told if isinstance(one, int))
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
    builtins, variables, calls, lost = set(), set(), set(), False
    for part in walk(flow.value):
        match part:
            case e.Builtin(name=name):
                builtins.add(name)
            case e.VariableReference(variable=variable):
                variables.add(variable.id)
            case e.Call(key=key, name=name):
                calls.add((key, name))
            case e.Unknown() | e.Lambda():
                lost = True
    return _Given(flow.target, frozenset(builtins), frozenset(variables), frozenset(calls), lost)


def _flows(unit: Unit, function: Function, node: Node) -> Iterator[_Flow]:
    match node:
        case s.Declare(variable=variable, initial=initial) if initial is not None:
            yield _Flow(variable.id, initial)
        case e.Assign(target=target, value=value):
            root = private(target)
            if root is not None:
                yield _Flow(root.id, value)
                yield _Flow(root.id, target)  # an element at a place that differs
        case s.Return(value=value) if value is not None:
            yield _Flow(function.key, value)
        case e.Call(key=key, arguments=arguments) if key in unit.functions:
            yield from _passed(unit.functions[key], arguments, node.receiver)


def _passed(
    called: Function, arguments: tuple[e.Expression, ...], receiver: e.Expression | None
) -> Iterator[_Flow]:
    """From arguments to parameters, and back through references."""
    if called.this is not None and receiver is not None:
        yield _Flow(called.this.id, receiver)
    for parameter, argument in zip(called.parameters, arguments, strict=False):
        yield _Flow(parameter.id, argument)
        root = private(argument)
        if isinstance(parameter.type, Reference) and not parameter.type.const and root is not None:
            yield _Flow(root.id, e.VariableReference(parameter, parameter.type, parameter.span))


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
