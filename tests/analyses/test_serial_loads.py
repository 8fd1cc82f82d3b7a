"""Which loads of a loop wait for the iteration before."""

import pytest

from cudalint.analyses.kernel_queries import lvalues
from cudalint.analyses.serial_loads import serial_loads
from cudalint.frontend import LoadOptions, load

LOOPS = {
    "for (int t = 0; t < n; t++) out[t * n] = in[t * n];": ["store"],
    "for (int t = 0; t < n; t++) own[t * n] = in[t * n];": [],  # `own` is restrict
    "for (int t = 0; t < n; t++) own[t * n] = own[t * n] + 1;": ["store"],
    "for (int t = 0; t < n; t++) sum += in[t * n];": [],
    "for (int t = 0; t < 8; t++) out[t] = in[t * n];": [],  # unrolled
    "int at = 0; while (at < n) at = in[at];": ["address"],
    "int a = 0; while (a < n) { int b = in[a]; a = own[b]; }": ["address", "address"],
    "int a = 0, b = n; while (a < b) { int m = (a + b) / 2; if (in[m] < n) a = m + 1; else b = m; }": [
        "address"
    ],
    "int a = 0; for (int t = 0; t < n; t++) { a += in[t]; sum += own[a]; }": [],
}


@pytest.mark.parametrize("loop", LOOPS)
def test_loads_that_wait(loop: str) -> None:
    head = "__global__ void k(int *out, const int *in, int *__restrict__ own, int n)"
    unit = load("k.cu", LoadOptions(text=f"{head} {{ int sum = 0; {loop} out[0] = sum; }}"))
    (kernel,) = (unit.functions[key] for key in unit.kernels)
    assert kernel.body is not None
    made = frozenset(place.span for place, _ in lvalues(kernel.body))
    assert sorted(one.how for one in serial_loads(unit, kernel, made)) == LOOPS[loop]
