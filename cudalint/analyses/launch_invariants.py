"""What the values of a kernel are made of: arguments and constants alone, so that all threads compute the
same, or also the thread, the block or data.

Values are followed through variables and calls, without their order, and through the conditions under which
variables are written. A variable that a loop changes has one value an iteration: a table of them is the same
in all threads where the loop's start and step are.
"""

from collections.abc import Iterator
from enum import Flag, auto

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.once import once
from cudalint.analyses.pointees import only_read
from cudalint.analyses.varying import named, private
from cudalint.cuda import effects, maths
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk

_TWO_RESULTS = frozenset("sincos sincosf sincospi sincospif".split())
_FEW = 1024  # values of an index that are few
_MOST_TURNS = 20  # until no variable gets a further source


class Source(Flag):
    """What a value depends on. FEW: an index that is one of few; LOOP: the iteration of a loop."""

    NOTHING = 0
    ARGUMENT = auto()
    LOOP = auto()
    FEW = auto()
    THREAD = auto()
    BLOCK = auto()
    DATA = auto()

    def __or__(self, other: "Source") -> "Source":
        both = _BOTH.get((self._value_, other._value_))
        if both is None:
            both = _BOTH[self._value_, other._value_] = super().__or__(other)
        return both


_BOTH: dict[tuple[int, int], Source] = {}  # by the numbers of the two

NOTHING = Source.NOTHING
VARYING = Source.THREAD | Source.BLOCK | Source.DATA


class _Flow(Struct, frozen=True):
    """A value that comes to a variable (by its id), or is what a function (by its key) returns. under: the
    conditions that decide whether; looped: once an iteration.
    """

    target: int | str
    value: e.Expression
    under: tuple[e.Expression, ...]
    looped: bool = False


class Sources(Struct):
    """Of one kernel: of its variables, by id, and of the results of the functions it calls, by key. read: its
    pointers that it only reads through.
    """

    unit: Unit
    parameters: frozenset[int]
    read: frozenset[int] = frozenset()
    known: dict[int | str, Source] = field(default_factory=dict)

    def of(self, node: Node) -> Source:
        """What the value of an expression depends on."""
        match node:
            case e.Literal():
                return NOTHING
            case e.Builtin(name="threadIdx"):
                return Source.THREAD
            case e.Builtin(name="blockIdx"):
                return Source.BLOCK
            case e.Builtin():
                return Source.ARGUMENT
            case e.VariableReference(variable=variable):
                return self._of_variable(variable)
            case e.Binary(operator="%" | "&", right=right) if _is_few(right):
                return self._one_of_few(node)
            case e.Index(base=base, index=index) if isinstance(base.type, Pointer):
                return self._loaded(node, base, self.of(base) | self.of(index))
            case e.Dereference(pointer=pointer):
                return self._loaded(node, pointer, self.of(pointer))
            case e.Call():
                return self._called(node)
            case e.Assign(value=value):
                return self.of(value) | self.of(node.target)
            case e.Unknown() | e.Lambda() | e.Launch() | e.FunctionReference() | e.Construct():
                return Source.DATA
            case _:
                return self._of_parts(node)

    def _of_parts(self, node: Node) -> Source:
        found = NOTHING
        for part in _parts(node):
            found |= self.of(part)
        return found

    def _of_variable(self, variable: e.Variable) -> Source:
        if variable.id in self.parameters:
            return Source.ARGUMENT | self.known.get(variable.id, NOTHING)
        match variable.storage:
            case "local" | "parameter":
                return self.known.get(variable.id, NOTHING)
            case "constant":
                return Source.ARGUMENT
            case "global" if variable.const:
                return NOTHING
            case _:
                return Source.DATA

    def _one_of_few(self, node: Node) -> Source:
        found = self._of_parts(node)
        index = Source.THREAD | Source.BLOCK
        return (found & ~index) | Source.FEW if found & index and not found & Source.DATA else found

    def _loaded(self, node: e.Expression, pointer: e.Expression, place: Source) -> Source:
        """Memory that the kernel does not write through the pointer, at a place that is the same for all, or
        for all threads of a block.
        """
        if place & (Source.THREAD | Source.DATA | Source.FEW):
            return place | Source.DATA
        root = root_of(node)
        own = root is not None and (root.name == "this" or root.storage == "constant" or root.id in self.read)
        read_only = isinstance(pointer.type, Pointer) and pointer.type.const and not pointer.type.volatile
        return place | Source.ARGUMENT if own or read_only else place | Source.DATA

    def _called(self, node: e.Call) -> Source:
        found = NOTHING
        for part in node.operands:
            found |= self.of(part.operand if isinstance(part, e.AddressOf) else part)
        if node.key in self.unit.functions and self.unit.functions[node.key].body is not None:
            return found | self.known.get(node.key, NOTHING)
        if node.name in effects.LOADS and node.arguments:
            return self._loaded(node, node.arguments[0], found)
        return found if maths.base(node.name) or effects.is_pure(node.name) else Source.DATA


def _parts(node: Node) -> Iterator[Node]:
    match node:
        case e.Binary(left=left, right=right):
            yield from (left, right)
        case e.Unary(operand=operand) | e.Cast(operand=operand) | e.AddressOf(operand=operand):
            yield operand
        case e.Conditional(condition=condition, then=then, otherwise=otherwise):
            yield from (condition, then, otherwise)
        case e.Index(base=base, index=index):
            yield from (base, index)
        case e.Member(base=base):
            yield base
        case e.InitList(elements=elements):
            yield from elements


def _is_few(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Literal) and isinstance(node.value, int) and 0 < node.value <= _FEW


@once
def sources(unit: Unit, kernel: Function) -> Sources:
    """Of all values of a kernel and of what it calls."""
    found = Sources(unit, frozenset(parameter.id for parameter in kernel.parameters), only_read(kernel))
    flows: list[_Flow] = []
    for function in reachable(unit, kernel):
        if function.body is not None:
            flows += _Reader(unit, function).read(function.body, (), 0)
            for node in walk(function.body):
                for lost in _lost(node):
                    found.known[lost] = Source.DATA
    waiting = [True] * len(flows)  # to be followed: what they depend on has a further source
    readers = _readers(flows)
    for _ in range(_MOST_TURNS):
        tested: dict[int, Source] = {}  # conditions by identity, until a variable gets a further source
        changed = False
        for number, flow in enumerate(flows):
            if not waiting[number]:
                continue
            waiting[number] = False
            came = found.of(flow.value) | (Source.LOOP if flow.looped else NOTHING)
            for condition in flow.under:
                if id(condition) not in tested:
                    tested[id(condition)] = found.of(condition) & (VARYING | Source.FEW)
                came |= tested[id(condition)]
            had = found.known.get(flow.target, NOTHING)
            found.known[flow.target] = had | came
            if had | came != had:
                changed = True
                tested.clear()
                for reader in readers.get(flow.target, ()):
                    waiting[reader] = True
        if not changed:
            return found
    return Sources(unit, found.parameters, found.read, dict.fromkeys(found.known, Source.DATA))


def _readers(flows: list[_Flow]) -> dict[int | str, list[int]]:
    """By variable, and by function whose result it is: the flows, by number, that depend on it."""
    roots = {id(root): root for flow in flows for root in (flow.value, *flow.under)}
    reads = {key: _reads(root) for key, root in roots.items()}
    found: dict[int | str, list[int]] = {}
    for number, flow in enumerate(flows):
        for one in frozenset().union(*(reads[id(root)] for root in (flow.value, *flow.under))):
            found.setdefault(one, []).append(number)
    return found


def _reads(root: e.Expression) -> frozenset[int | str]:
    """The variables and the results of functions that a value depends on."""
    return frozenset(
        node.variable.id if isinstance(node, e.VariableReference) else node.key or ""
        for node in find(root, e.VariableReference, e.Call)
    )


class _Reader(Struct):
    """The flows of one function. scopes: the conditions and the loops round where a variable is declared: all
    that read it are in them, too.
    """

    unit: Unit
    function: Function
    scopes: dict[int, tuple[int, int]] = field(default_factory=dict)

    def read(self, node: s.Statement, under: tuple[e.Expression, ...], loops: int) -> list[_Flow]:
        """Of a statement under these conditions, in so many loops."""
        match node:
            case s.Block(body=body):
                found = []
                for part in body:
                    found += self.read(part, under, loops)
                    if isinstance(part, s.If) and find(part, s.Continue):
                        under = (*under, part.condition)
                return found
            case s.If(condition=condition, then=then, otherwise=otherwise):
                inside = (*under, condition)
                found = self._evaluated(condition, under, loops) + self.read(then, inside, loops)
                return found + (self.read(otherwise, inside, loops) if otherwise is not None else [])
            case s.Switch(subject=subject, body=body):
                found = self._evaluated(subject, under, loops)
                for part in body:
                    found += self.read(part, (*under, subject), loops)
                return found
            case s.Loop():
                return self._loop(node, under, loops)
            case s.Declare(variable=variable, initial=initial):
                self.scopes[variable.id] = len(under), loops
                if initial is None:
                    return []
                return [_Flow(variable.id, initial, ()), *self._evaluated(initial, under, loops)]
            case s.Evaluate(expression=expression):
                return self._evaluated(expression, under, loops)
            case s.Return(value=value) if value is not None:
                return [_Flow(self.function.key, value, under), *self._evaluated(value, under, loops)]
            case _:
                return []

    def _loop(self, node: s.Loop, under: tuple[e.Expression, ...], loops: int) -> list[_Flow]:
        """What ends it decides over the variables that outlive it; a counter of its own does not, nor do the
        parameters of what it calls.
        """
        found = self.read(node.initial, under, loops) if node.initial is not None else []
        own = {part.variable.id for part in find(node, s.Declare)}
        for call in find(node, e.Call):
            if call.key in self.unit.functions:
                called = self.unit.functions[call.key]
                own |= {one.id for one in (*called.parameters, called.this) if one is not None}
        ends = [] if node.condition is None else [node.condition]
        ends += [part.condition for part in find(node.body, s.If) if _leaves(part)]
        inner = self.read(node.body, under, loops + 1)
        for part in (node.condition, node.step):
            inner += self._evaluated(part, under, loops + 1) if part is not None else []
        return found + [
            flow if flow.target in own else _Flow(flow.target, flow.value, (*flow.under, *ends), flow.looped)
            for flow in inner
        ]

    def _evaluated(self, root: e.Expression, under: tuple[e.Expression, ...], loops: int) -> list[_Flow]:
        found = []
        for node in find(root, e.Assign, e.Call):
            match node:
                case e.Assign(target=target, value=value):
                    variable = private(target)
                    if variable is not None:
                        outside, round_it = self.scopes.get(variable.id, (0, 0))
                        found.append(_Flow(variable.id, value, under[outside:], loops > round_it))
                        found.append(_Flow(variable.id, target, under[outside:]))
                case e.Call(name=name, arguments=arguments) if name in _TWO_RESULTS:
                    for result in arguments[1:]:
                        variable = private(result.operand) if isinstance(result, e.AddressOf) else None
                        if variable is not None:
                            found.append(_Flow(variable.id, arguments[0], under))
                case e.Call(key=key) if key in self.unit.functions:
                    found += _passed(self.unit.functions[key], node, under)
        return found


def _leaves(node: s.If) -> bool:
    return bool(find(node, s.Break))


def _passed(called: Function, call: e.Call, under: tuple[e.Expression, ...]) -> list[_Flow]:
    """From arguments to parameters, and back through references."""
    pairs = list(zip(called.parameters, call.arguments, strict=False))
    if called.this is not None and call.receiver is not None:
        pairs.append((called.this, call.receiver))
    found = []
    for parameter, argument in pairs:
        found.append(_Flow(parameter.id, argument, ()))
        root = private(argument)
        if isinstance(parameter.type, Reference) and not parameter.type.const and root is not None:
            found.append(
                _Flow(root.id, e.VariableReference(parameter, parameter.type, parameter.span), under)
            )
    return found


def _lost(node: Node) -> Iterator[int]:
    """Variables that something writes which is not followed: through a pointer, or by assembly."""
    match node:
        case e.Call(name=name, arguments=arguments) if name not in _TWO_RESULTS:
            yield from (root.id for part in arguments if (root := _addressed(part)) is not None)
        case s.Declare(initial=value) | e.Assign(value=value) if value is not None:
            root = _addressed(value)
            if root is not None:
                yield root.id
        case s.Opaque() | e.Unknown():
            yield from named(node)


def _addressed(node: e.Expression) -> e.Variable | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return private(node.operand) if isinstance(node, e.AddressOf) else None
