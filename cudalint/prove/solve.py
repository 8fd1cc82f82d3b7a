"""Formulas about two threads, decided by z3.

Products of variables are what makes such formulas hard. They are taken apart first: each product becomes a
variable with the facts about products that indices need (what is less stays less by at least the factor).
What has no solution then has none. A solution is looked for with numbers put in for what is multiplied.
"""

from itertools import combinations
from typing import Any

import z3
from msgspec import Struct, field

from cudalint.prove.arithmetic import BIT_AND, DIVIDE, REMAINDER
from cudalint.prove.terms import changed, inner_first, is_lost, is_variable, names, subterms
from cudalint.prove.values import Term

_STEPS_A_SECOND = 2_500_000
_SLICE = 2_500_000  # steps that one question may take
_LEAST_STEPS = 10_000  # what a question takes at least, asking it included
_ARITHMETIC = (2, 6)  # z3's solvers of linear arithmetic: each is quick where the other is lost
_MOST_PAIRS = 400
# Numbers for blockDim.x, for other extents and for parameters.
_TRIES = ((32, 4, 128), (64, 2, 64), (2, 2, 1), (16, 16, 0), (256, 3, 512), (33, 7, 5), (1, 8, 8), (8, 1, 2))


class Clock:
    """The work that the solver may still put into a kernel, counted in its own steps, so that answers do not
    depend on the machine. seconds: about how long that takes.
    """

    def __init__(self, seconds: float) -> None:
        self.steps = int(seconds * _STEPS_A_SECOND)

    def left(self, most: int) -> int:
        """Steps for the next question."""
        return max(1, min(most, self.steps))

    @property
    def over(self) -> bool:
        return self.steps <= 0


def satisfiable(terms: list[Term], clock: Clock) -> Any:
    """A model, False where there is none, None where it was not found out."""
    if any(z3.is_false(term) for term in terms):
        return False
    for arithmetic in _ARITHMETIC:
        solver = z3.Solver()
        solver.set("rlimit", clock.left(_SLICE))
        solver.set("arith.solver", arithmetic)
        solver.add(*terms)
        before = _steps(solver)
        answer = solver.check()
        clock.steps -= _steps(solver) - before + _LEAST_STEPS
        if answer != z3.unknown:
            return solver.model() if answer == z3.sat else False
    return None


def _steps(solver: Any) -> int:
    """What the solver has counted so far."""
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count"))


def impossible(terms: list[Term], clock: Clock) -> bool:
    """Whether no numbers satisfy the formula; False where that could not be shown."""
    return satisfiable(linear(settled(terms)), clock) is False


def settled(terms: list[Term]) -> list[Term]:
    """The formula with the numbers of the variables that it says are equal to one."""
    known: dict[int, tuple[Term, Term]] = {}
    stack = list(terms)
    while stack:
        term = stack.pop()
        if z3.is_and(term):
            stack.extend(term.children())
        elif z3.is_eq(term):
            for one, other in (term.children(), reversed(term.children())):
                if is_variable(one) and z3.is_int_value(other):
                    known.setdefault(one.get_id(), (one, other))
    if not known:
        return terms
    pairs = list(known.values())
    replaced = [z3.simplify(z3.substitute(term, *pairs)) for term in terms]
    return [*replaced, *(variable == value for variable, value in pairs)]


def solutions(terms: list[Term], clock: Clock) -> Any:
    """Models of the formula with functions that z3 does not know in full, as far as they are found."""
    terms = settled(terms)
    factors = _factors(terms)
    if not _hard(terms):
        yield satisfiable([interpreted(term) for term in terms], clock) or None
        return
    for numbers in _tries(terms, factors, clock):
        if clock.over:
            return
        fixed = list(zip(factors.values(), numbers, strict=True))
        plain = [interpreted(z3.substitute(term, *fixed)) for term in terms]
        model = satisfiable([*plain, *(variable == value for variable, value in fixed)], clock)
        if model:
            yield model


def _tries(terms: list[Term], factors: dict[str, Term], clock: Clock) -> Any:
    """Numbers for the factors: those of a model that takes products for variables, then some usual ones."""
    guess = satisfiable(linear(terms), clock)
    if guess:
        yield [guess.eval(factor, model_completion=True) for factor in factors.values()]
    for extent, other, parameter in _TRIES:
        yield [
            z3.IntVal(extent if name == "g!blockDim.x" else other if "Dim." in name else parameter)
            for name in factors
        ]


_HARD: dict[int, tuple[Term, list[Term]]] = {}
_MOST_KEPT = 20_000
_PARTIAL = frozenset(function.name() for function in (DIVIDE, REMAINDER, BIT_AND))


def _hard(terms: list[Term]) -> list[Term]:
    """The products of unknowns and the operators that z3 does not know in the terms."""
    if len(_HARD) > _MOST_KEPT:
        _HARD.clear()
    found: dict[int, Term] = {}
    for term in terms:
        key = term.get_id()
        if key not in _HARD:  # the term is kept, so that its number stays its own
            _HARD[key] = (term, [p for p in subterms([term]) if _is_hard(p)])
        found |= {part.get_id(): part for part in _HARD[key][1]}
    return list(found.values())


def _is_hard(term: Term) -> bool:
    return _is_product(term) or _is_partial(term)


def _is_product(term: Term) -> bool:
    return bool(z3.is_mul(term)) and sum(not z3.is_int_value(part) for part in term.children()) > 1


def _is_partial(term: Term) -> bool:
    decl = term.decl()
    return decl.kind() == z3.Z3_OP_UNINTERPRETED and decl.name() in _PARTIAL


def _factors(terms: list[Term]) -> dict[str, Term]:
    """What all threads share and something is multiplied with or divided by, by name."""
    found: dict[str, Term] = {}
    for variable in subterms(_hard(terms)):
        if is_variable(variable) and z3.is_int(variable) and variable.decl().name().startswith("g!"):
            found[variable.decl().name()] = variable
    return dict(sorted(found.items()))


# --- products as variables ---


class _Products(Struct):
    pairs: list[tuple[Term, Term]] = field(default_factory=list)  # term, the variable for it
    factors: list[tuple[Term, Term, Term]] = field(default_factory=list)  # two factors, the variable
    facts: list[Term] = field(default_factory=list)
    count: int = 0

    def fresh(self) -> Term:
        self.count += 1
        return z3.Int(f"product!{self.count}")

    def product(self, left: Term, right: Term) -> Term:
        """The variable for a product."""
        for a, b, known in self.factors:
            if (a.eq(left) and b.eq(right)) or (a.eq(right) and b.eq(left)):
                return known
        made = self.fresh()
        self.factors.append((left, right, made))
        return made


def linear(terms: list[Term]) -> list[Term]:
    """The formula with variables for its products, and facts about those: what it implies, at least."""
    products = _Products()
    hard = inner_first(_hard(terms), _is_hard)
    if not hard:
        return terms
    for part in hard:
        inner = [
            z3.substitute(child, *products.pairs) if products.pairs else child for child in part.children()
        ]
        products.pairs.insert(0, (part, _stand_in(products, part, inner)))
    plain = [_replaced(term, products.pairs) for term in terms]
    return [*plain, *products.facts, *_about_products(products)]


def _replaced(term: Term, pairs: list[tuple[Term, Term]]) -> Term:
    return z3.substitute(term, *pairs)


def _stand_in(products: _Products, part: Term, inner: list[Term]) -> Term:
    """The variable for a product, a quotient or a remainder, with its facts."""
    if _is_product(part):
        left, right = inner[0], inner[1]
        made = products.product(left, right)
        for further in inner[2:]:
            made = products.product(made, further)
        return made
    left, right = inner
    if part.decl().eq(BIT_AND):
        made = products.fresh()
        natural = z3.And(left >= 0, right >= 0)
        products.facts.append(z3.Implies(natural, z3.And(made >= 0, made <= left, made <= right)))
        return made
    quotient = products.fresh()
    whole = products.product(quotient, right)
    proper = z3.And(left >= 0, right >= 1)
    products.facts.append(z3.Implies(proper, z3.And(whole <= left, left < whole + right, quotient >= 0)))
    if part.decl().eq(DIVIDE):
        return quotient
    rest = products.fresh()
    products.facts.append(z3.Implies(proper, rest == left - whole))
    return rest


def _about_products(products: _Products) -> list[Term]:
    facts: list[Term] = []
    for a, b, made in products.factors:
        facts += [
            z3.Implies(z3.And(a >= 0, b >= 0), made >= 0),
            z3.Implies(z3.And(a >= 1, b >= 1), z3.And(made >= a, made >= b)),
            z3.Implies(z3.Or(a == 0, b == 0), made == 0),
            z3.Implies(a == 1, made == b),
            z3.Implies(b == 1, made == a),
        ]
    for first, second in list(combinations(products.factors, 2))[:_MOST_PAIRS]:
        facts += _about_pair(first, second)
    return facts


def _about_pair(first: tuple[Term, Term, Term], second: tuple[Term, Term, Term]) -> list[Term]:
    """Products with a common factor are in the order of the other one, at least that factor apart."""
    found: list[Term] = []
    for a, b in ((0, 1), (1, 0)):
        for c, d in ((0, 1), (1, 0)):
            if not first[b].eq(second[d]):
                continue
            common, x, y, one, other = first[b], first[a], second[c], first[2], second[2]
            found.append(z3.Implies(x == y, one == other))
            found.append(z3.Implies(z3.And(common >= 0, x < y), one + common <= other))
            found.append(z3.Implies(z3.And(common >= 0, y < x), other + common <= one))
    return found


# --- terms with numbers put in ---


def interpreted(term: Term) -> Term:
    """The term with divisions by numbers as z3 knows them, and operators on numbers worked out."""
    return changed([term], _is_partial, _worked_out)[0]


def _worked_out(part: Term, inner: list[Term]) -> Term | None:
    left, right = (z3.simplify(side) for side in inner)
    if part.decl().eq(BIT_AND):
        if z3.is_int_value(left) and z3.is_int_value(right):
            return z3.IntVal(left.as_long() & right.as_long())
        return None
    if not z3.is_int_value(right) or right.as_long() <= 0:
        return None
    quotient = z3.If(left >= 0, left / right, -((-left) / right))
    return quotient if part.decl().eq(DIVIDE) else left - quotient * right


def valid(term: Term, clock: Clock) -> bool:
    """Whether the term holds whatever its variables are."""
    return counterexample(term, clock) is None


def counterexample(term: Term, clock: Clock) -> Any:
    """A model in which the term does not hold, None where there is none; False: it was not found out, or no
    variable matters.
    """
    reduced = z3.simplify(interpreted(term))
    if z3.is_true(reduced):
        return None
    if z3.is_false(reduced):
        return False
    model = satisfiable([z3.Not(reduced)], clock)
    return None if model is False else model or False


def with_model(term: Term, model: Any) -> Term:
    """The term with the model's numbers for all variables but those that stand for something lost."""
    pairs = []
    for part in subterms([term]):
        if is_variable(part) and not is_lost(part.decl().name()):
            pairs.append((part, model.eval(part, model_completion=True)))
    return z3.substitute(term, *pairs) if pairs else term


def lost_names(term: Term) -> list[str]:
    """The variables of a term that stand for something lost."""
    return sorted(name for name in names(term) if is_lost(name))
