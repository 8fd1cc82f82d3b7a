"""Loads that the compiler may begin below a division or a root."""

import pytest

from cudalint.analyses.kernel_queries import lvalues
from cudalint.analyses.slow_ways import stand_between
from cudalint.frontend import LoadOptions, load

BODIES = {
    "out[i] = a[i] / b[i];": False,  # needs both
    "float q = 1.0f / a[i]; out[i] = q * b[i];": True,
    "float kept = b[i]; out[i] = kept * sqrtf(a[i]);": True,
    "float q = a[i] / b[i]; out[i] = q / 3.0f;": False,
    "out[i] = a[i] / 2.0f + b[i];": False,  # multiplied instead
    "out[i] = expf(a[i]) * b[i];": False,  # no slow way
    "out[i] = 1.0f / a[i];": False,  # one load
}


@pytest.mark.parametrize("body", BODIES)
def test_loads_that_a_slow_way_parts(body: str) -> None:
    head = "__global__ void k(float *out, const float *a, const float *b) { int i = threadIdx.x; "
    unit = load("k.cu", LoadOptions(text=f"{head}{body} }}"))
    (kernel,) = (unit.functions[key] for key in unit.kernels)
    assert kernel.body is not None
    loads = frozenset(place.span for place, operation in lvalues(kernel.body) if operation == "load")
    assert stand_between(unit, kernel, loads) is BODIES[body]
