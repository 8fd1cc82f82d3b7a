"""Which integer arithmetic becomes an index of memory or a size: directly, or through variables, parameters
and what functions return.
"""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Scalar, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find

Arithmetic = e.Binary | e.Assign | e.Cast

_PASSED = ("+", "-", "*", "<<")  # operators whose overflow shows in the result; others bound it
_INT = 4  # bytes
_ALLOCATE = ("malloc", "calloc", "realloc", "aligned_alloc", "operator new[]", "operator new")


class Feeding(Struct, frozen=True):
    """What becomes an index or a size. nodes: by identity; sources: of each, and of what hands values on
    unchanged, by identity, the nodes and others of these that its operands come from.
    """

    nodes: dict[int, Arithmetic]
    sources: dict[int, tuple[int, ...]]

    def first(self, among: Iterable[int]) -> Iterator[int]:
        """Those of some that come from none of the others."""
        chosen = set(among)
        for one in chosen:
            if not any(source in chosen for source in self._behind(one)):
                yield one

    def _behind(self, node: int) -> set[int]:
        found: set[int] = set()
        new = list(self.sources.get(node, ()))
        while new:
            one = new.pop()
            if one not in found:
                found.add(one)
                new += self.sources.get(one, ())
        return found - {node}


@once
def of_kernel(unit: Unit, function: Function) -> Feeding:
    """What becomes an index in a kernel and what it calls."""
    functions = reachable(unit, function)
    return _feeding(unit, functions, _indices)


@once
def of_sizes(unit: Unit, function: Function) -> Feeding:
    """What becomes the size of an allocation or a copy, or the grid of a launch, in a host function and what
    it calls.
    """
    return _feeding(unit, reachable(unit, function), _sizes)


@once
def of_host(unit: Unit, function: Function) -> Feeding:
    """What becomes such a size, or an index, in a host function and what it calls."""
    return _feeding(unit, reachable(unit, function), lambda node: (*_sizes(node), *_indices(node)))


@once
def assigned(unit: Unit, function: Function) -> dict[int, tuple[e.Expression, ...]]:
    """What each variable and parameter is given in a kernel and what it calls."""
    found = _Walk(unit)
    for current in reachable(unit, function):
        found.read(current)
    return {variable: tuple(values) for variable, values in found.assigned.items()}


def is_int(type: Type) -> bool:
    """Whether it is an integer of 32 bits."""
    return isinstance(type, Scalar) and type.kind in ("signed", "unsigned") and type.bytes == _INT


def _wraps(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind == "unsigned"


def is_long(type: Type) -> bool:
    """Whether it is an integer of more bits."""
    return isinstance(type, Scalar) and type.kind in ("signed", "unsigned") and type.bytes > _INT


def _indices(node: Node) -> Iterator[e.Expression]:
    match node:
        case e.Index(index=index):
            yield index
        case e.Binary(operator="+" | "-", type=Pointer(), left=left, right=right):
            yield right if isinstance(left.type, Pointer) else left
        case e.Assign(operator="+" | "-", value=value, target=target) if isinstance(target.type, Pointer):
            yield value


def _sizes(node: Node) -> Iterator[e.Expression]:
    match node:
        case e.Launch(grid=grid):
            yield grid
        case e.Call(name=name, arguments=arguments) if name.startswith("cuda") or name in _ALLOCATE:
            yield from (one for one in arguments if isinstance(one.type, Scalar))


class _Walk(Struct):
    """What is known of the functions: what is assigned to variables, passed and returned. sources: of every
    expression that was entered, those that its value is made of.
    """

    unit: Unit
    assigned: dict[int, list[e.Expression]] = field(default_factory=dict)
    returned: dict[str, list[e.Expression]] = field(default_factory=dict)
    nodes: dict[int, Arithmetic] = field(default_factory=dict)
    sources: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def read(self, function: Function) -> None:
        for node in find(function.body, s.Declare, e.Assign, s.Return, e.Call):
            match node:
                case s.Declare(variable=variable, initial=value) if value is not None:
                    self.assigned.setdefault(variable.id, []).append(value)
                case e.Assign(target=e.VariableReference(variable=variable)):
                    self.assigned.setdefault(variable.id, []).append(node)
                case s.Return(value=value) if value is not None:
                    self.returned.setdefault(function.key, []).append(value)
                case e.Call(key=key, arguments=arguments) if (called := self.unit.defined(key)) is not None:
                    for parameter, argument in zip(called.parameters, arguments, strict=False):
                        self.assigned.setdefault(parameter.id, []).append(argument)

    def enter(self, root: e.Expression) -> None:
        """Note what the value of an expression is made of."""
        left = [root]
        while left:
            node = left.pop()
            if id(node) not in self.sources:
                parts = self._parts(node)
                self.sources[id(node)] = tuple(id(part) for part in parts)
                left += parts

    def _parts(self, node: e.Expression) -> list[e.Expression]:
        """The expressions whose values become a part of this one's."""
        match node:
            case e.Binary(operator=operator, left=left, right=right) if operator in _PASSED:
                self._note(node)
                return [left] if operator == "<<" else [left, right]
            case e.Binary(operator="/" | ">>" as operator, left=left) if operator == "/" or not _wraps(
                left.type
            ):
                return [left]
            case e.Assign(operator=None, value=value):
                return [value]
            case e.Assign(operator=operator, value=value, target=target) if operator in _PASSED:
                self._note(node)
                return [value, target]
            case e.Cast(operand=operand):
                if is_int(node.type) and is_long(operand.type):
                    self._note(node)
                return [operand]
            case e.VariableReference(variable=variable):
                return self.assigned.get(variable.id, [])
            case e.Conditional(then=then, otherwise=otherwise):
                return [then, otherwise]
            case e.Construct(arguments=arguments) | e.InitList(elements=arguments):
                return list(arguments)
            case e.Call(key=key) if key is not None:
                return self.returned.get(key, [])
        return []

    def _note(self, node: Arithmetic) -> None:
        if is_int(node.type):
            self.nodes[id(node)] = node


def _feeding(
    unit: Unit, functions: tuple[Function, ...], roots: Callable[[Node], Iterable[e.Expression]]
) -> Feeding:
    found = _Walk(unit)
    for function in functions:
        found.read(function)
    for function in functions:
        for node in find(function.body, e.Index, e.Binary, e.Assign, e.Launch, e.Call):
            for root in roots(node):
                found.enter(root)
    return Feeding(found.nodes, found.sources)
