"""Arrays of an object of the thread, at places that data decides."""

import pytest

from tests.support.modelled import facts

VOTES = """
struct Votes {
    int v[4];
    __device__ void add(int c) { ++v[c]; }
    __device__ void put(int c) { v[c] = 1; }
};
__global__ void k(float *out, const int *in) {
    Votes t;
    int w[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) t.v[i] = 0;
    int c = in[threadIdx.x] & 3;
    %s;
    out[(t.v[0] + w[0]) * 1024 + threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize("store", ["t.add(c)", "t.put(c)", "w[c] += 1", "w[c] = 1", "++w[c]"])
def test_they_are_no_accesses_of_memory_and_lose_what_the_array_held(store: str) -> None:
    kernel = facts(VOTES % store)
    assert {access.space for access in kernel.accesses} == {"global"}
    assert [access.operation for access in kernel.accesses] == ["load", "store"]
    (stored,) = (access for access in kernel.accesses if access.operation == "store")
    assert stored.transactions is not None and stored.transactions.certainty == "bounded"


def test_what_nothing_has_changed_is_known() -> None:
    (stored,) = (access for access in facts(VOTES % "t.add(1)").accesses if access.operation == "store")
    assert stored.transactions is not None and stored.transactions.per_request == 4


CHOSEN = """
struct Pair {
    float x, y;
    __device__ float &operator[](int i) { return i ? y : x; }
};
__global__ void k(float *out, const float *in) {
    Pair pair;
    for (int i = 0; i < 2; ++i) pair[i] = %s;
    (threadIdx.x %% 2 ? pair.x : pair.y) = 3;
    out[32 * (int)pair.x + 64 * (int)pair.y + threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize(("value", "sectors"), [("1", 8), ("3", 4)])
def test_a_field_that_a_condition_chooses_is_a_place(value: str, sectors: int) -> None:
    """Of `pair` the even lanes set y to 3, the odd ones x."""
    (stored,) = (one for one in facts(CHOSEN % value).accesses if one.operation == "store")
    assert stored.transactions is not None and stored.transactions.per_request == sectors
