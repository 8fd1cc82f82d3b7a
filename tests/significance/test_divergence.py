"""The impact of divergence: lanes counted where the thread index decides, anything where data do."""

import pytest

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.significance.divergence import of_branches
from cudalint.significance.impact import Impact
from cudalint.significance.saving import impact
from tests.support.modelled import modelled

_RATES = throughput(device("H200"))
_SIDES = """
__global__ void k(float *out, const int *kind, float x)
{
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    if (CONDITION) {
        for (int n = 0; n < 1000; ++n) x = x * 1.5f + 0.25f;
    } else {
        for (int n = 0; n < 1000; ++n) x = x * 0.5f - 0.75f;
    }
    out[i] = x;
}
void launch(float *a, const int *b) { k<<<4224, 256>>>(a, b, 1.0f); }
"""


def _impact(condition: str) -> Impact:
    unit, kernel = modelled(_SIDES.replace("CONDITION", condition))
    branches = tuple(branch for branch in kernel.branches if branch.kind == "if")
    return impact(of_branches(branches, kernel, unit), kernel, unit, _RATES)


@pytest.mark.parametrize("lanes", [4, 16, 28])
def test_two_sides_of_one_length_take_twice_the_time(lanes: int) -> None:
    found = _impact(f"lane < {lanes}")
    assert found.high == pytest.approx(0.5, abs=0.02)
    assert 0.4 < found.low <= found.high


def test_where_data_decide_one_lane_may_take_the_longer_side() -> None:
    found = _impact("kind[i] > 0")
    assert 0 < found.low < 0.1
    assert 0.4 < found.high < 0.5


def test_of_cases_of_one_length_a_warp_may_run_all_one_after_the_other() -> None:
    loop = "for (int n = 0; n < 1000; ++n) x = x * {0}.5f + 0.{0}f; break;"
    cases = " ".join(f"case {number}: {loop.format(number)}" for number in range(1, 5))
    head, _, tail = _SIDES.partition("    if (CONDITION)")
    unit, kernel = modelled(head + f"switch (kind[i]) {{ {cases} }}" + tail[tail.index("    out[i]") :])
    (branch,) = [branch for branch in kernel.branches if branch.kind == "switch"]
    assert len(branch.cost.ways) == 4
    found = impact(of_branches((branch,), kernel, unit), kernel, unit, _RATES)
    assert 0.6 < found.high < 0.75
