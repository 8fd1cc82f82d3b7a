"""The blocks that sizes end in, against a look at every block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from cudalint.inspect.inspection import branch_table
from cudalint.ir import expressions as e
from cudalint.ir.types import INT
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.interpret.margins import Margin
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.launch.ragged import Ragged, Remainder, of_ragged, ragged_blocks
from cudalint.simt.values.samples import make
from cudalint.source.span import NOWHERE
from tests.support.modelled import facts

_COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}


def _name(name: str) -> e.VariableReference:
    return e.VariableReference(e.Variable(ord(name), name, INT, "local", NOWHERE), INT, NOWHERE)


def _ragged(
    operator: str, threads: int, each: int, first: int, sizes: tuple[int, ...], swapped: bool
) -> Ragged | None:
    """Of `first + each * (blockIdx.x * blockDim.x + threadIdx.x) < n` for sizes n, one a valuation."""
    samples = make((threads, 1, 1), (512, 1, 1), ((0, 0, 0), (1, 0, 0), (7, 0, 0)), len(sizes))
    block = np.array([place[0] for place in samples.places])[samples.sample]
    index = first + each * (block * threads + samples.thread)
    limit = np.array(sizes)[samples.valuation]
    left, right = (limit, index) if swapped else (index, limit)
    names = ("n", "i") if swapped else ("i", "n")
    node = e.Binary(operator, _name(names[0]), _name(names[1]), INT, NOWHERE)
    tried = (Parameter("n", tried=tuple(map(float, sizes))),)
    return ragged_blocks(samples, [Margin(node, left, right)], tried, frozenset(), frozenset())


@given(
    st.sampled_from(("<", "<=", ">", ">=")),
    st.sampled_from((1, 32, 100, 256)),
    st.sampled_from((1, 4)),
    st.integers(0, 3),
    st.lists(st.integers(1, 4000), min_size=1, max_size=4),
    st.booleans(),
)
def test_the_block_with_both_outcomes_is_found(
    operator: str, threads: int, each: int, first: int, sizes: list[int], swapped: bool
) -> None:
    found = _ragged(operator, threads, each, first, tuple(sizes), swapped)
    for valuation, size in enumerate(sizes):
        index = first + each * np.arange(threads * (4004 // (threads * each) + 2))
        sides = (size, index) if swapped else (index, size)
        outcome = _COMPARE[operator](*sides).reshape(-1, threads)
        wanted = [n for n, row in enumerate(outcome.tolist()) if len(set(row)) > 1]
        rows = [] if found is None else [one for one in found.blocks[valuation] if one is not None]
        assert [one.place[0] for one in rows] == [n for n in wanted if n > 0]


class Index(Struct, frozen=True):
    x: int


def test_samples_run_the_blocks_of_their_valuation() -> None:
    found = _ragged("<", 256, 1, 0, (4096, 4128, 5000), False)
    assert found is not None
    usual = make((256, 1, 1), (512, 1, 1), ((0, 0, 0), (1, 0, 0)), 3)
    samples = of_ragged(usual, found)
    assert samples.places == ((0, 0, 0), (16, 0, 0), (19, 0, 0))
    assert samples.grid == (20, 1, 1)
    assert samples.block_of(2 * 256) == (19, 0, 0)


@pytest.mark.parametrize(("shown", "multiple"), [((1, 2, 3), 256), ((2, 3), 32), ((3,), 32), ((1,), 256)])
def test_what_only_sizes_that_part_a_warp_show_depends_on_a_multiple_of_the_warp(
    shown: tuple[int, ...], multiple: int
) -> None:
    found = _ragged("<", 256, 1, 0, (4096, 4128, 4122, 4107), False)
    assert found is not None
    remainder = found.of(np.array(shown))
    assert remainder is not None
    assert (remainder.size, remainder.multiple) == ("n", multiple)


@pytest.mark.parametrize(
    ("size", "condition"), [("n", "n % 256 != 0"), ("m.nx * m.ny", "(m.nx * m.ny) % 256 != 0")]
)
def test_the_condition_is_an_expression(size: str, condition: str) -> None:
    assert Remainder(size, 256, "i < n", 255).condition == condition


@pytest.mark.parametrize(
    ("first", "per_block"),
    [
        ("threadIdx.x", 64),
        ("4 * threadIdx.x", 256),
        ("threadIdx.x / 32 * 256", 512),
        ("threadIdx.x / 32 * 64 + threadIdx.x % 32", 128),
    ],
)
def test_the_condition_holds_for_the_sizes_that_part_a_block(first: str, per_block: int) -> None:
    code = f"""
    __global__ void k(const float *in, float *out, int n)
    {{
        __shared__ float s[64];
        int i = blockIdx.x * {per_block} + {first};
        if (i >= n) return;
        s[threadIdx.x] = in[i];
        __syncthreads();
        out[i] = s[63 - threadIdx.x];
    }}
    """
    (barrier,) = facts(code).barriers
    assert barrier.remainder is not None
    condition = barrier.remainder.condition.replace("&&", "and")
    threads = [eval(first.replace("/", "//"), {"threadIdx": Index(x)}) for x in range(64)]
    for n in range(per_block, 3 * per_block + 1):
        blocks = range(0, n, per_block)
        parted = any(len({start + one >= n for one in threads}) == 2 for start in blocks)
        assert bool(eval(condition, {"n": n})) == parted, n


@pytest.mark.parametrize(
    ("assumption", "reached"), [("n % 64 == 0", "all"), ("n % 32 == 0", "some"), ("n > 9", "some")]
)
def test_assumptions_leave_no_block_ragged(assumption: str, reached: str) -> None:
    code = """
    __global__ void k(float *out, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) {
            __syncthreads();
            out[i] = i;
        }
    }
    """
    (barrier,) = facts(code, assumption).barriers
    assert barrier.reached_by == reached


def test_a_guard_of_what_each_thread_does_for_itself_asks_for_no_further_run() -> None:
    code = """
    __global__ void k(const float *in, float *out, int n)
    {
        __shared__ float s[64];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        s[threadIdx.x] = i < n ? in[i] : 0.0f;
        __syncthreads();
        if (i < n) out[i] = s[63 - threadIdx.x];
    }
    """
    assert [barrier.reached_by for barrier in facts(code).barriers] == ["all"]


@pytest.mark.parametrize(
    ("condition", "splits"),
    [
        ("i < n", "n % 32 != 0"),
        ("i + 1 <= n", "n % 32 != 0"),
        ("2 * i < n + 5 * blockIdx.x", "n % 123 != 0"),
        ("i / 32 < n", None),
        ("blockIdx.x < n", None),
    ],
)
def test_a_branch_that_only_the_last_warp_splits_at_is_not_uniform(
    condition: str, splits: str | None
) -> None:
    code = f"""
    __global__ void k(float *out, int n)
    {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if ({condition}) out[i] = i;
    }}
    """
    (branch,) = facts(code).of(Branch)
    remainder = branch.split.remainder
    assert (remainder.condition if remainder else None) == splits
    assert branch_table(branch)["divergence"] == ("unknown" if splits else "uniform")
