"""Texture references are handles."""

from tests.support import guide_kernels

CODE = """
#include <cuda_runtime.h>
texture<float, cudaTextureType1D, cudaReadModeElementType> table;
__global__ void look_up(float *to)
{
    to[threadIdx.x] = tex1Dfetch(table, threadIdx.x);
}
"""


def test_a_handle_is_not_loaded_from_memory() -> None:
    (store,) = guide_kernels.accesses(CODE)
    assert (store.operation, store.space) == ("store", "global")
