"""Who reaches a barrier, and what else orders threads: groups, assembly, locks, library functions."""

import pytest

from cudalint.analyses import locks
from cudalint.cuda import assembly
from cudalint.cuda.asynchronous import waits_for_nobody
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import walk
from cudalint.simt.facts.barriers import Barrier
from tests.support.modelled import facts

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def barriers(body: str, *assumptions: str, before: str = "") -> tuple[Barrier, ...]:
    code = f"{before}__global__ void k(float *out, int n, const int *in) {{ int t = threadIdx.x; {body} }}"
    found = facts(code, *assumptions).barriers
    return tuple(sorted(found, key=lambda b: (b.span.line, b.span.column)))


def missed(body: str, *assumptions: str, before: str = "") -> list[str]:
    return [b.reached_by for b in barriers(body, *assumptions, before=before)]


@pytest.mark.parametrize(
    "body",
    [
        "if (blockIdx.x) __syncthreads();",
        "if (n > 7) __syncthreads();",
        "if (in[blockIdx.x] > 7) __syncthreads();",
        "if (in[n] == 7) return; __syncthreads();",
        "if (__syncthreads_and(in[t])) __syncthreads();",
        "for (int k = 0; k < n; k++) __syncthreads();",
        "for (int k = t; k < 64 * 90; k += 64) __syncthreads();",
        "for (int k = 0; k < 9; k++) { if (t < k) continue; out[t] = k; } __syncthreads();",
        "for (int k = 0; k < 9; k++) { if (t < k) break; out[t] = k; } __syncthreads();",
        "if (t < 32) { } else { } __syncthreads();",
        "switch (n) { case 1: __syncthreads(); break; default: __syncthreads(); }",
    ],
)
def test_conditions_that_are_one_for_the_block(body: str) -> None:
    assert set(missed(body)) == {"all"}


@pytest.mark.parametrize(
    ("body", "condition"),
    [
        ("if (t < 9) __syncthreads();", "t < 9"),
        ("if (t < 9) return; __syncthreads();", "t < 9"),
        ("for (int k = 0; k < t; k++) __syncthreads();", "k < t"),
        ("for (int k = t; k < 6000; k += 48) __syncthreads();", "k < 6000"),
        ("for (int k = 0; k < 9; k++) { if (t == k) break; __syncthreads(); }", "t == k"),
        ("for (int k = 0; k < 9; k++) { if (t == k) continue; __syncthreads(); }", "t == k"),
        ("switch (t % 3) { case 1: __syncthreads(); }", "t % 3"),
        ("int k = t; do { __syncthreads(); } while (++k < 70);", "(k += 1) < 70"),
        ("if (n > 3) { if (t % 2) { __syncthreads(); } }", "t % 2"),
    ],
)
def test_conditions_that_part_the_block(body: str, condition: str) -> None:
    (barrier,) = barriers(body)
    assert (barrier.reached_by, barrier.certain) == ("some", True)
    assert barrier.condition == condition


@pytest.mark.parametrize(
    "body",
    [
        "if (in[t / 32] > 4200) __syncthreads();",
        "for (int k = in[t / 32]; k < in[t / 32 + 1]; k++) __syncthreads();",
        "if (in[t / 32] > 4200) return; __syncthreads();",
        "while (atomicAdd((int *)out, 1) < n) __syncthreads();",
    ],
)
def test_data_that_no_two_threads_are_shown_to_differ_in_tells_nothing(body: str) -> None:
    assert "some" not in missed(body)


@pytest.mark.parametrize(
    "body",
    [
        "if (in[t] > 7) __syncthreads();",
        "for (int k = 0; k < 9; k++) { if (in[t + k] == 3) break; __syncthreads(); }",
        "float x = in[t]; do { __syncthreads(); x *= 0.5f; } while (x > 1e-30f);",
    ],
)
def test_data_of_each_thread_parts_the_block(body: str) -> None:
    (barrier,) = barriers(body)
    assert (barrier.reached_by, barrier.by_data, barrier.certain) == ("some", True, False)


def test_a_barrier_that_some_sizes_part() -> None:
    (barrier,) = barriers("for (int k = t; k < n; k += 64) __syncthreads();")
    assert (barrier.reached_by, barrier.certain) == ("some", False)
    assert barrier.sizes.startswith("n = ")
    assert int(barrier.sizes.removeprefix("n = ")) % 64
    assert missed("for (int k = t; k < n; k += 64) __syncthreads();", "n % 64 == 0") == ["all"]


def test_a_thread_that_left_by_return() -> None:
    first, second = barriers("if (t == 3) { __syncthreads(); return; } __syncthreads();")
    assert (first.returned, second.returned) == (False, True)
    assert first.missing == second.reaching
    assert first.reaching == second.missing


def test_each_call_of_a_function_with_a_barrier_is_one() -> None:
    helper = "__device__ void wait() { __syncthreads(); }\n"
    both = barriers("if (t < 32) wait(); else wait();", before=helper)
    assert [b.reached_by for b in both] == ["some", "some"]
    assert len({b.call for b in both}) == 2
    assert missed("wait(); wait();", before=helper) == ["all", "all"]
    skipping = "__device__ void wait(int t) { if (t < 3) return; __syncthreads(); }\n"
    (barrier,) = barriers("wait(t);", before=skipping)
    assert barrier.reached_by == "some"
    assert not barrier.returned  # not from the kernel
    assert missed("wait(t); __syncthreads();", before=skipping) == ["some", "all"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (blockIdx.x == 0) cg::this_grid().sync();", [("grid", "some")]),
        ("if (blockIdx.x == 0) cg::this_thread_block().sync();", [("block", "all")]),
        ("if (t < 32) cg::sync(cg::this_thread_block());", [("block", "some")]),
        ("if (n > 3) cg::synchronize(cg::this_grid());", [("grid", "all")]),
        ("if (in[blockIdx.x] % 128) cg::this_grid().sync();", [("grid", "unknown")]),
        ("if (t < 32) cg::this_cluster().sync();", [("cluster", "some")]),
        ("if (t < 32) cg::tiled_partition<32>(cg::this_thread_block()).sync();", []),
        ("if (t < 32) cg::coalesced_threads().sync();", []),
    ],
)
def test_groups_wait_at_their_own_level(body: str, expected: list[tuple[str, str]]) -> None:
    found = barriers(body, "gridDim.x == 4", "gridDim.y == 1", "gridDim.z == 1", before=GROUPS)
    assert [(b.scope, b.reached_by) for b in found] == expected


def test_groups_need_no_header_of_their_own() -> None:
    before = "#include <cuda.h>\nusing namespace cooperative_groups;\n"
    assert missed("grid_group g = this_grid(); if (t < 9) synchronize(g);", before=before) == ["some"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('asm volatile("bar.sync 0;" ::: "memory")', "block"),
        ('asm("barrier.cta.sync.aligned %0;" :: "r"(id))', "block"),
        ('asm("bar.sync %0, %1;" :: "r"(id), "r"(count))', "unknown"),
        ('asm("bar.arrive 1, 64;")', "unknown"),
        ('asm("bar.warp.sync 0xffffffff;")', "warp"),
        ('asm("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at))', "unknown"),
        ('asm("mov.u32 %0, %%laneid; // no bar.sync 0;" : "=r"(lane))', "nothing"),
        ('asm("cp.async.wait_group 0;")', "nothing"),
        ("SOME_MACRO(0)", "unknown"),
    ],
)
def test_assembly_is_read(text: str, expected: str) -> None:
    assert assembly.ordering(text) == expected


WORDS = "__device__ int word; __device__ volatile int flag;\n"


def loops(body: str) -> list[bool]:
    """Whether each loop of the kernel waits, in the order of the source."""
    code = f"{WORDS}__global__ void k(int *p, int n) {{ int t = threadIdx.x; {body} }}"
    unit = load("kernel.cu", LoadOptions(text=code))
    function = unit.functions[unit.kernels[0]]
    assert function.body is not None
    found = locks.study(unit, function)
    return [id(node) in found.loops for node in walk(function.body) if isinstance(node, s.Loop)]


@pytest.mark.parametrize(
    "body",
    [
        "while (atomicCAS(&word, 0, 1) != 0) { }",
        "while (atomicExch(&word, 1)) { }",
        "while (flag != t) { }",
        "do { } while (atomicAdd(p, 0) < n);",
        "int seen; do { seen = __ldcg(p); } while (seen == 0);",
        "for (;;) { if (*(volatile int *)p) break; }",
        "int expected = 0; while (atomicCAS(p, expected, 1) != expected) { }",
        "while (atomicCAS(p, t, t + 1) != t) { }",
        "bool done = false; while (!done) { if (atomicCAS(p, 0, 1) == 0) { *p = n; done = true; } }",
        'unsigned v; do { asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p)); } while (!v);',
    ],
)
def test_loops_that_wait(body: str) -> None:
    assert loops(body) == [True]


@pytest.mark.parametrize(
    "body",
    [
        "int old = *p, was; do { was = old; old = atomicCAS(p, was, was * 2); } while (old != was);",
        "int was; do { was = *p; } while (atomicCAS(p, was, was | 4) != was);",
        "for (int k; (k = atomicAdd(p, 1)) < n;) { }",
        "while (*p) { }",
        "do { __syncthreads(); } while (flag);",
        "for (int k = 0; k < n; k++) atomicAdd(p + k, 1);",
    ],
)
def test_loops_that_do_not_wait(body: str) -> None:
    assert loops(body) == [False]


def test_loads_of_a_word_that_a_loop_updates() -> None:
    code = """
    __device__ float add(float *at, float x) {
        int *p = (int *)at, old = *p, was;
        do {
            was = old;
            old = atomicCAS(p, was, __float_as_int(x + __int_as_float(was)));
        } while (old != was);
        return __int_as_float(old) + at[1];
    }
    __global__ void k(float *out) { add(out, 1.0f); }
    """
    unit = load("kernel.cu", LoadOptions(text=code))
    (function,) = (f for f in unit.functions.values() if f.name == "add")
    assert function.body is not None
    found = locks.study(unit, function)
    assert {render(n) for n in walk(function.body) if id(n) in found.loads} == {"*p"}  # type: ignore[arg-type]


def races(code: str, *assumptions: str) -> list[str]:
    grid = ("gridDim.x == 8", "gridDim.y == 1", "gridDim.z == 1")
    return [race.index for race in facts(code, *grid, *assumptions).races]


SHARED = "__shared__ int s[64]; int t = threadIdx.x; s[t] = t;"


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("__syncthreads();", False),
        ('asm volatile("bar.sync 0;");', False),
        ('asm volatile("bar.sync 1, 64;");', False),
        ('asm volatile("mov.u32 %0, %%laneid;" : "=r"(t));', True),
        ("__syncwarp();", True),
        ("cg::this_thread_block().sync();", False),
        ("cg::this_thread_block().barrier_wait(cg::this_thread_block().barrier_arrive());", False),
        ("auto token = cg::this_thread_block().barrier_arrive();", True),
        ("cg::this_grid().sync();", False),
        ("cg::this_cluster().sync();", False),
        ("cg::tiled_partition<32>(cg::this_thread_block()).sync();", True),
        ("cg::tiled_partition(cg::this_thread_block(), n).sync();", False),
        ("b.arrive_and_wait();", False),
        ("auto token = b.arrive();", True),
        ("pipe.consumer_wait();", True),
        ("unseen();", False),
        ("memset(&t, 0, sizeof(t)); t = threadIdx.x;", True),
    ],
)
def test_what_orders_shared_memory(between: str, expected: bool) -> None:
    code = f"""#include <cuda/barrier>
    #include <cuda/pipeline>
    {GROUPS}
    __device__ void unseen();
    __global__ void k(int *out, int n) {{
        __shared__ cuda::barrier<cuda::thread_scope_block> b;
        cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
        {SHARED} {between}
        out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    }}"""
    found = races(code)
    assert bool(found) is expected
    assert all(index.startswith("s[") for index in found)


def test_signals_are_told_by_their_object() -> None:
    code = """#include <cuda/barrier>
    struct own { __device__ void arrive(); };
    __global__ void k() {
        __shared__ cuda::barrier<cuda::thread_scope_block> b;
        own o;
        b.arrive();
        o.arrive();
    }"""
    unit = load("kernel.cu", LoadOptions(text=code))
    body = unit.functions[unit.kernels[0]].body
    assert body is not None
    calls = [node for node in walk(body) if getattr(node, "name", "") == "arrive"]
    assert [waits_for_nobody(call) for call in calls] == [True, False]  # type: ignore[arg-type]


RANDOM = "#include <curand_kernel.h>\n"


@pytest.mark.parametrize(
    ("at", "expected"), [("0", True), ("blockIdx.x", True), ("blockIdx.x * 64 + threadIdx.x", False)]
)
def test_generators_that_share_a_state_race(at: str, expected: bool) -> None:
    code = f"""{RANDOM}__global__ void k(curandState *states, float *out) {{
        int i = blockIdx.x * 64 + threadIdx.x;
        out[i] = curand_uniform(&states[{at}]);
    }}"""
    assert bool(races(code)) is expected


def test_generators_of_ones_own() -> None:
    code = f"""{RANDOM}__global__ void k(curandState *states, float *out) {{
        int i = blockIdx.x * 64 + threadIdx.x;
        curandState own = states[i];
        out[i] = curand_normal(&own);
        states[i] = own;
        __shared__ int s[64];
        s[curand(&own) % 64] = 1;
    }}"""
    assert races(code) == []


@pytest.mark.parametrize(
    ("bytes", "expected"), [("sizeof(float4)", False), ("sizeof(float4) + 4", True), ("n", False)]
)
def test_copies_are_exact_to_the_byte(bytes: str, expected: bool) -> None:
    code = f"""__global__ void k(float4 *out, const char *in, int n) {{
        __shared__ float4 s[65];
        memcpy(&s[threadIdx.x], in, {bytes});
    }}"""
    found = facts(code.replace("in, ", "in + 1024 * threadIdx.x, ")).races
    assert bool(found) is expected


def test_copies_between_private_objects_keep_their_numbers() -> None:
    code = """
    struct pair { int first, second; };
    __global__ void k(float *out) {
        pair a, b, c = {7, 8}; float bits; int whole = 5;
        a.first = threadIdx.x; a.second = 2;
        memcpy(&b, &a, sizeof(a));
        memset(&c, 0, sizeof(c));
        memcpy(&bits, &whole, 4);
        out[b.first * b.second + c.first] = bits;
        out[(int)bits] = 1;
    }"""
    found = {a.expression: a for a in facts(code).accesses}
    assert found["out[(b.first * b.second) + c.first]"].layout.lane_stride == 8
    assert found["out[(int)bits]"].basis.unknown
