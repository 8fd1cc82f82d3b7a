"""Members of a vector that are loaded and stored in turn: joined where nvcc 13.0 joins them, by its PTX."""

import pytest

from tests.support.modelled import facts

# Bytes of each load and store of `v` (a reference to a[i]) or `a`, one entry an instruction.
JOINED = {
    "members in turn": ("v.x *= s; v.y *= s;", (8,), (8,)),
    "across a store beside it": ("v.x += s; a[i + 1].x = s; v.y *= s;", (8,), (4, 8)),
    "across a store to it": ("float x = v.x; a[i].y = s; v.x = x + v.y;", (4,), (8,)),
    "across a store anywhere": ("float x = v.x; a[i * s].y = x; v.x = x + v.y;", (4, 4), (4, 4)),
}


@pytest.mark.parametrize(("body", "loads", "stores"), JOINED.values(), ids=JOINED)
def test_members_are_moved_together(body: str, loads: tuple[int, ...], stores: tuple[int, ...]) -> None:
    code = "".join(f"    {part};\n" for part in body.rstrip(";").split("; "))
    found = facts(
        "__global__ void k(float2 *a, int s) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    float2 &v = a[i];\n{code}}}\n"
    )
    for operation, expected in (("load", loads), ("store", stores)):
        seen = {a.span: a.bytes for a in found.accesses if a.operation == operation}
        assert tuple(sorted(seen.values())) == expected


def test_four_members_in_turn_are_one_load_and_one_store() -> None:
    found = facts(
        "__device__ void shift(float4 &v, float by) { v.x += by; v.y -= by; v.z += by; v.w -= by; }\n"
        "__global__ void k(float4 *a, float by) { shift(a[blockIdx.x * blockDim.x + threadIdx.x], by); }\n"
    )
    assert {(a.operation, a.bytes) for a in found.accesses} == {("load", 16), ("store", 16)}
