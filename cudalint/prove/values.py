"""What an expression is worth in a symbolic run: a number, a pointer, or an aggregate of both."""

from collections.abc import Callable
from typing import Any

import z3
from msgspec import Struct, field

Term = Any  # a z3 expression; z3 brings no types

_MOST_TARGETS = 8


class Number(Struct, frozen=True):
    """An integer (or a float as an uninterpreted integer). low and high bound it; None: no bound is known.

    test: the truth value that the number is. values: all that it can be, where they are few. wraps: that the
    type's width shows in it (a product with a large constant and the like).
    """

    term: Term
    low: int | None = None
    high: int | None = None
    test: Term = None
    values: tuple[int, ...] | None = None
    wraps: bool = False

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


class Object(Struct, frozen=True):
    """A piece of memory. space: local, shared, global or constant. bytes: 0 where the extent is not known.
    initial: the program says what it holds.
    """

    id: int
    name: str
    space: str
    element: int = 0
    bytes: int = 0
    initial: bool = False
    shape: tuple[int, ...] = ()  # extents of the inner dimensions of an array


class Target(Struct, frozen=True):
    """Where a pointer points when `guard` holds."""

    guard: Term
    object: Object
    offset: Number  # bytes


class Pointer(Struct, frozen=True):
    """The possible targets; their guards exclude each other. None of them: `lost` says why."""

    targets: tuple[Target, ...]
    lost: str = ""


class Aggregate(Struct, frozen=True):
    """A struct or array by byte offsets."""

    parts: dict[int, "Number | Pointer"] = field(default_factory=dict)


Value = Number | Pointer | Aggregate
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


def whole_of(object: Object) -> Pointer:
    """A pointer to the start of an object."""
    return Pointer((Target(TRUE, object, number(0)),))


def number(value: int) -> Number:
    return Number(z3.IntVal(value), value, value)


def truth_number(test: Term) -> Number:
    """A condition as a number."""
    if z3.is_true(test):
        return Number(z3.IntVal(1), 1, 1, TRUE)
    if z3.is_false(test):
        return Number(z3.IntVal(0), 0, 0, FALSE)
    return Number(z3.If(test, z3.IntVal(1), z3.IntVal(0)), 0, 1, test)


def truth(value: Number) -> Term:
    """A number as a condition."""
    if value.test is not None:
        return value.test
    if value.constant is not None:
        return z3.BoolVal(value.constant != 0)
    if (value.low is not None and value.low > 0) or (value.high is not None and value.high < 0):
        return TRUE
    return value.term != 0


def conj(terms: tuple[Term, ...] | list[Term]) -> Term:
    kept = [term for term in terms if not z3.is_true(term)]
    if any(z3.is_false(term) for term in kept):
        return FALSE
    return z3.And(*kept) if len(kept) > 1 else kept[0] if kept else TRUE


def disj(terms: list[Term]) -> Term:
    kept = [term for term in terms if not z3.is_false(term)]
    if any(z3.is_true(term) for term in kept):
        return TRUE
    return z3.Or(*kept) if len(kept) > 1 else kept[0] if kept else FALSE


def negate(term: Term) -> Term:
    if z3.is_true(term):
        return FALSE
    if z3.is_false(term):
        return TRUE
    return term.arg(0) if z3.is_not(term) else z3.Not(term)


def same(a: Value | None, b: Value | None) -> bool:
    """Whether two values are written the same."""
    match a, b:
        case Number(), Number():
            return a is b or a.term.eq(b.term)
        case Pointer(), Pointer():
            return len(a.targets) == len(b.targets) and all(
                x.object is y.object and x.guard.eq(y.guard) and x.offset.term.eq(y.offset.term)
                for x, y in zip(a.targets, b.targets, strict=True)
            )
        case _:
            return a is b


def select(test: Term, then: Value, otherwise: Value, unknown: Callable[[], Number]) -> Value:
    """`test ? then : otherwise`."""
    if z3.is_true(test) or same(then, otherwise):
        return then
    if z3.is_false(test):
        return otherwise
    match then, otherwise:
        case Number(), Number():
            return select_number(test, then, otherwise)
        case Pointer(), Pointer():
            return _select_pointer(test, then, otherwise)
        case Aggregate(), Aggregate():
            parts: dict[int, Number | Pointer] = {}
            for at in then.parts.keys() & otherwise.parts.keys():
                part = select(test, then.parts[at], otherwise.parts[at], unknown)
                parts[at] = part if not isinstance(part, Aggregate) else unknown()
            return Aggregate(parts)
        case Pointer(), Number(low=0, high=0):
            return then  # a null pointer is not followed
        case Number(low=0, high=0), Pointer():
            return otherwise
    return unknown()


def select_number(test: Term, then: Number, otherwise: Number) -> Number:
    low = None if then.low is None or otherwise.low is None else min(then.low, otherwise.low)
    high = None if then.high is None or otherwise.high is None else max(then.high, otherwise.high)
    wraps = then.wraps or otherwise.wraps
    if then.test is not None and otherwise.test is not None:
        chosen = z3.If(test, then.test, otherwise.test)
        return Number(z3.If(chosen, z3.IntVal(1), z3.IntVal(0)), 0, 1, chosen)
    mine = then.values or ((then.low,) if then.constant is not None else None)
    other = otherwise.values or ((otherwise.low,) if otherwise.constant is not None else None)
    values = None
    if mine is not None and other is not None:
        joined = sorted({v for v in (*mine, *other) if v is not None})
        values = tuple(joined) if len(joined) <= 32 else None
    return Number(z3.If(test, then.term, otherwise.term), low, high, None, values, wraps)


def _select_pointer(test: Term, then: Pointer, otherwise: Pointer) -> Pointer:
    if then.lost or otherwise.lost:
        return Pointer((), then.lost or otherwise.lost)
    found: list[Target] = []
    others = list(otherwise.targets)
    for mine in then.targets:
        twin = next((o for o in others if o.object is mine.object), None)
        if twin is None:
            found.append(Target(conj([test, mine.guard]), mine.object, mine.offset))
            continue
        others.remove(twin)
        offset = mine.offset
        if not mine.offset.term.eq(twin.offset.term):
            offset = select_number(test, mine.offset, twin.offset)
        both = mine.guard if mine.guard.eq(twin.guard) else z3.If(test, mine.guard, twin.guard)
        found.append(Target(both, mine.object, offset))
    found += [Target(conj([negate(test), o.guard]), o.object, o.offset) for o in others]
    if len(found) > _MOST_TARGETS:
        return Pointer((), "a pointer that may point to many places")
    return Pointer(tuple(found))
