"""The different values of an array: those of np.unique."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cudalint.simt.values.different import different


@given(st.lists(st.integers(-4, 4), max_size=40))
def test_as_numpy_has_them(values: list[int]) -> None:
    array = np.array(values, dtype=np.int64)
    assert different(array).tolist() == np.unique(array).tolist()


def test_of_a_table_as_one_row() -> None:
    assert different(np.array([[3, 1], [1, 2]])).tolist() == [1, 2, 3]
