"""Which variables may differ between the threads of a block."""

from cudalint.analyses.varying import varying
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk

SOURCE = """
#include <cuda_runtime.h>
__device__ int doubled(int k) { return 2 * k; }
__device__ int lane() { return threadIdx.x & 31; }
__device__ void put(int &to, int what) { to = what; }
__device__ void fill(int *to);
__global__ void k(int *out, const int *in, int n)
{
    int same = n + blockIdx.x * 4, other = same * doubled(n);
    int mine = blockIdx.x * blockDim.x + threadIdx.x;
    int from_mine = in[mine];
    int from_same = in[same];
    int called = lane();
    int later = 0;
    for (int j = 0; j < n; j++)
        later += called;
    int through_reference = 0;
    put(through_reference, mine);
    int handed_on = 0;
    fill(&handed_on);
    int list[4] = {0, 0, 0, 0};
    list[mine % 4] = 1;
    int drawn = atomicAdd(out, 1);
    out[same] = other + from_mine + from_same + later + list[0] + through_reference + handed_on + drawn;
}
void run(int *p) { k<<<1, 32>>>(p, p, 4); }
"""
OBJECTS = """
#include <cuda_runtime.h>
struct Ring {
    int at, size;
    __device__ void step() { at = (at + 1) % size; }
    __device__ void resize(int to) { size = to; }
};
struct Made {
    int at, size;
    __device__ Made(int first, int length) : at(first), size(length) {}
};
__global__ void k(int *out, int n)
{
    Ring listed{(int)threadIdx.x, n}, filled, copied = listed, resized = listed;
    filled.at = threadIdx.x;
    filled.size = 2 * n;
    Made made(threadIdx.x, n);
    resized.resize(threadIdx.x);
    listed.step();
    out[0] = listed.size + filled.size + copied.size + made.size;
    out[1] = listed.at, out[2] = filled.at, out[3] = copied.at, out[4] = made.at, out[5] = resized.size;
}
void run(int *p) { k<<<1, 32>>>(p, 4); }
"""
SAME = {"same", "other", "from_same", "j", "n"}
DIFFERENT = {
    "mine", "from_mine", "called", "later", "through_reference", "handed_on", "list", "drawn",
}  # fmt: skip


def test_what_may_differ_between_threads() -> None:
    unit = load("kernel.cu", LoadOptions(text=SOURCE))
    kernel = unit.functions[unit.kernels[0]]
    assert kernel.body is not None
    found = varying(unit, kernel)
    names = {
        node.variable.name: node.variable.id in found.variables
        for node in walk(kernel.body)
        if isinstance(node, e.VariableReference) and node.variable.name in SAME | DIFFERENT
    }
    assert {name for name, differs in names.items() if differs} == DIFFERENT
    assert {name for name, differs in names.items() if not differs} == SAME


def test_fields_of_an_object_differ_one_by_one() -> None:
    unit = load("kernel.cu", LoadOptions(text=OBJECTS))
    kernel = unit.functions[unit.kernels[0]]
    assert kernel.body is not None
    found = varying(unit, kernel)
    differs = {
        (node.base.variable.name, node.name): found.varies(node)
        for node in walk(kernel.body)
        if isinstance(node, e.Member) and isinstance(node.base, e.VariableReference)
    }
    assert {(name, "at") for name in ("listed", "filled", "copied", "made")} | {("resized", "size")} == {
        place for place, differs_there in differs.items() if differs_there
    }
