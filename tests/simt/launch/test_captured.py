"""What closures bring into a kernel from the host."""

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from tests.support.modelled import modelled

_CODE = """
#include <cuda_runtime.h>
template <class Body> __global__ void for_each(int count, Body body)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) body(i);
}
void folded(float *sums, const float *values, const int *width, int folds, int stride, int count)
{
    auto body = [=] __device__(int i) {
        float sum = 0.0f;
        for (int k = BOUND; k < folds; ++k) sum += values[k * stride + i];
        sums[i] = sum;
    };
    for_each<<<(count + 255) / 256, 256>>>(count, body);
}
"""


def _loop(bound: str) -> str:
    _, kernel = modelled(_CODE.replace("BOUND", bound))
    (loop,) = (branch for branch in kernel.of(Branch) if branch.kind == "loop")
    return loop.divergence


def test_captured_numbers_are_the_same_for_all_threads_and_so_is_what_they_load_at_one_place() -> None:
    assert _loop("*width") == "uniform"
    assert _loop("width[i]") == "data-dependent"


def test_captured_pointers_lead_to_memory_of_their_own() -> None:
    _, kernel = modelled(_CODE.replace("BOUND", "0"))
    (store,) = (access for access in kernel.of(Access) if access.operation == "store")
    assert (store.buffer, store.transactions.per_request) == ("sums", 4)
