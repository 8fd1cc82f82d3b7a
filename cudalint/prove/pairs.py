"""Which two accesses of two threads conflict, and which threads part at a barrier."""

from collections.abc import Iterator
from typing import Any, Literal

import z3
from msgspec import Struct

from cudalint.prove.machine import Access, Barrier, Claim, Machine, Ticket
from cudalint.prove.shapes import Launch
from cudalint.prove.terms import level, names
from cudalint.prove.threads import Threads, relevant
from cudalint.prove.values import TRUE, Aggregate, Number, Pointer, Term, Value, conj, disj, negate

Scope = Literal["block", "grid"]


class Question(Struct, frozen=True):
    """Whether two threads can be where the terms say. core: what a witness may not owe to anything lost.
    differing: that they write different values. fair: whether a witness counts at all.
    """

    first: Access | Barrier
    second: Access | Barrier
    scope: Scope
    given: list[Term]
    core: list[Term]
    differing: Term = TRUE
    fair: str = ""
    known: tuple[int, int] = (0, 0)  # facts that hold of each thread

    @property
    def terms(self) -> list[Term]:
        return [*self.given, *self.core, self.differing]


class Questions:
    """All that has to be impossible for a kernel to be free of races."""

    def __init__(self, m: Machine, launch: Launch, lockstep: bool) -> None:
        self.m, self.launch, self.lockstep = m, launch, lockstep
        self.threads = {"block": Threads(False), "grid": Threads(True)}
        self.grid_barriers = any(barrier.scope == "grid" for barrier in m.barriers)

    def all(self) -> Iterator[Question]:
        """Barriers first: what lies between two of them counts on their being met."""
        for barrier in self.m.barriers:
            if barrier.scope != "warp" and barrier.checked:
                yield from self._meeting(barrier)
        accesses = _distinct(self.m.accesses)
        for scope in ("block", "grid"):
            if scope == "grid" and self._one("gridDim"):
                continue
            for index, first in enumerate(accesses):
                for second in accesses[index:]:
                    question = self._conflict(first, second, scope)
                    if question is not None:
                        yield question

    def _one(self, what: str) -> bool:
        return all(self.launch.extents[f"{what}.{axis}"].constant == 1 for axis in "xyz")

    def facts(self, question: Question) -> list[Term]:
        """All that is known of both threads, also what says no more than that they come so far."""
        of = self.threads[question.scope].of
        return [
            of(fact.term, thread)
            for thread, count in zip((1, 2), question.known, strict=True)
            for fact in self.m.facts[:count]
        ]

    # --- races ---

    def _conflict(self, x: Access, y: Access, scope: Scope) -> Question | None:
        if x.object is not y.object or x.kind == y.kind == "read" or x.kind == y.kind == "atomic":
            return None
        if scope == "grid" and (x.object.space == "shared" or _second_round(x) or _second_round(y)):
            return None
        if scope == "block" and (self._one("blockDim") or not _rounds_meet(x, y)):
            return None
        if y.position < x.position:
            x, y = y, x
        between = list(self._between(x, y)) if scope == "block" or self.grid_barriers else []
        if any(z3.is_true(b.guard) and _always(b, scope) for b in between):
            return None
        of = self.threads[scope].of
        given = self._given(scope)
        given += [of(fact, 1) for fact in relevant(self.m.facts[: x.facts], self._terms(x))]
        given += [of(fact, 2) for fact in relevant(self.m.facts[: y.facts], self._terms(y))]
        a, b = of(x.offset.term, 1), of(y.offset.term, 2)
        given += self._tickets(x, y, scope) + self._claims(x, y, scope)
        core = [of(x.guard, 1), of(y.guard, 2), _overlap(a, x.width, b, y.width)]
        fair = ""
        for barrier in between:
            if scope == "block" or (barrier.scope == "grid" and not barrier.within):
                core.append(self._unmet(barrier, x, scope, given))
            elif barrier.scope == "grid":
                fair = "a barrier of the grid in a loop"
        if scope == "block" and self.lockstep:
            core.append(self._lockstep(x, y))
        return Question(x, y, scope, given, core, self._differing(x, y, a, b, of), fair, (x.facts, y.facts))

    def _terms(self, access: Access) -> list[Term]:
        values = [v.term for v in _numbers(access.value)]
        return [access.guard, access.offset.term, *values]

    def _given(self, scope: Scope) -> list[Term]:
        """Two different threads of one block, or threads of two blocks."""
        of, extents = self.threads[scope].of, self.launch.extents
        given = list(self.launch.facts)
        for thread in (1, 2):
            for index, extent in (("threadIdx", "blockDim"), ("blockIdx", "gridDim")):
                for axis in "xyz":
                    number = extents[f"{index}.{axis}"]
                    if number.constant is None:
                        term = of(number.term, thread)
                        given += [term >= 0, term < extents[f"{extent}.{axis}"].term]
        index = "threadIdx" if scope == "block" else "blockIdx"
        apart = []
        for axis in "xyz":
            number = extents[f"{index}.{axis}"]
            if number.constant is None:
                apart.append(of(number.term, 1) != of(number.term, 2))
        given.append(disj(apart))
        return given

    def _between(self, x: Access, y: Access) -> Iterator[Barrier]:
        """Barriers on the way from one access to the other."""
        mine, others = dict(x.rounds), dict(y.rounds)
        both = {*x.rounds, *y.rounds}
        for barrier in self.m.barriers:
            if not x.position < barrier.position < y.position or barrier.scope == "agreement":
                continue
            if not set(barrier.within) <= both:
                continue
            if any(loop in mine or loop in others for loop in barrier.without):
                continue
            if all((loop in mine) != (loop in others) for loop in barrier.crossing):
                yield barrier

    def _unmet(self, barrier: Barrier, x: Access, scope: Scope, given: list[Term]) -> Term:
        """That the barrier does not separate the two threads."""
        of = self.threads[scope].of
        given += [of(f, 2) for f in relevant(self.m.facts[: barrier.facts], [barrier.guard])]
        if barrier.scope != "warp":
            return negate(of(barrier.guard, 2))
        return negate(conj([self._same_warp(), of(barrier.guard, 1), of(barrier.guard, 2)]))

    def _same_warp(self) -> Term:
        of, extents = self.threads["block"].of, self.launch.extents
        linear = extents["threadIdx.x"].term + extents["blockDim.x"].term * (
            extents["threadIdx.y"].term + extents["blockDim.y"].term * extents["threadIdx.z"].term
        )
        linear = z3.simplify(linear)
        return of(linear, 1) / 32 == of(linear, 2) / 32

    def _lockstep(self, x: Access, y: Access) -> Term:
        """Threads of a warp that go in step touch a place at once only by one instruction."""
        if x is not y:
            return negate(self._same_warp())
        of = self.threads["block"].of
        rounds = [name for name in names(x.guard) if name.startswith("p!round!")]
        alike = [of(z3.Int(name), 1) == of(z3.Int(name), 2) for name in rounds]
        return z3.Implies(self._same_warp(), conj(alike)) if x.kind != "read" else negate(self._same_warp())

    def _differing(self, x: Access, y: Access, a: Term, b: Term, of: Any) -> Term:
        """That two writes leave different values; TRUE where that does not matter."""
        if x.kind != "write" or y.kind != "write" or x.width != y.width:
            return TRUE
        mine, others = x.value, y.value
        if isinstance(mine, Pointer) and isinstance(others, Pointer):
            return _other_place(mine, others, of)
        if isinstance(mine, Number) and isinstance(others, Number):
            return disj([a != b, of(mine.term, 1) != of(others.term, 2)])
        if not isinstance(mine, Aggregate) or not isinstance(others, Aggregate):
            return TRUE
        if not mine.parts or mine.parts.keys() != others.parts.keys():
            return TRUE
        parts = [(mine.parts[at], others.parts[at]) for at in mine.parts]
        if not all(isinstance(p, Number) and isinstance(q, Number) for p, q in parts):
            return TRUE
        return disj([a != b, *(of(p.term, 1) != of(q.term, 2) for p, q in parts)])  # type: ignore[union-attr]

    def _tickets(self, x: Access, y: Access, scope: Scope) -> list[Term]:
        """What atomic additions to one place have returned differs by what they add, where nothing else
        writes there.
        """
        of = self.threads[scope].of
        used = names(conj([*x.path, *y.path, x.offset.term == y.offset.term]))
        mine = [ticket for ticket in self.m.tickets if ticket.name in used and self._only_tickets(ticket)]
        facts: list[Term] = []
        for one in mine:
            for other in mine:
                if one.object is other.object and (scope == "block" or one.object.space == "global"):
                    a, b = of(z3.Int(one.name), 1), of(z3.Int(other.name), 2)
                    alike = of(one.offset, 1) == of(other.offset, 2)
                    apart = z3.Or(a + one.step <= b, b + other.step <= a)
                    facts.append(z3.Implies(alike, apart))
        return facts

    def _claims(self, x: Access, y: Access, scope: Scope) -> list[Term]:
        """Of two exchanges at one place only one finds something else than what all of them leave there."""
        of = self.threads[scope].of
        used = names(conj([*x.path, *y.path, x.offset.term == y.offset.term]))
        mine = [claim for claim in self.m.claims if claim.name in used and self._only_claims(claim)]
        facts: list[Term] = []
        for one in mine:
            for other in mine:
                if one.object is other.object and (scope == "block" or one.object.space == "global"):
                    alike = of(one.offset, 1) == of(other.offset, 2)
                    won = [_won(one, of(z3.Int(one.name), 1)), _won(other, of(z3.Int(other.name), 2))]
                    facts.append(z3.Implies(alike, negate(conj(won))))
        return facts

    def _only_claims(self, claim: Claim) -> bool:
        """Whether nothing but exchanges that leave the same number there writes to the object."""
        alike = {other.access for other in self.m.claims if other.left == claim.left}
        changing = [a for a in self.m.accesses if a.object is claim.object and a.kind != "read"]
        return all(access.position in alike for access in changing)

    def _only_tickets(self, ticket: Ticket) -> bool:
        drawn = {other.access for other in self.m.tickets}
        changing = [a for a in self.m.accesses if a.object is ticket.object and a.kind != "read"]
        return all(access.position in drawn for access in changing)

    # --- barriers ---

    def _meeting(self, barrier: Barrier) -> Iterator[Question]:
        """One thread waits, another does not and has not ended before either."""
        for scope in ("block", "grid") if barrier.scope == "grid" else ("block",):
            levels = ("p",) if scope == "block" else ("b", "p")
            if level(barrier.guard) not in levels or (scope == "block" and self._one("blockDim")):
                continue
            if scope == "grid" and self._one("gridDim"):
                continue
            of = self.threads[scope].of
            given = self._given(scope)
            terms = [barrier.guard, *barrier.exits]
            facts = relevant(self.m.facts[: barrier.facts], terms)
            given += [of(fact, thread) for fact in facts for thread in (1, 2)]
            core = [of(barrier.guard, 1), negate(of(barrier.guard, 2))]
            core += [negate(of(left, 2)) for left in barrier.exits]
            fair = "threads that may part in a loop" if barrier.scope == "agreement" else ""
            known = (barrier.facts, barrier.facts)
            yield Question(barrier, barrier, scope, given, core, TRUE, fair, known)


def _won(claim: Claim, result: Term) -> Term:
    return result != claim.left if claim.free is None else result == claim.free


def _always(barrier: Barrier, scope: Scope) -> bool:
    """Whether the barrier separates all threads of the scope that it is between."""
    return barrier.scope == "grid" and not barrier.within if scope == "grid" else barrier.scope != "warp"


def _distinct(accesses: list[Access]) -> list[Access]:
    """Each access once: the same place under the same condition between the same barriers."""
    seen: set[tuple[Any, ...]] = set()
    kept: list[Access] = []
    for access in accesses:
        values = tuple(v.term.get_id() for v in _numbers(access.value))
        place = (access.object.id, access.offset.term.get_id(), access.width, access.kind)
        key = (*place, access.guard.get_id(), values, access.span, access.rounds)
        if access.kind == "read" and key in seen and kept and kept[-1].position == access.position - 1:
            continue
        seen.add(key)
        kept.append(access)
    return kept


def _numbers(value: Value | None) -> list[Number]:
    if isinstance(value, Number):
        return [value]
    if isinstance(value, Aggregate):
        return [part for part in value.parts.values() if isinstance(part, Number)]
    return []


def _other_place(mine: Pointer, others: Pointer, of: Any) -> Term:
    """That two pointers point to different places."""
    if len(mine.targets) != 1 or len(others.targets) != 1:
        return TRUE
    one, other = mine.targets[0], others.targets[0]
    if one.object is not other.object:
        return TRUE
    return of(one.offset.term, 1) != of(other.offset.term, 2)


def _second_round(access: Access) -> bool:
    return any(instance == 1 for _, instance in access.rounds)


def _rounds_meet(x: Access, y: Access) -> bool:
    """An access of a second round is there to meet the round before it, and nothing else."""
    for one, other in ((x, y), (y, x)):
        have = dict(other.rounds)
        for loop, instance in one.rounds:
            if instance == 1 and have.get(loop) != 0:
                return False
    return True


def _overlap(a: Term, width: int, b: Term, other: int) -> Term:
    if width == other:
        low, high = _divided(a, width), _divided(b, width)
        if low is not None and high is not None:
            return low == high
    return z3.And(a < b + other, b < a + width)


def _divided(offset: Term, width: int) -> Term | None:
    """The offset as a multiple of the width, where every part of it is one."""
    if width == 1 or z3.is_int_value(offset):
        if z3.is_int_value(offset) and offset.as_long() % width == 0:
            return z3.IntVal(offset.as_long() // width)
        return offset if width == 1 else None
    if z3.is_add(offset):
        parts = [_divided(part, width) for part in offset.children()]
        return None if any(part is None for part in parts) else z3.Sum(*parts)
    if z3.is_sub(offset):
        left, right = (_divided(part, width) for part in offset.children())
        return None if left is None or right is None else left - right
    if z3.is_mul(offset) and offset.num_args() == 2:
        for part, rest in (offset.children(), reversed(offset.children())):
            if z3.is_int_value(part) and part.as_long() % width == 0:
                return rest * (part.as_long() // width)
    if z3.is_app_of(offset, z3.Z3_OP_ITE):
        test, then, otherwise = offset.children()
        one, other = _divided(then, width), _divided(otherwise, width)
        return None if one is None or other is None else z3.If(test, one, other)
    return None
