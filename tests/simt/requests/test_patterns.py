"""What is remembered of a site's lane pattern, against counting each request anew."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.simt.requests.active import active
from cudalint.simt.requests.patterns import LINE, Patterns
from cudalint.simt.requests.transactions import (
    atomic_wavefronts,
    ideal_wavefronts,
    sectors,
    wavefronts,
)

WARPS = 4  # of two samples
MOVES = st.lists(st.lists(st.integers(-300, 300), min_size=WARPS, max_size=WARPS), min_size=2, max_size=6)


PERIODS = {  # bytes after which all is the same again, and what is counted so
    128: lambda lanes, on, width: (sectors(lanes, on, width), wavefronts(lanes, on, width)),
    32: lambda lanes, on, width: (sectors(lanes, on, width),),
    4: lambda lanes, on, width: (
        wavefronts(lanes, on, width),
        wavefronts(lanes, on, width, store=True),
        ideal_wavefronts(lanes, on, width),
        *(atomic_wavefronts(lanes, on, width, kind) for kind in ("count", "native", "compare", "loop")),
    ),
}


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from([*PERIODS]), MOVES)
def test_what_is_found_again_is_what_counting_gives(seed, width, period, moves):
    random = np.random.default_rng(seed)
    on = random.random((WARPS, 32)) < 0.8
    base = random.integers(0, 200, (WARPS, 32)) * width
    sample = np.array([0, 0, 1, 1])
    patterns, found_any = Patterns(), False
    for move in (*moves, moves[0]):
        lanes = base + np.array(move)[:, None] * width
        counted = [one.tolist() for one in PERIODS[period](lanes, on, width)]
        found = patterns.find(lanes, on, sample, width, period)
        lowest = np.where(on, lanes, np.iinfo(np.int64).max).min(axis=1)
        assert np.array_equal(
            (patterns.form.lowest + np.ravel(patterns.moved))[on.any(axis=1)], lowest[on.any(axis=1)]
        )
        if found is None:
            patterns.enter(counted)
        else:
            found_any = True
            assert found == counted
    assert found_any  # the first move comes again
    assert not patterns.fresh


def test_other_lanes_other_warps_and_another_width_are_another_pattern():
    lanes, on, sample = np.arange(64).reshape(2, 32) * 4, np.ones((2, 32), dtype=bool), np.array([0, 1])
    fewer = on.copy()
    fewer[0, 0] = False
    for other in ((lanes, fewer, sample, 4), (lanes, on, np.array([0, 2]), 4), (lanes, on, sample, 8)):
        patterns = Patterns()
        assert patterns.find(lanes, on, sample, 4) is None
        patterns.enter("counted")
        assert patterns.find(lanes + LINE, on, sample, 4) == "counted"
        assert patterns.find(*other) is None


def test_live_warps_of_a_mask():
    mask = np.zeros(6 * 32, dtype=bool)
    mask[[33, 34, 5 * 32]] = True
    found = active(mask, 3)
    assert found.sample.tolist() == [0, 1]
    assert found.requests.tolist() == [1, 1]
    assert found.lanes == 3
    addresses = np.arange(6 * 32)
    assert found.rows_of(addresses)[:, 0].tolist() == [32, 5 * 32]
    assert found.rows_of(7).shape == (2, 32)
    assert active(np.ones(64, dtype=bool), 2).rows_of(addresses[:64]).tolist() == [
        list(range(32)),
        list(range(32, 64)),
    ]
