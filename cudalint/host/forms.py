"""Sizes that nobody knows, as polynomials of the numbers that they are made of.

A symbol is a number that was read where nobody knows it: a place in memory, between two writes to it; or the
quotient of two sizes, rounded down. Two sizes made of the same symbols compare whatever the numbers are:
`2 * n * 4` bytes are more than `n * 4`.
"""

from collections.abc import Iterable
from fractions import Fraction

Form = tuple[tuple[tuple[str, ...], int], ...]  # (symbols that are multiplied, coefficient), sorted

_MOST = 8  # terms
_LONGEST = 400  # letters of a quotient


def symbol(name: str) -> Form:
    return (((name,), 1),)


def constant(number: int) -> Form:
    return (((), number),) if number else ()


def combined(operator: str, left: Form, right: Form) -> Form | None:
    """The sum, difference, product or quotient; None where it is no polynomial, or a long one."""
    match operator:
        case "+":
            return _sum(left, right, 1)
        case "-":
            return _sum(left, right, -1)
        case "*":
            return _made({}, ((_product(a, b), m * n) for a, m in left for b, n in right))
        case "<<":
            places = _number(right)
            return (
                combined("*", left, constant(1 << places))
                if places is not None and places in range(63)
                else None
            )
        case "/":
            return _quotient(left, right)
    return None


def places(form: Form) -> frozenset[int | None]:
    """The objects that its numbers were read from; None among them for a number of another kind."""
    names = (name.partition(".")[0] for symbols, _ in form for name in symbols)
    return frozenset(int(name) if name.isdecimal() else None for name in names)


def is_more(left: Form, right: Form) -> bool:
    """Whether the left size is the larger one for all positive values of the symbols, or several times the
    right one: no size is negative.
    """
    times = ratio(left, right)
    if times is not None and times > 1:
        return True
    rest = _sum(left, right, -1)
    return bool(rest) and all(number > 0 for _, number in rest or ())


def ratio(left: Form, right: Form) -> Fraction | None:
    """How many times the right one the left one is, where that is a number."""
    if not left or not right or [term for term, _ in left] != [term for term, _ in right]:
        return None
    shares = {Fraction(a, b) for (_, a), (_, b) in zip(left, right, strict=True)}
    return shares.pop() if len(shares) == 1 else None


def _sum(left: Form, right: Form, sign: int) -> Form | None:
    return _made(dict(left), ((term, sign * number) for term, number in right))


def _product(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted((*left, *right)))


def _quotient(left: Form, right: Form) -> Form | None:
    """By a number that divides all coefficients without a rest, else a symbol of its own."""
    number = _number(right)
    if number == 0:
        return None
    if number is None or any(coefficient % number for _, coefficient in left):
        name = f"{left}/{right}"
        return symbol(name) if len(name) <= _LONGEST else None
    return tuple((term, coefficient // number) for term, coefficient in left)


def _number(form: Form) -> int | None:
    match form:
        case ():
            return 0
        case (((), number),):
            return number
    return None


def _made(terms: dict[tuple[str, ...], int], more: Iterable[tuple[tuple[str, ...], int]]) -> Form | None:
    for term, number in more:
        terms[term] = terms.get(term, 0) + number
    found = tuple(sorted((term, number) for term, number in terms.items() if number))
    return found if len(found) <= _MOST else None
