"""Made-up data: the same for the same address, in order where the program takes it to be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cudalint.ir.types import FLOAT, INT, Scalar
from cudalint.simt.values.data import held, in_order

UNSIGNED = Scalar("unsigned char", "unsigned", 1)


@given(st.lists(st.integers(0, 1 << 44), min_size=1, max_size=64))
def test_the_same_address_holds_the_same(places: list[int]) -> None:
    addresses = np.array(places + places, dtype=np.int64)
    for kind in (INT, FLOAT, UNSIGNED):
        numbers = np.asarray(held(addresses, kind).data)
        assert np.array_equal(numbers[: len(places)], numbers[len(places) :])


@given(st.lists(st.integers(0, 1 << 44), min_size=1, max_size=64))
def test_numbers_fit_their_type(places: list[int]) -> None:
    numbers = np.asarray(held(np.array(places, dtype=np.int64), UNSIGNED, (7, -1)).data)
    assert ((numbers >= 0) & (numbers < 256)).all()


def test_threads_coincide_and_conditions_go_both_ways() -> None:
    numbers = np.asarray(held(np.arange(0, 4 * 256, 4, dtype=np.int64), INT).data)
    assert len(np.unique(numbers)) < 128
    for condition in (numbers > 0, numbers < 0, numbers == 0, numbers > np.arange(256)):
        assert 4 <= condition.sum() <= 252


def test_numbers_that_the_program_compares_with_are_held_somewhere() -> None:
    numbers = np.asarray(held(np.arange(0, 4 * 256, 4, dtype=np.int64), INT, (4711,)).data)
    assert (numbers == 4711).sum() >= 2


@given(st.integers(0, 1 << 20))
def test_rows_end_where_the_next_begin(row: int) -> None:
    rows = np.array([row, row + 1], dtype=np.int64)
    first, last = (np.asarray(in_order(rows, INT, order).data) for order in ("ends", "next-ends"))
    assert first[1] == last[0]
    assert 1 <= last[0] - first[0] <= 5


@given(st.sets(st.integers(0, 1 << 18), min_size=2, max_size=64))
def test_segments_and_distinct_numbers_never_meet(elements: set[int]) -> None:
    array = np.array(sorted(elements), dtype=np.int64)
    for order in ("starts", "distinct"):
        assert len(np.unique(in_order(array, INT, order).data)) == len(elements)
