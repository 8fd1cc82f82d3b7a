"""One object for all arrays that are equal."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.simt.values import interned
from cudalint.simt.values.interned import Interned

ARRAYS = st.lists(
    st.one_of(
        st.lists(st.integers(0, 2), min_size=6, max_size=6).map(np.array),
        st.lists(st.booleans(), min_size=6, max_size=6).map(np.array),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(ARRAYS)
def test_equal_arrays_are_one_object_and_others_are_not(arrays):
    kept = {kind: Interned() for kind in (np.dtype(bool), np.dtype(np.int64))}
    found = [kept[array.dtype].one(array) for array in arrays]
    for array, one in zip(arrays, found, strict=True):
        assert np.array_equal(array, one)
        for other, another in zip(arrays, found, strict=True):
            same = array.dtype == other.dtype and np.array_equal(array, other)
            assert (one is another) == same


def test_what_is_held_is_bounded(monkeypatch):
    monkeypatch.setattr(interned, "_MOST", 100)
    kept = Interned()
    first, second = kept.one(np.arange(8)), kept.one(np.arange(1, 9))  # 64 bytes each
    assert kept.one(np.arange(1, 9)) is not second  # what was held is forgotten
    assert kept.one(first) is first
    assert kept.one(np.arange(8)) is not first
