"""Lane arithmetic against C++'s rules, number by number."""

import operator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.ir.types import CHAR, INT, LONG, UINT, Scalar
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value

ULONG = Scalar("unsigned long", "unsigned", 8)
TYPES = (INT, UINT, LONG, CHAR, Scalar("unsigned short", "unsigned", 2))


def held(number: int, type: Scalar) -> int:
    """The number as an object of that type stores it; 64-bit ones as signed."""
    bits = 8 * type.bytes
    number &= (1 << bits) - 1
    signed = type.kind == "signed" or bits == 64
    return number - (1 << bits) if signed and number >> (bits - 1) else number


def c_divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "/": c_divide,
    "%": lambda a, b: a - c_divide(a, b) * b,
}


@settings(max_examples=500)
@given(
    st.sampled_from(TYPES),
    st.sampled_from(sorted(PLAIN)),
    st.lists(
        st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1)), min_size=1, max_size=6
    ),
    st.booleans(),
)
def test_integer_operators(type, op, pairs, uniform):
    pairs = [(held(a, type), held(b, type)) for a, b in pairs]
    left = Value(pairs[0][0]) if uniform else Value(np.array([a for a, _ in pairs]))
    right = Value(np.array([b for _, b in pairs]))
    got = lanes.binary(op, left, right, type)
    for position, (a, b) in enumerate(pairs):
        a = pairs[0][0] if uniform else a
        known = bool(np.broadcast_to(np.asarray(got.known), (len(pairs),))[position])
        if op in "/%" and b == 0:
            assert not known
            continue
        assert known
        data = np.broadcast_to(np.asarray(got.data), (len(pairs),))[position]
        assert int(data) == held(PLAIN[op](a, b), type)


@settings(max_examples=300)
@given(
    st.sampled_from((*TYPES, ULONG)),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 63),
    st.booleans(),
    st.booleans(),
)
def test_shifts(type, number, amount, vector, vector_amount):
    amount %= 8 * type.bytes
    plain = number & ((1 << (8 * type.bytes)) - 1) if type.kind == "unsigned" else held(number, type)
    left = Value(np.array([held(number, type)])) if vector else Value(held(number, type))
    right = Value(np.array([amount])) if vector_amount else Value(amount)
    for op, expected in (("<<", plain << amount), (">>", plain >> amount)):
        got = lanes.binary(op, left, right, type)
        assert int(np.asarray(got.data).ravel()[0]) == held(expected, type)


@settings(max_examples=300)
@given(st.sampled_from(TYPES), st.integers(-(2**62), 2**62), st.booleans())
def test_conversion_wraps(type, number, vector):
    value = Value(np.array([number])) if vector else Value(number)
    got = lanes.convert(value, type)
    assert int(np.asarray(got.data).ravel()[0]) == held(number, type)


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 3), st.booleans(), st.booleans()),
        min_size=2,
        max_size=8,
    )
)
def test_select_and_agree(rows):
    a = Value(np.array([r[0] for r in rows]), np.array([r[1] for r in rows]))
    b = Value(np.array([r[2] for r in rows]), np.array([r[3] for r in rows]))
    mask = np.array([r[4] for r in rows])
    got = lanes.select(mask, a, b)
    known = np.broadcast_to(np.asarray(got.known), mask.shape)
    data = np.broadcast_to(np.asarray(got.data), mask.shape)
    same = np.broadcast_to(np.asarray(lanes.agree(a, b)), mask.shape)
    for i, (x, xk, y, yk, chosen) in enumerate(rows):
        assert known[i] == (xk if chosen else yk)
        if known[i]:
            assert data[i] == (x if chosen else y)
        assert same[i] == (xk and yk and x == y)


def test_unknown_stays_unknown():
    nothing = lanes.unknown("because")
    assert lanes.binary("+", nothing, Value(1), INT).known is False
    assert lanes.binary("+", nothing, Value(1), INT).why == "because"
    assert lanes.truth(nothing).known is False
    assert lanes.convert(Value(float("nan")), INT).known is False


@given(st.integers(1, 1 << 20), st.integers(1, 1 << 20), st.integers(2, 64))
def test_products_that_no_program_means_stay_different(row: int, size: int, rows: int) -> None:
    """Of a chosen size times the rows of warps: those that do not fit are large, and none is another one."""
    numbers = np.repeat(np.arange(row, row + rows, dtype=np.int64), 32)
    found = lanes.binary("*", Value(numbers), Value(size, free=lanes.CHOSEN), INT)
    exact = numbers * size
    fits = exact < 1 << 31
    assert np.array_equal(np.asarray(found.data)[fits], exact[fits])
    assert np.all(np.asarray(found.data)[~fits] >= 1 << 30)
    distinct = {int(one) for one, held in zip(np.asarray(found.data), fits, strict=True) if not held}
    assert len(distinct) == len(set(exact[~fits].tolist()))


def test_what_valuations_chose_to_divide_by_is_not_zero_for_a_whole_warp() -> None:
    other = Value(np.repeat([37, 41], 32), free=lanes.CHOSEN)
    some = Value(np.repeat([0, 5], 32), free=lanes.CHOSEN)
    assert lanes.divisor(some, other).data.tolist() == [37] * 32 + [5] * 32
    by_lane = Value(np.arange(64) % 32, free=lanes.CHOSEN)
    assert lanes.divisor(by_lane, other) is by_lane
    assert lanes.divisor(Value(0, free=lanes.CHOSEN), other).data.tolist() == other.data.tolist()
