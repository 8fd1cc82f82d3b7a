"""Terms of one thread renamed for thread 1 and thread 2."""

import z3

from cudalint.prove.machine import Fact
from cudalint.prove.terms import is_variable, level_of, subterms
from cudalint.prove.values import Term


class Threads:
    """Terms of one thread as terms of thread 1 or 2. apart: the threads are of different blocks."""

    def __init__(self, apart: bool) -> None:
        self.apart = apart
        self.own = "bp" if apart else "p"
        self.copies: dict[tuple[int, int], tuple[Term, Term]] = {}

    def of(self, term: Term, thread: int) -> Term:
        key = (term.get_id(), thread)
        found = self.copies.get(key)
        if found is None:
            found = (term, self._copy(term, thread))  # the term is kept, so that its number stays its own
            self.copies[key] = found
        return found[1]

    def _copy(self, term: Term, thread: int) -> Term:
        pairs = []
        for part in subterms([term]):
            if is_variable(part) and level_of(part.decl().name()) in self.own:
                pairs.append((part, z3.Const(f"{part.decl().name()}@{thread}", part.sort())))
        return z3.substitute(term, *pairs) if pairs else term


def relevant(facts: list[Fact], terms: list[Term]) -> list[Term]:
    """The facts about variables of the terms, directly or through other facts."""
    needed = {part.get_id() for part in subterms(terms)}
    kept: list[Term] = []
    for fact in reversed(facts):
        if fact.about is None or fact.about.get_id() in needed:
            kept.append(fact.term)
            needed |= {part.get_id() for part in subterms([fact.term])}
    return kept
