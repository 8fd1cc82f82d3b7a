"""Which loops wait for loads that other threads could make."""

import pytest

from cudalint.analyses.waiting_loops import waiting_loops
from cudalint.frontend import LoadOptions, load

BODIES = {
    "for (int i = 0; i < n; i++) sum += in[i];": 1,
    "for (int i = 0; i < n; i++) sum += at(in, i);": 1,  # in what it calls
    "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) sum += in[i * n + k];": 2,
    "for (int i = 0; i < 16; i++) sum += in[i];": 0,  # all loads go at once
    "for (int i = 0; i < n; i++) sum += i * sum;": 0,
    "for (int i = 0; i < n; i++) sum += tile[i];": 0,  # from shared memory
    "for (int i = 0; i < n; i++) out[i] = i;": 0,
    "for (int i = 0; i < n; i++) { tile[i] = in[i]; __syncthreads(); sum += tile[0]; }": 0,
    "for (int i = 0; i < n; i++) { for (int k = 0; k < n; k++) sum += in[k]; __syncthreads(); }": 0,
}


@pytest.mark.parametrize("body", BODIES)
def test_loops_that_wait(body: str) -> None:
    head = (
        "__device__ int at(const int *in, int i) { return in[i]; }"
        "__global__ void k(int *out, const int *in, int n) { __shared__ int tile[64]; int sum = 0;"
    )
    unit = load("k.cu", LoadOptions(text=f"{head} {body} out[0] = sum; }}"))
    (kernel,) = (unit.functions[key] for key in unit.kernels)
    assert len(waiting_loops(unit, kernel)) == BODIES[body]
