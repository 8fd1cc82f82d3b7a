"""Divisions that one reciprocal would serve."""

import pytest

from cudalint.analyses.device_code import body_of
from cudalint.analyses.repeated_divisors import repeated_divisors
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir.render import render


def found(body: str) -> tuple[list[str], list[str]]:
    """The divisions by a value that a loop leaves alone, and those behind another one."""
    code = f"__global__ void k(double *d, double a, double b, double c, int n) {{ {body} }}"
    unit = load("a.cu", LoadOptions(text=code))
    (kernel,) = (function for function in unit.functions.values() if function.kernel)
    repeated = repeated_divisors(body_of(unit, kernel), unit)
    return [render(node) for node in repeated.in_loop], [render(node) for node in repeated.again]


@pytest.mark.parametrize(
    ("body", "in_loop", "again"),
    [
        ("d[0] = a / c;", [], []),
        ("d[0] = a / c; d[1] = b / c;", [], ["b / c"]),
        ("d[0] = a / c; d[1] = a / c;", [], []),
        ("d[0] = a / c; c += 1; d[1] = b / c;", [], []),
        ("c = a / c; d[1] = b / c;", [], []),
        ("if (n) d[0] = a / c; d[1] = b / c;", [], []),
        ("if (n) d[0] = a / c; else d[1] = b / c;", [], []),
        ("d[0] = a / c; if (n) d[1] = b / c;", [], ["b / c"]),
        ("d[0] = a / d[1]; d[2] = b / d[1];", [], []),
        ("d[0] = a / 3.0; d[1] = b / 3.0;", [], []),
        ("for (int i = 0; i < n; i++) d[i] = d[i] / c;", ["d[i] / c"], []),
        ("for (int i = 0; i < n; i++) d[i] = a / c;", [], []),
        ("int *p = (int *)d, o; do { o = *p; } while (atomicCAS(p, o, int(o / c)) != o);", [], []),
        ("for (int i = 0; i < n; i++) c = a / c + b / c;", [], ["b / c"]),
        ("for (int i = 0; i < n; i++) { double e = d[i]; d[i] = a / e; d[i + 1] = b / e; }", [], ["b / e"]),
        ("float f = d[0]; d[1] = (float)a / f; d[2] = (float)b / f;", [], []),
    ],
)
def test_divisions(body: str, in_loop: list[str], again: list[str]) -> None:
    assert found(body) == (in_loop, again)
