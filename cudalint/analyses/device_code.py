"""The code that runs on the device, indexed once a unit: nodes by type, parents, loops, constants."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import named
from cudalint.cuda import maths
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Reference, Scalar, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, kept, walk
from cudalint.source.span import Span

_Node = TypeVar("_Node", bound=Node)
_NAME = re.compile(r"[A-Za-z_]\w*")
_DEPTH = 4  # calls that stand in each other
_INSTANCE = "operator()<"  # in the key of one of a template, which is there for the calls that are seen


class Placed(Protocol):
    """Anything that stands at a place of the source."""

    @property
    def span(self) -> Span: ...


_Site = TypeVar("_Site", bound=Placed)


class Body(Struct, frozen=True, eq=False):
    """One function that runs on the device, its nodes in source order."""

    function: Function
    nodes: dict[type, list[Node]]
    parents: dict[int, Node]
    once: dict[int, e.Expression] = field(default_factory=dict)  # by id: what a local holds from start to end
    callees: dict[str, "Body"] = field(
        default_factory=dict
    )  # by key: every function of the unit's device code
    expanded: set[int] = field(
        default_factory=set
    )  # ids of parameters that are a constant wherever it is called

    def of(self, kind: type[_Node]) -> list[_Node]:
        """The nodes of one type."""
        return self.nodes.get(kind, [])  # type: ignore[return-value]

    def parent(self, node: Node) -> Node | None:
        return self.parents.get(id(node))

    def ancestors(self, node: Node) -> Iterator[Node]:
        """What the node stands in, from inside out."""
        above = self.parents.get(id(node))
        while above is not None:
            yield above
            above = self.parents.get(id(above))

    def loops(self, node: Node) -> Iterator[s.Loop]:
        """The loops that run the node more than once, from inside out: not those it starts."""
        below = node
        for above in self.ancestors(node):
            if isinstance(above, s.Loop) and below is not above.initial:
                yield above
            below = above

    def constant(self, node: e.Expression, depth: int = _DEPTH) -> int | float | None:
        """The number that a compiler puts there, or None. depth: of calls that it looks into."""
        match node:
            case e.Literal(value=int() | float() as value):
                return value
            case e.Cast(operand=operand, type=Scalar(kind=kind)):
                held = self.constant(operand, depth)
                return held if held is None or kind == "float" else int(held)
            case e.Unary(operator="-" | "+" as sign, operand=operand):
                held = self.constant(operand, depth)
                return held if held is None or sign == "+" else -held
            case e.Binary(operator=operator, left=left, right=right):
                one, two = self.constant(left, depth), self.constant(right, depth)
                if one is None or two is None:
                    return None
                return _folded(operator, one, two, node.type)
            case e.VariableReference(variable=variable):
                start = self.once.get(variable.id)
                if start is None and variable.const:
                    start = variable.initial
                return None if start is None else self.constant(start, depth)
            case e.Call(key=str(key), receiver=None, arguments=()) if depth:
                called = self.callees.get(key)
                told = called.returned() if called is not None else None
                return None if called is None or told is None else called.constant(told, depth - 1)
            case _:
                return None

    def returned(self) -> e.Expression | None:
        """What a function without parameters returns that does nothing else, as `constexpr int side()`."""
        body = self.function.body
        only = body.body[0] if body is not None and len(body.body) == 1 else None
        return only.value if isinstance(only, s.Return) and not self.function.parameters else None

    def is_constant(self, node: e.Expression) -> bool:
        """Whether a compiler that expands the function where it is called has a number for the node, if not
        the same one at each call.
        """
        match node:
            case e.Cast(operand=operand) | e.Unary(operator="-" | "+", operand=operand):
                return self.is_constant(operand)
            case e.Binary(left=left, right=right):
                return self.is_constant(left) and self.is_constant(right)
            case e.VariableReference(variable=variable) if variable.id in self.expanded:
                return True
            case e.VariableReference(variable=variable) if variable.id in self.once:
                return self.is_constant(self.once[variable.id])
            case _:
                return self.constant(node) is not None


class DeviceCode(Struct, frozen=True, eq=False):
    """Every function of the project that runs on the device; a template once an instantiation."""

    unit: Unit
    bodies: tuple[Body, ...]

    def agreed(self, sites: Callable[[Body], Iterator[_Site]]) -> Iterator[tuple[_Site, Body]]:
        """The sites that every instantiation of the code round them has, as first met, in source order."""
        found: dict[Span, tuple[_Site, Body]] = {}
        counts: dict[Span, int] = {}
        copies: dict[Span, int] = {}
        barren: set[Span] = set()  # extents with an instantiation that has no site of all those before
        for body in self.bodies:
            extent = body.function.extent
            copies[extent] = copies.get(extent, 0) + 1
            if extent in barren:
                continue
            own = {site.span: site for site in sites(body)}
            for span, site in own.items():
                found.setdefault(span, (site, body))
                counts[span] = counts.get(span, 0) + 1
            if not any(counts[span] >= copies[extent] for span in own):
                barren.add(extent)
        for span in sorted(found, key=lambda at: (at.path, at.line, at.column)):
            site, body = found[span]
            if counts[span] >= copies[body.function.extent]:
                yield site, body


def device_code(unit: Unit, text: Callable[[Span], str] = lambda span: "") -> DeviceCode:
    """The index of a unit. text: the source of a span without comments, '' where it is not at hand."""
    callees: dict[str, Body] = {}
    bodies = tuple(_index(function, unit, callees) for function in device_functions(unit, text))
    callees.update((body.function.key, body) for body in bodies)
    calls: dict[str, list[tuple[Body, e.Call]]] = {}
    for body in bodies:
        for call in body.of(e.Call):
            calls.setdefault(call.key or "", []).append((body, call))
    values = {node.key for body in bodies for node in body.of(e.FunctionReference)}
    for body in bodies:
        if body.function.key not in values:
            _pass_constants(body, calls.get(body.function.key, []), unit)
    return DeviceCode(unit, bodies)


def _pass_constants(body: Body, calls: list[tuple[Body, e.Call]], unit: Unit) -> None:
    """Enter the parameters that every call on the device passes a constant for: the compiler has it when it
    expands the function; where it is always the same, it works it out. calls: all of the function, and where
    they are.
    """
    function = body.function
    if function.kernel or (function.lambda_ and _INSTANCE not in function.key) or not calls:
        return  # a library may call it as well
    kinds = (e.Assign, e.AddressOf, e.Lambda, s.Opaque, e.Unknown, e.Call, e.Construct)
    moved = {number for kind in kinds for node in body.nodes.get(kind, ()) for number in changed(node, unit)}
    for at, parameter in enumerate(function.parameters):
        if parameter.id in moved or not isinstance(parameter.type, Scalar):
            continue
        given = [(one, node.arguments[at]) for one, node in calls if at < len(node.arguments)]
        if len(given) < len(calls) or not all(one.is_constant(argument) for one, argument in given):
            continue
        numbers = {one.constant(argument) for one, argument in given}
        number = numbers.pop() if len(numbers) == 1 else None
        if number is None:
            body.expanded.add(parameter.id)
        else:
            body.once[parameter.id] = e.Literal(number, parameter.type, function.span)


def device_functions(unit: Unit, text: Callable[[Span], str]) -> Iterator[Function]:
    """Functions of the project that run on the device: kernels and what they reach, and what a library may
    call there. Where no kernel is, nothing tells which are used, and device-only functions are taken for it.
    """
    kernels = [function for function in unit.functions.values() if function.kernel]
    reached = _reached(unit, kernels, text)
    used = reached | _reached(unit, _lent_out(unit), text) if kernels else frozenset(unit.functions)
    for key, function in unit.functions.items():
        if function.dependent or function.body is None:
            continue
        if unit.project_files and function.extent.path not in unit.project_files:
            continue
        if key in reached or (function.device and not function.host and key in used):
            yield function


def _lent_out(unit: Unit) -> Iterator[Function]:
    """Functions that a library or a pointer may call there: methods, lambdas, those named as values."""
    for function in unit.functions.values():
        if function.device and (function.lambda_ or function.this is not None):
            yield function
    bodies = (function.body for function in unit.functions.values())
    initials = (variable.initial for variable in unit.variables.values() if variable.initial is not None)
    for start in (*bodies, *initials):
        for node in find(start, e.FunctionReference):
            if node.key in unit.functions:
                yield unit.functions[node.key]


def _reached(unit: Unit, starts: Iterable[Function], text: Callable[[Span], str]) -> frozenset[str]:
    """Keys of the functions and of everything that they call, directly or not."""
    waiting = [function.key for function in starts]
    by_name = _by_name(unit)
    reached: set[str] = set()
    while waiting:
        key = waiting.pop()
        function = unit.functions.get(key)
        if key in reached or function is None:
            continue
        reached.add(key)
        if function.body is not None:
            waiting.extend(named(function.body))
        if function.dependent or find(function.body, s.Opaque, e.Unknown):
            waiting.extend(
                key for name in _NAME.findall(text(function.extent)) for key in by_name.get(name, ())
            )
    return frozenset(reached)


def _by_name(unit: Unit) -> dict[str, list[str]]:
    """Keys of the functions of the device by name, but for names with several definitions: a call that was
    lost does not tell which of them it means.
    """
    keys: dict[str, list[str]] = {}
    extents: dict[str, set[Span]] = {}
    for key, function in unit.functions.items():
        if function.device:
            keys.setdefault(function.name, []).append(key)
            extents.setdefault(function.name, set()).add(function.extent)
    return {name: found for name, found in keys.items() if len(extents[name]) == 1}


def body_of(unit: Unit, function: Function) -> Body:
    """The index of one function alone: what its calls pass is not known."""
    return _index(function, unit, {})


def _index(function: Function, unit: Unit, callees: dict[str, Body]) -> Body:
    nodes, parents = _sorted(function.body) if function.body is not None else ({}, {})
    return Body(function, nodes, parents, _held(nodes, unit), callees)


@kept
def _sorted(body: s.Block) -> tuple[dict[type, list[Node]], dict[int, Node]]:
    """The nodes by type, and what each stands in, by identity."""
    nodes: dict[type, list[Node]] = {}
    parents: dict[int, Node] = {}
    for node in walk(body):
        nodes.setdefault(type(node), []).append(node)
        for child in children(node):
            parents[id(child)] = node
    return nodes, parents


def _held(nodes: dict[type, list[Node]], unit: Unit) -> dict[int, e.Expression]:
    """The initial values of locals that nothing changes and whose address nothing takes."""
    first: dict[int, e.Expression] = {}
    for node in nodes.get(s.Declare, []):
        if (
            isinstance(node, s.Declare)
            and node.initial is not None
            and isinstance(node.variable.type, Scalar)
        ):
            first[node.variable.id] = node.initial
    for kind in (e.Assign, e.AddressOf, e.Lambda, s.Opaque, e.Unknown, e.Call, e.Construct):
        for node in nodes.get(kind, []):
            for variable in changed(node, unit):
                first.pop(variable, None)
    return first


def changed(node: Node, unit: Unit) -> Iterator[int]:
    """Variables that the node, or what it hands them to, may change."""
    match node:
        case e.Assign(target=e.VariableReference(variable=variable)):
            yield variable.id
        case e.AddressOf(operand=e.VariableReference(variable=variable)):
            yield variable.id
        case e.Lambda(captures=captures):
            yield from (variable.id for variable, how in captures if how == "reference")
        case e.Call(name=name, arguments=arguments) if not maths.base(name):
            callee = unit.functions.get(node.key or "")
            if callee is not None or not name.startswith("__"):  # intrinsics take no references
                yield from _lent(callee, arguments)
        case e.Construct(key=key, arguments=arguments):
            yield from _lent(unit.functions.get(key or ""), arguments)
        case s.Opaque() | e.Unknown():
            yield from (n.variable.id for n in find(node, e.VariableReference))


def _lent(callee: Function | None, arguments: tuple[e.Expression, ...]) -> Iterator[int]:
    """Variables among the arguments that a callee gets by reference, or may get so."""
    for number, argument in enumerate(arguments):
        if not isinstance(argument, e.VariableReference) or argument.variable.const:
            continue
        given = callee.parameters[number : number + 1] if callee is not None else ()
        if not given or (isinstance(given[0].type, Reference) and not given[0].type.const):
            yield argument.variable.id


def _folded(operator: str, one: int | float, two: int | float, type: Type) -> int | float | None:
    """The value of a constant operation; None where it has none that is sure."""
    whole = isinstance(type, Scalar) and type.kind in ("signed", "unsigned")
    match operator:
        case "+":
            return one + two
        case "-":
            return one - two
        case "*":
            return one * two
        case "/" if two and whole:
            quotient = abs(int(one)) // abs(int(two))
            return quotient if (one < 0) == (two < 0) else -quotient
        case "/" if two:
            return one / two
        case "<<" if whole and 0 <= two < 64:
            return int(one) << int(two)
        case _:
            return None
