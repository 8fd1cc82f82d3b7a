"""The arithmetic of one request, against plain loops over lanes."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.simt.requests.transactions import (
    ideal_sectors,
    ideal_wavefronts,
    passes_constant,
    sectors,
    wavefronts,
)

LANES = st.lists(st.tuples(st.integers(0, 4000), st.booleans()), min_size=32, max_size=32)


def arrays(lanes: list[tuple[int, bool]], width: int) -> tuple[np.ndarray, np.ndarray]:
    addresses = np.array([[a * width for a, _ in lanes]], dtype=np.int64)
    return addresses, np.array([[on for _, on in lanes]])


@settings(max_examples=300, deadline=None)
@given(LANES, st.sampled_from([1, 2, 4, 6, 8, 12, 16, 40]), st.integers(0, 31))
def test_sectors_are_the_different_32_byte_lines_touched(lanes, width, shift):
    addresses, active = arrays(lanes, width)
    addresses = addresses + (shift if width & (width - 1) else shift * width)
    touched = {
        byte // 32
        for a, on in zip(addresses[0], active[0], strict=True)
        if on
        for byte in range(int(a), int(a) + width)
    }
    assert sectors(addresses, active, width).tolist() == [len(touched)]


@given(st.integers(0, 4000), st.integers(0, 4000), st.sampled_from([1, 2, 4, 8, 16]))
def test_one_instruction_of_a_lane_never_straddles_two_sectors(start, pitch, width):
    addresses = start + pitch * np.arange(32, dtype=np.int64)[None, :]
    assert sectors(addresses, np.ones((1, 32), dtype=bool), width)[0] <= 32


@settings(max_examples=200, deadline=None)
@given(LANES, st.sampled_from([1, 2, 4, 8, 16]))
def test_ideal_is_that_of_as_many_lanes_side_by_side_but_for_shared_addresses(lanes, width):
    addresses, active = arrays(lanes, width)
    count = sum(on for _, on in lanes)
    touched = sectors(addresses, active, width)
    assert ideal_sectors(touched, active, width).tolist() == [
        min(int(touched[0]), math.ceil(count * width / 32))
    ]


def bank_passes(words: set[int]) -> int:
    return max((sum(w % 32 == bank for w in words) for bank in range(32)), default=0)


def together(addresses: list[int], lanes: list[int], width: int, store: bool) -> list[list[int]]:
    """Which active lanes are served together."""
    size = 32 if width <= 4 else 16 if width == 8 else 8
    if size < 32 and not store:
        for other in (1, 2):
            if all(lane ^ other not in lanes or addresses[lane] == addresses[lane ^ other] for lane in lanes):
                size *= 2
                break
    return [[lane for lane in lanes if lane // size == k] for k in range(32 // size)]


@settings(max_examples=300, deadline=None)
@given(LANES, st.sampled_from([1, 2, 4, 8, 16]), st.booleans(), st.sampled_from([1, 2, 3, 4, 32]))
def test_wavefronts_are_the_words_of_the_fullest_bank(lanes, width, store, alike):
    lanes = [(lanes[i // alike][0], on) for i, (_, on) in enumerate(lanes)]
    addresses, active = arrays(lanes, width)
    flat = [int(a) for a in addresses[0]]
    expected = 0
    for group in together(flat, [i for i in range(32) if active[0][i]], width, store):
        words = {byte // 4 for lane in group for byte in range(flat[lane], flat[lane] + width)}
        expected += bank_passes(words)
    assert wavefronts(addresses, active, width, store).tolist() == [expected]


@settings(max_examples=200, deadline=None)
@given(LANES, st.sampled_from([1, 2, 4, 8, 16]))
def test_no_request_beats_its_ideal(lanes, width):
    addresses, active = arrays(lanes, width)
    assert (wavefronts(addresses, active, width) >= ideal_wavefronts(addresses, active, width)).all()


def test_the_textbook_patterns():
    lane = np.arange(32, dtype=np.int64)[None, :]
    on = np.ones((1, 32), dtype=bool)
    assert sectors(lane * 4, on, 4)[0] == 4
    assert sectors(lane * 4 + 4, on, 4)[0] == 5
    assert sectors(lane * 8, on, 4)[0] == 8
    assert sectors(lane * 128, on, 4)[0] == 32
    assert sectors(lane * 0, on, 4)[0] == ideal_sectors(sectors(lane * 0, on, 4), on, 4)[0] == 1
    assert wavefronts(lane * 128, on, 4)[0] == 32
    assert wavefronts(lane * 132, on, 4)[0] == 1
    assert wavefronts(lane * 16, on, 16)[0] == ideal_wavefronts(lane * 16, on, 16)[0] == 4
    assert passes_constant(lane * 4, on, 4)[0] == 32
    assert passes_constant(lane * 0, on, 4)[0] == 1
