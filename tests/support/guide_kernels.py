"""Kernels written after the examples of the guides, and what the model knows of their accesses."""

from collections.abc import Callable
from functools import cache

import numpy as np

from cudalint.cuda.warp import WARP
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import HostFacts
from cudalint.settings import assume
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.model import ModelOptions, run
from cudalint.simt.requests.global_models import Traffic, traffic

BLOCK_1D = ("blockDim.x == 256",)
BLOCK_2D = ("blockDim.x == 32", "blockDim.y == 32", "n == 1024")

COPY = """
__global__ void shifted(float *to, const float *from, int by, int every)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * every + by;
    to[i] = from[i];
}
"""

PRODUCT = """
__global__ void product(float *c, const float *a, const float *b, int n)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float total = 0.0f;
    for (int k = 0; k < 32; k++)
        total += a[row * 32 + k] * b[k * n + column];
    c[row * n + column] = total;
}
"""

PRODUCT_TILES = """
__global__ void product(float *c, const float *a, const float *b, int n)
{
    __shared__ float left[32][32], right[32][32];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
    __syncthreads();
    float total = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < 32; k++)
        total += left[threadIdx.y][k] * right[k][threadIdx.x];
    c[row * n + column] = total;
}
"""

GRAM = """
__global__ void gram(float *c, const float *a, int n)
{
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float total = 0.0f;
    for (int k = 0; k < 32; k++)
        total += a[row * 32 + k] * a[column * 32 + k];
    c[row * n + column] = total;
}
"""

GRAM_TILES = """
__global__ void gram(float *c, const float *a, int n)
{
    __shared__ float mine[32][32], turned[32][WIDE];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    mine[threadIdx.y][threadIdx.x] = a[row * 32 + threadIdx.x];
    turned[threadIdx.x][threadIdx.y] = a[(blockIdx.x * 32 + threadIdx.y) * 32 + threadIdx.x];
    __syncthreads();
    float total = 0.0f;
    for (int k = 0; k < 32; k++)
        total += mine[threadIdx.y][k] * turned[k][threadIdx.x];
    c[row * n + column] = total;
}
"""

GRAM_32, GRAM_33 = GRAM_TILES.replace("WIDE", "32"), GRAM_TILES.replace("WIDE", "33")

MATRIX_SUM = """
__global__ void matrix_sum(float *c, const float *a, const float *b, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * pitch + x;
    c[i] = a[i] + b[i];
}
"""

TRIPLES = """
__global__ void brighter(float3 *to, const float3 *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 v = from[i];
    v.x += 1.0f; v.y += 1.0f; v.z += 1.0f;
    to[i] = v;
}
"""

TRIPLES_STAGED = """
__global__ void brighter(float *to, const float *from)
{
    __shared__ float part[3 * 256];
    int start = blockIdx.x * 3 * 256, t = threadIdx.x;
    for (int k = 0; k < 3; k++)
        part[t + k * 256] = from[start + t + k * 256];
    __syncthreads();
    for (int k = 0; k < 3; k++)
        part[3 * t + k] += 1.0f;
    __syncthreads();
    for (int k = 0; k < 3; k++)
        to[start + t + k * 256] = part[t + k * 256];
}
"""


@cache
def accesses(code: str, *assumptions: str) -> tuple[Access, ...]:
    unit = load("kernel.cu", LoadOptions(text=code))
    options = ModelOptions(assumptions=assume.parse_all(assumptions))
    (found,) = run(unit, HostFacts((), (), ()), options)
    assert found.modelled, found.failure
    return tuple(found.accesses)


def lanes(count: int, word: Callable[[int], int], width: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """A request of the first `count` lanes of a warp: word(lane) is the index of the lane's word."""
    addresses = np.array([[word(lane) * width for lane in range(WARP)]], dtype=np.int64)
    return addresses, np.array([[lane < count for lane in range(WARP)]])


def older(access: Access, arch: int) -> Traffic:
    """The worst request of an access, as a device of another capability serves it."""
    capability = limits(arch)
    model = capability.store_model if access.operation == "store" else capability.load_model
    addresses = np.array([[0 if lane is None else lane for lane in access.lanes.worst]], dtype=np.int64)
    active = np.array([[lane is not None for lane in access.lanes.worst]])
    return traffic(model, addresses, active, access.bytes)
