"""Members that tell how much of an array is used."""

import pytest

from cudalint.analyses.array_lengths import array_lengths
from tests.support.modelled import modelled

CODE = """
struct Rows {{ int sizes[8]; int steps[6]; int dims, count; }};
__device__ int at(const Rows &rows, int i) {{
    int o = 0;
    {loop}
    return o;
}}
__global__ void k(Rows rows, float *out) {{ out[at(rows, threadIdx.x)] = 1.0f; }}
"""


@pytest.mark.parametrize(
    ("loop", "most"),
    [
        ("for (int d = 0; d < rows.dims; ++d) o += rows.sizes[d];", 8),
        ("for (int d = rows.dims - 1; d > 0; --d) o += rows.sizes[d] * rows.steps[d];", 6),
        ("for (int d = (i > 3 ? rows.dims : 2) - 1; d >= 0; d -= 1) o += rows.sizes[d];", 8),
        ("for (int d = 0; d < rows.dims; ++d) o += rows.sizes[d % 8];", None),
        ("for (int d = 0; d < rows.dims; ++d) o += d;", None),
        ("for (int d = i; d < 8; ++d) o += rows.sizes[d] + rows.dims;", None),
    ],
)
def test_loops_over_an_array_bound_what_they_run_to(loop: str, most: int | None) -> None:
    unit, kernel = modelled(CODE.format(loop=loop))
    found = array_lengths(unit, kernel.function)
    assert found == ({} if most is None else {("Rows", 56): most})
