"""Intervals against every pair of numbers that they hold."""

from itertools import product
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from cudalint.significance.interval import EVER, NOTHING, ONCE, Interval, exactly, total

_ENDS = st.integers(0, 6)


@st.composite
def _intervals(draw: st.DrawFn) -> Interval:
    low = draw(_ENDS)
    return Interval(low, draw(st.integers(low, 6)))


def _members(interval: Interval) -> list[float]:
    return [float(number) for number in range(int(interval.low), int(interval.high) + 1)]


def _hull(numbers: list[float]) -> Interval:
    return Interval(min(numbers), max(numbers))


@given(_intervals(), _intervals())
def test_sums_and_products_are_the_tightest(one: Interval, other: Interval) -> None:
    pairs = list(product(_members(one), _members(other)))
    assert one + other == _hull([a + b for a, b in pairs])
    assert one * other == _hull([a * b for a, b in pairs])


@given(_intervals(), _intervals())
def test_share_holds_all_shares_and_no_more(part: Interval, rest: Interval) -> None:
    shares = [a / (a + b) if a else 0.0 for a, b in product(_members(part), _members(rest))]
    assert part.share_of(rest) == _hull(shares)


@given(st.lists(_intervals(), max_size=4))
def test_total_is_repeated_addition(parts: list[Interval]) -> None:
    added = NOTHING
    for part in parts:
        added = added + part
    assert total(parts) == added


@given(_intervals(), _intervals(), _intervals())
def test_arithmetic_keeps_inclusion(one: Interval, wider: Interval, other: Interval) -> None:
    hull = Interval(min(one.low, wider.low), max(one.high, wider.high))
    for narrow, wide in ((one + other, hull + other), (one * other, hull * other)):
        assert wide.low <= narrow.low and narrow.high <= wide.high
    narrow, wide = one.share_of(other), hull.share_of(other)
    assert wide.low <= narrow.low and narrow.high <= wide.high


def test_nothing_endlessly_often_is_nothing() -> None:
    assert EVER * NOTHING == NOTHING
    assert EVER * ONCE == EVER


def test_shares_of_the_endless() -> None:
    assert exactly(3).share_of(EVER) == Interval(0.0, 1.0)
    assert EVER.share_of(exactly(3)) == Interval(0.0, 1.0)
    assert Interval(1.0, inf).share_of(ONCE) == Interval(0.5, 1.0)
    assert NOTHING.share_of(NOTHING) == NOTHING
