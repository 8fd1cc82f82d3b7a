"""The mutation experiment on small kernels: which barriers matter, and what is left without one."""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir.walk import walk
from tools import mutation
from tools.interpreter.judge import judged
from tools.interpreter.removal import barriers, is_barrier, without


def states(code: str, name: str = "k") -> dict[int, str]:
    """What the interpreter says of each barrier of a kernel, by line."""
    unit = load("kernel.cu", LoadOptions(text=code))
    function = next(unit.functions[key] for key in unit.kernels if unit.functions[key].name == name)
    places = barriers(unit, function)
    found = judged(unit, function, (), places).barriers
    return {span.line: mutation.state_of(found.get(span, mutation.Evidence())) for span in places}


NEIGHBOUR = """\
__global__ void k(float *out, const float *in)
{
    __shared__ float tile[1024];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[blockDim.x - 1 - t];
    __syncthreads();
    out[t] += 1.0f;
}
"""

LOOP = """\
__global__ void k(float *out, const float *in)
{
    __shared__ float tile[1024];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        tile[t] = in[i * blockDim.x + t];
        __syncthreads();
        out[t] += tile[blockDim.x - 1 - t];
        __syncthreads();
    }
}
"""

OF_A_WARP = """\
__global__ void k(int *out)
{
    __shared__ int tile[1024];
    int t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    out[t] = tile[t ^ 1];
}
"""

GLOBAL = """\
__device__ void wait() { __syncthreads(); }
__global__ void k(int *data, const int *in)
{
    int t = threadIdx.x;
    data[t] = in[t];
    wait();
    int other = data[blockDim.x - 1 - t];
    wait();
    data[t] = other;
}
"""

ALIKE = """\
__global__ void k(int *out)
{
    __shared__ int flag, count;
    flag = 0;
    __syncthreads();
    flag = 0;
    atomicAdd(&count, 1);
    __syncthreads();
    atomicAdd(&count, 1);
    out[threadIdx.x] = threadIdx.x;
}
"""

TEXTURE = """\
#include <mma.h>
__global__ void k(int *out)
{
    __shared__ int tile[32];
    asm volatile("membar.gl;");
    tile[threadIdx.x % 32] = threadIdx.x;
    __syncthreads();
}
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (NEIGHBOUR, {6: "matters", 8: "does not matter"}),
        (LOOP, {7: "matters", 9: "matters"}),
        (OF_A_WARP, {6: "matters in a warp"}),
        (GLOBAL, {1: "matters"}),
        (ALIKE, {5: "does not matter", 8: "does not matter"}),
        (TEXTURE, {7: "not run"}),
    ],
)
def test_which_barriers_matter(code, expected):
    assert states(code) == expected


def test_the_back_edge_of_a_loop_is_a_pair_of_its_own():
    unit = load("kernel.cu", LoadOptions(text=LOOP))
    (function,) = (unit.functions[key] for key in unit.kernels)
    first, second = barriers(unit, function)
    found = judged(unit, function, (), (first, second)).barriers
    assert found[first].apart == found[second].apart
    assert {(space, a.line, b.line) for space, a, b in found[second].apart} == {("shared", 6, 8)}


def test_a_removed_barrier_is_gone_from_every_function_and_nothing_else_is():
    unit = load("kernel.cu", LoadOptions(text=GLOBAL))
    (function,) = (unit.functions[key] for key in unit.kernels)
    (place,) = barriers(unit, function)
    cut = without(unit, place)
    assert not any(is_barrier(n) for f in cut.functions.values() if f.body for n in walk(f.body))
    assert cut.functions[function.key] is function
    assert barriers(unit, function) == (place,)


def test_a_file_is_examined_and_told(tmp_path):
    path = tmp_path / "kernel.cu"
    launch = "int main() { float *a, *b; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096); k<<<1, 64>>>(a, b); }\n"
    path.write_text(NEIGHBOUR + launch, encoding="utf-8")
    result = mutation.examine(str(path))
    assert [(r.span.line, r.state) for r in result.removals] == [(6, "matters"), (8, "does not matter")]
    assert [r.found for r in result.removals] == [("CU301",), ()]
    assert mutation.share(mutation.together([result, result])) == 1.0
    text = mutation.report([result], lambda span: f"kernel.cu:{span.line}")
    assert "1 kernels with barriers, 2 removals." in text
    assert "| matters | 1 | 1 | 100.0% |" in text
