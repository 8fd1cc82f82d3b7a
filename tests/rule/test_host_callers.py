"""A finding in a helper of host code names the calls that lead to it."""

from pathlib import Path

from tests.support.command_line import Command, report

CODE = """#include <cuda_runtime.h>
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2.0f;
}
template <cudaMemcpyKind kind>
struct Move {
    static void run(void *to, const void *from, size_t bytes) { cudaMemcpy(to, from, bytes, kind); }
};
struct Scratch {
    explicit Scratch(size_t n) { cudaMalloc(&data, n * sizeof(float)); }
    ~Scratch() { cudaFree(data); }
    float *data;
};
void step(int n)
{
    Scratch scratch(n);
    scale<<<(n + 255) / 256, 256>>>(scratch.data, n);
}
void all(float *device, int n, int steps)
{
    for (int k = 0; k < steps; ++k) {
        step(n);
    }
}
int main(int argc, char **argv)
{
    float host[256], *device;
    cudaMalloc(&device, sizeof host);
    Move<cudaMemcpyHostToDevice>::run(device, host, sizeof host);
    all(device, 1 << 20, 10 * argc);
    Move<cudaMemcpyHostToDevice>::run(host, device, sizeof host);
    cudaFree(device);
    return 0;
}
"""


def test_calls_in_the_loop_and_the_one_that_is_wrong(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text(CODE)
    options = ("--select", "CU706,CU803", "--output-format", "json", "--exit-zero")
    found = report(cudalint("check", "kernel.cu", *options))["findings"]
    assert [(finding["code"], finding["line"]) for finding in found] == [("CU803", 9), ("CU706", 12)]
    related = [[(place["line"], place["message"]) for place in one["related"]] for one in found]
    called = [[place for place in places if "called" in place[1]] for places in related]
    assert called == [
        [(33, "called here: `Move<cudaMemcpyHostToDevice>::run(host, device, sizeof host)`")],
        [(18, "called here: `scratch(n)`"), (24, "called here: `step(n)`")],
    ]
