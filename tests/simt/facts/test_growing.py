"""Idle rounds over the whole grid, of loops whose rounds grow from block to block."""

import pytest

from cudalint.simt.facts.branches.branch import Branch
from tests.simt.facts.test_bounds import facts

KERNEL = """
__global__ void rise(unsigned *state)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = idx;
    for (int i = 0; i < idx; i++) v = v * 26757677u + 1u;
    state[idx] = v;
}
"""


def idle(launch: str) -> float | None:
    code = KERNEL + f"void run(unsigned *p, int n) {{ rise<<<{launch}>>>(p); }}"
    (loop,) = (one for one in facts(code).of(Branch) if one.kind == "loop")
    return loop.loop.idle


def test_every_block_counts_by_its_rounds():
    assert idle("32, 32") == pytest.approx(496 / 16_864)  # warp b stays 32b + 31 rounds, 15.5 of them idle


def test_a_grid_of_one_block_is_what_it_is():
    assert idle("1, 32") == pytest.approx(15.5 / 31)


def test_ever_more_blocks_leave_nothing():
    assert idle("n, 32") == pytest.approx(0.0, abs=1e-9)
