"""Which kernels are run for an edit, and for a fix on trial."""

from cudalint.engine.touched import Edited, touched
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

_CODE = """__device__ void meet(float *t) { __syncthreads(); t[threadIdx.x] += 1.0f; }
__device__ float twice(float x) { return 2.0f * x; }
__global__ void first(float *a) { a[threadIdx.x] = 0.0f; meet(a); }
__global__ void second(float *a) { meet(a); a[threadIdx.x] = twice(a[threadIdx.x]); }
__global__ void third(float *a) { a[threadIdx.x] = twice(1.0f); }
"""


def _names(keys: tuple[str, ...]) -> list[str]:
    return [key.split("@F@")[1].partition("#")[0] for key in keys]


def test_a_fix_on_trial_runs_those_that_share_a_barrier_too() -> None:
    unit = load("a.cu", LoadOptions(text=_CODE))
    found = touched(unit, Edited(unit.path, (3, 3)))
    assert _names(found.kernels) == ["first"]
    assert _names(found.with_sharers(unit).kernels) == ["first", "second"]


def test_nothing_else_that_is_shared_counts() -> None:
    unit = load("a.cu", LoadOptions(text=_CODE))
    found = touched(unit, Edited(unit.path, (5, 5)))
    assert _names(found.with_sharers(unit).kernels) == ["third"]
