"""Calls of a program's own functions that an outer loop repeats."""

import pytest

from cudalint.analyses.device_code import device_code
from cudalint.analyses.repeated_calls import repeated_calls
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

_CODE = """
__device__ float f(float a, float b) {{ return powf(a, b) * expf(a - b); }}
__global__ void k(float *out, const float *in, float h, int n, int m)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], sum = 0.0f;
    for (int p = 0; p < n; p++)
        for (int q = 0; q < {limit}; q++) sum += {call};
    out[i] = sum;
}}
"""


def told(call: str, limit: str = "m") -> list[str]:
    """For each call, what computes it again: all threads, or the outer loop."""
    code = device_code(load("a.cu", LoadOptions(text=_CODE.format(call=call, limit=limit))))
    found = [one for body in code.bodies for calls in repeated_calls(body, code) for one in calls.calls]
    return ["threads" if one.again is None else "loop" for one in found]


@pytest.mark.parametrize(
    ("call", "who"),
    [
        ("f(q * h, h) + f(x, x)", ["threads"]),
        ("f(q * h, h)", []),  # told of the calls in it
        ("f(q * h, x)", ["loop"]),
        ("f(q * h, x + p)", []),
        ("f(p * h, x)", []),
        ("f(in[q], x)", []),
    ],
)
def test_what_the_arguments_hang_on(call: str, who: list[str]) -> None:
    assert told(call) == who


def test_an_inner_loop_that_the_outer_one_lengthens_may_go_on_to_new_numbers() -> None:
    assert told("f(q * h, x)", "p") == []
    assert told("f(q * h, x)", "3") == []
