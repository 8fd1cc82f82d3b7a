"""Races through accesses that threads make together or that go on after the call: warp matrices and
asynchronous copies.
"""

import pytest

from cudalint.simt.facts.barrier_use.idle_barriers import IdleBarrier
from cudalint.simt.facts.kernel import KernelFacts
from tests.support.modelled import facts

HEADERS = """#include <mma.h>
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
using namespace nvcuda;
namespace cg = cooperative_groups;
"""


def modelled(body: str) -> KernelFacts:
    head = "__global__ void k(float *out, const float *in, const half *h)"
    code = f"{HEADERS}{head} {{ int t = threadIdx.x; {body} }}"
    return facts(code)


def indices(body: str) -> list[str]:
    """Where in which array there are races."""
    return [race.index for race in modelled(body).races]


# --- warp matrices ---

FACTOR = """__shared__ half s[1024];
wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
"""
SUM = """__shared__ float s[2048];
wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
wmma::fill_fragment(c, 0.0f);
"""


@pytest.mark.parametrize(("between", "expected"), [("", True), ("__syncthreads();", False)])
@pytest.mark.parametrize(
    "body",
    [
        FACTOR + "for (int i = t; i < 256; i += 64) s[i] = h[i]; BETWEEN wmma::load_matrix_sync(a, s, 16);",
        FACTOR + "wmma::load_matrix_sync(a, s, 16); BETWEEN for (int i = t; i < 256; i += 64) s[i] = h[i];",
        SUM + """wmma::store_matrix_sync(s + t / 32 * 256, c, 16, wmma::mem_row_major); BETWEEN
        out[blockIdx.x * 512 + t] = s[(t ^ 32) * 4];""",
        SUM + """wmma::store_matrix_sync(out + (blockIdx.x * 2 + t / 32) * 256, c, 16, wmma::mem_col_major);
        BETWEEN if (t == 0) s[0] = out[blockIdx.x * 512 + 256];""",
        FACTOR + """wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
        for (int k = 0; k < 2; k++) {
            for (int i = t; i < 512; i += 64) s[i] = h[i + 512 * k];
            __syncthreads();
            wmma::load_matrix_sync(a, s, 16);
            wmma::load_matrix_sync(b, s + 256, 16);
            wmma::mma_sync(c, a, b, c);
            BETWEEN
        }""",
    ],
)  # fmt: skip
def test_a_tile_is_read_or_written_by_the_whole_warp(body: str, between: str, expected: bool) -> None:
    assert bool(indices(body.replace("BETWEEN", between))) is expected


@pytest.mark.parametrize(
    ("fragment", "layout", "pitch", "inside", "outside"),
    [
        ("matrix_a, 16, 16, 16, half, wmma::row_major", "", 24, (0, 15, 24, 375), (16, 23, 40, 376)),
        ("matrix_a, 32, 8, 16, half, wmma::row_major", "", 16, (0, 511), (512,)),
        ("matrix_a, 32, 8, 16, half, wmma::col_major", "", 40, (0, 31, 40, 631), (32, 39, 632)),
        ("matrix_b, 32, 8, 16, half, wmma::row_major", "", 8, (0, 127), (128,)),
        ("matrix_b, 32, 8, 16, half, wmma::col_major", "", 24, (15, 24, 183), (16, 23, 184)),
        ("accumulator, 32, 8, 16, half", ", wmma::mem_row_major", 16, (0, 7, 503), (8, 15, 504)),
        ("accumulator, 32, 8, 16, half", ", wmma::mem_col_major", 40, (31, 40, 311), (32, 39, 312)),
    ],
)
def test_the_tile_has_the_shape_of_the_fragment(
    fragment: str, layout: str, pitch: int, inside: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    for at in inside + outside:
        body = f"""__shared__ half s[1024];
        wmma::fragment<wmma::{fragment}> a;
        if (t == 40) s[{at}] = h[0];
        if (t < 32) wmma::load_matrix_sync(a, s, {pitch}{layout});"""
        assert indices(body) == ([f"s[{at}]"] if at in inside else []), at


@pytest.mark.parametrize(
    "body",
    [
        # Which lane of a warp touches what is not known, and the warp comes together at the call.
        FACTOR + "s[t / 32 * 256 + t % 32] = h[t]; wmma::load_matrix_sync(a, s + t / 32 * 256, 16);",
        # A tile of its own for each warp.
        SUM
        + """wmma::store_matrix_sync(s + t / 32 * 16, c, 32, wmma::mem_row_major);
        wmma::load_matrix_sync(c, s + t / 32 * 16, 32, wmma::mem_row_major);""",
        # An unknown place, and elements of less than a byte.
        FACTOR + "s[t] = h[t]; wmma::load_matrix_sync(a, s + (int)out[t], 16);",
        """__shared__ int s[1024]; s[t] = t;
        wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> a;
        wmma::load_matrix_sync(a, s, 32);""",
    ],
)
def test_what_is_no_race_of_a_tile(body: str) -> None:
    assert not indices(body)


# --- asynchronous copies ---

STAGES = """__shared__ float s[256];
cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
"""
READ = "out[blockIdx.x * 64 + t] = s[63 - t];"


@pytest.mark.parametrize(("between", "expected"), [("", True), ("__syncthreads();", False)])
@pytest.mark.parametrize(
    "body",
    [
        f"""pipe.producer_acquire(); cuda::memcpy_async(&s[t], &in[t], sizeof(float), pipe);
        pipe.producer_commit(); pipe.consumer_wait(); BETWEEN {READ}""",
        f"""cuda::memcpy_async(s + t, in + t, cuda::aligned_size_t<4>(4), pipe);
        pipe.producer_commit(); cuda::pipeline_consumer_wait_prior<0>(pipe); BETWEEN {READ}""",
        f"""if (t < 16) cuda::memcpy_async(&s[4 * t], &in[4 * t], cuda::aligned_size_t<16>(16), pipe);
        pipe.consumer_wait(); BETWEEN {READ}""",
        f"{READ} BETWEEN cuda::memcpy_async(&s[t], &in[t], sizeof(float), pipe); pipe.consumer_wait();",
        f"""__pipeline_memcpy_async(&s[t], &in[t], 4); __pipeline_commit(); __pipeline_wait_prior(0);
        BETWEEN {READ}""",
        f"{READ} BETWEEN cg::memcpy_async(cg::this_thread_block(), s, in, 256);",
        f"{READ} BETWEEN cg::memcpy_async(cg::this_thread_block(), s, in, cuda::aligned_size_t<4>(256));",
        f"""{READ} BETWEEN auto tile = cg::tiled_partition<32>(cg::this_thread_block());
        cg::memcpy_async(tile, s + t / 32 * 32, in, 128);""",
    ],
)
def test_a_copy_is_a_store_of_its_threads(body: str, between: str, expected: bool) -> None:
    assert bool(indices(STAGES + body.replace("BETWEEN", between))) is expected


def test_a_copy_may_end_behind_a_barrier() -> None:
    """The second barrier is the one that the copy needs."""
    body = """__shared__ float s[64], r[64]; r[t] = in[t];
    __pipeline_memcpy_async(&s[t], &in[t], 4); __pipeline_commit();
    __syncthreads();
    float x = r[63 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = x + s[63 - t];"""
    assert not modelled(body).of(IdleBarrier)


@pytest.mark.parametrize(
    "body",
    [
        # Objects that the block shares order its threads.
        f"""__shared__ cuda::barrier<cuda::thread_scope_block> b;
        cuda::memcpy_async(&s[t], &in[t], sizeof(float), b); b.arrive_and_wait(); {READ}""",
        f"""__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
        auto shared = cuda::make_pipeline(cg::this_thread_block(), &state);
        shared.producer_acquire(); cuda::memcpy_async(&s[t], &in[t], sizeof(float), shared);
        shared.producer_commit(); shared.consumer_wait(); {READ}""",
        f"auto g = cg::this_thread_block(); cg::memcpy_async(g, s, in, 256); cg::wait(g); {READ}",
        # A copy that every thread makes of one and the same place, and one of no known size.
        "cuda::memcpy_async(s, in, sizeof(float), pipe); pipe.consumer_wait();",
        f"cuda::memcpy_async(&s[t], &in[t], (size_t)in[0], pipe); pipe.consumer_wait(); {READ}",
        # A place of its own for each thread and for each tile.
        "cuda::memcpy_async(&s[t], &in[t], sizeof(float), pipe); pipe.consumer_wait(); out[t] = s[t];",
        """auto tile = cg::tiled_partition<32>(cg::this_thread_block());
        s[t] = t; tile.sync(); cg::memcpy_async(tile, s + t / 32 * 32, in, 128);""",
    ],
)
def test_what_is_no_race_of_a_copy(body: str) -> None:
    assert not [index for index in indices(STAGES + body) if index.startswith("s[")]
