"""`cudalint prove`: which launches it judges, and what it takes for granted and says so."""

import pytest

pytest.importorskip("z3")

from cudalint.frontend import LoadOptions, load
from cudalint.prove.model import Options, prove
from cudalint.prove.verdict import Verdict
from cudalint.settings.assume import Assumption, parse_all

TILE = """
__global__ void k(int *x) {
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    x[blockIdx.x * 128 + t] = tile[127 - t];
}
"""
ROWS = """
__global__ void k(const int *row, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) for (int j = row[i]; j < row[i + 1]; j++) out[j] = i;
}
"""
WARPS = """
__global__ void k(const int *x, int *sums, int n) {
    int lane = threadIdx.x % 32;
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < n; i += gridDim.x * blockDim.x / 32) {
        int sum = x[i * 32 + lane];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0, sum, d);
        if (lane == 0) sums[i] += sum;
    }
}
"""


def verdict(text: str, *assumptions: str, more: tuple[Assumption, ...] = ()) -> Verdict:
    unit = load("kernel.cu", LoadOptions(text=text))
    (found,) = prove(unit, Options((*parse_all(assumptions), *more)))
    return found


def launched(kernel: str, *launches: str) -> str:
    calls = " ".join(f"k<<<{launch};" for launch in launches)
    return f"{kernel}\nvoid run(int n, int *a, int *b) {{ {calls} }}\n"


def test_a_kernel_is_judged_for_the_launches_of_its_file() -> None:
    assert verdict(TILE).answer == "refuted"
    good = verdict(launched(TILE, "n, 128>>>(a)"))
    assert (good.answer, len(good.launches)) == ("proved", 1)
    assert verdict(launched(TILE, "n, 128>>>(a)", "n, 129>>>(a)")).answer == "refuted"
    assert verdict(launched(TILE, "n, 128>>>(a)"), "blockDim.x == 130").answer == "refuted"


def test_arguments_of_launches_count() -> None:
    text = "__global__ void k(int *x, int step) { x[threadIdx.x * step] += 1; }"
    assert verdict(launched(text, "1, 64>>>(a, 2)")).answer == "proved"
    assert verdict(launched(text, "1, 64>>>(a, 0)")).answer == "refuted"


ALIASED = """
__global__ void k(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }
void run() {
    int *a, *b;
    cudaMalloc(&a, 4096); cudaMalloc(&b, 4096);
    k<<<1, 64>>>(a, OTHER);
}
"""


@pytest.mark.parametrize(("other", "expected"), [("b", "proved"), ("a", "proved"), ("a + 1", "refuted")])
def test_arguments_that_point_into_one_buffer_alias(other: str, expected: str) -> None:
    assert verdict(ALIASED.replace("OTHER", other)).answer == expected


def test_sizes_are_positive_and_flags_are_not() -> None:
    size = "__global__ void k(int *x, int step) { x[threadIdx.x * step] += 1; }"
    found = verdict(size, "gridDim.x == 1")
    assert (found.answer, found.conditions) == ("proved", ("step > 0",))
    flag = "__global__ void k(int *x, int how) { if (how == 0) x[0] += 1; }"
    assert verdict(flag, "gridDim.x == 1").answer == "refuted"
    first = "__global__ void k(int *x, int first) { x[first + threadIdx.x / 2] += 1; }"
    assert verdict(first, "gridDim.x == 1").answer == "refuted"


def test_row_pointers_may_have_to_be_sorted() -> None:
    found = verdict(ROWS)
    assert (found.answer, found.conditions) == ("proved", ("row is sorted",))
    assert verdict(ROWS.replace("row[i + 1]", "row[i + 2]")).answer == "refuted"
    assert verdict(ROWS.replace("j < row", "j <= row")).answer == "refuted"
    assert verdict(ROWS.replace("out[j] = i", "out[i] += j")).conditions == ()


def test_lanes_that_exchange_with_all_others_are_whole_warps() -> None:
    found = verdict(WARPS)
    assert found.answer == "proved", found.reasons
    assert found.conditions == ("blockDim.x % 32 == 0",)
    assert verdict(WARPS, "blockDim.x == 33").answer == "refuted"


def test_an_index_array_may_be_assumed_distinct() -> None:
    text = "__global__ void k(const int *to, int *x) { x[to[blockIdx.x * blockDim.x + threadIdx.x]] += 1; }"
    assert verdict(text).answer == "refuted"
    assert verdict(text, more=(Assumption("to", "distinct", 0),)).answer == "proved"
