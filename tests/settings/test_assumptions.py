"""Assumptions are C expressions: what is understood, what it means, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.errors import UsageError
from cudalint.settings.assume import Assumption, parse


def test_comparison_remainder_and_conjunction() -> None:
    first, second = parse("n % 32 == 0 && n >= 64")
    assert (first.name, first.modulus, first.operator, first.value) == ("n", 32, "==", 0)
    assert (second.name, second.modulus, second.operator, second.value) == ("n", None, ">=", 64)


def test_member_and_constant_on_the_left() -> None:
    (one,) = parse("256 >= blockDim.x")
    assert (one.name, one.operator, one.value) == ("blockDim.x", "<=", 256)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n == 1 << 20", 1 << 20),
        ("n == 0x10u", 16),
        ("n == 010", 8),
        ("n == -(3 + 4) * 2", -14),
        ("n == 7 / -2", -3),
    ],
)
def test_constants_are_folded_as_c_does(text: str, value: int) -> None:
    (one,) = parse(text)
    assert one.value == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n ==",
        "n",
        "f(n) == 2",
        "n == m",
        "n % 0 == 0",
        "1 == 2",
        "n == 1; int x",
        "n == 1); } int g(void) {(",
        "n = 4",
    ],
)
def test_anything_else_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(text)
    assert f"'{text}'" in str(raised.value)
    assert "n % 32 == 0" in str(raised.value)


@given(st.integers(-(2**40), 2**40), st.integers(1, 4096), st.integers(-64, 64))
def test_a_remainder_has_the_sign_of_the_dividend(number: int, modulus: int, value: int) -> None:
    remainder = number - int(abs(number) // modulus * (1 if number >= 0 else -1)) * modulus
    assert Assumption("n", "==", value, modulus).holds(number) == (remainder == value)


@given(st.integers(), st.integers(), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
def test_operators_mean_what_they_say(number: int, value: int, operator: str) -> None:
    meaning = {
        "==": number == value,
        "!=": number != value,
        "<": number < value,
        "<=": number <= value,
        ">": number > value,
        ">=": number >= value,
    }
    assert Assumption("n", operator, value).holds(number) == meaning[operator]


def test_an_array_may_be_assumed_to_hold_different_numbers() -> None:
    (found,) = parse("distinct(index)")
    assert (found.name, found.operator) == ("index", "distinct")
    for text in ("distinct()", "distinct(a, b)", "unique(a)", "distinct(3)"):
        with pytest.raises(UsageError):
            parse(text)
