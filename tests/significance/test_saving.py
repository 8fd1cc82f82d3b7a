"""The impact of a fix: what the roofline says before and after it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cudalint.gpu.devices import device, usual
from cudalint.gpu.throughput import throughput
from cudalint.significance import roofline
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Queue, Removed, Saving, impact
from cudalint.source.span import NOWHERE
from tests.support.modelled import modelled

_RATES = throughput(device("H200"))

_COPY = """
__global__ void copy(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * STRIDE];
}
void launch(float *a, float *b, int n) { copy<<<100000, 256>>>(a, b, n); }
"""


def _impact(source: str) -> tuple[float, float]:
    unit, kernel = modelled(source)
    found = impact(Saving(Basis.SECTORS, excess=kernel.accesses), kernel, unit, _RATES)
    return found.low, found.high


@pytest.mark.parametrize("stride", [2, 4, 8])
def test_a_strided_copy_is_slowed_by_its_excess_sectors(stride: int) -> None:
    low, high = _impact(_COPY.replace("STRIDE", str(stride)))
    sectors, ideal = 4 * stride + 4, 8
    assert 0 < low <= high
    assert (low > 0.1) == (stride == 8)  # starting so many blocks hides a small excess
    assert high == pytest.approx(1 - ideal / sectors, abs=0.02)


def test_nothing_is_saved_where_all_is_ideal() -> None:
    assert _impact(_COPY.replace("STRIDE", "1")) == (0.0, 0.0)


_AMOUNTS = st.dictionaries(st.sampled_from(list(roofline.Unit)), st.floats(0, 1e6), max_size=5)


@given(st.lists(_AMOUNTS, max_size=4))
def test_clocks_add_up_by_unit(parts: list[dict[roofline.Unit, float]]) -> None:
    arrays = [{unit: np.array([clocks]) for unit, clocks in part.items()} for part in parts]
    found = roofline.total(arrays)
    for unit in roofline.Unit:
        assert float(found.get(unit, np.zeros(1))[0]) == pytest.approx(
            sum(part.get(unit, 0) for part in parts)
        )


def test_the_usual_device_of_an_architecture_is_the_fastest_of_the_nearest() -> None:
    assert usual(90).name == "H200"
    assert usual(103).arch == 100
    assert usual(5).arch == 10


_LOOP = """
__global__ void scale(float *out, const float *in, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int r = 0; r < rounds; ++r) sum += in[(r * n + i) * STRIDE] * sinf(sum);
    if (i < n) out[i] = sum;
}
void launch(float *a, float *b, int n, int rounds) { scale<<<BLOCKS, 256>>>(a, b, n, rounds); }
"""


@pytest.mark.parametrize("blocks", [1, 40, 132, 5000])
@pytest.mark.parametrize("stride", [2, 8])
def test_the_least_is_no_more_than_the_most(blocks: int, stride: int) -> None:
    low, high = _impact(_LOOP.replace("STRIDE", str(stride)).replace("BLOCKS", str(blocks)))
    assert 0 <= low <= high < 1
    assert high > 0


def test_a_launch_that_is_over_at_once_gains_nothing() -> None:
    source = _COPY.replace("STRIDE", "2").replace("100000", "1")
    low, high = _impact(source)
    assert (low, high) < (0.02, 0.05)


def test_what_nothing_came_to_may_be_anything() -> None:
    unit, kernel = modelled(_COPY.replace("STRIDE", "1"))
    elsewhere = tuple(replace(access, span=NOWHERE) for access in kernel.accesses)
    found = impact(Saving(Basis.SECTORS, excess=elsewhere), kernel, unit, _RATES)
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize("blocks", [16, 100_000])
def test_loads_that_wait_no_more_shorten_what_few_threads_wait_for(blocks: int) -> None:
    source = """
__global__ void rows(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 256; k++) out[k * n + i] = in[k * n + i];
}
void launch(float *a, float *b, int n) { rows<<<BLOCKS, 256>>>(a, b, n); }
"""
    unit, kernel = modelled(source.replace("BLOCKS", str(blocks)))
    loads = tuple(Removed(one, 0.75) for one in kernel.accesses if one.operation == "load")
    found = impact(Saving(Basis.LATENCY, waits=loads), kernel, unit, _RATES)
    assert 0 <= found.low <= found.high <= 0.75
    assert found.high > (0.5 if blocks == 16 else 0.2)


def test_lanes_that_queue_for_one_address_take_most_of_the_time() -> None:
    source = """
__global__ void sum(float *total, const float *in)
{
    atomicAdd(total, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
void launch(float *a, float *b) { sum<<<65536, 256>>>(a, b); }
"""
    unit, kernel = modelled(source)
    (atomic,) = (one for one in kernel.accesses if one.operation == "atomic")

    def saved(within: roofline.Shared) -> tuple[float, float]:
        found = impact(Saving(Basis.SERIALISED, queues=(Queue(atomic, 32, within),)), kernel, unit, _RATES)
        return found.low, found.high

    assert 0.7 < saved("grid")[0] <= saved("grid")[1] <= 31 / 32
    assert saved("block")[1] < saved("grid")[0]


def test_one_atomic_a_block_instead_of_one_a_warp() -> None:
    unit, kernel = modelled(
        "__global__ void k(int *total, const int *in)"
        " { atomicAdd(total, in[blockIdx.x * blockDim.x + threadIdx.x]); }"
        "void launch(int *a, int *b) { k<<<100000, 256>>>(a, b); }"
    )
    (atomic,) = (one for one in kernel.accesses if one.operation == "atomic")
    queue = Queue(atomic, 1, "grid", left=0.3)
    found = impact(Saving(Basis.SERIALISED, queues=(queue,)), kernel, unit, _RATES)
    assert 0.4 < found.low <= found.high <= 0.7
