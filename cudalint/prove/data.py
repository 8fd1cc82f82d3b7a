"""Data that kernels load: functions of the address. What a kernel does not write is arbitrary, but the same
for all who read one address; what it writes is known only before anybody has.

In a witness data has numbers. Floats are whole numbers there, small enough that sums and products of them are
exact.
"""

import math
import operator
from itertools import combinations
from typing import Any

import z3
from msgspec import Struct

from cudalint.ir.types import Scalar
from cudalint.prove.arithmetic import is_float
from cudalint.prove.machine import Access, Barrier, Machine
from cudalint.prove.terms import changed, is_function, is_lost, is_variable, names, subterms
from cudalint.prove.values import Object, Term, conj

_LOAD, _TABLE, _WRITTEN = "load!", "table!", "data!"
_LITERAL = "g!float "
_ROUNDS = ("p!round!", "b!round!")
NARROWED, WHOLE = "narrow", "whole"  # a float made of a wider one, or of an integer
_MOST_PAIRS = 200
_EXACT = {2: 1 << 10, 4: 1 << 20}  # whole numbers whose sums and products a float of so many bytes holds


# --- as the symbolic run has it ---


def load(object: Object, type: Scalar, offset: Term) -> Term:
    """What lies at the offset (bytes) in memory that nobody writes."""
    prefix = _TABLE if object.initial else _LOAD
    return _function(f"{prefix}{object.name}!{key(type)}")(offset)


def written(read: Term, offset: Term) -> Term:
    """What one instruction, named by the variable `read`, loads from memory that the kernel writes: the same
    for the threads of a block that read one place.
    """
    return z3.Function(_WRITTEN, z3.IntSort(), z3.IntSort(), z3.IntSort())(read, offset)


def key(type: Scalar) -> str:
    """The type as far as its representation goes: its width, and whether it is a float."""
    return f"{type.bytes}f" if is_float(type) else str(type.bytes)


def _function(name: str) -> Any:
    return z3.Function(name, z3.IntSort(), z3.IntSort())


# --- loads in a formula ---


def is_load(term: Term) -> bool:
    """Whether it is data that may be anything."""
    return is_function(term) and str(term.decl().name()).startswith(_LOAD)


def parts_of(term: Term) -> tuple[str, str]:
    """The object that a load is from, and the key of its type."""
    name, _, kind = term.decl().name().removeprefix(_LOAD).rpartition("!")
    return name, kind


def width_of(kind: str) -> int:
    return int(kind.removesuffix("f"))


def loads(terms: list[Term]) -> list[Term]:
    return [part for part in subterms(terms) if is_load(part)]


def in_bounds(m: Machine, terms: list[Term]) -> list[Term]:
    """That no load lies outside of its object, as far as its extent is known, and floats are small."""
    facts: list[Term] = []
    for part in loads(terms):
        name, kind = parts_of(part)
        object = m.objects.get(name)
        facts.append(part.arg(0) >= 0)
        if object is not None and object.bytes:
            facts.append(part.arg(0) + width_of(kind) <= object.bytes)
        if kind.endswith("f"):
            facts.append(_small(part, width_of(kind)))
    return facts


def _small(term: Term, width: int) -> Term:
    most = _EXACT.get(width, _EXACT[4])
    return z3.And(term >= -most, term <= most)


def numbered(
    terms: list[Term], model: Any, but: frozenset[Term] = frozenset()
) -> tuple[list[Term], dict[Term, int]]:
    """The terms with the model's numbers for loads at known places, `but` for some, and those numbers."""
    values: dict[Term, int] = {}

    def number(part: Term, inner: list[Term]) -> Term | None:
        place = z3.simplify(inner[0])
        if not z3.is_int_value(place):
            return None
        known = part.decl()(place)
        if known in but:
            return known
        value = model.eval(known, model_completion=True)
        values[known] = value.as_long()
        return value

    return changed(terms, is_load, number), values


def overlapping(values: dict[Term, int]) -> bool:
    """Whether two loads see one byte as parts of different things: their numbers depend on each other."""
    spans = []
    for part in values:
        name, kind = parts_of(part)
        spans.append((name, kind, part.arg(0).as_long(), width_of(kind)))
    return any(
        a[0] == b[0] and (a[1], a[2]) != (b[1], b[2]) and a[2] < b[2] + b[3] and b[2] < a[2] + a[3]
        for a, b in combinations(spans, 2)
    )


class Order(Struct, frozen=True):
    """What is known of the numbers in arrays, by name of the object: that they do not fall, that they all
    differ.
    """

    rising: frozenset[str]
    distinct: frozenset[str]

    def facts(self, terms: list[Term]) -> list[Term]:
        """What that says about each two loads in the terms."""
        facts: list[Term] = []
        mine = [part for part in loads(terms) if parts_of(part)[0] in self.rising | self.distinct]
        for one, other in list(combinations(mine, 2))[:_MOST_PAIRS]:
            if not one.decl().eq(other.decl()):
                continue
            a, b = one.arg(0), other.arg(0)
            if parts_of(one)[0] in self.distinct:
                facts.append(z3.Implies(one == other, a == b))
            if parts_of(one)[0] in self.rising:
                facts += [z3.Implies(a <= b, one <= other), z3.Implies(b <= a, other <= one)]
        return facts


def neighbour(one: Term, other: Term) -> bool:
    """Whether two loads are of elements side by side."""
    if not one.decl().eq(other.decl()):
        return False
    gap = z3.simplify(one.arg(0) - other.arg(0))
    return bool(z3.is_int_value(gap)) and abs(gap.as_long()) == width_of(parts_of(one)[1])


# --- memory before anybody writes it ---


def untouched(m: Machine, first: Access | Barrier, second: Access | Barrier) -> frozenset[str]:
    """The objects that nobody needs to have written for two threads to come so far in the first rounds of all
    loops.
    """
    reach = max(first.position, second.position)
    dirty = {a.object.name for a in m.accesses if a.kind != "read" and a.position < reach}
    return frozenset() if m.losses else frozenset(name for name in m.objects if name not in dirty)


def at_first(m: Machine, terms: list[Term], objects: frozenset[str]) -> list[Term]:
    """The terms with what untouched memory held before the launch as loads."""

    def initial(part: Term, inner: list[Term]) -> Term | None:
        variable = inner[0].decl().name().partition("@")[0] if is_variable(inner[0]) else ""
        object, type = m.reads.get(variable, (None, None))
        if object is None or type is None or object.name not in objects:
            return None
        return load(object, type, inner[1])

    return changed(terms, lambda t: is_function(t) and t.decl().name() == _WRITTEN, initial)


def first_rounds(terms: list[Term]) -> list[Term]:
    """That the loops round the accesses are in their first rounds."""
    return [z3.Int(name) == 0 for name in sorted(names(conj(terms))) if name.startswith(_ROUNDS)]


# --- floats as whole numbers ---

_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SUMS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def as_numbers(terms: list[Term]) -> tuple[list[Term], list[Term]]:
    """The terms with comparisons, sums and products of floats as those of whole numbers, and the bounds
    within which that is exact. A literal that is no whole number is only compared with, and what is lost is
    left alone.
    """
    bounds: list[Term] = []

    def meant(part: Term, inner: list[Term]) -> Term | None:
        name = part.decl().name()
        if is_variable(part):
            value = float(name.removeprefix(_LITERAL))
            return z3.IntVal(int(value)) if _whole(value) else z3.Int(f"?{name}")
        sign = name.split("!")[1]
        if name.startswith("cmp!"):
            return _comparison(sign, inner[0], inner[1])
        if any(_is_unsure(side) for side in inner):
            return None
        if name.startswith("true!"):
            return inner[0] != 0
        made = _operation(sign, inner)
        if made is not None:
            bounds.append(_small(made, int(name.rpartition("!")[2])))
        return made

    def wanted(part: Term) -> bool:
        if is_variable(part):
            return bool(part.decl().name().startswith(_LITERAL))
        return is_function(part) and part.decl().name().startswith(("cmp!", "true!", "op!"))

    return changed(terms, wanted, meant), bounds


def _whole(value: float) -> bool:
    return math.isfinite(value) and value == int(value) and abs(value) <= _EXACT[4]


def _is_unsure(term: Term) -> bool:
    return any(is_lost(name) for name in names(term))


def _fraction(term: Term) -> float | None:
    """The literal that is no whole number."""
    name = term.decl().name() if is_variable(term) else ""
    return float(name.removeprefix(f"?{_LITERAL}")) if name.startswith(f"?{_LITERAL}") else None


def _comparison(sign: str, left: Term, right: Term) -> Term | None:
    """A comparison of whole numbers, or of one with a literal."""
    value = _fraction(right)
    if value is None and _fraction(left) is not None:
        return _comparison(_MIRRORED[sign], right, left)
    if _is_unsure(left) or (value is None and _is_unsure(right)):
        return None
    match sign, value:
        case (("==" | "!="), None):
            return left == right if sign == "==" else left != right
        case _, None:
            return _ORDER[sign](left, right)
        case (("==" | "!="), _):
            return z3.BoolVal(sign == "!=")
    if value is None or not math.isfinite(value):
        return None
    return left <= math.floor(value) if sign in ("<", "<=") else left >= math.ceil(value)


def _operation(sign: str, inner: list[Term]) -> Term | None:
    """What an operation on floats makes of whole numbers, where that is one."""
    if sign in _SUMS and len(inner) == 2:
        return _SUMS[sign](inner[0], inner[1])
    if sign == "-":
        return -inner[0]
    return inner[0] if sign in (NARROWED, WHOLE) else None
