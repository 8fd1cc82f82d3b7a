"""What a launch of another shape gives: arithmetic of the shape at most, the roofline at least."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cudalint.gpu.devices import device
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.throughput import throughput
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.significance.impact import Impact
from cudalint.significance.launching import (
    Change,
    even_share,
    full_warps,
    impact,
    more_in_flight,
    more_multiprocessors,
    more_warps,
    of_ending_atomics,
    of_repeated_blocks,
    whole_waves,
)
from cudalint.source.span import NOWHERE
from tests.support.modelled import modelled

_H200 = device("H200")
_ONE = e.Literal(1, t.INT, NOWHERE)
_LAUNCH = LaunchFact(
    key="k",
    name="k",
    span=NOWHERE,
    grid=(1, 1, 1),
    block=(256, 1, 1),
    dynamic_shared_bytes=0,
    stream="default",
    arguments=(),
    expression=e.Launch("k", "k", _ONE, _ONE, None, None, (), t.VOID, NOWHERE),
    function="main",
)

_SUM = """
__global__ void k(float *out, const float *in)
{
    float sum = 0.0f;
    for (int i = 0; i < TRIPS; ++i) sum += in[i * 256 + threadIdx.x];
    out[threadIdx.x] = sum;
}
void launch(float *a, float *b) { k<<<1, 256>>>(a, b); }
"""


def _impact(trips: int, change: Change, grid: int = 1) -> Impact:
    unit, kernel = modelled(_SUM.replace("TRIPS", str(trips)))
    launch = replace(_LAUNCH, grid=(grid, 1, 1))
    return impact(change, launch, kernel, unit, throughput(_H200))


def test_one_block_of_a_long_sum_leaves_the_device_idle() -> None:
    found = _impact(100_000, more_multiprocessors(1 / 132, 100_000, alone=True))
    assert found.high == pytest.approx(131 / 132)
    assert 0.9 < found.low <= found.high


def test_blocks_that_share_a_loop_fill_the_multiprocessors_too() -> None:
    few = more_multiprocessors(128 / 132, 100, alone=True, filled=8 / 64)
    assert few.most == pytest.approx(1 - 128 / 132 / 8)
    assert more_multiprocessors(128 / 132, 1, alone=True, filled=8 / 64).most == pytest.approx(4 / 132)


def test_more_warps_save_waits_for_memory_and_no_more_than_its_bandwidth_leaves() -> None:
    """An H100 sums 64 million floats in .249 ms with 8 warps on each multiprocessor, in .094 ms with 64."""
    few, many = (_impact(1986, more_in_flight(filled, 1986), grid=132) for filled in (8 / 64, 32 / 64))
    assert 1 - 0.094 / 0.249 < few.high < 7 / 8
    assert 0 < many.low <= many.high < few.low <= few.high
    assert _impact(1986, more_in_flight(1.0, 1986), grid=132).high == 0


def test_a_short_kernel_may_gain_nothing() -> None:
    assert _impact(1, more_multiprocessors(1 / 132, 1, alone=True)).low < 0.001


def test_blocks_that_fill_no_warp_together_gain_nothing_by_it() -> None:
    assert full_warps(1, 1).most == 0.0
    assert full_warps(16, 3).most == pytest.approx(1 / 3)
    assert full_warps(48, 1000).most == pytest.approx(1 / 4)


def test_a_kernel_that_does_nothing_has_nothing_to_save() -> None:
    unit, kernel = modelled("__global__ void k() {} void launch() { k<<<1, 1>>>(); }")
    found = impact(more_multiprocessors(1 / 132, 1, alone=True), _LAUNCH, kernel, unit, throughput(_H200))
    assert (found.low, found.high) == (0.0, 0.0)


def test_another_stream_may_use_the_idle_multiprocessors() -> None:
    found = _impact(100_000, more_multiprocessors(1 / 132, 100_000, alone=False))
    assert (found.low, found.high) == (0, pytest.approx(131 / 132))


def test_without_a_run_anything_up_to_the_most_is_possible() -> None:
    unit, _ = modelled(_SUM.replace("TRIPS", "4"))
    found = impact(full_warps(8, None), _LAUNCH, None, unit, throughput(_H200))
    assert (found.low, found.high) == (0, 0.75)


def test_more_warps_give_nothing_where_all_are_resident() -> None:
    held = occupancy(90, 32)
    change = more_warps(held, _LAUNCH, 132)
    assert (change.most, change.left.waits) == (0.0, 1.0)
    change = more_warps(held, replace(_LAUNCH, grid=(5000, 1, 1)), 132)
    assert (change.most, change.left.waits) == (0.5, 0.5)
    change = more_warps(held, replace(_LAUNCH, grid=(None, 1, 1)), 132)
    assert (change.most, change.left.waits) == (0.5, 1.0)


@given(st.integers(1, 100_000), st.integers(1, 32))
def test_whole_waves_save_the_empty_slots_at_most(grid: int, held: int) -> None:
    wave = 132 * held
    change = whole_waves(grid, wave, 132)
    slots = sum(wave for _ in range(0, grid, wave))
    assert change.most == pytest.approx((slots - grid) / slots)
    most_blocks = max(len(range(one, grid, 132)) for one in range(132))
    assert all(left == pytest.approx(grid / 132 / most_blocks) for left in change.left.busy.values())


def _evenly(body: str, blocks: int) -> Impact:
    """Of a grid whose blocks are all resident."""
    unit, kernel = modelled(
        "__global__ void k(float *out, const float *in, int n)\n"
        f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}\n"
        f"void run(float *o, float *p, int n) {{ k<<<{blocks}, 256>>>(o, p, n); }}"
    )
    launch = replace(_LAUNCH, grid=(blocks, 1, 1), block=(256, 1, 1))
    return impact(even_share(blocks, 132, 8), launch, kernel, unit, throughput(_H200))


def test_an_even_share_saves_arithmetic_but_no_traffic() -> None:
    series = "float x = in[i], s = 0; for (int k = 0; k < n; ++k) s = s * x + k * 0.5f; out[i] = s;"
    found = _evenly(series, 400)
    assert 0.15 < found.low <= found.high <= 1 - 400 / 132 / 4
    assert _evenly(series, 396).high == pytest.approx(0.0)
    assert _evenly("out[i] = in[i] + 1.0f;", 400).high < 0.02
    few = _evenly(series, 196)  # beside 8 warps others wait, too
    assert few.low == 0.0 < few.high


def test_repeated_blocks_save_waves() -> None:
    unit, kernel = modelled(_SUM.replace("TRIPS", "4"))

    def saved(grid: int, kept: int) -> Impact:
        launch = replace(_LAUNCH, grid=(grid, 1, 1))
        return of_repeated_blocks(grid - kept, launch, kernel, unit, throughput(_H200))

    assert saved(132, 1).high == 0  # all are resident: the others run beside the one
    assert saved(1 << 20, 1).low > 0.9
    half = saved(1 << 20, 1 << 19)
    assert (half.low, half.high) == (pytest.approx(0.5), pytest.approx(0.5))


def test_fewer_atomics_save_what_queues() -> None:
    rates = throughput(_H200)

    def saved(before: int, fast: float, slow: float, whole: bool = False) -> Impact:
        return of_ending_atomics(before, 2112, (fast, slow), rates, whole)

    short = saved(1 << 20, 1e-4, 2e-4)
    assert 0.6 < short.low < saved(1 << 20, 1e-4, 2e-4, whole=True).high < short.high < 0.99
    assert saved(1 << 20, 1.0, 1.0).high == 0
    assert saved(2112, 1e-9, 1e-9).high == 0
