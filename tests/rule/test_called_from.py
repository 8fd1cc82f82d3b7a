"""A finding in a function that kernels call names the calls."""

from pathlib import Path

from tests.support.command_line import Command, report

CODE = """#include <cuda_runtime.h>
struct Field {
    const float *cells;
    __device__ float at(int row, int column) const { return cells[row * 4096 + column]; }
};
__device__ float doubled(Field field, int row, int column) { return 2.0f * field.at(row, column); }
__global__ void by_column(float *out, Field one, Field other)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
    float sum = one.at(row, column);
    sum += doubled(other, row, column);
    out[column * 4096 + row] = sum;
}
__global__ void by_row(float *out, Field one)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    out[row * 4096 + column] = one.at(row, column);
}
void run(float *a, float *b)
{
    by_column<<<dim3(16, 4096), 256>>>(b, Field{a}, Field{a});
    by_row<<<dim3(16, 4096), 256>>>(b, Field{a});
}
"""


def test_calls_of_the_kernel_are_related_places(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text(CODE)
    done = cudalint("check", "kernel.cu", "--select", "CU103", "--output-format", "json", "--exit-zero")
    (finding,) = report(done)["findings"]
    assert finding["line"] == 4
    assert [(place["line"], place["message"]) for place in finding["related"]] == [
        (10, "called here: `one.at(row, column)`"),
        (11, "called here: `doubled(other, row, column)`"),
    ]
