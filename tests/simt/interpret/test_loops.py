"""Loops that are cut short and finished by arithmetic, and arms that only a second run comes to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.analyses.trip_counts import remaining_iterations
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.settings.assume import parse_all
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import ModelOptions, run_plan
from tests.support.modelled import facts

HOLDS = {
    "<": lambda i, n: i < n,
    "<=": lambda i, n: i <= n,
    ">": lambda i, n: i > n,
    ">=": lambda i, n: i >= n,
    "!=": lambda i, n: i != n,
}


@given(st.sampled_from(list(HOLDS)), st.integers(-50, 50), st.integers(-50, 50), st.integers(-7, 7))
def test_iterations_left_are_those_of_the_plain_loop(operator, value, bound, step):
    told = remaining_iterations(operator, value, bound, step)
    count, i = 0, value
    while HOLDS[operator](i, bound) and count < 300:
        count, i = count + 1, i + step
    if told is None:
        return  # nothing is claimed; the arithmetic claims nothing only where steps lead away or past
    assert int(told) == (count if HOLDS[operator](value, bound) else 0)


@pytest.mark.parametrize(
    ("operator", "value", "bound", "step"), [("<", 0, 10, -1), ("!=", 0, 9, 2), (">", 9, 0, 1)]
)
def test_loops_that_do_not_end_by_counting_are_not_finished(operator, value, bound, step):
    assert remaining_iterations(operator, value, bound, step) is None


def test_a_counter_has_its_last_value_after_a_long_loop():
    found = facts(
        "__global__ void k(float *out, const float *in) {\n"
        "    int i = 0; float s = 0.0f;\n"
        "    for (; i < 1000; i += 3) s += in[i];\n"
        "    out[i * 8 + threadIdx.x] = s;\n}\n"
    )
    store = next(a for a in found.accesses if a.operation == "store")
    assert store.transactions.certainty == "exact"
    assert store.lanes.worst[0] == 1002 * 8 * 4


def test_trips_of_a_long_loop_are_counted_to_the_end():
    found = facts(
        "__global__ void k(float *out, const float *in) {\n"
        "    float s = 0.0f;\n"
        "    for (int i = 0; i < 100 + 3 * threadIdx.x; ++i) s += in[i];\n"
        "    out[threadIdx.x] = s;\n}\n"
    )
    loop = next(b for b in found.branches if b.kind == "loop")
    assert loop.loop.trips == (100, 193)


RANGE = (
    "struct Range { int first, end; int *far; __device__ void less() { end -= 1; }\n"
    "    __device__ float sum(const float *in) const {\n"
    "        float s = 0.0f; for (int i = first; i < end; ++i) s += in[i]; return s; } };\n"
)


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (int i = r.first; i < r.end; ++i) s += in[i];", (200, 231)),
        ("s = r.sum(in);", (200, 231)),
        ("for (int i = r.first; i < r.end; ++i) { s += in[i]; r.far = 0; }", (200, 231)),
        ("for (int i = r.first; i < r.end; ++i) { s += in[i]; r.less(); }", None),
        ("for (int i = r.first; i < r.end; ++i) { s += in[i]; r.end -= i & 1; }", None),
        ("for (int i = r.first; i < r.end; ++i) { s += in[i]; other = &r; }", None),
    ],
)
def test_a_bound_in_an_object_counts_unless_the_loop_moves_it(loop, trips):
    found = facts(
        f"{RANGE}__global__ void k(float *out, const float *in) {{\n"
        "    Range r{0, 200 + (int)(threadIdx.x & 31), 0}, *other = 0; float s = 0.0f;\n"
        f"    {loop}\n"
        "    out[threadIdx.x] = s;\n}\n"
    )
    (branch,) = (b for b in found.branches if b.kind == "loop" and b.own)
    assert branch.loop.trips == trips


def test_a_branch_that_no_run_takes_is_looked_into():
    found = facts(
        "__global__ void k(float *out, int n) {\n    if (n > 1000000) out[threadIdx.x * 2] = 1.0f;\n}\n"
    )
    (store,) = found.accesses
    assert store.transactions.per_request == 8
    assert store.basis.assumed == ("an untaken branch is taken",)


def test_a_branch_that_constants_exclude_is_not():
    found = facts(
        "__global__ void k(float *out) {\n    if (blockDim.x < 32) out[threadIdx.x * 2] = 1.0f;\n}\n"
    )
    (store,) = found.accesses
    assert store.transactions.certainty == "unknown"
    assert store.basis.unknown == "not reached in any run"


def test_what_a_template_argument_rules_out_is_no_access():
    found = facts(
        "template <bool Back> struct Way { static __device__ bool back() { return Back; } };\n"
        "template <class W> __global__ void k(float *out, int n) {\n"
        "    bool last = blockIdx.x == gridDim.x - 1;\n"
        "    if (W::back() && last) out[n + threadIdx.x] = 1.0f;\n"
        "    float old = W::back() ? out[0] : 2.0f;\n"
        "    if (!W::back()) out[threadIdx.x] = old;\n"
        "}\n"
        "template __global__ void k<Way<false>>(float *, int);\n"
    )
    assert [access.span.line for access in found.accesses] == [6]


def test_functions_that_a_constant_switch_does_not_choose_are_no_accesses():
    found = facts(
        "typedef void (*Way)(float *);\n"
        "__device__ void near_(float *a) { a[threadIdx.x] = 1.0f; }\n"
        "__device__ void far_(float *a) { a[threadIdx.x * 32] = 1.0f; }\n"
        "struct Kind { int n; __host__ __device__ constexpr bool wide() const { return n > 3; } };\n"
        "__device__ constexpr Kind kind(int n) { return Kind{n}; }\n"
        "template <int N> __device__ constexpr Way way() {\n"
        "    switch (N) { case 1: return far_; case 2: return near_; default: return far_; }\n"
        "}\n"
        "template <int N> __global__ void k(float *a, float *b) {\n"
        "    constexpr Way go = way<N>();\n"
        "    go(a);\n"
        "    if (kind(N).wide()) b[0] = 2.0f; else b[threadIdx.x] = 1.0f;\n"
        "}\n"
        "template __global__ void k<2>(float *, float *);\n"
    )
    own = {access.span.line for access in found.accesses if access.space == "global"}
    assert own == {2, 12}
    assert all(access.transactions.per_request == 4 for access in found.accesses)


def test_an_early_return_of_all_is_passed_once():
    found = facts(
        "__global__ void k(float *out, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) return;\n    out[i] = 1.0f;\n}\n",
        "n == 1000000",
    )
    (store,) = found.accesses
    assert store.transactions.per_request == 4
    assert store.basis.assumed


def test_a_loop_says_whether_its_trips_stand_on_numbers_that_nobody_knows():
    found = facts(
        "__global__ void k(float *out, int n) {\n"
        "    for (int i = threadIdx.x; i < n; i += 64) out[i] = 1.0f;\n"
        "    for (int i = 0; i < 50; ++i) out[64 * i] = 2.0f;\n}\n"
    )
    assert {b.condition: b.loop.chosen for b in found.branches} == {"i < n": True, "i < 50": False}
    assert next(b for b in found.branches if not b.loop.chosen).loop.trips == (50, 50)


def test_what_an_arm_of_a_later_iteration_would_assign_is_not_known():
    found = facts(
        "__global__ void k(float *out) {\n"
        "    int i, last = 0, first = 0;\n"
        "    for (i = 0; i < 1000; ++i) {\n"
        "        first = 8;\n        if (i + threadIdx.x > 900) last = 2;\n    }\n"
        "    out[last * threadIdx.x] = 1.0f;\n"
        "    out[first * threadIdx.x] = 2.0f;\n}\n"
    )
    last, first = (a.transactions for a in found.accesses)
    assert last.certainty == "unknown"
    assert (first.certainty, first.per_request) == ("exact", 32)


@pytest.mark.parametrize(
    ("before", "count", "index", "told"),
    [
        ("", 256, "k", ("bounded", 1.0, 2.0)),
        ("", 16, "k", ("exact", 2.0, 2.0)),
        ("#pragma unroll 1\n", 256, "k", ("exact", 1.0, 1.0)),
        ("", 256, "2 * k", ("exact", 1.0, 1.0)),
        ("", 64, "k * 33 + threadIdx.x", ("exact", 1.0, 1.0)),
        ("if (threadIdx.x == 0)\n", 256, "k", ("exact", 1.0, 1.0)),
    ],
    ids=["in part", "whole", "not at all", "apart", "rows", "one lane"],
)
def test_a_loop_that_may_be_unrolled_in_part_has_bounds(before, count, index, told):
    """Four iterations' loads are one of 16 bytes for nvcc, which takes two wavefronts for a whole warp."""
    found = facts(
        "__global__ void k(float *out, const float *in) {\n"
        "    __shared__ float t[4096];\n"
        "    t[threadIdx.x] = in[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    float s = 0.0f;\n"
        f"{before}    for (int k = 0; k < {count}; ++k) s += t[{index}];\n"
        "    out[threadIdx.x] = s;\n}\n"
    )
    load = next(a for a in found.accesses if a.space == "shared" and a.operation == "load")
    seen = load.transactions
    assert (seen.certainty, seen.lower, seen.upper) == told


def _iterations(code: str) -> int:
    """How often the run makes the one loop of the code."""
    unit = load("kernel.cu", LoadOptions(text=code))
    options = ModelOptions(assumptions=parse_all(("blockDim.x == 64",)))
    plan = plans(unit.functions[unit.kernels[0]], (), options.assumptions)[0]
    done = run_plan(unit, unit.functions[unit.kernels[0]], plan, options)
    (site,) = done.machine.recorder.accesses.values()
    return site.executions


def test_a_long_loop_is_run_until_no_iteration_brings_a_new_pattern():
    """A row further on each iteration is one pattern; a word further on one of 32 places in a line."""
    body = "out[i * {} + threadIdx.x] = 0.0f;\n}}\n"
    loop = "__global__ void k(float *out) {\n    for (int i = 0; i < 1000; ++i) "
    rows, words = (_iterations(loop + body.format(step)) for step in (1024, 1))
    assert rows < 12
    assert words == 40


def test_a_loop_that_ends_soon_is_run_to_its_end():
    assert (
        _iterations(
            "__global__ void k(float *out) {\n"
            "    for (int i = 0; i < 30; ++i) out[i * 1024 + threadIdx.x] = 0.0f;\n}\n"
        )
        == 30
    )


def test_a_loop_goes_on_until_its_late_arms_are_taken():
    found = facts(
        "__global__ void k(float *out, const float *in) {\n"
        "    float s = 0.0f; int since = 0;\n"
        "    for (int i = 0; i < 4096; ++i) {\n"
        "        s += in[i * 32 + threadIdx.x];\n"
        "        if (i % 64 == 63) out[i] = s;\n"
        "        if (++since == 100) { out[8 * threadIdx.x] = s; since = 0; }\n"
        "        if (i == 4000) out[2 * threadIdx.x] = s;\n"
        "    }\n}\n"
    )
    stores = {a.span.line: a.basis.unknown for a in found.accesses if a.operation == "store"}
    assert stores == {5: "", 6: "", 7: "not reached in any run"}  # the last is too far away
