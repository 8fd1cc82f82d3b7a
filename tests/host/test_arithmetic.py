"""Arithmetic of the host model against plain definitions of what C++ computes."""

import ctypes
import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cudalint.host.arithmetic import beside, binary, low_bit, unary
from cudalint.host.values import UNKNOWN, Address, Somewhere, Unknown, Value, convert, divisor, merge
from cudalint.ir.types import DOUBLE, FLOAT, INT, LONG, UINT, ULONG, Scalar

CHAR = Scalar("signed char", "signed", 1)
UCHAR = Scalar("unsigned char", "unsigned", 1)
SHORT = Scalar("short", "signed", 2)
USHORT = Scalar("unsigned short", "unsigned", 2)

C_TYPES = {
    CHAR: ctypes.c_int8,
    UCHAR: ctypes.c_uint8,
    SHORT: ctypes.c_int16,
    USHORT: ctypes.c_uint16,
    INT: ctypes.c_int32,
    UINT: ctypes.c_uint32,
    LONG: ctypes.c_int64,
    ULONG: ctypes.c_uint64,
}
TYPES = st.sampled_from(list(C_TYPES))
WIDE = st.sampled_from([INT, UINT, LONG, ULONG])
NUMBERS = st.one_of(
    st.integers(-(2**65), 2**65), st.integers(-20, 20), st.sampled_from([2**31, 2**32, 2**63])
)


def in_c(value: int, type_: Scalar) -> int:
    """The value as the machine's own integer of this type holds it."""
    return int(C_TYPES[type_](value).value)


def exact(operator: str, a: int, b: int) -> int:
    """The mathematical result, before it is stored; division truncates."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return math.trunc(Fraction(a, b))
        case "%":
            return a - b * math.trunc(Fraction(a, b))
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<":
            return a * 2**b
    return math.floor(Fraction(a, 2**b))


@given(NUMBERS, TYPES)
def test_conversion_wraps(value: int, type_: Scalar) -> None:
    assert convert(value, type_) == in_c(value, type_)


@given(st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^"]), NUMBERS, NUMBERS, WIDE)
def test_binary_is_cs(operator: str, a: int, b: int, type_: Scalar) -> None:
    a, b = in_c(a, type_), in_c(b, type_)
    assume(b != 0 or operator not in "/%")
    assert binary(operator, a, b, type_, type_, type_) == in_c(exact(operator, a, b), type_)


@given(st.sampled_from(["<<", ">>"]), NUMBERS, st.integers(0, 63), WIDE)
def test_shifts(operator: str, a: int, count: int, type_: Scalar) -> None:
    a, count = in_c(a, type_), count % (8 * type_.bytes)
    assert binary(operator, a, count, type_, type_, INT) == in_c(exact(operator, a, count), type_)


@given(st.sampled_from(["-", "+", "~"]), NUMBERS, WIDE)
def test_unary(operator: str, a: int, type_: Scalar) -> None:
    a = in_c(a, type_)
    expected = {"-": -a, "+": a, "~": -a - 1}[operator]
    assert unary(operator, a, type_) == in_c(expected, type_)


@pytest.mark.parametrize("operator", ["/", "%"])
def test_division_by_zero_is_not_known(operator: str) -> None:
    assert binary(operator, 7, 0, INT, INT, INT) == UNKNOWN


@given(
    st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]),
    st.integers(1, 256),
    st.integers(-1000, 1000),
    st.integers(1, 64),
    st.booleans(),
)
def test_what_divides_an_unknown_divides_every_value_of_it(
    operator: str, divides: int, factor: int, other: int, left: bool
) -> None:
    """Unknown(m) stands for all m * k: whatever k is, the claimed divisor divides the result."""
    if operator in ("<<", ">>"):
        other %= 16
        left = True
    known = divides * factor
    operands: tuple[Value, Value] = (Unknown(divides), other) if left else (other, Unknown(divides))
    concrete = (known, other) if left else (other, known)
    assume(concrete[1] != 0 or operator not in "/%")
    result = binary(operator, *operands, LONG, LONG, LONG)
    number = exact(operator, *concrete)
    if isinstance(result, Unknown):
        assert number % result.multiple_of == 0
    else:
        assert result == number


@given(NUMBERS, NUMBERS)
def test_merged_numbers_keep_a_common_divisor(a: int, b: int) -> None:
    merged = merge(a, b)
    if a == b:
        assert merged == a
    else:
        assert isinstance(merged, Unknown)
        assert a % divisor(merged) == 0
        assert b % divisor(merged) == 0


@given(st.integers(1, 2**40))
def test_low_bit_is_the_largest_power_of_two(value: int) -> None:
    bit = low_bit(value)
    assert value % bit == 0
    assert (value // bit) % 2 == 1


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
def test_floats_are_single_precision(value: float) -> None:
    assert convert(value, FLOAT) == ctypes.c_float(value).value
    assert convert(value, DOUBLE) == value


def test_a_place_in_one_of_several_objects_moves_in_each() -> None:
    either = merge(Address(1, 16), Address(2, 16))
    assert either == Somewhere(frozenset({1, 2}), 16)
    assert merge(Address(1, 16), Address(2, 24)) == Somewhere(frozenset({1, 2}))
    assert beside(either, 3, 8) == Somewhere(frozenset({1, 2}), 40)
    assert beside(either, 3, 8, -1) == Somewhere(frozenset({1, 2}), -8)
    assert beside(either, UNKNOWN, 8) == Somewhere(frozenset({1, 2}))
    assert merge(either, either) == either
