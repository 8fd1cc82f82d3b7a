"""C's integer arithmetic on mathematical integers.

Sums and products are taken not to exceed their type. What C defines below that is kept: an unsigned
difference below zero wraps where its value counts, and so does a number whose computation shows that
wrapping is meant (a large constant added or multiplied). Until then an unsigned number is kept as it came
about, which is the same modulo the width.
"""

from collections.abc import Callable

import z3

from cudalint.ir.types import Scalar, Type
from cudalint.prove.values import TRUE, Number, Term, negate, number, truth, truth_number

_LARGE = 1 << 16  # a factor that no size has
_HUGE = 1 << 31
_MOST_VALUES = 33

DIVIDE = z3.Function("div!", z3.IntSort(), z3.IntSort(), z3.IntSort())
REMAINDER = z3.Function("mod!", z3.IntSort(), z3.IntSort(), z3.IntSort())
BIT_AND = z3.Function("and!", z3.IntSort(), z3.IntSort(), z3.IntSort())


def is_integer(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind in ("signed", "unsigned", "bool")


def is_float(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind == "float"


def limits(type: Scalar) -> tuple[int, int]:
    """The least and the largest number of an integer type."""
    if type.kind == "bool":
        return 0, 1
    bits = type.bytes * 8
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if type.kind == "signed" else (0, (1 << bits) - 1)


def ranged(term: Term, low: int | None, high: int | None, wraps: bool = False) -> Number:
    """A number with bounds; equal bounds make it a constant."""
    return number(low) if low is not None and low == high else Number(term, low, high, wraps=wraps)


def actual(value: Number, type: Type) -> Number:
    """The number as its type holds it."""
    if not isinstance(type, Scalar) or not is_integer(type):
        return value
    low, high = limits(type)
    if value.wraps and not _inside(value, low, high):
        return _wrapped(value, low, high)
    if type.kind == "unsigned" and (value.low is None or value.low < 0):
        if value.constant is not None:
            return number(value.constant % (high + 1))
        return Number(z3.If(value.term < 0, value.term + (high + 1), value.term), 0, None)
    return value


def convert(value: Number, source: Type, target: Type) -> Number:
    """The number converted between integer types."""
    if not isinstance(target, Scalar) or not isinstance(source, Scalar):
        return value
    if target.kind == "bool":
        return value if value.test is not None else truth_number(truth(actual(value, source)))
    low, high = limits(target)
    if value.constant is not None:
        return _wrapped(actual(value, source), low, high)
    if target.bytes > source.bytes:
        return actual(value, source)
    if target.bytes < 4 and target.bytes < source.bytes and not _inside(value, low, high):
        return _wrapped(value, low, high)
    if target.kind == "signed" and source.kind == "unsigned" and value.wraps:
        return _wrapped(value, low, high)
    return value


def _inside(value: Number, low: int, high: int) -> bool:
    return value.low is not None and value.high is not None and low <= value.low and value.high <= high


def _wrapped(value: Number, low: int, high: int) -> Number:
    span = high - low + 1
    if value.constant is not None:
        return number((value.constant - low) % span + low)
    term = value.term % span if low == 0 else (value.term - low) % span + low
    return Number(term, low, high)


# --- operators ---


def binary(operator: str, left: Number, right: Number, kind: Type) -> Number:
    """An arithmetic or bit operator of C; both sides have the type `kind` already."""
    if operator in ("+", "-", "*"):
        return _RAW[operator](left, right)
    if operator == "<<":
        return _by_values(
            right, 0, 31, lambda c: _times(left, number(1 << c)), lambda: _unclear("shl!", left, right)
        )
    left, right = actual(left, kind), actual(right, kind)
    return _EXACT[operator](left, right)


def compare(operator: str, left: Number, right: Number) -> Term:
    """A comparison of two numbers as their types hold them."""
    decided = _decided(operator, left, right)
    if decided is not None:
        return z3.BoolVal(decided)
    if operator in ("==", "!="):
        test = _equal(left, right)
        return test if operator == "==" else negate(test)
    a, b = left.term, right.term
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]


def _equal(left: Number, right: Number) -> Term:
    for value, other in ((left, right), (right, left)):
        if value.test is not None and other.constant in (0, 1):
            return value.test if other.constant else negate(value.test)
    return TRUE if left.term.eq(right.term) else left.term == right.term


def _decided(operator: str, a: Number, b: Number) -> bool | None:
    def below(x: Number, y: Number, strict: bool) -> bool:
        return x.high is not None and y.low is not None and (x.high < y.low if strict else x.high <= y.low)

    match operator:
        case "<" | ">=":
            answer = True if below(a, b, True) else False if below(b, a, False) else None
            return answer if answer is None or operator == "<" else not answer
        case ">" | "<=":
            answer = True if below(b, a, True) else False if below(a, b, False) else None
            return answer if answer is None or operator == ">" else not answer
    apart = below(a, b, True) or below(b, a, True)
    equal = a.constant is not None and a.constant == b.constant
    return (operator == "!=") if apart else (operator == "==") if equal else None


def _sum(low: int | None, high: int | None) -> int | None:
    return None if low is None or high is None else low + high


def _plus(left: Number, right: Number) -> Number:
    if left.constant == 0:
        return right
    if right.constant == 0:
        return left
    wraps = left.wraps or right.wraps or _is_huge(left) or _is_huge(right)
    made = ranged(left.term + right.term, _sum(left.low, right.low), _sum(left.high, right.high), wraps)
    return _mapped(made, left, right, lambda a, b: a + b)


def _minus(left: Number, right: Number) -> Number:
    if right.constant == 0:
        return left
    low = None if left.low is None or right.high is None else left.low - right.high
    high = None if left.high is None or right.low is None else left.high - right.low
    made = ranged(left.term - right.term, low, high, left.wraps or right.wraps)
    return _mapped(made, left, right, lambda a, b: a - b)


def _is_huge(value: Number) -> bool:
    return value.constant is not None and value.constant >= _HUGE


def _times(left: Number, right: Number) -> Number:
    if left.constant is not None:
        left, right = right, left
    if right.constant is not None:
        return _scaled(left, right.constant, right)
    for value, other in ((right, left), (left, right)):
        if value.values is not None:
            return _choice(value, lambda c, other=other: _times(other, number(c)))  # type: ignore[misc]
    low = (
        left.low * right.low
        if _natural(left) and _natural(right) and left.low is not None and right.low is not None
        else None
    )
    high = None
    if low is not None and left.high is not None and right.high is not None:
        high = left.high * right.high
    (a, one), (b, other) = _coefficient(left.term), _coefficient(right.term)
    term = one * other if a * b == 1 else one * other * (a * b)
    return ranged(term, low, high, left.wraps or right.wraps)


def _coefficient(term: Term) -> tuple[int, Term]:
    """The number that a term is multiplied with, and the rest."""
    if z3.is_mul(term) and term.num_args() == 2 and z3.is_int_value(term.arg(1)):
        return term.arg(1).as_long(), term.arg(0)
    return 1, term


def _scaled(left: Number, factor: int, right: Number) -> Number:
    if factor == 1:
        return left
    if left.constant is not None:
        return number(left.constant * factor)
    low, high = (left.low, left.high) if factor >= 0 else (left.high, left.low)
    wraps = left.wraps or abs(factor) >= _LARGE
    made = ranged(
        left.term * factor,
        None if low is None else low * factor,
        None if high is None else high * factor,
        wraps,
    )
    return _mapped(made, left, right, lambda a, b: a * b)


def _natural(value: Number) -> bool:
    return value.low is not None and value.low >= 0


def _over(left: Number, right: Number) -> Number:
    """C's division, toward zero."""
    if right.constant is None and right.values is not None and 0 not in right.values:
        return _choice(right, lambda c: _over(left, number(c)))
    if right.constant is None or right.constant <= 0:
        if right.constant is not None and right.constant < 0:
            return _scaled(_over(left, number(-right.constant)), -1, number(-1))
        natural = _natural(left) and _natural(right)
        return Number(DIVIDE(left.term, right.term), 0 if natural else None, left.high if natural else None)
    by = right.constant
    if by == 1:
        return left
    if _natural(left):
        low, high = left.low, left.high
        made = ranged(
            left.term / by, None if low is None else low // by, None if high is None else high // by
        )
        return _mapped(made, left, right, lambda a, b: a // b)
    term = z3.If(left.term >= 0, left.term / by, -((-left.term) / by))
    return Number(term, _toward_zero(left.low, by), _toward_zero(left.high, by))


def _toward_zero(bound: int | None, by: int) -> int | None:
    if bound is None:
        return None
    return bound // by if bound >= 0 else -(-bound // by)


def _modulo(left: Number, right: Number) -> Number:
    """C's remainder, of the dividend's sign."""
    if right.constant is None and right.values is not None and 0 not in right.values:
        return _choice(right, lambda c: _modulo(left, number(c)))
    if right.constant is None or right.constant == 0:
        natural = _natural(left) and _natural(right)
        return Number(
            REMAINDER(left.term, right.term), 0 if natural else None, left.high if natural else None
        )
    by = abs(right.constant)
    if _natural(left):
        if left.high is not None and left.high < by:
            return left
        return ranged(left.term % by, 0, by - 1)
    return Number(z3.If(left.term >= 0, left.term % by, -((-left.term) % by)), 1 - by, by - 1)


def _shifted_right(left: Number, right: Number) -> Number:
    def by(count: int) -> Number:
        low = None if left.low is None else left.low >> count
        high = None if left.high is None else left.high >> count
        made = left if count == 0 else ranged(left.term / (1 << count), low, high)
        return _mapped(made, left, number(count), lambda a, b: a >> b)

    return _by_values(right, 0, 31, by, lambda: _unclear("shr!", left, right))


def _and(left: Number, right: Number) -> Number:
    if left.constant is not None:
        left, right = right, left
    if right.constant is not None:
        return _masked(left, right.constant)
    for value, other in ((right, left), (left, right)):
        if value.values is not None:
            return _choice(value, lambda c, other=other: _masked(other, c))  # type: ignore[misc]
    natural = _natural(left) or _natural(right)
    highs = [v.high for v in (left, right) if _natural(v) and v.high is not None]
    return Number(BIT_AND(left.term, right.term), 0 if natural else None, min(highs, default=None))


def _masked(left: Number, mask: int) -> Number:
    """`left & mask`, mask in two's complement."""
    if left.constant is not None:
        return number(left.constant & mask)
    if mask < 0:
        return _minus(left, _masked(left, ~mask))
    if mask == 0:
        return number(0)
    if _natural(left) and left.high is not None:
        size = left.high.bit_length()
        if mask & ((1 << size) - 1) == (1 << size) - 1:
            return left
        mask &= (1 << size) - 1
    term: Term = None
    bit = 0
    while mask >> bit:
        if not mask >> bit & 1:
            bit += 1
            continue
        end = bit
        while mask >> end & 1:
            end += 1
        part = (left.term if bit == 0 else left.term / (1 << bit)) % (1 << end - bit) * (1 << bit)
        term = part if term is None else term + part
        bit = end
    return Number(term if term is not None else z3.IntVal(0), 0, mask)


def _or(left: Number, right: Number) -> Number:
    return _minus(_plus(left, right), _and(left, right)) if not _disjoint(left, right) else _plus(left, right)


def _xor(left: Number, right: Number) -> Number:
    if left.constant is not None and right.constant is not None:
        return number(left.constant ^ right.constant)
    if _disjoint(left, right):
        return _plus(left, right)
    for value, other in ((right, left), (left, right)):
        if value.values is not None and value.constant is None:
            return _choice(value, lambda c, other=other: _xor(other, number(c)))  # type: ignore[misc]
    both = _and(left, right)
    made = _minus(_plus(left, right), _scaled(both, 2, number(2)))
    if _natural(left) and _natural(right):
        high = None
        if left.high is not None and right.high is not None:
            high = (1 << max(left.high.bit_length(), right.high.bit_length())) - 1
        return Number(made.term, 0, high, wraps=made.wraps)
    return made


def _disjoint(left: Number, right: Number) -> bool:
    return left.constant == 0 or right.constant == 0


def _by_values(
    value: Number, low: int, high: int, make: Callable[[int], Number], otherwise: Callable[[], Number]
) -> Number:
    """What `make` gives for the number, by cases where it is no constant."""
    if value.constant is not None:
        return make(value.constant) if 0 <= value.constant < 64 else otherwise()
    if value.values is not None:
        return _choice(value, make) if all(0 <= v < 64 for v in value.values) else otherwise()
    if value.low is None or value.high is None or value.low < low or value.high > high:
        return otherwise()
    cases = Number(value.term, value.low, value.high, None, tuple(range(value.low, value.high + 1)))
    return _choice(cases, make)


def _choice(value: Number, make: Callable[[int], Number]) -> Number:
    made = [(v, make(v)) for v in value.values or ()]
    term = made[-1][1].term
    for v, result in reversed(made[:-1]):
        term = z3.If(value.term == v, result.term, term)
    lows = [result.low for _, result in made]
    highs = [result.high for _, result in made]
    constants = [result.constant for _, result in made]
    values = tuple(sorted({c for c in constants if c is not None}))
    return Number(
        term,
        None if None in lows else min(v for v in lows if v is not None),
        None if None in highs else max(v for v in highs if v is not None),
        None,
        values if None not in constants else None,
        any(result.wraps for _, result in made),
    )


def _mapped(made: Number, left: Number, right: Number, apply: Callable[[int, int], int]) -> Number:
    """Keep the list of values through an operation with a constant."""
    values = None
    if left.values is not None and right.constant is not None:
        values = {apply(v, right.constant) for v in left.values}
    elif right.values is not None and left.constant is not None:
        values = {apply(left.constant, v) for v in right.values}
    if values is None or made.constant is not None or len(values) > _MOST_VALUES:
        return made
    kept = tuple(sorted(values))
    return Number(made.term, kept[0], kept[-1], None, kept, made.wraps)


def _unclear(name: str, left: Number, right: Number) -> Number:
    function = z3.Function(name, z3.IntSort(), z3.IntSort(), z3.IntSort())
    return Number(function(left.term, right.term), 0 if _natural(left) else None)


def negative(value: Number) -> Number:
    return _minus(number(0), value)


def inverted(value: Number) -> Number:
    return _minus(number(-1), value)


def minimum(left: Number, right: Number) -> Number:
    lows = [left.low, right.low]
    highs = [h for h in (left.high, right.high) if h is not None]
    low = None if None in lows else min(v for v in lows if v is not None)
    return ranged(z3.If(left.term <= right.term, left.term, right.term), low, min(highs, default=None))


def maximum(left: Number, right: Number) -> Number:
    lows = [v for v in (left.low, right.low) if v is not None]
    highs = [left.high, right.high]
    high = None if None in highs else max(v for v in highs if v is not None)
    return ranged(z3.If(left.term >= right.term, left.term, right.term), max(lows, default=None), high)


def absolute(value: Number) -> Number:
    if _natural(value):
        return value
    return Number(z3.If(value.term >= 0, value.term, -value.term), 0)


_RAW: dict[str, Callable[[Number, Number], Number]] = {"+": _plus, "-": _minus, "*": _times}
_EXACT: dict[str, Callable[[Number, Number], Number]] = {
    "/": _over,
    "%": _modulo,
    ">>": _shifted_right,
    "&": _and,
    "|": _or,
    "^": _xor,
}
