"""Verdicts of `cudalint prove` on small kernels."""

import pytest

pytest.importorskip("z3")

from tests.support.proofs import SAXPY, answer, verdict, witness

# --- global memory ---


def test_one_element_a_thread_is_proved_for_every_shape() -> None:
    assert answer(SAXPY) == "proved"


def test_a_neighbour_is_refuted_and_the_witness_holds() -> None:
    text = SAXPY.replace("+ y[i];", "+ y[i + 1];")
    found = witness(text)
    first, second = found.first, found.second

    def index(side: object) -> int:
        thread, block = side.thread, side.block  # type: ignore[attr-defined]
        return block[0] * found.block[0] + thread[0] + (side.does == "reads")  # type: ignore[attr-defined]

    assert {first.does, second.does} == {"reads", "writes"}
    assert index(first) == index(second) == int(found.place[2:-1])
    assert (first.thread, first.block) != (second.thread, second.block)
    n = dict(found.values)["n"]
    assert all(s.block[0] * found.block[0] + s.thread[0] < n for s in (first, second))
    assert all(s.thread[0] < found.block[0] and s.block[0] < found.grid[0] for s in (first, second))
    assert first.span.line == second.span.line == 4


def test_a_grid_stride_loop_is_proved() -> None:
    text = """
    __global__ void scale(int n, float *x) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] *= 2.0f;
    }
    """
    assert answer(text) == "proved"


def test_a_stride_that_is_too_short_is_refuted() -> None:
    text = """
    __global__ void scale(int n, float *x) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) x[i] *= 2.0f;
    }
    """
    found = witness(text)
    assert found.first.block != found.second.block


def test_two_dimensions_need_the_guard_on_the_row() -> None:
    text = """
    __global__ void rows(int width, int height, float *x) {
        int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
        if (c < width && r < height) x[r * width + c] = c + r * 0.5f;
    }
    """
    assert answer(text) == "proved"
    shape = ("blockDim.x == 16", "blockDim.y == 4")
    found = witness(text.replace("c < width && ", ""), *shape)
    width = dict(found.values)["width"]
    cells = [
        (s.block[1] * 4 + s.thread[1]) * width + s.block[0] * 16 + s.thread[0]
        for s in (found.first, found.second)
    ]
    assert cells[0] == cells[1]


def test_an_assumption_decides() -> None:
    text = """
    __global__ void pairs(int stride, float *x) {
        int t = threadIdx.x; x[t * stride] = t;
    }
    """
    one_block = "gridDim.x == 1"
    assert verdict(text, one_block).conditions == ("stride > 0",)
    assert dict(witness(text, one_block, "stride >= 0").values)["stride"] == 0
    assert verdict(text, one_block, "stride >= 1").conditions == ()


def test_a_remainder_that_is_assumed_decides() -> None:
    text = """
    __global__ void halves(int n, int *x) {
        if (n % 2 == 1) x[0] = threadIdx.x;
    }
    """
    assert answer(text) == "refuted"
    assert answer(text, "n >= 0", "n % 2 == 0") == "proved"


def test_axes_that_are_not_read_have_one_thread_unless_it_is_said() -> None:
    text = "__global__ void k(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }"
    assert answer(text) == "proved"
    assert answer(text, "blockDim.y == 2") == "proved"  # both write the same
    other = text.replace("= threadIdx.x;", "+= 1;")
    assert answer(other) == "proved"
    assert answer(other, "blockDim.y == 2") == "refuted"


def test_launch_bounds_bound_the_block() -> None:
    text = """
    __global__ void __launch_bounds__(64) k(int *x) {
        x[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    }
    """
    assert answer(text) == "proved"
    assert answer(text.replace("(64) k", "(65) k")) == "refuted"


def test_the_unsigned_difference_below_zero_wraps() -> None:
    text = """
    __global__ void k(float *x) {
        unsigned t = threadIdx.x;
        if (t - 1u < 7u) x[t] = x[t] + 1; else x[100 + t] = 0;
        if (t == 0u && t - 1u > 5u) x[1] = 3;
    }
    """
    assert answer(text, "gridDim.x == 1") == "refuted"
    assert answer(text.replace("> 5u", "< 5u"), "gridDim.x == 1") == "proved"


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("t % 32 + 32 * (t / 32)", "proved"),
        ("t / 2", "refuted"),
        ("t ^ 1", "proved"),
        ("t & ~1", "refuted"),
        ("(t << 1) | 1", "proved"),
        ("t >> 1", "refuted"),
        ("min(t, 100)", "refuted"),
        ("t < 128 ? t : t + 128", "proved"),
        ("(unsigned char)t", "proved"),
        ("(signed char)t", "proved"),
        ("(unsigned char)(2 * t)", "refuted"),
    ],
)
def test_arithmetic_of_an_index(index: str, expected: str) -> None:
    text = f"__global__ void k(int *x) {{ int t = threadIdx.x; x[{index}] = t; }}"
    assert answer(text, "blockDim.x <= 256", "gridDim.x == 1") == expected


# --- the value written, atomics ---


def test_the_same_value_is_no_race() -> None:
    text = "__global__ void k(int n, int *x) { x[0] = n; }"
    assert answer(text) == "proved"
    assert answer(text.replace("= n", "= n + threadIdx.x")) == "refuted"


def test_atomics_race_with_plain_accesses_only() -> None:
    text = "__global__ void k(int *x) { atomicAdd(&x[0], 1); }"
    assert answer(text) == "proved"
    found = witness(text.replace("1); }", "1); x[1] = x[0]; }"))
    assert {found.first.does, found.second.does} == {"updates", "reads"}
    assert found.place == "x[0]"


def test_a_place_drawn_from_a_counter_is_ones_own() -> None:
    text = """
    __global__ void k(int n, const int *in, int *out, int *count) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n && in[i] > 0) { int at = atomicAdd(count, 1); out[at] = in[i]; }
    }
    """
    assert answer(text) == "proved"
    assert answer(text.replace("out[at]", "out[at / 2]")) == "not decided"


# --- shared memory and barriers ---

REVERSE = """
__global__ void reverse(int *x) {
    __shared__ int tile[256];
    int t = threadIdx.x;
    tile[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    x[blockIdx.x * 256 + t] = tile[255 - t];
}
"""


def test_a_barrier_between_is_proved_and_its_lack_refuted() -> None:
    assert answer(REVERSE, "blockDim.x == 256") == "proved"
    found = witness(REVERSE.replace("__syncthreads();", ""), "blockDim.x == 256")
    reads = next(s for s in (found.first, found.second) if s.does == "reads")
    writes = next(s for s in (found.first, found.second) if s.does == "writes")
    assert found.space == "shared"
    assert 255 - reads.thread[0] == writes.thread[0] == int(found.place[5:-1])
    assert reads.block == writes.block


def test_elements_of_two_dimensions_are_named() -> None:
    text = """
    __global__ void k(float *x) {
        __shared__ float tile[8][9];
        tile[threadIdx.y][threadIdx.x] = x[threadIdx.x];
        x[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    }
    """
    shape = ("blockDim.x == 8", "blockDim.y == 8", "gridDim.x == 1")
    found = witness(text.replace("x[threadIdx.x] = ", "float y = "), *shape)
    reads = next(s for s in (found.first, found.second) if s.does == "reads")
    assert found.place == f"tile[{reads.thread[0]}][{reads.thread[1]}]"


REDUCTION = """
__global__ void reduce(const float *x, float *y) {
    __shared__ float part[1024];
    unsigned t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}
"""


@pytest.mark.parametrize("assumptions", [(), ("blockDim.x == 256",), ("blockDim.x % 32 == 0",)])
def test_a_reduction_is_proved(assumptions: tuple[str, ...]) -> None:
    assert answer(REDUCTION, *assumptions) == "proved"


def test_a_reduction_without_the_barrier_in_its_loop_is_refuted() -> None:
    text = REDUCTION.replace("        __syncthreads();\n    }", "    }")
    found = witness(text, "blockDim.x == 64")
    assert found.array == "part"
    assert found.first.thread != found.second.thread


def test_the_end_of_a_round_meets_the_start_of_the_next() -> None:
    text = """
    __global__ void tiles(int n, const float *x, float *y) {
        __shared__ float tile[64];
        float sum = 0;
        for (int k = 0; k < n; k++) {
            tile[threadIdx.x] = x[k * 64 + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < 64; j++) sum += tile[j];
            __syncthreads();
        }
        y[blockIdx.x * 64 + threadIdx.x] = sum;
    }
    """
    shape = "blockDim.x == 64"
    assert answer(text, shape) == "proved"
    last = text.rindex("            __syncthreads();\n")
    found = witness(text[:last] + text[last:].replace("            __syncthreads();\n", "", 1), shape)
    assert {found.first.span.line, found.second.span.line} == {6, 8}
    assert dict(found.values)["n"] >= 2


def test_the_end_of_a_loop_meets_what_follows() -> None:
    text = """
    __global__ void k(int n, float *y) {
        __shared__ float tile[64];
        tile[threadIdx.x] = 0;
        for (int i = 0; i < n; i++) {
            __syncthreads();
            tile[threadIdx.x] += i;
        }
        y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    }
    """
    shape = "blockDim.x == 64"
    assert answer(text, shape) == "refuted"
    assert answer(text.replace("        y[", "        __syncthreads(); y["), shape) == "proved"


def test_a_loop_that_may_have_no_round_orders_nothing() -> None:
    text = """
    __global__ void k(int n, float *y) {
        __shared__ float tile[64];
        tile[threadIdx.x] = threadIdx.x;
        for (int i = 0; i < n; i++) __syncthreads();
        y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    }
    """
    shape = "blockDim.x == 64"
    assert dict(witness(text, shape, "n >= -1").values)["n"] <= 0
    assert verdict(text, shape).conditions == ("n > 0",)


def test_a_barrier_that_some_threads_reach_is_refuted() -> None:
    text = """
    __global__ void k(int n, float *x) {
        if (threadIdx.x < n) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; __syncthreads(); }
    }
    """
    found = witness(text)
    n = dict(found.values)["n"]
    assert found.kind == "divergence"
    assert (found.first.does, found.second.does) == ("waits", "does not wait")
    assert found.first.thread[0] < n <= found.second.thread[0]
    assert answer(text.replace("threadIdx.x < n", "blockIdx.x < n")) == "proved"


def test_a_barrier_under_a_condition_of_the_block_orders_where_it_is_met() -> None:
    text = """
    __global__ void k(int n, int *y) {
        __shared__ int tile[64];
        tile[threadIdx.x] = threadIdx.x;
        if (n > 3) __syncthreads();
        y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
    }
    """
    shape = "blockDim.x == 64"
    assert dict(witness(text, shape).values)["n"] <= 3
    assert answer(text, shape, "n > 3") == "proved"


def test_rounds_with_a_barrier_now_and_then_are_not_proved() -> None:
    text = """
    __global__ void k(int n, int *y) {
        __shared__ int tile[64];
        for (int i = 0; i < n; i++) {
            tile[threadIdx.x] = i;
            if (i % 8 == 7) __syncthreads();
            y[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
        }
    }
    """
    assert answer(text, "blockDim.x == 64") != "proved"


def test_warps_are_not_in_step_unless_the_architecture_is_old() -> None:
    text = """
    __global__ void k(int *x) {
        __shared__ int part[64];
        int t = threadIdx.x;
        part[t] = t;
        if (t < 16) part[t] += part[t + 16];
        x[blockIdx.x * blockDim.x + t] = t;
    }
    """
    assert verdict(text, "blockDim.x == 32").answer == "refuted"
    assert verdict(text, "blockDim.x == 32", arch=60).answer == "proved"
    assert answer(text.replace("if (t < 16)", "__syncwarp(); if (t < 16)"), "blockDim.x == 32") == "proved"
    assert answer(text.replace("if (t < 16)", "__syncwarp(); if (t < 16)"), "blockDim.x == 64") == "proved"
    wide = text.replace(
        "if (t < 16) part[t] += part[t + 16]", "__syncwarp(); if (t < 32) part[t] += part[t + 32]"
    )
    assert answer(wide, "blockDim.x == 64") == "refuted"


# --- functions, and what is not seen ---


def test_device_functions_run_inline() -> None:
    text = """
    struct View {
        float *data;
        int pitch;
        __device__ float &at(int r, int c) { return data[r * pitch + c]; }
    };
    __device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }
    __global__ void k(View v) { if (place() < v.pitch) v.at(0, place()) = 1.0f * place(); }
    """
    assert answer(text) == "proved"
    assert answer(text.replace("place()) =", "place() / 2) =")) == "refuted"


def test_what_is_not_seen_keeps_a_kernel_from_being_proved() -> None:
    text = "__device__ void unseen(float *); __global__ void k(float *x) { unseen(x); }"
    found = verdict(text)
    assert (found.answer, found.reasons) == (
        "not decided",
        ("call of unseen, whose definition is not visible",),
    )
    text = '__global__ void k(float *x) { asm volatile("bar.sync 0;"); }'
    assert verdict(text).answer == "not decided"


def test_a_loop_left_by_data_may_be_proved_and_is_not_refuted() -> None:
    text = """
    __global__ void k(int n, const int *stop, int *x) {
        int i = threadIdx.x;
        while (i < n) { x[i] = i * 2 + threadIdx.x; if (stop[i]) break; i += blockDim.x; }
    }
    """
    assert answer(text, "gridDim.x == 1") == "proved"
    wrong = text.replace("i += blockDim.x", "i += 1").replace("i * 2 + threadIdx.x", "threadIdx.x")
    assert answer(wrong, "gridDim.x == 1") == "not decided"


def test_a_spent_budget_is_said() -> None:
    found = verdict(REDUCTION.replace("part[t + s]", "part[(t * t + s * t) % (s * 3 + 1)]"), timeout=0.01)
    assert (found.answer, found.reasons) == ("not decided", ("out of time",))
