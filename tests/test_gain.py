"""What mending can give at most: Amdahl's law on sectors, wavefronts and the operations of both arms."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cudalint.ir.source import NOWHERE
from cudalint.simt import gain
from cudalint.simt.facts import Access, Certainty, Space, Transactions
from cudalint.simt.pattern import Site


def _access(number: float, ideal: float, certainty: Certainty = "exact", space: Space = "global") -> Access:
    counted = Transactions(number, ideal, certainty, number, number)
    return Access(NOWHERE, "a[i]", space, "load", 4, counted, "k", requests=8)


def _site(access: Access) -> Site:
    return Site(access, (access,))


def test_sectors_of_the_others_bound_what_one_access_can_give():
    strided, other = _access(8, 4), _access(4, 4)
    found = gain.of_sectors(_site(strided), (strided, other))
    assert found is not None
    assert (round(found.times, 2), round(found.part, 2)) == (1.5, 0.67)
    assert gain.facts(found) == {"up_to": 1.5}
    assert "up to 1.5 times as fast" in found.note and "if it waits for nothing but sectors" in found.note


@pytest.mark.parametrize(
    "rest",
    [
        _access(4, 4, "bounded"),  # of which nobody knows the number
        _access(200, 4),  # beside which 8 sectors do not matter
        Access(NOWHERE, "b[i]", "global", "load", 4, Transactions(4, 4, "exact", 4, 4), "k", requests=80),
    ],
)
def test_nothing_is_said_where_the_part_is_small_or_not_known(rest: Access):
    strided = _access(8, 4)
    assert gain.of_sectors(_site(strided), (strided, rest)) is None
    assert gain.notes(None) == () and gain.facts(None) == {}


def test_shared_memory_has_its_own_account():
    conflict = _access(32, 1, space="shared")
    store = _access(1, 1, space="shared")
    found = gain.of_wavefronts(_site(conflict), (conflict, store, _access(8, 4, "bounded")))
    assert found is not None and found.times == pytest.approx(33 / 2)


@given(st.lists(st.tuples(st.integers(1, 32), st.integers(1, 32)), min_size=1, max_size=5))
def test_times_are_all_the_work_over_what_is_left(counts: list[tuple[int, int]]):
    accesses = tuple(_access(max(pair), min(pair)) for pair in counts)
    found = gain.of_sectors(_site(accesses[0]), accesses)
    before = sum(max(pair) for pair in counts)
    after = before - abs(counts[0][0] - counts[0][1])
    assume(abs(before / after - 1.1) > 1e-9)
    assert (found is not None) == (before / after > 1.1)
    if found is not None:
        assert found.times == pytest.approx(before / after)
