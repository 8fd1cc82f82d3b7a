"""Conditions that template arguments and other constants settle, whatever else they ask."""

import pytest

from cudalint.analyses.decided import decided
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.walk import find

CODE = """
template <bool Back, int Width> struct Way {{
    static __device__ bool back() {{ return Back; }}
    static __device__ bool wide() {{ return Width >= 64; }}
    static __device__ int width() {{ return Width; }}
    static __device__ bool first() {{ return threadIdx.x == 0; }}
}};
template <class Way, int Size> __global__ void kernel(float *out, int n) {{
    bool last = blockIdx.x == gridDim.x - 1;
    if ({condition}) out[n] = 1.0f;
}}
template __global__ void kernel<Way<false, 300>, 256>(float *, int);
"""


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ("Way::back()", False),
        ("!Way::back()", True),
        ("Way::back() && last", False),
        ("last && Way::back()", False),
        ("!Way::back() || n > 3", True),
        ("!Way::back() && last", None),
        ("Way::back() || last", None),
        ("Size >= 512", False),
        ("Size == 256 && !Way::back()", True),
        ("Way::width() > 299u", True),
        ("(unsigned char)Way::width() == 300", None),
        ("Way::width()", True),
        ("Way::first()", None),
        ("n", None),
    ],
)
def test_constants_decide(condition: str, outcome: bool | None) -> None:
    unit = load("kernel.cu", LoadOptions(text=CODE.format(condition=condition)))
    (kernel,) = (one for one in unit.functions.values() if one.kernel and one.body is not None)
    (branch,) = find(kernel.body, s.If)
    assert decided(unit, branch.condition) is outcome
