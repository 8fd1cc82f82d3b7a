"""What the variables of a function stand for: the one expression that each is set to, where there is just
one, and the expressions that launches are written with, in terms of what those start from.
"""

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.constructed import made_with
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, kept

_DEPTH = 12  # definitions that stand in each other


class Definitions(Struct):
    """Of one function. values: what a variable is set to, each time that it is; changed: variables that are
    changed in another way (`n /= 2`, `&n`, `grid.x = 4`).
    """

    unit: Unit
    function: Function
    values: dict[int, list[e.Expression]] = field(default_factory=dict)
    changed: frozenset[int] = frozenset()

    def only(self, variable: e.Variable) -> e.Expression | None:
        """The expression that the variable always stands for; None where there is none, or several."""
        found = self.values.get(variable.id, [])
        if variable.id in self.changed or len(found) > 1 or variable.storage == "parameter":
            return None
        if found:
            return found[0]
        return variable.initial if variable.const else None

    def resolve(self, node: e.Expression, depth: int = 0) -> e.Expression:
        """The expression behind conversions between integers and behind variables that stand for one. A
        variable that stands for what an unseen function returns is left as it is.
        """
        if depth > _DEPTH:
            return node
        match node:
            case e.Cast(operand=operand, type=kind) if _is_integer(kind) and _is_integer(operand.type):
                return self.resolve(operand, depth + 1)
            case e.VariableReference(variable=variable):
                value = self.only(variable)
                found = self.resolve(value, depth + 1) if value is not None else node
                return node if isinstance(found, e.Call | e.Unknown) else found
            case e.Member(base=base, name="x" | "y" | "z" as axis) if isinstance(base.type, t.Record):
                extent = self.axes(base, depth + 1)["xyz".index(axis)]
                return node if extent is None else self.resolve(extent, depth + 1)
            case e.Member(base=base, name=name):
                value = self.member(base, name, depth + 1)
                found = self.resolve(value, depth + 1) if value is not None else node
                return node if isinstance(found, e.Call | e.Unknown) else found
            case e.Call():
                body = self._returned(node)
                return node if body is None else self.resolve(body, depth + 1)
        return node

    def axes(self, node: e.Expression, depth: int = 0) -> tuple[e.Expression | None, ...]:
        """The three extents of a dim3, or of the number that becomes one; None for an extent of 1."""
        found = self.resolve(node, depth)
        while isinstance(found, e.Cast):
            found = self.resolve(found.operand, depth)
        if isinstance(found, e.Construct) and isinstance(found.type, t.Record):
            if len(found.arguments) == 1 and isinstance(found.arguments[0].type, t.Record):
                return self.axes(found.arguments[0], depth + 1)
            return (*found.arguments, None, None, None)[:3]
        return (found if isinstance(found.type, t.Scalar) else None, None, None)

    def member(self, base: e.Expression, name: str, depth: int = 0) -> e.Expression | None:
        """What a member of an object always stands for: what the object was made with."""
        found = made_with(self.unit, self.resolve(base, depth), name)
        if found is None:
            return None
        value, given = found
        return substituted(value, given) if given else value

    def constant(self, node: e.Expression) -> int | None:
        """The number that an expression always has."""
        match self.resolve(node):
            case e.Literal(value=int(value)):
                return int(value)
            case e.Unary(operator="-", operand=operand):
                held = self.constant(operand)
                return -held if held is not None else None
            case e.Binary(operator="*", left=left, right=right):
                a, b = self.constant(left), self.constant(right)
                return a * b if a is not None and b is not None else None
        return None

    def _returned(self, node: e.Call) -> e.Expression | None:
        """What a function of one statement returns, in terms of the caller's arguments."""
        function = self.unit.functions.get(node.key or "")
        if function is None or function.body is None or len(function.body.body) != 1:
            return None
        statement = function.body.body[0]
        if not isinstance(statement, s.Return) or statement.value is None:
            return None
        if not _is_integer(function.returns) and not _is_shape(function.returns):
            return None
        if len(function.parameters) != len(node.arguments):
            return None
        given = {p.id: a for p, a in zip(function.parameters, node.arguments, strict=True)}
        if function.this is not None and node.receiver is not None:
            given[function.this.id] = node.receiver
        return substituted(statement.value, given)


@once
def definitions(unit: Unit, function: Function) -> Definitions:
    """Of the variables that the function's body sets."""
    if function.body is None:
        return Definitions(unit, function)
    values, changed = _set(function.body)
    lent = (number for call in find(function.body, e.Call) for number in _lent(unit, call))
    return Definitions(unit, function, values, changed.union(lent))


@kept
def _set(body: s.Block) -> tuple[dict[int, list[e.Expression]], frozenset[int]]:
    """The values and changes that a body shows by itself."""
    values: dict[int, list[e.Expression]] = {}
    changed: set[int] = set()
    for node in find(body, s.Declare, e.Assign, e.AddressOf):
        match node:
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                values.setdefault(variable.id, []).append(initial)
            case e.Assign(target=e.VariableReference(variable=variable), value=value, operator=None):
                values.setdefault(variable.id, []).append(value)
            case e.Assign(target=target):
                changed.update(_roots(target))
            case e.AddressOf(operand=operand):
                changed.update(_roots(operand))
    return values, frozenset(changed)


def _lent(unit: Unit, call: e.Call) -> Iterator[int]:
    """Variables that a function of the unit gets by reference, or that are read from a stream."""
    callee = unit.functions.get(call.key or "")
    if callee is None and call.name != "operator>>":
        return
    for number, argument in enumerate(call.arguments):
        kind = callee.parameters[number].type if callee and number < len(callee.parameters) else None
        if call.name == "operator>>" or (isinstance(kind, t.Reference) and not kind.const):
            yield from _roots(argument)


def same(a: e.Expression, b: e.Expression) -> bool:
    """Whether two expressions read the same variable or member, or are the same number."""
    match a, b:
        case e.Cast(operand=inner), _:
            return same(inner, b)
        case _, e.Cast(operand=inner):
            return same(a, inner)
        case e.Literal(value=x), e.Literal(value=y):
            return bool(x == y)
    here = place(a)
    return here is not None and here == place(b)


def equal(a: e.Expression, b: e.Expression) -> bool:
    """Whether two expressions are the same arithmetic on the same variables, members and numbers."""
    match a, b:
        case e.Cast(operand=inner), _:
            return equal(inner, b)
        case _, e.Cast(operand=inner):
            return equal(a, inner)
        case e.Binary(operator=o, left=x, right=y), e.Binary(operator=p, left=z, right=w):
            return o == p and equal(x, z) and equal(y, w)
    return same(a, b)


def place(node: e.Expression) -> tuple[e.Variable, tuple[str, ...]] | None:
    """The variable that is read, and which member of it: `drops.count` is (drops, ('count',)), and
    `p->count` is (p, ('*', 'count')); a copy of an object is read where the object is.
    """
    match node:
        case e.VariableReference(variable=variable):
            return variable, ()
        case e.Cast(operand=operand):
            return place(operand)
        case e.Construct(arguments=[original], type=t.Record() as kind) if original.type == kind:
            return place(original)
        case e.Dereference(pointer=pointer):
            found = place(pointer)
            return None if found is None else (found[0], (*found[1], "*"))
        case e.Member(base=base, name=name):
            found = place(base)
            return None if found is None else (found[0], (*found[1], name))
    return None


def reads(node: Node, variable: e.Variable) -> bool:
    return any(part.variable == variable for part in find(node, e.VariableReference))


def substituted(node: e.Expression, given: dict[int, e.Expression]) -> e.Expression | None:
    """The expression with arguments in the place of parameters, and with the object of a method in that of
    `*this`; None for what is no plain arithmetic.
    """
    match node:
        case e.VariableReference(variable=variable):
            return given.get(variable.id)
        case e.Literal() | e.Builtin():
            return node
        case e.Dereference(pointer=e.VariableReference(variable=variable)):
            held = given.get(variable.id)
            return held if held is None or isinstance(held.type, t.Record) else replace(node, pointer=held)
        case e.Member(base=base):
            held = substituted(base, given)
            return None if held is None else replace(node, base=held)
        case e.Cast(operand=operand, type=kind, span=span, implicit=implicit):
            inner = substituted(operand, given)
            return None if inner is None else e.Cast(inner, kind, span, implicit)
        case e.Binary(operator=operator, left=left, right=right, type=kind, span=span):
            a, b = substituted(left, given), substituted(right, given)
            return None if a is None or b is None else e.Binary(operator, a, b, kind, span)
        case e.Conditional(condition=condition, then=then, otherwise=otherwise, type=kind, span=span):
            a, b, c = (substituted(part, given) for part in (condition, then, otherwise))
            return None if a is None or b is None or c is None else e.Conditional(a, b, c, kind, span)
        case e.Construct(arguments=arguments):
            made = [substituted(argument, given) for argument in arguments]
            return None if None in made else replace(node, arguments=tuple(made))
        case e.Call(key=str(), arguments=arguments, receiver=receiver, target=None):
            passed = [substituted(argument, given) for argument in arguments]
            held = substituted(receiver, given) if receiver is not None else None
            if None in passed or (held is None) != (receiver is None):
                return None
            return replace(node, arguments=tuple(passed), receiver=held)
    return None


def _roots(target: e.Expression) -> Iterator[int]:
    """The variable that a place is part of; none for what a pointer points to."""
    while isinstance(target, e.Member | e.Index | e.Cast):
        through = isinstance(target, e.Index)
        target = target.operand if isinstance(target, e.Cast) else target.base
        if through and isinstance(target.type, t.Pointer) and not isinstance(target, e.Cast):
            return
    if isinstance(target, e.VariableReference):
        yield target.variable.id


def _is_shape(kind: t.Type) -> bool:
    return isinstance(kind, t.Record) and kind.name == "dim3"


def _is_integer(kind: t.Type) -> bool:
    return isinstance(kind, t.Scalar) and kind.kind in ("signed", "unsigned")
