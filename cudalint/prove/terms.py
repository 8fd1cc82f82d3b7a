"""What z3 terms are made of."""

from collections.abc import Callable, Iterable

import z3

from cudalint.prove.values import Term

_Parts = tuple[tuple[int, Term], ...]  # terms with their numbers

_VARIABLES: dict[int, tuple[Term, frozenset[str]]] = {}
_PARTS: dict[int, tuple[Term, _Parts]] = {}  # the terms are kept, so that their numbers are not given again
_LEVELS = "gbp"
_LIMIT = 200_000


def names(term: Term) -> frozenset[str]:
    """The names of the variables in a term."""
    found = _VARIABLES.get(term.get_id())
    if found is not None:
        return found[1]
    if len(_VARIABLES) > _LIMIT:
        _VARIABLES.clear()
    stack = [(term.get_id(), term)]
    while stack:
        key, current = stack[-1]
        if key in _VARIABLES:
            stack.pop()
            continue
        parts = _parts(key, current)
        missing = [part for part in parts if part[0] not in _VARIABLES]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if is_variable(current):
            mine = frozenset((current.decl().name(),))
        else:
            mine = frozenset().union(*(_VARIABLES[number][1] for number, _ in parts))
        _VARIABLES[key] = (current, mine)
    return _VARIABLES[term.get_id()][1]


def _parts(number: int, term: Term) -> _Parts:
    """The terms that a term is made of directly. z3 takes long to tell, and is asked often."""
    found = _PARTS.get(number)
    if found is None:
        if len(_PARTS) > _LIMIT:
            _PARTS.clear()
        found = _PARTS[number] = term, tuple((part.get_id(), part) for part in term.children())
    return found[1]


def is_variable(term: Term) -> bool:
    return bool(z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def is_function(term: Term) -> bool:
    """Whether the term applies a function that is not arithmetic: data, a float operation."""
    return bool(z3.is_app(term) and term.num_args() > 0 and term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def level_of(name: str) -> str:
    """Who shares a variable: g the launch, b a block, p nobody."""
    return name.removeprefix("?")[0]


def level(term: Term) -> str:
    """Who shares a term's value."""
    return max((level_of(name) for name in names(term)), key=_LEVELS.index, default="g")


def is_lost(name: str) -> bool:
    """Whether the variable stands for something that the run lost sight of."""
    return name.startswith("?")


def number_of(name: str) -> int:
    """How many variables had been made when this one was; 0 for those that a kernel begins with."""
    last = name.rpartition("!")[2]
    return int(last) if last.isdigit() else 0


def subterms(terms: Iterable[Term]) -> list[Term]:
    """All terms in terms, each once."""
    seen: dict[int, Term] = {}
    stack = [(term.get_id(), term) for term in terms]
    while stack:
        number, current = stack.pop()
        if number not in seen:
            seen[number] = current
            stack.extend(_parts(number, current))
    return list(seen.values())


_LINEAR = frozenset(
    (
        z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT,
    )
)  # fmt: skip


def counts(test: Term, counters: frozenset[str]) -> bool:
    """Whether the test is a conjunction of comparisons that are linear in the counters."""
    if not names(test) & counters or is_variable(test):
        return True
    kind = test.decl().kind()
    if kind == z3.Z3_OP_AND:
        return all(counts(part, counters) for part in test.children())
    if kind == z3.Z3_OP_NOT:
        inner = test.arg(0)
        return inner.decl().kind() in _LINEAR and counts(inner, counters)
    if kind == z3.Z3_OP_MUL:
        counting = [part for part in test.children() if names(part) & counters]
        return len(counting) == 1 and counts(counting[0], counters)
    return kind in _LINEAR and all(counts(part, counters) for part in test.children())


def inner_first(terms: Iterable[Term], wanted: Callable[[Term], bool]) -> list[Term]:
    """The subterms that are wanted, each once, those inside others before them."""
    depths: dict[int, int] = {}
    found: list[Term] = []
    stack = list(terms)
    while stack:
        current = stack[-1]
        key = current.get_id()
        if key in depths:
            stack.pop()
            continue
        children = current.children()
        missing = [child for child in children if child.get_id() not in depths]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        depths[key] = 1
        if wanted(current):
            found.append(current)
    return found


Change = Callable[[Term, list[Term]], Term | None]


def changed(terms: list[Term], wanted: Callable[[Term], bool], change: Change) -> list[Term]:
    """The terms with what `change` makes of the wanted subterms, whose parts are changed before; None: as it
    is.
    """
    pairs: list[tuple[Term, Term]] = []
    for part in inner_first(terms, wanted):
        children = [z3.substitute(child, *pairs) if pairs else child for child in part.children()]
        made = change(part, children)
        if made is not None:
            pairs.append((part, made))
    return [z3.substitute(term, *pairs) for term in terms] if pairs else terms
