"""Along which axes of the grid all blocks do the same."""

import pytest

from cudalint.analyses.repeated_blocks import repeated_axes
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

HELPERS = """
__device__ int place() { return blockIdx.y * 4 + threadIdx.x; }
__device__ int ticket(int *next) { return atomicAdd(next, 1); }
__device__ int unseen(int *a);
"""


@pytest.mark.parametrize(
    ("body", "axes"),
    [
        ("a[threadIdx.x] = __popc(b[threadIdx.x]);", "xyz"),
        ("a[blockIdx.x * blockDim.x + threadIdx.x] = min(b[0], 3);", "yz"),
        ("for (int y = 0; y < gridDim.y; ++y) a[y] = b[blockIdx.x + y];", "yz"),
        ("a[place()] = b[threadIdx.x];", "xz"),
        ("dim3 at = blockIdx; a[at.x] = 1;", ""),
        ("a[ticket(b)] = 1;", ""),
        ("a[threadIdx.x] = unseen(a);", ""),
        ("a[threadIdx.x] = (int)clock();", ""),
        ('a[threadIdx.x] = 1; printf("done\\n");', ""),
        ('unsigned id; asm("mov.u32 %0, %%smid;" : "=r"(id)); a[id] = 1;', ""),
        ("if (__syncthreads_or(b[threadIdx.x])) a[threadIdx.x] = __shfl_xor_sync(~0u, b[0], 1);", "xyz"),
    ],
)
def test_the_axes(body: str, axes: str) -> None:
    text = f"#include <cstdio>\n{HELPERS}\n__global__ void k(int *a, int *b) {{ {body} }}"
    unit = load("a.cu", LoadOptions(text=text))
    kernel = next(one for one in unit.functions.values() if one.name == "k")
    assert repeated_axes(unit, kernel) == frozenset(axes)
