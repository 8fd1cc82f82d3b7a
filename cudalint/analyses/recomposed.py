"""Indices that are put together again from the parts that divisions took another index apart into, and are
the same number: `(n * rows + y) * columns + x` of `x = i % columns`, `y = i / columns % rows` and so on.

Straight code is calculated with many numbers at a time for what is not known, small and large ones mixed. Two
values that agree for all of them are taken for one.
"""

from collections.abc import Hashable, Iterator
from random import Random

from msgspec import Struct, field

from cudalint.analyses.device_code import Body, body_of
from cudalint.analyses.divisibility import bare
from cudalint.analyses.once import once
from cudalint.analyses.whole_numbers import calculated
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import children, find, kept, walk
from cudalint.source.span import Span

_CALCULATED = frozenset("+-*/%")
_TRIES = 24
_SMALL, _LARGE = (1, 9), (10, 100_000)
_SEED = 612

Numbers = tuple[int, ...]


class Recomposed(Struct, frozen=True):
    """node: what is put together; index: the variable that it equals; divisions: those that nothing else
    needs the results of.
    """

    node: e.Expression
    index: e.Variable
    divisions: tuple[e.Expression, ...]

    @property
    def span(self) -> Span:
        return self.node.span


class _Value(Struct, frozen=True):
    """numbers: in every try; made_of: ids of the divisions whose results are in it."""

    numbers: Numbers
    made_of: frozenset[int] = frozenset()


class _Found(Struct, frozen=True):
    node: e.Expression
    index: e.Variable
    made_of: frozenset[int]


def recomposed(body: Body) -> Iterator[Recomposed]:
    """Of one function: each index once for the same divisions."""
    divisions = _divisions(body)
    if len(divisions) < 2 or body.function.body is None:
        return
    walked = _walked(body.function.body, frozenset(divisions))
    for found in {(one.index.id, one.made_of): one for one in reversed(walked.found)}.values():
        spare = sorted(found.made_of - walked.needed, key=lambda n: _order(divisions[n]))
        if spare:
            yield Recomposed(found.node, found.index, tuple(divisions[number] for number in spare))


@once
def indices_put_together(unit: Unit, function: Function) -> dict[int, e.VariableReference | e.Builtin]:
    """By identity of a sum in the function: the variable, or the index of the thread or block, that it equals
    where it is calculated.
    """
    body = body_of(unit, function)
    divisions = _divisions(body)
    if len(divisions) < 2 or function.body is None:
        return {}
    walked = _walked(function.body, frozenset(divisions))
    found: dict[int, e.VariableReference | e.Builtin] = {}
    for one in walked.found:
        found[id(bare(one.node))] = e.VariableReference(one.index, one.index.type, one.node.span)
    for node, builtin in walked.of_builtins:
        found[id(bare(node))] = builtin
    return found


def _divisions(body: Body) -> dict[int, e.Expression]:
    """Of integers by what is no constant, by identity."""
    found: dict[int, e.Expression] = {
        id(node): node for node in body.of(e.Binary) if _divides(node) and body.constant(node.right) is None
    }
    return found | {
        id(node): node for node in body.of(e.Assign) if _divides(node) and body.constant(node.value) is None
    }


def _order(node: e.Expression) -> tuple[int, int, int, int]:
    """In the order of the source; of two that begin at one place the shorter one first."""
    span = node.span
    return span.line, span.column, span.end_line, span.end_column


def _divides(node: e.Binary | e.Assign) -> bool:
    return node.operator in ("/", "%") and _is_integer(node)


def _is_integer(node: e.Expression) -> bool:
    return isinstance(node.type, Scalar) and node.type.kind in ("signed", "unsigned")


@kept
def _passes(body: s.Block) -> dict[frozenset[int], "_Walk"]:
    """The passes so far, by the divisions that are looked for."""
    return {}


def _walked(body: s.Block, divisions: frozenset[int]) -> "_Walk":
    known = _passes(body)
    if divisions not in known:
        known[divisions] = _Walk(divisions)
        known[divisions].statement(body)
    return known[divisions]


class _Walk(Struct):
    """One pass over a function. held: what variables hold here, by id; needed: divisions whose results
    something else takes than what is put together again.
    """

    divisions: frozenset[int]
    held: dict[int, _Value] = field(default_factory=dict)
    variables: dict[int, e.Variable] = field(default_factory=dict)
    needed: set[int] = field(default_factory=set)
    found: list[_Found] = field(default_factory=list)
    builtins: dict[Numbers, e.Builtin] = field(default_factory=dict)
    of_builtins: list[tuple[e.Expression, e.Builtin]] = field(default_factory=list)
    made: dict[Hashable, Numbers] = field(default_factory=dict)
    random: Random = field(default_factory=lambda: Random(_SEED))

    def statement(self, node: s.Statement) -> None:
        match node:
            case s.Block(body=body):
                for part in body:
                    self.statement(part)
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                self.assign(variable, initial)
            case s.Evaluate(expression=expression):
                self.evaluate(expression)
            case s.If(condition=condition, then=then, otherwise=otherwise):
                self.take(condition)
                self.inside(then)
                if otherwise is not None:
                    self.inside(otherwise)
            case s.Loop(initial=initial, condition=condition, step=step, body=body):
                if initial is not None:
                    self.statement(initial)
                self.forget(node)
                for asked in (condition, step):
                    if asked is not None:
                        self.take(asked)
                self.inside(body)
            case _:
                self.forget(node)
                for named in find(node, e.VariableReference):
                    self.take(named)

    def inside(self, node: s.Statement) -> None:
        """A part that does not always run: what it changes is not known after it."""
        before = dict(self.held)
        self.statement(node)
        after, self.held = self.held, before
        own = {part.variable.id for part in find(node, s.Declare)}
        for number, value in after.items():
            if number not in own and before.get(number) is not value:
                self.needed |= value.made_of
        self.forget(node)

    def forget(self, node: s.Statement) -> None:
        """Variables that a statement changes hold something new."""
        for part in walk(node):
            target = part.target if isinstance(part, e.Assign) else None
            target = part.operand if isinstance(part, e.AddressOf) else target
            if isinstance(target, e.VariableReference):
                self.held[target.variable.id] = _Value(self.fresh((id(part), len(self.made))))

    def evaluate(self, node: e.Expression) -> None:
        match node:
            case e.Assign(target=e.VariableReference(variable=variable), value=value, operator=operator):
                if operator is None:
                    self.assign(variable, value)
                elif _is_integer(node.target) and _is_integer(value):
                    changed = self._combined(node, operator, node.target, value)
                    self.held[variable.id] = changed or _Value(self.fresh((id(node), len(self.made))))
                else:
                    self.take(node)
            case _:
                self.take(node)

    def assign(self, variable: e.Variable, value: e.Expression) -> None:
        self.variables[variable.id] = variable
        if not isinstance(variable.type, Scalar) or variable.type.kind not in ("signed", "unsigned"):
            self.take(value)
            return
        self.held[variable.id] = self.value(value)

    def take(self, node: e.Expression) -> None:
        """An expression whose value goes to something else."""
        if _is_integer(node):
            self.needed |= self.value(node).made_of
            return
        for part in _parts(node):
            self.take(part)
        if isinstance(node, e.Assign) and isinstance(node.target, e.VariableReference):
            self.held[node.target.variable.id] = _Value(self.fresh((id(node), len(self.made))))

    def fresh(self, key: Hashable) -> Numbers:
        """Numbers for what is not known: the same for the same."""
        if key not in self.made:
            ranges = [self.random.choice((_SMALL, _LARGE)) for _ in range(_TRIES)]
            self.made[key] = tuple(self.random.randint(*one) for one in ranges)
        return self.made[key]

    def value(self, node: e.Expression) -> _Value:
        """What an integer is; the other index, where it is put together from it."""
        found = self._value(node)
        if not found.made_of or isinstance(node, e.VariableReference):
            return found
        for number, held in self.held.items():
            if held.numbers == found.numbers and not held.made_of:
                self.found.append(_Found(node, self.variables[number], found.made_of))
                return held
        if found.numbers in self.builtins:
            self.of_builtins.append((node, self.builtins[found.numbers]))
        return found

    def _value(self, node: e.Expression) -> _Value:
        match node:
            case e.Literal(value=bool() | int() as value):
                return _Value((int(value),) * _TRIES)
            case e.Cast(operand=operand) if _is_integer(operand):
                return self._value(operand)
            case e.VariableReference(variable=variable):
                self.variables[variable.id] = variable
                known = self.held.get(variable.id)
                if known is None:
                    known = self.held[variable.id] = _Value(self.fresh(("variable", variable.id)))
                return known
            case e.Builtin(name=name, axis=axis):
                numbers = self.fresh((name, axis))
                self.builtins[numbers] = node
                return _Value(numbers)
            case e.Binary(operator=operator, left=left, right=right) if operator in _CALCULATED:
                if _is_integer(left) and _is_integer(right):
                    whole = self._combined(node, operator, left, right)
                    if whole is not None:
                        return whole
        return self._other(node)

    def _combined(
        self, node: e.Expression, operator: str, left: e.Expression, right: e.Expression
    ) -> _Value | None:
        """None where it is not calculated, as for a division by zero."""
        if operator not in _CALCULATED:
            return None
        one, other = self._value(left), self._value(right)
        numbers = [calculated(operator, a, b) for a, b in zip(one.numbers, other.numbers, strict=True)]
        known = tuple(number for number in numbers if number is not None)
        own = frozenset((id(node),)) if id(node) in self.divisions else frozenset()
        return _Value(known, one.made_of | other.made_of | own) if len(known) == _TRIES else None

    def _other(self, node: e.Expression) -> _Value:
        """A value that is not calculated: what it is made of goes to something else."""
        for part in _parts(node):
            self.take(part)
        return _Value(self.fresh((id(node), len(self.made))))


def _parts(node: e.Expression) -> Iterator[e.Expression]:
    """The expressions right below one."""
    match node:
        case e.Index(base=base, index=index):
            yield from (base, index)
        case e.Call():
            yield from node.operands
        case e.Assign(target=target, value=value):
            if not isinstance(target, e.VariableReference):
                yield target
            yield value
        case _:
            yield from (part for part in children(node) if isinstance(part, e.Expression))
