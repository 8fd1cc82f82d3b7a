"""A condition that stands on code which could not be parsed is not said to depend on data."""

from tests.support.modelled import modelled

UNREAD = """
struct Sizes { static constexpr int rows = 64, columns = 32; };
template <class S, bool masked>
__global__ void k(float *out, const int *ends) {
    constexpr int steps = masked ? missing::quotient(S::rows, S::columns) : 1;
    float sum = 0;
    for (int s = 0; s < steps; ++s) sum += s;
    for (int s = 0; s < ends[threadIdx.x]; ++s) sum += s * 3;
    out[threadIdx.x] = sum;
}
void run(float *out, const int *ends) { k<Sizes, true><<<1, 128>>>(out, ends); }
"""


def test_a_loop_to_a_constant_that_could_not_be_parsed() -> None:
    unit, kernel = modelled(UNREAD)
    assert unit.errors
    found = {branch.span.line: branch.divergence for branch in kernel.branches if branch.kind == "loop"}
    assert found == {7: "unknown", 8: "data-dependent"}


INSIDE = """
template <class S, bool masked>
__device__ float total(const int *ends, S) {
    constexpr int steps = masked ? missing::quotient(S::rows, S::columns) : 1;
    float sum = 0;
    for (int s = 0; s < steps; ++s) sum += s;
    for (int s = 0; s < ends[threadIdx.x]; ++s) sum += s * 3;
    return sum;
}
template <class S>
__global__ void k(float *out, const int *ends) {
    missing::Tensor<S> tensor = missing::make(out, S{});
    out[threadIdx.x] = total<S, true>(ends, S{});
}
struct Sizes { static constexpr int rows = 64, columns = 32; };
void run(float *out, const int *ends) { k<Sizes><<<1, 128>>>(out, ends); }
"""


def test_a_function_with_such_a_constant() -> None:
    _, kernel = modelled(INSIDE)
    found = {branch.span.line: branch.divergence for branch in kernel.branches if branch.kind == "loop"}
    assert found[6] == "unknown"
