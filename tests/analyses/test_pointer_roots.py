"""Where pointers start that functions of a kernel are handed."""

import pytest

from cudalint.analyses.pointer_roots import pointer_roots
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

_CODE = """
__device__ float *table;
__device__ float of_one(const float *rest) { return rest[0]; }
__device__ float of_many(const float *one, const float *other, const float *either)
{
    const float *moved = one + 4;
    return of_one(moved) + other[0] + either[0] + moved[1];
}
__global__ void k(float *out)
{
    __shared__ float kept[64];
    out[0] = of_many(kept, out, kept) + of_many(kept + 1, out, out);
}
"""


@pytest.mark.parametrize(
    ("function", "name", "shared", "everywhere"),
    (
        ("of_many", "one", True, False),
        ("of_many", "other", False, True),
        ("of_many", "either", False, False),
        ("of_one", "rest", True, False),
        ("k", "out", False, True),
    ),
)
def test_all_callers_count(function: str, name: str, shared: bool, everywhere: bool) -> None:
    unit = load("kernel.cu", LoadOptions(text=_CODE))
    by_name = {one.name: one for one in unit.functions.values()}
    (variable,) = (one for one in by_name[function].parameters if one.name == name)
    roots = pointer_roots(unit, by_name["k"])
    assert (roots.are_shared(variable), roots.are_global(variable)) == (shared, everywhere)
