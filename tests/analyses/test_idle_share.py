"""Which share of a grid's blocks stores nothing, for known numbers."""

import pytest

from cudalint.analyses.idle_share import idle_share
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

SCALE = "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;"


@pytest.mark.parametrize(
    ("body", "share"),
    [
        ("if (i < n) a[i] = 1.0f;", 0.75),
        ("if (i >= n) return; a[i] = 1.0f;", 0.75),
        ("if (i >= n) a[i] = 1.0f;", 0.25),
        ("if (!(i < n || i >= 3 * n)) a[i] = 1.0f;", 0.5),
        ("if (i < n && j == 1) a[i] = 1.0f;", 0.9375),
        ("if (i / 512 == 1) a[i] = 1.0f; else if (i < n) a[0] = 1.0f;", 0.75),
        ("if ((i - n) * 2 < 0) a[i] = 1.0f; else for (int k = 0; k < n; ++k) if (i < k) a[k] = 1.0f;", None),
        ("if (i % 256 == 3) a[i] = 1.0f;", None),
        ("if (a[i] < n && i < 3 * n) a[i] = 1.0f;", 0.25),
        ("if (i < n) a[i] = 1.0f; __threadfence(); atomicAdd(a, 1.0f);", None),
        ("if (i < n) a[i] = 1.0f; i += 1; if (i < n) a[i] = 2.0f;", None),
        ("if (i != n - i) a[i] = 1.0f;", None),
        ("unsigned k = i - n; if (k < 256) a[i] = 1.0f;", 0.6875),
    ],
)
def test_the_share(body: str, share: float | None) -> None:
    unit = load("a.cu", LoadOptions(text=f"__global__ void k(float *a, int n) {{ {SCALE} {body} }}"))
    (kernel,) = unit.functions.values()
    known = {(kernel.parameters[1].id, 0): 1024}
    found = idle_share(unit, kernel, (16, 4, 1), (256, 1, 1), known)
    assert (found.share if found is not None else None) == share
