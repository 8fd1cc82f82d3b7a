"""What values of a kernel are made of."""

import pytest

from cudalint.analyses.launch_invariants import Source, sources
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk
from tests.support.modelled import modelled


def _of(body: str) -> Source:
    """What the argument of the call of sinf in a kernel depends on."""
    code = (
        "__constant__ float table[8];\n"
        "__global__ void k(float *out, const float *in, float a, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a;\n" + body + "\nout[i] = x; }\n"
        "void run(float *o, float *p) { k<<<4, 64>>>(o, p, 1.0f, 100); }"
    )
    unit, kernel = modelled(code)
    calls = [n for n in walk(kernel.function.body) if isinstance(n, e.Call) and n.name == "sinf"]  # type: ignore[arg-type]
    return sources(unit, kernel.function).of(calls[0].arguments[0])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = sinf(a * 2.0f);", Source.ARGUMENT),
        ("x = sinf(2.0f);", Source.NOTHING),
        ("x = sinf(table[3]);", Source.ARGUMENT),
        ("for (int k = 0; k < n; k++) x += sinf(k * a);", Source.ARGUMENT | Source.LOOP),
        ("for (int k = 0; k < i; k++) x += sinf(k * a);", Source.ARGUMENT | Source.LOOP),
        ("float s, c; sincosf(a, &s, &c); x = sinf(s);", Source.ARGUMENT),
        ("if (i < n) { float y = a * 2.0f; y += 1.0f; x = sinf(y); }", Source.ARGUMENT),
        ("float y; if (in[i] > 0) { y = a * 2.0f; x = sinf(y); }", Source.ARGUMENT),
    ],
)
def test_the_same_in_all_threads(body: str, expected: Source) -> None:
    assert _of(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = sinf(a * threadIdx.x);", Source.THREAD),
        ("x = sinf(a * blockIdx.x);", Source.BLOCK),
        ("x = sinf(a * in[i]);", Source.DATA),
        ("x = sinf(out[0]);", Source.DATA),
        ("if (i > 3) x = 1.0f; x = sinf(x);", Source.BLOCK),
        ("int t = 0; for (int k = 0; k < i; k++) t++; x = sinf(t * a);", Source.THREAD),
        ("for (int k = 0; k < n; k++) { if (in[i] > 0) continue; a *= 0.5f; x += sinf(a); }", Source.DATA),
        ("float *p = &x; *p = in[i]; x = sinf(x);", Source.DATA),
        ("x = sinf(a * (i % 8));", Source.FEW),
    ],
)
def test_not_the_same(body: str, expected: Source) -> None:
    assert _of(body) & expected
