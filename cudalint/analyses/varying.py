"""Which values may differ between the threads of a block, or between blocks, told from the code alone: what a
compiler can prove to be the same in all of them, whatever sizes are passed.

Assignments are followed without their order and without the conditions round them.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk

_UNIFORM_CALLS = effects.MINIMA | effects.MAXIMA | effects.ABSOLUTES | effects.PRODUCTS | effects.LOADS


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
                return name not in _UNIFORM_CALLS and not effects.is_pure(name)
            case e.Unknown() | e.Lambda():
                return True
            case _:
                return False


class _Flow(Struct, frozen=True):
    """A value that comes to a variable (by its id), or is what a function (by its key) returns."""

    target: int | str
    value: e.Expression


def varying(unit: Unit, kernel: Function, by: str = "threadIdx") -> Varying:
    """What may differ between the threads that run the kernel; by blockIdx: between its blocks."""
    found = Varying(by)
    flows: list[_Flow] = []
    for function in reachable(unit, kernel):
        if function.body is None:
            continue
        found.seen.add(function.key)
        for node in walk(function.body):
            flows += _flows(unit, function, node)
            found.variables.update(_lost(node))
    changed = True
    while changed:
        changed = False
        for flow in flows:
            known: set[int] | set[str] = found.variables if isinstance(flow.target, int) else found.functions
            if flow.target not in known and found.varies(flow.value):
                known.add(flow.target)  # type: ignore[arg-type]
                changed = True
    return found


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
