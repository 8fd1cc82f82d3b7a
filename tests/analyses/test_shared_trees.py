"""Which loops are rounds of a reduction or scan."""

import pytest

from cudalint.analyses.shared_trees import shared_trees
from cudalint.frontend import LoadOptions, load

LOOPS = {
    "for (int s = 64; s > 0; s /= 2) { if (t < s) a[t] += a[t + s]; __syncthreads(); }": 1,
    "for (int s = 1; s < 128; s <<= 1) { if (t % (2 * s) == 0) a[t] += a[t + s]; __syncthreads(); }": 1,
    "for (int k = 0; k < 7; k++) { int s = 64 >> k; if (t < s) a[t] += a[t + s]; __syncthreads(); }": 1,
    "for (int s = 1; s < 128; s *= 2) {"
    " float x = t >= s ? a[t - s] : 0; __syncthreads(); a[t] += x; __syncthreads(); }": 2,
    "for (int s = 64; s > 0; s -= 8) { if (t < s) a[t] += a[t + s]; __syncthreads(); }": None,  # no tree
    "for (int s = 64; s > 0; s /= 2) { if (t < s) a[t] += a[t + s]; __syncwarp(); }": None,
    "for (int s = 64; s > 0; s /= 2) {"
    " float x = a[t ^ s]; __syncthreads(); a[t] += x; __syncthreads(); }": None,
    "for (int s = 64; s > 0; s /= 2) { if (t < s) a[t * 2] = s; __syncthreads(); }": None,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_rounds_halve_or_double_a_distance(loop: str) -> None:
    code = f"__global__ void k() {{ __shared__ float a[256]; int t = threadIdx.x; {loop} }}"
    unit = load("k.cu", LoadOptions(text=code))
    (kernel,) = (unit.functions[key] for key in unit.kernels)
    found = [tree.barriers for tree in shared_trees(unit, kernel)]
    assert found == ([] if LOOPS[loop] is None else [LOOPS[loop]])
