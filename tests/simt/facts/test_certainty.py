"""When a number is exact, every warp of every block is as it says; where the compiler or the program's own
numbers may have it otherwise, it is bounded.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.model import ModelOptions, run
from tests.support.modelled import facts

ROWS = """
__global__ void fill(float *a)
{
    a[blockIdx.x * PITCH + threadIdx.x] = 1.0f;
}
float *somewhere();
void start() { fill<<<BLOCKS, THREADS>>>(somewhere()); }
"""
GUARDED = """
__global__ void scale(float *a, int pitch, float by, int width)
{
    int x = blockIdx.x * 64 + threadIdx.x;
    USE
    if (x < width) a[blockIdx.y * pitch * 8 + x] *= by;
}
void start(float *a, int pitch, float by) { scale<<<dim3(4, 8), 64>>>(a, pitch, by, 200); }
"""
ARMS = """
__global__ void k(float *out, const float *in, const double *wide)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    BODY
}
void start(float *out, const float *in, const double *wide) { k<<<64, 256>>>(out, in, wide); }
"""


def _accesses(text: str, operation: str) -> list[Access]:
    unit = load("kernel.cu", LoadOptions(text=text))
    (told,) = run(unit, run_host(unit), ModelOptions())
    return [access for access in told.accesses if access.operation == operation]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 96), st.integers(1, 100), st.integers(1, 300))
def test_blocks_that_start_elsewhere_in_a_sector_are_all_counted_or_bounded(threads, pitch, blocks):
    defined = f"#define THREADS {threads}\n#define PITCH {pitch}\n#define BLOCKS {blocks}\n"
    (store,) = _accesses(defined + ROWS, "store")
    warps = [
        len({(block * pitch + thread) * 4 // 32 for thread in range(first, min(first + 32, threads))})
        for block in range(blocks)
        for first in range(0, threads, 32)
    ]
    mean, told = sum(warps) / len(warps), store.transactions
    if told.certainty == "exact":
        assert told.per_request == pytest.approx(mean, rel=0.011)
    else:
        assert pitch * 4 % 32 and blocks > 2
        assert told.lower - 1e-9 <= mean <= told.upper + 1e-9
    if blocks >= 100:
        assert told.per_request == pytest.approx(mean, rel=0.05)


@pytest.mark.parametrize(
    ("use", "sectors"),
    [
        ("", (4 * 6 + 1) / 7),  # 200 columns are six warps and a quarter of one; the eighth has nothing to do
        ("if (pitch > 100) return;", None),
        ("for (int k = x; k < 9; k += pitch) a[k] = by;", None),
    ],
)
def test_the_edge_is_counted_where_only_numbers_that_decide_nothing_are_unknown(use, sectors):
    told = _accesses(GUARDED.replace("USE", use), "store")[-1].transactions
    assert told.per_request == pytest.approx(sectors if sectors is not None else 4.0)


@pytest.mark.parametrize(
    ("body", "space", "certainty"),
    [
        ("out[threadIdx.x] = threadIdx.x == 0 ? tile[255] : tile[threadIdx.x];", "shared", "bounded"),
        ("out[threadIdx.x] = threadIdx.x == 0 ? 0.0f : tile[threadIdx.x];", "shared", "exact"),
        ("out[threadIdx.x] = threadIdx.x < 32 ? tile[255] : tile[threadIdx.x];", "shared", "exact"),
        ("out[threadIdx.x] = sin(wide[threadIdx.x]);", "global", "bounded"),
        ("out[threadIdx.x] = sqrt(wide[threadIdx.x]);", "global", "exact"),
        ("out[threadIdx.x] = sinf(in[2 * threadIdx.x]);", "global", "exact"),
    ],
)
def test_what_the_compiler_makes_one_load_or_adds_to_a_line_is_not_exact(body, space, certainty):
    loads = [a for a in _accesses(ARMS.replace("BODY", body), "load") if a.space == space]
    assert {a.transactions.certainty for a in loads if a.span.line == 7} == {certainty}


@pytest.mark.parametrize(
    ("mask", "certainty"), [("0xffffffff", "bounded"), ("0xff", "exact"), ("__activemask()", "exact")]
)
def test_lanes_that_a_mask_names_and_that_do_not_come_leave_nothing_exact(mask, certainty):
    told = facts(
        "__global__ void k(float *out) {\n"
        "    float sum = threadIdx.x;\n"
        f"    if (threadIdx.x < 8) sum += __shfl_down_sync({mask}, sum, 4);\n"
        "    out[threadIdx.x] = sum;\n"
        "}\n"
    )
    (store,) = told.accesses
    assert store.transactions.certainty == certainty
