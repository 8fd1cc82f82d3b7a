"""Cards of small kernels, with numbers that can be worked out by hand."""

from typing import Any

import pytest

from cudalint.advise.card import Card, Range
from cudalint.advise.cards import cards
from cudalint.advise.residency import residency
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.gpu.devices import device
from cudalint.host.model import run as host
from cudalint.inspect.inspection import INSPECTED
from cudalint.rule.rule import Context
from cudalint.simt.facts.workload import Workload
from cudalint.simt.model import ModelOptions, run

_STRIDED = """
__global__ void spread(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i] * 0.5f + 1.0f;
}
void go(float *a, float *b) { spread<<<GRID, BLOCK>>>(a, b); }
"""


def card(code: str) -> Card:
    """The card of the only kernel in the code, on an H200."""
    unit = load("kernel.cu", LoadOptions(text=code))
    facts = host(unit)
    kernels = run(unit, facts, ModelOptions(), frozenset((*INSPECTED, Workload)))
    (found,) = cards(Context(unit, kernels, facts, 90, device=device("H200")))
    return found


def spread(grid: int = 264, block: int = 256) -> Card:
    return card(_STRIDED.replace("GRID", str(grid)).replace("BLOCK", str(block)))


def exactly(number: float) -> Any:
    return Range(pytest.approx(number), pytest.approx(number))


def test_bytes_operations_and_intensity_of_a_thread() -> None:
    (launch,) = spread().launches
    assert launch.work is not None
    assert launch.work.requested == exactly(8 + 4)  # 8 and 4 sectors of 32 bytes for 32 lanes
    assert launch.work.useful == exactly((4 + 4) / 12)
    assert launch.work.operations == exactly(2)
    assert launch.work.intensity == exactly(2 / 12)
    assert launch.work.active_lanes == exactly(32)


def test_threads_waves_and_occupancy_of_a_launch() -> None:
    (launch,) = spread(grid=264).launches
    assert (launch.blocks, launch.threads) == (264, 264 * 256)
    held = launch.residency
    assert held is not None
    assert (held.blocks, held.warps, held.max_warps, held.limiters) == (8, 64, 64, ("warps",))
    assert held.waves == pytest.approx(264 / (8 * 132))
    assert held.multiprocessors == 132


def test_a_small_grid_uses_as_many_multiprocessors_as_it_has_blocks() -> None:
    (launch,) = spread(grid=33).launches
    assert launch.residency is not None and launch.residency.multiprocessors == 33


def test_shared_memory_limits_the_occupancy() -> None:
    """48 KiB and the reserved one are 49 of 228 KiB: 4 blocks of 4 warps."""
    (launch,) = card(
        """
        __global__ void turn(float *out, const float *in)
        {
            __shared__ float tile[12288];
            int i = blockIdx.x * 128 + threadIdx.x;
            tile[threadIdx.x] = in[i];
            __syncthreads();
            out[i] = tile[127 - threadIdx.x];
        }
        void go(float *a, float *b) { turn<<<1056, 128>>>(a, b); }
        """
    ).launches
    held = launch.residency
    assert launch.shared_bytes == 48 * 1024 and held is not None
    assert (held.blocks, held.warps, held.limiters) == (4, 16, ("shared memory",))
    assert held.occupancy == 0.25
    assert held.waves == pytest.approx(1056 / (4 * 132))


def test_half_a_warp_has_sixteen_lanes_active() -> None:
    (launch,) = spread(block=16).launches
    assert launch.work is not None and launch.work.active_lanes == exactly(16)


def test_a_block_that_the_device_cannot_run_has_no_residency() -> None:
    assert residency(device("H200"), 2048, 10, 0, None) is None
    assert residency(device("H200"), 256, 10, 300 * 1024, None) is None


def test_a_kernel_that_nothing_is_known_of_has_a_card() -> None:
    unit = load("kernel.cu", LoadOptions(text=_STRIDED.replace("GRID, BLOCK", "1, 32")))
    (found,) = cards(Context(unit, (), host(unit), 90))
    assert (found.kernel, found.line, found.launches) == ("spread", 2, ())
    assert found.failure == "its definition, or what instantiates it, could not be parsed"


def test_a_large_copy_is_bound_by_memory_and_a_small_one_by_its_launch_with_fast_memory() -> None:
    (large,), (small,) = spread(grid=1_000_000).launches, spread(grid=132).launches
    assert large.work is not None and small.work is not None
    assert large.work.roofs[0].bound == ("sectors",)
    assert small.work.roofs[1].bound == ("launch overhead",)
    for roof in (*large.work.roofs, *small.work.roofs):
        assert roof.units[0].share == exactly(1)
        assert all(0 <= unit.share.low <= unit.share.high <= 1 for unit in roof.units)


def test_arithmetic_without_memory_is_bound_by_the_units_that_do_it() -> None:
    found = card(
        """
        __global__ void turn(double *out, double x)
        {
            double sum = x;
            for (int i = 0; i < 1000; ++i) { sum = sum * x + 1.0; sum = sum * x + 2.0; sum = sum * x + 3.0; }
            out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
        }
        void go(double *a) { turn<<<100000, 256>>>(a, 2.0); }
        """
    )
    (launch,) = found.launches
    assert launch.work is not None
    assert launch.work.operations == exactly(6000)
    assert launch.work.intensity == exactly(6000 / 8)
    assert "sectors" not in (*launch.work.roofs[0].bound, *launch.work.roofs[1].bound)


def test_accesses_are_listed_by_their_share_with_sectors_and_ideal() -> None:
    load_, store = spread().accesses
    assert (load_.operation, load_.per_request, load_.bounds, load_.ideal) == ("load", 8, Range(8, 8), 4)
    assert (store.operation, store.per_request, store.ideal) == ("store", 4, 4)
    assert load_.share is not None and store.share is not None
    assert load_.share == exactly(2 / 3) and store.share == exactly(1 / 3)


def test_a_divergent_branch_is_listed_with_its_share() -> None:
    (branch,) = card(
        """
        __global__ void odd(float *out)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (threadIdx.x % 4 == 0) out[i] = sinf(out[i]) + cosf(out[i]) + expf(out[i]);
        }
        void go(float *a) { odd<<<1000, 256>>>(a); }
        """
    ).divergences
    assert (branch.divergence, branch.warps, branch.lanes) == ("divergent", 1.0, (8, 24))


def test_what_data_decides_widens_the_bytes_and_is_named() -> None:
    found = card(
        """
        __global__ void pick(float *out, const int *index, const float *in)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = in[index[i]];
        }
        void go(float *a, int *b, float *c) { pick<<<1000, 256>>>(a, b, c); }
        """
    )
    (launch,) = found.launches
    assert launch.work is not None and launch.work.useful is not None
    assert launch.work.requested.low < launch.work.requested.high == pytest.approx(4 + 4 + 32)
    assert 0 <= launch.work.useful.low < launch.work.useful.high <= 1


def test_code_that_no_run_comes_to_is_said_to_be_left_out() -> None:
    code = """
        __global__ void rare(float *out, int mode)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            TEST out[i] = out[i] * 2.0f;
        }
        void go(float *a, int m) { rare<<<1000, 256>>>(a, m); }
        """
    assert card(code.replace("TEST", "if (mode * mode == 1234567)")).untaken
    assert not card(code.replace("TEST", "")).untaken


def test_four_lanes_gather_four_sectors_at_most() -> None:
    found = card(
        """
        __global__ void pick(float *out, const int *index, const float *in)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = in[index[i]];
        }
        void go(float *a, int *b, float *c) { pick<<<1000, 4>>>(a, b, c); }
        """
    )
    (launch,) = found.launches
    assert launch.work is not None
    assert launch.work.requested.high == pytest.approx(8 + 8 + 4 * 32 / 4)


def test_instantiations_share_a_card() -> None:
    found = card(
        """
        template <int Step> __global__ void spread(float *out, const float *in)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = in[i * Step];
        }
        void go(float *a, float *b) { spread<1><<<64, 256>>>(a, b); spread<4><<<64, 256>>>(a, b); }
        """
    )
    assert [launch.instantiation for launch in found.launches] == ["1", "4"]
    sizes = [launch.work.requested for launch in found.launches if launch.work is not None]
    assert sizes == [exactly(8), exactly(20)]


def test_a_kernel_without_a_launch_is_tried_with_usual_shapes_of_an_unknown_grid() -> None:
    found = card("__global__ void one(float *out) { out[threadIdx.x] = 1.0f; }")
    assert found.launches and {launch.origin for launch in found.launches} == {"usual shape"}
    assert all(launch.threads is None for launch in found.launches)
    assert all(launch.residency and launch.residency.waves is None for launch in found.launches)
