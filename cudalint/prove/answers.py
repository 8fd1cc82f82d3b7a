"""The answer to a question about two threads: impossible, a witness, or open."""

from typing import Any

import z3
from msgspec import Struct
from msgspec.structs import replace

from cudalint.prove import data, solve
from cudalint.prove.machine import Access, Machine
from cudalint.prove.pairs import Question, Questions
from cudalint.prove.solve import Clock
from cudalint.prove.terms import is_function, is_lost, is_variable, subterms
from cudalint.prove.values import Term, conj, negate

_MOST_LOADS = 16
_MOST_REPAIRS = 4  # searches with numbers that earlier models failed for
Loaded = tuple[Term, int]  # a load at a known place and its number


class Found(Struct, frozen=True):
    """A model that shows a conflict, and the data that it takes: loads with their numbers."""

    question: Question
    model: Any
    data: tuple[Loaded, ...]


class Open(Struct, frozen=True):
    """A question without an answer."""

    question: Question
    reason: str


def answer(
    question: Question, m: Machine, questions: Questions, order: data.Order, clock: Clock, refute: bool
) -> Found | Open | None:
    """None: it is impossible. refute: whether a witness is looked for."""
    if any(z3.is_false(term) for term in question.terms):
        return None
    question = replace(question, given=[*question.given, *order.facts(question.terms)])
    if solve.impossible(question.terms, clock):
        return None
    if question.fair or not refute:
        return Open(question, question.fair or "part of the kernel is not visible")
    found = _search(question, m, questions, clock)
    return found or Open(question, _reason(question, m, clock))


# --- witnesses ---


def _search(question: Question, m: Machine, questions: Questions, clock: Clock) -> Found | None:
    """A witness: numbers for all that is known, with which it is one whatever was lost."""
    terms = [*question.core, question.differing, *question.given, *questions.facts(question)]
    untouched = data.untouched(m, question.first, question.second)
    known = data.at_first(m, terms, untouched)
    size = len(question.core)
    core, differing, others = known[:size], known[size], known[size + 1 :]
    if not all(mine.eq(theirs) for mine, theirs in zip(terms[: size + 1], known, strict=False)):
        others += data.first_rounds([*core, differing])
    core, exact = data.as_numbers(core)
    everything = [*core, differing, *others]
    wishes = [*exact, *data.in_bounds(m, [*core, differing]), *_inside(question, questions)]
    tries = [[*everything, *wishes], everything] if not data.loads(core) else [[*everything, *wishes]]
    target = _Target(question, conj(core), differing, clock)
    for wanted in tries:
        for formula in ([*wanted, *_without_doubts(wanted)], wanted):
            found = target.search(formula)
            if found is not None:
                return found
            if not solve.lost_names(conj([*core, differing])):
                break
    return None


def _inside(question: Question, questions: Questions) -> list[Term]:
    """That the place lies in its object, as far as its extent is known."""
    if not isinstance(question.first, Access) or not isinstance(question.second, Access):
        return []
    of = questions.threads[question.scope].of
    facts: list[Term] = []
    for thread, access in ((1, question.first), (2, question.second)):
        offset = of(access.offset.term, thread)
        facts.append(offset >= 0)
        if access.object.bytes:
            facts.append(offset + access.width <= access.object.bytes)
    return facts


def _without_doubts(terms: list[Term]) -> list[Term]:
    """Take all that may or may not hold as not holding."""
    doubts = [
        p for p in subterms(terms) if z3.is_const(p) and z3.is_bool(p) and p.decl().name().startswith("?")
    ]
    return [negate(doubt) for doubt in doubts]


class _Target:
    """A conflict that has to be there whatever is put in for what was lost."""

    def __init__(self, question: Question, core: Term, differing: Term, clock: Clock) -> None:
        self.question, self.core, self.differing, self.clock = question, core, differing, clock
        self.instances: list[Term] = []  # the core with numbers that models failed for

    def search(self, formula: list[Term]) -> Found | None:
        """A witness among the models of a formula."""
        for _ in range(_MOST_REPAIRS):
            before = len(self.instances)
            for model in solve.solutions([*formula, *self.instances], self.clock):
                if model is None:
                    continue
                found = self._stands(model)
                if found is not None:
                    return found
                if len(self.instances) > before:
                    break
            if len(self.instances) == before:
                break
        return None

    def _stands(self, model: Any) -> Found | None:
        """The witness of a model; where its core fails for some numbers, they are noted."""
        terms = [solve.interpreted(solve.with_model(term, model)) for term in (self.core, self.differing)]
        filled, values = data.numbered(terms, model)
        if data.overlapping(values):
            return None
        against = solve.counterexample(filled[0], self.clock)
        if against is not None:
            self._note(against)
            return None
        if not self._holds(filled, model):
            return None
        return Found(self.question, model, self._needed(terms, values, model))

    def _note(self, against: Any) -> None:
        """From now on the core has to hold for these numbers as well."""
        lost = [part for part in subterms([self.core]) if is_variable(part) and is_lost(part.decl().name())]
        if against is not False and lost:
            pairs = [(part, against.eval(part, model_completion=True)) for part in lost]
            self.instances.append(z3.substitute(self.core, *pairs))

    def _holds(self, terms: list[Term], model: Any) -> bool:
        """Whether the conflict is there, with the model's numbers for the values that are written."""
        core, differing = terms
        if not solve.valid(core, self.clock):
            return False
        inputs = [part for part in subterms([differing]) if _is_input(part)]
        pairs = [(part, model.eval(part, model_completion=True)) for part in inputs]
        return z3.is_true(differing) or solve.valid(z3.substitute(differing, *pairs), self.clock)

    def _needed(self, terms: list[Term], values: dict[Term, int], model: Any) -> tuple[Loaded, ...]:
        """The loads without whose numbers the conflict would not be there."""
        spared: frozenset[Term] = frozenset()
        for load in list(values)[:_MOST_LOADS]:
            filled, _ = data.numbered(terms, model, spared | {load})
            if self._holds(filled, model):
                spared |= {load}
        return tuple((load, value) for load, value in values.items() if load not in spared)


def _is_input(term: Term) -> bool:
    """Whether it is something of known parts that may be anything."""
    return is_function(term) and not data.is_load(term) and not solve.lost_names(term)


# --- without an answer ---


def _reason(question: Question, m: Machine, clock: Clock) -> str:
    """Why a conflict could be neither excluded nor shown."""
    core = conj(question.core)
    for lost in solve.lost_names(core):
        name = lost.partition("@")[0]
        if name in m.why:
            return m.why[name]
    for part in subterms([core]):
        if is_function(part):
            return _function(part)
    if solve.lost_names(question.differing):
        return "two threads may write the same value"
    return "out of time" if clock.over else "the solver found no answer"


def _function(part: Term) -> str:
    if data.is_load(part):
        return f"data read from {data.parts_of(part)[0].partition('#')[0].partition('!')[0]}"
    kind = part.decl().name().partition("!")[0]
    return "operator on data" if kind in ("op", "cmp", "true", "table") else "product or quotient of unknowns"
