"""Loops whose end hangs on a number that each thread computes."""

import pytest

from cudalint.analyses.computed_trips import computed_trips
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.walk import find


@pytest.mark.parametrize(
    ("body", "computed"),
    [
        ("float x = threadIdx.x; while (x < 9.0f) x *= 1.5f;", True),
        ("float x = a; while (x < 9.0f) x *= 1.5f;", False),
        ("float x = threadIdx.x; while (x < a) x += 0.5f;", False),
        ("float x = threadIdx.x; while (x < a) { float y = sinf(x); x += y; }", True),
        ("int i = threadIdx.x; while (i < n) i = 2 * i + 1;", False),
        ("float x = threadIdx.x, e; do { e = expf(x) - a; x -= e; } while (fabsf(e) > 1e-3f);", True),
        ("float x = 1.0f, e = threadIdx.x; do { x = x * x + a; } while (x < e);", True),
        ("for (float x = threadIdx.x; x < a; x += n) d[n] += x;", False),
    ],
)
def test_loops(body: str, computed: bool) -> None:
    unit = load("a.cu", LoadOptions(text=f"__global__ void k(float *d, float a, int n) {{ {body} }}"))
    (kernel,) = (function for function in unit.functions.values() if function.kernel)
    (loop,) = find(kernel.body, s.Loop)
    assert computed_trips(unit, kernel, loop) is computed
