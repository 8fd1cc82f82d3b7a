"""The lines of calls that inlined accesses and branches are stated for besides their own."""

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from tests.support.modelled import facts

CODE = """\
__device__ float one_line(const float *p, int i) { return
    p[i]; }

__device__ float two_lines(const float *p, int i) {
    float a;
    a = p[2 * i];
    return a + p[3 * i];
}

__device__ float outer(const float *p, int i) {
    return one_line(p, i) +
        two_lines(p, i);
}

__device__ bool near(int i) {
    if (i > 5) return true;
    return false;
}

__global__ void k(const float *a, const float *b, float *out) {
    int i = threadIdx.x;
    float x = one_line(a, i);
    float y = two_lines(b, i);
    float z = outer(a + 4096, i);
    if (near(i))
        z += 1.0f;
    out[i] = x + y + z;
}
"""


def test_the_first_line_of_an_inlined_function_is_stated_for_the_call_too() -> None:
    found = facts(CODE)
    rows = {
        (a.span.line, a.attributed_to.line, a.expression)
        for a in found.all_of(Access)
        if a.operation == "load"
    }
    assert rows == {
        (2, 2, "p[i]"),
        (6, 6, "p[2 * i]"), (6, 23, "p[2 * i]"), (6, 12, "p[2 * i]"),
        (7, 7, "p[3 * i]"),
    }  # fmt: skip


def test_accesses_of_a_kernel_hold_each_place_once() -> None:
    places = [(a.span.line, a.span.column, a.operation) for a in facts(CODE).accesses]
    assert len(places) == len(set(places)) == 4


def test_a_branch_of_an_inlined_function_is_stated_for_the_call_too() -> None:
    found = facts(CODE)
    assert {(b.kind, b.attributed_to.line) for b in found.all_of(Branch)} == {
        ("if", 16), ("if", 25),
    }  # fmt: skip
    assert {(b.kind, b.span.line) for b in found.branches} == {("if", 16), ("if", 25)}
