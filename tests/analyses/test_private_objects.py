"""Objects of one thread, however they are named, are no memory that others read."""

import pytest

from tests.support.modelled import facts

CODE = """
struct Heap {
    float keys[4];
    __device__ void add(float key) { if (key > 1e30f) keys[3] = key; }
    __device__ float &last() { return keys[2]; }
};
__device__ void fill(float (&row)[4], float v) { if (v > 1e30f) row[1] = v; }
__device__ void step(float *at, float v) { if (v > 1e30f) at[2] = v; }
__device__ void outer(Heap &heap, float v) { heap.add(v); }
__shared__ Heap common;
__global__ void k(float *out, Heap *heaps, float v) {
    Heap heap;
    float row[4];
    int never = 0;
    if (never) { %s; }
    out[threadIdx.x] = 0;
}
"""


@pytest.mark.parametrize(
    ("call", "space"),
    [
        ("heap.add(v)", ""),
        ("outer(heap, v)", ""),
        ("heap.last() = v", ""),
        ("Heap &name = heap; name.add(v)", ""),
        ("fill(row, v)", ""),
        ("step(row, v)", ""),
        ("step(&heap.keys[1], v)", ""),
        ("heaps[1].add(v)", "global"),
        ("outer(*heaps, v)", "global"),
        ("Heap &name = heaps[2]; name.add(v)", "global"),
        ("step(out, v)", "global"),
        ("step(v > 2 ? row : out, v)", "global"),
        ("float *at = row; at = out; step(at, v)", "global"),
    ],
)
def test_what_nothing_reaches_counts_unless_it_is_of_one_thread(call: str, space: str) -> None:
    stores = [a for a in facts(CODE % call).accesses if a.operation == "store" and "out[" not in a.expression]
    assert {a.space for a in stores} == ({space} if space else set())
