"""How many blocks of a launch store nothing, for known numbers: none of their threads comes to a store.

Conditions are taken apart into comparisons of what the threads of a block compute from their places; each of
these numbers lies in a range, and what nobody knows may go either way.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.idle_blocks import asked
from cudalint.analyses.kernel_queries import is_memory, space_of
from cudalint.analyses.once import once
from cudalint.analyses.thread_numbers import Extents, Known
from cudalint.cuda.effects import BLOCK_BARRIERS, LOADS, SHUFFLES, VOTES, is_pure
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk

_HARMLESS = BLOCK_BARRIERS | LOADS | VOTES | SHUFFLES.keys()
_TRIED = (4096, 4096, 64, 16)  # blocks on an axis, where conditions ask for none, one, two or three
_DEEPEST = 24  # expressions in expressions that are looked into
_CALLS = 4  # likewise functions

_LARGEST = 1 << 62  # numbers beyond are not followed

Truths: TypeAlias = NDArray[np.bool_]  # of each block that is looked at
Numbers: TypeAlias = NDArray[np.int64]
Outcomes: TypeAlias = tuple[Truths, Truths]
Way = tuple[tuple[e.Expression, bool], ...]  # conditions that lead somewhere, and how they have to turn out


class Range(Struct, frozen=True):
    """The least and the largest number in each block, and where they are known."""

    least: Numbers
    most: Numbers
    known: Truths

    @property
    def largest(self) -> int:
        """No number is further from zero."""
        return int(max(np.abs(self.least).max(), np.abs(self.most).max()))


class IdleShare(Struct, frozen=True):
    """condition: one that keeps the threads of most of these blocks out."""

    share: float
    condition: e.Expression


def idle_share(unit: Unit, kernel: Function, grid: Extents, block: Extents, known: Known) -> IdleShare | None:
    """Of the blocks, evenly spread ones are looked at; None where all have something to store."""
    ways = _ways_to_stores(unit, kernel)
    if not ways or not all(ways):
        return None
    own = definitions(unit, kernel)
    axes = {axis for way in ways for condition, _ in way for axis in _asked(condition, own)}
    most = _TRIED[sum(extent > 1 and "xyz"[axis] in axes for axis, extent in enumerate(grid))]
    tried = [_spread(extent, most if "xyz"[axis] in axes else 1) for axis, extent in enumerate(grid)]
    x, y, z = (axis.ravel() for axis in np.meshgrid(*tried, indexing="ij"))
    threads = _Threads(own, known, grid, block, (x, y, z))
    idle: Truths = np.logical_and.reduce([threads.closed(way) for way in ways])
    if not idle.any():
        return None
    kept: dict[int, tuple[e.Expression, Truths]] = {}
    for way in ways:
        for node, where in threads.closing(way, idle):
            _, before = kept.get(id(node), (node, False))
            kept[id(node)] = node, before | where
    condition, _ = max(kept.values(), key=lambda one: int(one[1].sum()))
    return IdleShare(float(idle.mean()), condition)


def _asked(node: e.Expression, own: Definitions) -> set[str]:
    """The axes of the grid whose block numbers a condition depends on."""
    return {part.axis for part in asked(node, own) if part.name == "blockIdx" and part.axis}


def _spread(extent: int, most: int) -> list[int]:
    tried = min(extent, most)
    return [(2 * at + 1) * extent // (2 * tried) for at in range(tried)]


# --- the ways to what is stored ---


@once
def _ways_to_stores(unit: Unit, kernel: Function) -> tuple[Way, ...]:
    """The conditions that lead to each store and to each call that may do something."""
    found: list[Way] = []
    if kernel.body is not None:
        _collect(unit, kernel.body, (), found)
    return tuple({tuple((id(one), wanted) for one, wanted in way): way for way in found}.values())


def _collect(unit: Unit, statement: s.Statement, way: Way, found: list[Way]) -> Way:
    """The conditions under which control goes on behind a statement."""
    match statement:
        case s.Block(body=body):
            for part in body:
                way = _collect(unit, part, way, found)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            if _acts(unit, condition):
                found.append(way)
            _collect(unit, then, (*way, (condition, True)), found)
            if otherwise is not None:
                _collect(unit, otherwise, (*way, (condition, False)), found)
            elif _leaves(then):
                return (*way, (condition, False))
        case s.Loop(initial=initial, condition=condition, body=body, step=step):
            if any(part is not None and _acts(unit, part) for part in (initial, condition, step)):
                found.append(way)
            _collect(unit, body, way, found)
        case _:
            if _acts(unit, statement):
                found.append(way)
    return way


def _leaves(then: s.Statement) -> bool:
    while isinstance(then, s.Block) and then.body:
        then = then.body[-1]
    return isinstance(then, s.Return)


def _acts(unit: Unit, node: Node, depth: int = 0) -> bool:
    """Whether something stores to memory that outlives the block, or may do anything else."""
    for part in walk(node):
        match part:
            case e.Unknown() | s.Opaque() | e.Launch() | e.Lambda():
                return True
            case e.Assign(target=target) if is_memory(target) and space_of(target) != "shared":
                return True
            case e.Call() if not (is_pure(part.name, part.qualified) or part.name in _HARMLESS):
                called = unit.defined(part.key)
                if called is None or called.body is None or depth >= _CALLS:
                    return True
                if _acts(unit, called.body, depth + 1):
                    return True
    return False


# --- the numbers of the threads of blocks ---


class _Threads(Struct):
    """Of all blocks that are looked at, side by side. own: definitions of the kernel's variables; places: the
    numbers of the blocks on each axis.
    """

    own: Definitions
    known: Known
    grid: Extents
    block: Extents
    places: tuple[Numbers, Numbers, Numbers]
    ranges: dict[int, Range | None] = field(default_factory=dict)  # of variables
    told: dict[int, Outcomes] = field(default_factory=dict)  # of conditions

    def closed(self, way: Way) -> Truths:
        """Where no thread meets some condition on the way."""
        closed = np.zeros(self.places[0].shape, np.bool_)
        for condition, wanted in way:
            closed = closed | self._misses(condition, wanted)
        return closed

    def closing(self, way: Way, where: Truths) -> Iterator[tuple[e.Expression, Truths]]:
        """The first condition on the way that no thread meets, or the part of it that none does."""
        for condition, wanted in way:
            here = where & self._misses(condition, wanted)
            yield from self._parts(condition, "&&" if wanted else "||", wanted, here)
            where = where & ~here

    def _misses(self, condition: e.Expression, wanted: bool) -> Truths:
        missed: Truths = ~self.outcomes(condition)[0 if wanted else 1]
        return missed

    def _parts(
        self, node: e.Expression, joined: str, wanted: bool, where: Truths
    ) -> Iterator[tuple[e.Expression, Truths]]:
        """The comparisons that alone keep all threads out, if there are any."""
        while isinstance(node, e.Cast):
            node = node.operand
        if isinstance(node, e.Binary) and node.operator == joined:
            for side in (node.left, node.right):
                here = where & self._misses(side, wanted)
                if here.any():
                    yield from self._parts(side, joined, wanted, here)
                where = where & ~here
        if where.any():
            yield node, where

    def outcomes(self, node: e.Expression) -> Outcomes:
        """Whether a condition may hold for a thread, and whether it may not."""
        if id(node) not in self.told:
            self.told[id(node)] = self._outcomes(node)
        return self.told[id(node)]

    def _outcomes(self, node: e.Expression) -> Outcomes:
        match node:
            case e.Cast(operand=operand):
                return self.outcomes(operand)
            case e.Unary(operator="!", operand=operand):
                true, false = self.outcomes(operand)
                return false, true
            case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
                a, b = self.outcomes(left), self.outcomes(right)
                if operator == "&&":
                    return a[0] & b[0], a[1] | b[1]
                return a[0] | b[0], a[1] & b[1]
            case e.Binary(operator="<" | "<=" | ">" | ">=" | "==" | "!=" as operator, left=left, right=right):
                one, other = self.of(left), self.of(right)
                if one is not None and other is not None:
                    open_ = ~(one.known & other.known)
                    may, may_not = _compared(operator, one, other)
                    return may | open_, may_not | open_
            case e.VariableReference(variable=variable) if (only := self.own.only(variable)) is not None:
                return self.outcomes(only)
        any_ = np.ones(self.places[0].shape, np.bool_)
        return any_, any_

    def of(self, node: e.Expression, depth: int = 0) -> Range | None:
        """What an expression is, in the threads of each block; None where nobody knows it."""
        if depth > _DEEPEST:
            return None
        match node:
            case e.Literal(value=bool() | int() as value):
                return _exactly(int(value))
            case e.Cast(operand=operand, type=kind):
                return _held(self.of(operand, depth + 1), kind)
            case e.Builtin(name="threadIdx", axis=axis):
                last = _exactly(self.block["xyz".index(axis)] - 1)
                return last and Range(np.zeros_like(last.least), last.most, last.known)
            case e.Builtin(name="blockIdx", axis=axis):
                number = self.places["xyz".index(axis)]
                return Range(number, number, np.ones(number.shape, np.bool_))
            case e.Builtin(name="blockDim" | "gridDim" as name, axis=axis):
                return _exactly((self.block if name == "blockDim" else self.grid)["xyz".index(axis)])
            case e.VariableReference(variable=variable):
                if variable.id not in self.ranges:
                    self.ranges[variable.id] = self._variable(variable, depth)
                return self.ranges[variable.id]
            case e.Member(base=e.VariableReference(variable=variable), offset=offset):
                given = self.known.get((variable.id, offset)) if variable.id not in self.own.changed else None
                return None if given is None else _exactly(given)
            case e.Binary(operator=operator, left=left, right=right, type=kind):
                a, b = self.of(left, depth + 1), self.of(right, depth + 1)
                return None if a is None or b is None else _held(_combined(operator, a, b), kind)
            case e.Call():
                body = self.own.resolve(node)
                return self.of(body, depth + 1) if body is not node else None
        return None

    def _variable(self, variable: e.Variable, depth: int) -> Range | None:
        given = self.known.get((variable.id, 0))
        if given is not None and variable.id not in self.own.changed | self.own.values.keys():
            return _exactly(given)
        only = self.own.only(variable)
        return _held(self.of(only, depth + 1), variable.type) if only is not None else None


def _exactly(number: int) -> Range | None:
    """The same number in all blocks."""
    if abs(number) >= _LARGEST:
        return None
    held = np.array([number], np.int64)
    return Range(held, held, np.ones(1, np.bool_))


def _held(found: Range | None, kind: t.Type) -> Range | None:
    """The numbers as a type of integers holds them: known where it does."""
    if found is None or not isinstance(kind, t.Scalar) or kind.kind not in ("signed", "unsigned"):
        return None
    bits = 8 * kind.bytes
    least, most = (-(1 << (bits - 1)), 1 << (bits - 1)) if kind.kind == "signed" else (0, 1 << bits)
    fits = found.known & (max(least, -_LARGEST) <= found.least) & (found.most < min(most, _LARGEST))
    return Range(found.least, found.most, fits)


def _compared(operator: str, a: Range, b: Range) -> Outcomes:
    match operator:
        case "<":
            return a.least < b.most, a.most >= b.least
        case "<=":
            return a.least <= b.most, a.most > b.least
        case ">":
            return a.most > b.least, a.least <= b.most
        case ">=":
            return a.most >= b.least, a.least < b.most
    meet = (a.least <= b.most) & (b.least <= a.most)
    other = (a.least != a.most) | (b.least != b.most) | (a.least != b.least)
    return (meet, other) if operator == "==" else (other, meet)


def _combined(operator: str, a: Range, b: Range) -> Range | None:
    """Of what grows or falls with both sides; of quotients and rests, where both are no less than nothing."""
    known = a.known & b.known
    match operator:
        case "+" | "-" if a.largest + b.largest < _LARGEST:
            up, down = (b.least, b.most) if operator == "+" else (-b.most, -b.least)
            return Range(a.least + up, a.most + down, known)
        case "*" if a.largest * b.largest < _LARGEST:
            products = [x * y for x in (a.least, a.most) for y in (b.least, b.most)]
            return Range(np.minimum.reduce(products), np.maximum.reduce(products), known)
        case "/":
            low, high = np.maximum(b.least, 1), np.maximum(b.most, 1)
            return Range(a.least // high, a.most // low, known & (a.least >= 0) & (b.least > 0))
        case "%":
            size = np.maximum(b.least, 1)
            whole = a.least // size == a.most // size
            least, most = np.where(whole, a.least % size, 0), np.where(whole, a.most % size, size - 1)
            return Range(least, most, known & (a.least >= 0) & (b.least == b.most) & (b.least > 0))
        case "<<" | ">>":
            by = np.clip(b.least, 0, 31)
            known = known & (b.least == b.most) & (b.least == by)
            if operator == ">>":
                return Range(a.least >> by, a.most >> by, known)
            if a.largest << int(by.max()) < _LARGEST:
                return Range(a.least << by, a.most << by, known)
    return None
