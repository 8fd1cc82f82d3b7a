"""Arms of `?:` that load the same: an element is loaded once, of a record an arm loads the member named."""

import pytest

from tests.support.modelled import facts

CODE = """
__global__ void k(const float *a, const float2 *p, float *out, int n)
{
    int i = threadIdx.x, j = i;
    out[i] = i < j ? %s : %s;
}
"""


@pytest.mark.parametrize(
    ("then", "otherwise"), [("a[3]", "a[3]"), ("p[3].y", "p[3].y"), ("p[3].x", "p[3].y")]
)
def test_each_load_is_counted_once(then: str, otherwise: str) -> None:
    kernel = facts(CODE % (then, otherwise))
    loads = [access for access in kernel.accesses if access.operation == "load" and access.weight.requests]
    assert [access.expression for access in loads] in ([then], [otherwise])
    assert all(access.bytes == 4 for access in loads)
