"""Bytes that are surely touched, counted from where a parameter points."""

from cudalint.simt.facts.touched_bytes import TouchedBytes
from tests.support.modelled import modelled

KERNEL = """
#include <cuda_runtime.h>
__global__ void k(float *out, const float *in, const int *map, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] + in[map[i]];
}
void f(%s)
{
    float *out, *in;
    int *map;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&map, 1 << 20);
    k<<<8, 64, 0, %s>>>(out + 16, in, map, n);
}
"""


def touched(given: str, stream: str) -> dict[tuple[str, bool], tuple[tuple[int, int], ...]]:
    code = KERNEL % (given, stream)
    code = code.replace(
        "float *out, *in;\n    int", "float *out, *in;\n    const int n = 500;\n    int", not given
    )
    return {(one.parameter, one.write): one.pieces for one in modelled(code)[1].of(TouchedBytes)}


def test_the_first_blocks_and_the_last_one_are_told_as_far_as_no_data_decides() -> None:
    found = touched("", "stream")
    assert found["out", True] == ((0, 512), (1792, 2000))
    assert found["in", False] == ((4, 516), (1796, 2004))
    assert ("out", False) not in found


def test_sizes_that_nobody_knows_leave_nothing_sure() -> None:
    assert touched("int n", "stream") == {}


def test_kernels_that_are_on_no_stream_are_not_asked_about() -> None:
    assert touched("", "0") == {}
