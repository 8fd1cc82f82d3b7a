"""Parameters of a kernel that choose what it does: they are compared with a few numbers for equality, and
used for nothing else. Which of these numbers lead to code that no other number leads to.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.guard_values import Numbers
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.source.span import Span

_OTHER = None  # a number that nothing is compared with


class Modes(Struct):
    """Of one kernel. names: the parameter, by its id, that each variable stands for; numbers: what each of
    those parameters is compared with, in the order of the source.
    """

    names: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, list[int]] = field(default_factory=dict)

    def of(self, node: e.Expression) -> int | None:
        """The parameter that an expression is."""
        while isinstance(node, e.Cast):
            node = node.operand
        return self.names.get(node.variable.id) if isinstance(node, e.VariableReference) else None


def leading(unit: Unit, function: Function, free: frozenset[int], accesses: frozenset[Span]) -> Numbers:
    """The number of each of the free parameters under which the kernel comes to most of these accesses, where
    it comes to more of them than under a number that nothing is compared with.
    """
    found = modes(unit, function)
    chosen: Numbers = {}
    for parameter, numbers in found.numbers.items():
        if parameter in free and numbers:  # none of a switch that has a default alone
            least = _come_to(unit, function, accesses, _Given(found, parameter, _OTHER))
            come = {n: _come_to(unit, function, accesses, _Given(found, parameter, n)) for n in numbers}
            best = max(come, key=lambda number: come[number])
            if come[best] > least:
                chosen[parameter] = (best,)
    return chosen


@once
def modes(unit: Unit, function: Function) -> Modes:
    """The parameters that choose, each with the numbers that it is compared with."""
    bodies = [one.body for one in reachable(unit, function) if one.body is not None]
    nodes = [node for body in bodies for node in walk(body)]
    changed = {
        node.target.variable.id
        for node in nodes
        if isinstance(node, e.Assign) and isinstance(node.target, e.VariableReference)
    }
    names = {one.id: one.id for one in function.parameters if _is_integer(one) and one.id not in changed}
    found = Modes(names)
    told: set[int] = set()  # references, by identity, that do nothing but choose
    if names:
        for node in nodes:
            _name(unit, node, found, changed, told)
        for node in nodes:
            _compare(node, found, told)
    for node in nodes:
        if isinstance(node, e.VariableReference) and id(node) not in told:
            found.numbers.pop(found.names.get(node.variable.id, 0), None)
    return found


def _is_integer(variable: e.Variable) -> bool:
    return isinstance(variable.type, Scalar) and variable.type.kind in ("signed", "unsigned")


def _name(unit: Unit, node: Node, found: Modes, changed: set[int], told: set[int]) -> None:
    """A variable that is given a parameter, in the kernel or in what it calls, and never changed stands
    for it.
    """
    pairs: list[tuple[e.Variable, e.Expression | None]] = []
    if isinstance(node, s.Declare):
        pairs.append((node.variable, node.initial))
    if isinstance(node, e.Call) and node.key in unit.functions:
        pairs += zip(unit.functions[node.key].parameters, node.arguments, strict=False)
    for variable, value in pairs:
        parameter = found.of(value) if value is not None else None
        if value is None or parameter is None or not _is_integer(variable) or variable.id in changed:
            continue
        if found.names.setdefault(variable.id, parameter) == parameter:
            told.add(id(_reference(value)))


def _reference(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _compare(node: Node, found: Modes, told: set[int]) -> None:
    """The numbers that a node compares a parameter with."""
    for chosen, numbers in _comparisons(node):
        parameter = found.of(chosen)
        if parameter is not None:
            told.add(id(_reference(chosen)))
            known = found.numbers.setdefault(parameter, [])
            known += [number for number in numbers if number not in known]


def _comparisons(node: Node) -> Iterator[tuple[e.Expression, tuple[int, ...]]]:
    """What a node asks for being equal to numbers. As a condition: to zero."""
    match node:
        case e.Binary(operator="==" | "!=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                number = _number(other)
                if number is not None:
                    yield one, (number,)
        case e.Binary(operator="&&" | "||", left=left, right=right):
            yield left, (0,)
            yield right, (0,)
        case e.Unary(operator="!", operand=operand):
            yield operand, (0,)
        case s.If(condition=condition) | e.Conditional(condition=condition):
            yield condition, (0,)
        case s.Switch(subject=subject, cases=cases):
            yield subject, tuple(case.value for case in cases if case.value is not None)


def _number(node: e.Expression) -> int | None:
    match _reference(node):
        case e.Literal(value=bool() | int() as value):
            return int(value)
        case e.Unary(operator="-", operand=operand):
            number = _number(operand)
            return -number if number is not None else None
    return None


class _Given(Struct, frozen=True):
    """A parameter and its number; _OTHER: unlike all that it is compared with."""

    modes: Modes
    parameter: int
    number: int | None

    def truth(self, node: e.Expression) -> bool | None:
        """Whether a condition holds; None: nobody knows."""
        if self.modes.of(node) == self.parameter:
            return self.number != 0
        match node:
            case e.Cast(operand=operand):
                return self.truth(operand)
            case e.Unary(operator="!", operand=operand):
                inner = self.truth(operand)
                return None if inner is None else not inner
            case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
                sides = self.truth(left), self.truth(right)
                ends = operator == "||"
                return ends if ends in sides else None if None in sides else not ends
            case e.Binary(operator="==" | "!=" as operator):
                for one, numbers in _comparisons(node):
                    if self.modes.of(one) == self.parameter:
                        return (self.number in numbers) == (operator == "==")
        return None


def _come_to(unit: Unit, function: Function, accesses: frozenset[Span], given: _Given) -> int:
    """How many of the accesses stand where the kernel may come to."""
    bodies = (one.body for one in reachable(unit, function) if one.body is not None)
    return sum(_held(body, accesses, given) for body in bodies)


def _held(node: Node, accesses: frozenset[Span], given: _Given) -> int:
    match node:
        case s.Block(body=body):
            found = 0
            for part in body:
                found += _held(part, accesses, given)
                if _leaves(part, given):
                    break
            return found
        case s.If(condition=condition, then=then, otherwise=otherwise):
            truth, found = given.truth(condition), _spans(condition, accesses)
            if truth is not False:
                found += _held(then, accesses, given)
            if truth is not True and otherwise is not None:
                found += _held(otherwise, accesses, given)
            return found
        case s.Loop(body=inner):
            parts = (node.initial, node.condition, node.step)
            head = sum(_spans(one, accesses) for one in parts if one is not None)
            return head + _held(inner, accesses, given)
        case s.Switch(subject=subject, body=body) if given.modes.of(subject) == given.parameter:
            first = _case(node, given.number)
            return sum(_held(part, accesses, given) for part in _until_break(body[first:]))
    return _spans(node, accesses)


def _spans(node: Node, accesses: frozenset[Span]) -> int:
    return sum(part.span in accesses for part in walk(node))


def _leaves(node: s.Statement, given: _Given) -> bool:
    """Whether nothing after it is come to."""
    match node:
        case s.Return() | s.Break() | s.Continue():
            return True
        case s.Block(body=body):
            return any(_leaves(part, given) for part in body)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            truth = given.truth(condition)
            if truth is None:
                return False
            arm = then if truth else otherwise
            return arm is not None and _leaves(arm, given)
    return False


def _case(node: s.Switch, number: int | None) -> int:
    """Where a switch goes on."""
    default = len(node.body)
    for case in node.cases:
        if case.value is not None and case.value == number:
            return case.index
        if case.value is None:
            default = case.index
    return default


def _until_break(body: tuple[s.Statement, ...]) -> Iterator[s.Statement]:
    for part in body:
        if isinstance(part, s.Break):
            return
        yield part
        if isinstance(part, s.Block) and any(isinstance(inner, s.Break) for inner in part.body):
            return
