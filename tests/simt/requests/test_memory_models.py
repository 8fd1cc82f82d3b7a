"""The memory and bank models of older compute capabilities, against plain thread-by-thread protocols."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.gpu.capabilities import ROWS, BankModel, GlobalModel
from cudalint.simt.requests.bank_models import bank_passes
from cudalint.simt.requests.global_models import traffic

Lanes = list[tuple[int, int]]  # lane, address; the active ones

WIDTHS = st.sampled_from([1, 2, 4, 8, 16])
CASES = settings(max_examples=250, deadline=None)


@st.composite
def requests(draw: st.DrawFn) -> tuple[list[int], list[bool], int]:
    """Words of 32 lanes, which of them are active, and the width: anything, in order, strided or shuffled."""
    width = draw(WIDTHS)
    start = draw(st.one_of(st.sampled_from([0, 4, 8, 16, 32]), st.integers(0, 64)))
    stride = draw(st.integers(0, 40))
    scattered = st.lists(st.integers(0, 400), min_size=32, max_size=32)
    strided = st.just([start + stride * lane for lane in range(32)])
    shuffled = st.permutations([start + lane for lane in range(32)])
    words = draw(st.one_of(scattered, strided, st.just([start + lane for lane in range(32)]), shuffled))
    active = draw(st.one_of(st.just([True] * 32), st.lists(st.booleans(), min_size=32, max_size=32)))
    return [word * width for word in words], active, width


def arrays(addresses: list[int], active: list[bool]) -> tuple[np.ndarray, np.ndarray]:
    """Two requests in one call: the one asked for, and one with no lane, which costs nothing."""
    return np.array([addresses, addresses], dtype=np.int64), np.array([active, [False] * 32])


def parts(addresses: list[int], active: list[bool], size: int) -> list[Lanes]:
    """The active lanes of each part of the warp, `size` lanes long; lanes are numbered within the part."""
    return [
        [(lane % size, addresses[lane]) for lane in range(first, first + size) if active[lane]]
        for first in range(0, 32, size)
    ]


def check(model: GlobalModel, request: tuple[list[int], list[bool], int], sizes: list[int]) -> None:
    """sizes: bytes of each transaction that the plain protocol makes."""
    addresses, active, width = request
    found = traffic(model, *arrays(addresses, active), width)
    assert found.transactions.tolist() == [len(sizes), 0]
    assert found.bytes.tolist() == [sum(sizes), 0]


def ordered(lanes: Lanes, width: int) -> list[int]:
    if not lanes:
        return []
    for base in {address - lane * width for lane, address in lanes}:
        segment = 64 if width == 4 else 128
        fits = all(address == base + lane * width for lane, address in lanes)
        if width in (4, 8, 16) and base % segment == 0 and fits:
            return [128, 128] if width == 16 else [segment]
    return [32] * len(lanes)


@CASES
@given(requests())
def test_half_warps_in_order(request):
    addresses, active, width = request
    sizes = [size for lanes in parts(addresses, active, 16) for size in ordered(lanes, width)]
    check(GlobalModel.ORDERED_HALF_WARPS, request, sizes)


@pytest.mark.parametrize(
    ("start", "width", "sizes"),
    [
        (8, 16, [128] * 4),  # words of 16 bytes may start on any 128-byte segment
        (4, 16, [32] * 32),
        (8, 8, [32] * 32),
        (8, 4, [32] * 32),
        (16, 4, [64] * 2),
        (0, 2, [32] * 32),
    ],
)
def test_where_a_half_warp_in_order_may_start(start, width, sizes):
    request = ([(start + lane) * width for lane in range(32)], [True] * 32, width)
    check(GlobalModel.ORDERED_HALF_WARPS, request, sizes)


def segmented(lanes: Lanes, width: int) -> list[int]:
    """The protocol as the guide tells it: the lowest lane's segment, who else is in it, shrink, repeat."""
    sizes = []
    left = list(lanes)
    while left:
        size = {1: 32, 2: 64}.get(width, 128)
        low = left[0][1] // size * size
        served = [(lane, address) for lane, address in left if low <= address < low + size]
        left = [pair for pair in left if pair not in served]
        while size > 32:
            half = size // 2
            if all(address + width <= low + half for _, address in served):
                size = half
            elif all(address >= low + half for _, address in served):
                low, size = low + half, half
            else:
                break
        sizes.append(size)
    return sizes


@CASES
@given(requests())
def test_half_warps_in_segments(request):
    addresses, active, width = request
    sizes = [size for lanes in parts(addresses, active, 16) for size in segmented(lanes, width)]
    check(GlobalModel.SEGMENTED_HALF_WARPS, request, sizes)


def chunks(request: tuple[list[int], list[bool], int], chunk: int, whole_warp: bool = False) -> list[int]:
    addresses, active, width = request
    size = 32 if whole_warp or width <= 4 else 128 // width
    sizes = []
    for lanes in parts(addresses, active, size):
        touched = {byte // chunk for _, a in lanes for byte in range(a, a + width)}
        sizes += [chunk] * len(touched)
    return sizes


@CASES
@given(requests())
def test_lines_segments_and_sectors(request):
    check(GlobalModel.CACHE_LINES, request, chunks(request, 128))
    check(GlobalModel.L2_SEGMENTS, request, chunks(request, 32))
    check(GlobalModel.SECTORS, request, chunks(request, 32, whole_warp=True))


@CASES
@given(requests())
def test_every_model_moves_the_bytes_that_are_asked_for(request):
    addresses, active, width = request
    asked = {byte for a, on in zip(addresses, active, strict=True) if on for byte in range(a, a + width)}
    for model in GlobalModel:
        assert int(traffic(model, *arrays(addresses, active), width).bytes[0]) >= len(asked)


def fullest(units: set[tuple[int, int]], banks: int = 32) -> int:
    """units: (bank, row of the bank). The rows of the bank that has most."""
    return max(sum(bank == b for bank, _ in units) for b in range(banks))


def touched(lanes: Lanes, width: int) -> set[int]:
    return {byte for _, address in lanes for byte in range(address, address + width)}


@CASES
@given(requests())
def test_fermi_banks(request):
    addresses, active, width = request
    expected = 0
    for lanes in parts(addresses, active, 32 if width <= 4 else 128 // width):
        expected += fullest({(b // 4 % 32, b // 128) for b in touched(lanes, width)})
        expected += bool(lanes) and width == 16
    found = bank_passes(BankModel.WORD_BROADCAST, *arrays(addresses, active), width)
    assert found.tolist() == [expected, 0]


@CASES
@given(requests())
def test_kepler_banks(request):
    """A bank gives two words together that are 32 apart in an aligned run of 64, or are one 8-byte word."""
    addresses, active, width = request
    (lanes,) = parts(addresses, active, 32)
    words = {byte // 4 for byte in touched(lanes, width)}
    alone: list[int] = []  # one of each set of words that a bank gives together
    for word in sorted(words):
        if not (word % 64 >= 32 and word - 32 in words):
            alone.append(word)
    four = max((sum(w % 32 == bank for w in alone) for bank in range(32)), default=0)
    eight = fullest({(byte // 8 % 32, byte // 256) for byte in touched(lanes, width)})
    for model, expected in ((BankModel.PAIRED_WORDS, four), (BankModel.DOUBLE_WORDS, eight)):
        assert bank_passes(model, *arrays(addresses, active), width).tolist() == [expected, 0]


@cache
def fewest(wanted: tuple[int, ...]) -> int:
    """Passes for a half-warp's words under the best choice of broadcast words and lanes; tries them all."""
    if not wanted:
        return 0
    best = len(wanted)
    for word in set(wanted):
        rest = [(w,) for w in {w for w in wanted if w % 16 != word % 16}]
        picks = [[w for (w,) in rest if w % 16 == bank] for bank in {w % 16 for (w,) in rest}]
        left = tuple(w for w in wanted if w != word)
        for choice in np.ndindex(*(len(pick) for pick in picks)):
            remaining = list(left)
            for pick, index in zip(picks, choice, strict=True):
                remaining.remove(pick[index])
            best = min(best, 1 + fewest(tuple(sorted(remaining))))
    return best


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([0, 16, 32, 1, 17, 33, 2]), min_size=0, max_size=9))
def test_tesla_loads_broadcast_one_word_a_pass(words):
    addresses = [4 * word for word in words] + [0] * (32 - len(words))
    active = [lane < len(words) for lane in range(32)]
    found = bank_passes(BankModel.HALF_WARP_BROADCAST, *arrays(addresses, active), 4)
    assert found.tolist() == [fewest(tuple(sorted(words))), 0]


@CASES
@given(requests())
def test_tesla_stores_and_wide_words(request):
    addresses, active, width = request
    stores = loads = 0
    for part in range(0, max(width, 4), 4):
        for lanes in parts(addresses, active, 16):
            places = {address + part for _, address in lanes}
            stores += max(sum(p // 4 % 16 == bank for p in places) for bank in range(16))
            loads += max(len({p // 4 for p in places if p // 4 % 16 == bank}) for bank in range(16))
    store = bank_passes(BankModel.HALF_WARP_BROADCAST, *arrays(addresses, active), width, store=True)
    assert store.tolist() == [stores, 0]
    load = bank_passes(BankModel.HALF_WARP_BROADCAST, *arrays(addresses, active), width)
    assert loads <= load[0] <= max(width, 4) // 4 * sum(active)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_one_word_a_lane_in_order_is_served_at_once_by_every_capability(row):
    lane = np.arange(32, dtype=np.int64)[None, :]
    on = np.ones((1, 32), dtype=bool)
    for model in (row.load_model, row.store_model):
        assert traffic(model, lane * 4, on, 4).bytes.tolist() == [128]
    for banks in row.bank_models:
        assert bank_passes(banks, lane * 4, on, 4).tolist() == [32 // row.banks]
