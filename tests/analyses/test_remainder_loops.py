"""The iterations of loops over what a division leaves."""

from math import inf

import pytest

from cudalint.analyses.definitions import definitions
from cudalint.analyses.remainder_loops import remainder_trips
from cudalint.frontend import LoadOptions, load
from cudalint.ir import statements as s
from cudalint.ir.walk import walk

LOOPS = {
    "for (int i = n / 4 * 4 + t; i < n; i++)": 3,
    "for (int i = n - n % 8 + t; i < n; i += 2)": 4,
    "for (int i = n - (n & 15); i < n; i++)": 15,
    "for (int i = (n & ~7) + t; i < n; i += step)": 1,
    "for (int i = (n >> 2) * 4; i < n; i++)": 3,
    "for (int i = (n >> 3 << 3) + t; i < n; i++)": 7,
    "for (int i = 4 * quads + t; i < n; i += step)": 1,
    "int i = t; for (; i + 3 < n; i += 4) sum += i; for (; i < n; i++)": 3,
    "int i = t; for (; i <= n - 4; i += 4) sum += i; for (; i < n; i++)": 3,
    "for (int i = n / 4 + t; i < n; i++)": inf,
    "for (int i = m / 4 * 4 + t; i < n; i++)": inf,
    "for (int i = n / 4 * 4 - t; i < n; i++)": inf,
    "for (int i = n / 4 * 8 + t; i < n; i++)": inf,
    "int i = t; for (; i + 3 < m; i += 4) sum += i; for (; i < n; i++)": inf,
    "for (int i = t; i < n; i += step)": inf,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_the_most_iterations(loop: str) -> None:
    head = "int t = threadIdx.x, quads = n / 4, step = gridDim.x * blockDim.x, sum = 0;"
    unit = load(
        "k.cu",
        LoadOptions(
            text=f"__global__ void k(int *out, int n, int m) {{ {head} {loop} sum += 1; out[t] = sum; }}"
        ),
    )
    (kernel,) = (unit.functions[key] for key in unit.kernels)
    assert kernel.body is not None
    *_, last = (node for node in walk(kernel.body) if isinstance(node, s.Loop))
    assert remainder_trips(last, definitions(unit, kernel)) == LOOPS[loop]
