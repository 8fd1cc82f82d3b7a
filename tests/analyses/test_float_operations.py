"""Floating-point operations of the source."""

import pytest

from cudalint.analyses.float_operations import float_operations
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        ("x = y * 2.0f + z;", 2),
        ("x += y;", 1),
        ("x = fmaf(y, z, x);", 2),
        ("x = sqrtf(y) / z;", 2),
        ("x = 2.0f * 3.0f;", 0),
        ("i = i * 3 + 1;", 0),
        ("if (x < y) i = 1;", 0),
        ("x = y;", 0),
    ],
)
def test_operations_of_a_statement(statement: str, count: int) -> None:
    code = f"__global__ void k(float x, float y, float z, int i) {{ {statement} }}"
    unit = load("kernel.cu", LoadOptions(text=code))
    (key,) = unit.kernels
    body = unit.functions[key].body
    assert body is not None
    assert float_operations(body.body[0]) == count
