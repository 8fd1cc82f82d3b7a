"""Names that CUDA's headers took until version 12 and that programs use for themselves since."""

from pathlib import Path

from cudalint.frontend import load

SOURCE = """
#include <cuda_runtime.h>

class texture {
public:
    __device__ float at(float u) const { return 0.5f * u; }
};

static float surface(float radius) { return 12.566f * radius * radius; }

__global__ void shade(float *out, int n)
{
    texture own;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = own.at(i);
}

int main()
{
    float *out;
    int n = (int)surface(100.0f);
    cudaMalloc(&out, n * sizeof(float));
    shade<<<(n + 255) / 256, 256>>>(out, n);
    return 0;
}
"""

REFERENCES = """
#include <cuda_runtime.h>

texture<float, 1, cudaReadModeElementType> table;

__global__ void look(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch(table, i);
}
"""


def _problems(folder: Path, text: str) -> tuple[object, ...]:
    file = folder / "a.cu"
    file.write_text(text)
    return load(str(file)).problems


def test_a_class_and_a_function_with_the_names_of_references(tmp_path: Path) -> None:
    assert _problems(tmp_path, SOURCE) == ()


def test_references_as_they_were(tmp_path: Path) -> None:
    assert _problems(tmp_path, REFERENCES) == ()
