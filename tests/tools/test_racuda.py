"""The arithmetic of tools/racuda.py: what it does with RaCUDA's formulas, launches and errors."""

import pytest

from tools import racuda

KERNELS = {kernel.file: kernel for kernel in racuda.KERNELS}


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("12", 12.0),
        ("4 + 0.5 max(0, 31 + wA)", 36.0),
        ("max(0, wA)", 33.0),
        ("2 max(0, wA) max(0, 2)", 132.0),
    ],
)
def test_a_formula_has_a_number(formula, number):
    assert racuda.value(formula, {"wA": 33}) == number


def test_no_formula_has_none():
    assert racuda.value("", {}) is None


def test_anything_but_a_formula_is_refused():
    with pytest.raises(ValueError, match="not a formula"):
        racuda.value("open(1)", {})


def test_a_reduction_executes_the_requests_of_its_active_warps():
    shape = KERNELS["reduce1"].shape((1024,))
    assert (shape.grid, shape.warps, shape.executed(1)) == ((4, 1), 32, 256)
    assert shape.requests(("global", "load", 0)) == 32
    assert shape.requests(("global", "store", 0)) == 4
    assert shape.requests(("shared", "load", 1)) == 4 * (4 + 2 + 6 * 1)


def test_a_matrix_that_is_not_a_whole_number_of_tiles_has_one_more_step_but_no_more_blocks():
    shape = KERNELS["matrixMul"].shape((321,))
    assert (shape.grid, shape.trips, shape.executed(2)) == ((10, 10), (11, 32), 3200 * 11 * 32)


def test_warps_behind_the_end_of_a_vector_request_nothing():
    shape = KERNELS["vectorAdd"].shape((32769,))
    assert (shape.grid, shape.warps, shape.requests(("global", "load", 0))) == ((129, 1), 1032, 1025)


def test_an_error_is_relative_to_the_counter():
    assert [racuda.error(n, c) for n, c in ((110, 100), (0, 0), (3, 0), (None, 5))] == [0.1, 0.0, None, None]


def test_what_the_wrapper_counts_is_what_the_launch_moves():
    source = """\
__global__ void vectorAdd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
"""
    kernel = KERNELS["vectorAdd"]
    facts = racuda.modelled(kernel, (32768,), source, "sm_90")
    assert racuda.total(facts, kernel.shape((32768,)), "sectors") == 3 * 32768 * 4 / 32
    assert racuda.divergences(facts, kernel.shape((32768,))) == 0
