"""Calls through pointers to functions are calls of what the pointer holds."""

import pytest

from tests.support.modelled import facts

FUNCTIONS = """
__device__ float far(const float *t, int i) { return t[2 * i]; }
__device__ float near(const float *t, int i) { return t[i]; }
typedef float (*Fetch)(const float *, int);
struct Operation { Fetch fetch; };
template <class F> __device__ float applied(F f, const float *t, int i) { return f(t, i); }
template <class F> __device__ float starred(F f, const float *t, int i) { return (*f)(t, i); }
__device__ float handed(Fetch f, const float *t, int i) { return applied(f, t, i); }
__device__ Fetch table[2] = {far, near};
__global__ void k(float *out, const float *in, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Operation operation;
    operation.fetch = far;
    out[i] = %s;
}
"""


@pytest.mark.parametrize(
    "call", ["applied(far, in, i)", "starred(&far, in, i)", "handed(far, in, i)", "operation.fetch(in, i)"]
)
def test_the_function_that_a_pointer_holds_is_run(call: str) -> None:
    kernel = facts(FUNCTIONS % call)
    loads = [a.transactions.per_request for a in kernel.accesses if a.operation == "load"]
    assert loads == [8]
    assert kernel.modelling.unknowns == ()


@pytest.mark.parametrize("call", ["table[which](in, i)", "(which ? far : near)(in, i)"])
def test_a_pointer_that_nobody_knows_is_a_call_that_nobody_sees_into(call: str) -> None:
    kernel = facts(FUNCTIONS % call)
    assert any("whose body is not seen" in reason for reason, _ in kernel.modelling.unknowns)
