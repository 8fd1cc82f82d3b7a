"""The plain interpreter on kernels whose results numpy computes."""

import numpy as np
import pytest

from tools.interpreter.execute import execute
from tools.interpreter.stop import Stop

NOISE = np.random.default_rng(7)


def test_a_sum_over_a_tree():
    code = """
template <typename T> __device__ void fold(T &into, T value) { into += value; }
__global__ void sum(const float *in, float *out, int n)
{
    extern __shared__ float part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) fold(part[t], part[t + s]);
        __syncthreads();
    }
    if (!t) out[blockIdx.x] = part[0];
}
"""
    values = NOISE.integers(0, 100, 150).astype(np.float32)
    ran = execute(code, [values, np.zeros(3, np.float32), 150], (64, 1, 1), (3, 1, 1))
    assert ran.arrays[1].tolist() == [values[k : k + 64].sum() for k in (0, 64, 128)]


def test_a_transposed_tile():
    code = """
__global__ void transpose(const int *in, int *out, int width, int height)
{
    __shared__ int tile[8][9];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 8 + threadIdx.x;
    y = blockIdx.x * 8 + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
"""
    values = NOISE.integers(-50, 50, (11, 14)).astype(np.int32)
    ran = execute(code, [values, np.zeros((14, 11), np.int32), 14, 11], (8, 8, 1), (2, 2, 1))
    assert (ran.arrays[1] == values.T).all()


def test_a_scan_by_shuffles_and_one_by_doubling():
    code = """
__global__ void scan(const int *in, int *inside, int *whole)
{
    __shared__ int a[2][64];
    int t = threadIdx.x, v = in[t], from = 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (t % 32 >= d) v += other;
    }
    inside[t] = v;
    a[0][t] = in[t];
    for (int d = 1; d < 64; d <<= 1) {
        __syncthreads();
        a[!from][t] = t >= d ? a[from][t] + a[from][t - d] : a[from][t];
        from = !from;
    }
    whole[t] = a[from][t];
}
"""
    values = NOISE.integers(0, 100, 64).astype(np.int32)
    ran = execute(code, [values, np.zeros(64, np.int32), np.zeros(64, np.int32)], (64, 1, 1))
    assert ran.arrays[1].tolist() == values.reshape(2, 32).cumsum(axis=1).ravel().tolist()
    assert ran.arrays[2].tolist() == values.cumsum().tolist()


def test_a_product_of_matrices_by_tiles():
    code = """
template <int N> struct Tile {
    float value[N][N];
    __device__ float at(int y, int x) const { return value[y][x]; }
};
template <int N> __global__ void product(const float *a, const float *b, float *c, int width)
{
    __shared__ Tile<N> ta, tb;
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * N + x, row = blockIdx.y * N + y;
    float sum = 0;
    for (int k = 0; k < width; k += N) {
        ta.value[y][x] = a[row * width + k + x];
        tb.value[y][x] = b[(k + y) * width + column];
        __syncthreads();
        for (int i = 0; i < N; ++i) sum += ta.at(y, i) * tb.at(i, x);
        __syncthreads();
    }
    c[row * width + column] = sum;
}
template __global__ void product<4>(const float *, const float *, float *, int);
"""
    a, b = (NOISE.integers(0, 9, (8, 8)).astype(np.float32) for _ in range(2))
    ran = execute(code, [a, b, np.zeros((8, 8), np.float32), 8], (4, 4, 1), (2, 2, 1))
    assert (ran.arrays[2] == a @ b).all()


def test_a_histogram_by_atomics():
    code = """
__global__ void count(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[16];
    if (threadIdx.x < 16) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (in[i] == 255) continue;
        atomicAdd(&mine[in[i] >> 4], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}
"""
    values = NOISE.integers(0, 255, 500).astype(np.uint8)
    ran = execute(code, [values, np.zeros(16, np.uint32), 500], (64, 1, 1), (2, 1, 1))
    assert ran.arrays[1].tolist() == np.bincount(values >> 4, minlength=16).tolist()


def test_control_flow_and_conversions_of_one_thread():
    code = """
__device__ int collatz(unsigned n)
{
    int k = 0;
    do { n = n % 2 ? 3 * n + 1 : n / 2; k++; } while (n != 1);
    return k;
}
__global__ void odd(int *out, float f)
{
    int total = 0;
    for (int i = 0; i < 10; i++) {
        switch (i % 4) {
        case 0: continue;
        case 1: total += 100;
        case 2: total += 10; break;
        default: total++;
        }
        if (i == 7) break;
    }
    out[0] = total;
    out[1] = -7 / 2 * 10 + -7 % 3;
    unsigned char small = 250; small += 10;
    out[2] = small;
    out[3] = (int)(f * 2.5f);
    float4 v = make_float4(1, 2, 3, 4);
    float *p = &v.x;
    p[2] += 0.5f;
    out[4] = __float_as_int(v.z);
    out[5] = collatz(27);
    int a[3] = {4, 5}, *q = a;
    out[6] = *q++ * 100 + *q + a[2];
    out[7] = (1u << 31) > 5 ? ~0u >> 28 : 0;
}
"""
    ran = execute(code, [np.zeros(8, np.int32), -1.5], (1, 1, 1))
    # i = 1: 110, 2: 10, 3: 1, 5: 110, 6: 10, 7: 1
    bits = np.array(3.5, np.float32).view(np.int32)
    assert ran.arrays[0].tolist() == [242, -31, 4, -3, bits, 111, 405, 15]


def test_the_last_block_that_a_flag_in_shared_memory_tells_of():
    code = """
__device__ unsigned done = 0;
__global__ void last(int *out)
{
    __shared__ bool mine;
    if (threadIdx.x == 0) mine = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (mine) out[threadIdx.x] = blockIdx.x;
}
"""
    assert execute(code, [np.zeros(4, np.int32)], (4, 1, 1), (3, 1, 1)).arrays[0].tolist() == [2] * 4


def test_groups_and_votes():
    code = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void ranks(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int n = block.thread_rank();
    int sum = n;
    for (int d = 4; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
    int odd = __popc(__ballot_sync(0xffffffff, n % 2));
    cg::sync(block);
    int high = __syncthreads_count(n > 40);
    out[n] = sum * 1000000 + tile.thread_rank() * 10000 + odd * 100 + high;
}
"""
    ran = execute(code, [np.zeros(64, np.int32)], (32, 2, 1))
    sums = np.arange(64).reshape(8, 8).sum(axis=1)
    assert ran.arrays[0].reshape(8, 8)[:, 0].tolist() == (sums * 1000000 + 1623).tolist()
    assert (ran.arrays[0] // 10000 % 100).tolist() == [n % 8 for n in range(64)]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ('asm("trap;");', "inline assembly"),
        ("while (true) out[0]++;", "too long"),
        ("out = 0; out[0] = 1;", "a pointer to nothing"),
        ("int a[2]; a[1 << 14] = 1; out[0] = a[1];", "an access outside of its object"),
        ("out[0] = 1 / out[0];", "a division by zero"),
    ],
)
def test_what_cannot_be_run_is_said(statement, reason):
    code = f"__global__ void k(int *out)\n{{\n    {statement}\n}}\n"
    with pytest.raises(Stop, match=reason):
        execute(code, [np.zeros(4, np.int32)], (1, 1, 1))
