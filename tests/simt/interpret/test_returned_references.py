"""Accesses through references that methods return, where the address hangs on data."""

import pytest

from tests.support.modelled import facts

_PLACES = """
template <int N> struct Few { float data[N]; __device__ float &operator[](int i) { return data[i]; } };
struct Table {
  float *base; const int *places;
  __device__ float &at(int i) const { return base[places[i]]; }
};
"""


def test_a_reference_that_a_method_returns_leads_to_what_its_fields_point_to():
    found = facts(_PLACES + "__global__ void k(Table t, float *o) { o[threadIdx.x] = t.at(threadIdx.x); }")
    (load,) = (access for access in found.accesses if access.expression == "t.at(threadIdx.x)")
    assert (load.space, load.operation, load.transactions.upper) == ("global", "load", 32)


@pytest.mark.parametrize(("where", "space"), [("", None), ("__shared__ ", "shared")])
def test_a_reference_into_the_object_itself_is_where_that_is(where, space):
    body = f"{where}Few<64> v; v[threadIdx.x] = 1; __syncthreads(); o[threadIdx.x] = v[x[threadIdx.x]];"
    found = facts(f"{_PLACES}__global__ void k(const int *x, float *o) {{ {body} }}")
    spaces = {access.space for access in found.accesses if access.expression == "v[x[threadIdx.x]]"}
    assert spaces == ({space} if space else set())
