"""The guards that a thread passes on its way to an access."""

from cudalint.analyses.passed_guards import passed_guards
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk

CODE = """
struct Extent {
    int width, height;
    __device__ bool inside(int x, int y) const {
        return x < width && y < width;
    }
};
__global__ void clear(float *out, Extent extent, int mode) {
    int x = threadIdx.x, y = blockIdx.x;
    if (!extent.inside(x, y))
        return;
    if (mode > 1)
        y += mode;
    if (mode < 3)
        out[y * extent.width + x] = 0.0f;
    if (mode > 8)
        return;
}
"""


def test_conditions_round_an_access_and_those_that_send_threads_away_before_it() -> None:
    unit = load("kernel.cu", LoadOptions(text=CODE))
    kernel = next(one for one in unit.functions.values() if one.kernel)
    assert kernel.body is not None
    access = next(node for node in walk(kernel.body) if isinstance(node, e.Index))
    assert [span.line for span in passed_guards(unit, kernel, access.span)] == [10, 5, 14]
