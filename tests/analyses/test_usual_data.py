"""Conditions that nearly all data satisfy, and those that some do."""

import pytest

from cudalint.analyses.usual_data import usual
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.walk import walk

_USUAL = (
    "x != 0.0f",
    "x != 0.0f || y != 0.0f",
    "x >= 1.0f && x < 7.0f",
    "lo <= k && k < hi && x > 0.0f && x < y",
    "(unsigned long)p % 16 == 0",
    "isnan(x) || isinf(y)",
    "!isfinite(x)",
    "x != x",
    "((unsigned long)p & 15) == 0 && (unsigned long)p % 8 == 0",
)
_UNUSUAL = (
    "x == 0.0f",
    "k != 0",
    "x < 7.0f",
    "x >= 1.0f && y < 7.0f",
    "x < 0.0f || x > 7.0f",
    "k % 16 == 0",
    "k != lo",
    "isnan(x) || k == 3",
    "x != 0.0f && k == 3",
)


@pytest.mark.parametrize(
    ("condition", "expected"), [*((c, True) for c in _USUAL), *((c, False) for c in _UNUSUAL)]
)
def test_usual(condition: str, expected: bool) -> None:
    source = f"""
    __global__ void k(float *p, float x, float y, int k, int lo, int hi)
    {{
        if ({condition})
            *p = x;
    }}
    """
    unit = load("kernel.cu", LoadOptions(text=source))
    body = unit.functions[unit.kernels[0]].body
    assert body is not None
    node = next(node for node in walk(body) if isinstance(node, s.If))
    assert usual(node.condition) is expected
