"""How far accesses go: into dynamic shared memory, and beyond the ends of buffers."""

from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.ir.unit import Unit
from cudalint.simt.facts.bounds.off_by_one import OffByOne
from cudalint.simt.facts.bounds.reach import DynamicReach, Overrun
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run
from cudalint.simt.values.thread import Thread


def unit_of(code: str) -> Unit:
    return load("a.cu", LoadOptions(text=code))


def facts(code: str) -> KernelFacts:
    """The facts of the only kernel in the code, with its launches."""
    unit = unit_of(code)
    (found,) = run(unit, run_host(unit), ModelOptions())
    return found


DYNAMIC = "__global__ void k(int *d, int n) {{ extern __shared__ int s[]; int t = threadIdx.x; {} }}\n"


def reach(body: str, launch: str = "k<<<1, 64>>>(d, 8);") -> list[int]:
    code = DYNAMIC.format(body) + f"void run(int *d, int m) {{ {launch} }}"
    return [found.bytes for found in facts(code).of(DynamicReach)]


def test_the_furthest_access_counts():
    assert reach("s[t] = d[t]; s[2 * t] = 1;") == [127 * 4]
    assert reach("s[t + n] = d[t];") == [72 * 4]
    assert reach("for (int k = 0; k < 3; ++k) s[t + 64 * k] = d[t];") == [192 * 4]


def test_a_guard_with_a_known_number_is_followed():
    assert reach("if (t < n) s[t] = d[t];") == [8 * 4]


def test_numbers_that_nobody_knows_tell_only_that_it_is_used():
    assert reach("if (t < n) s[t] = d[t];", "k<<<1, 64>>>(d, m);") == [0]


def test_a_condition_for_all_threads_may_keep_them_from_it():
    assert reach("if (n > 9) s[t] = d[t];", "k<<<1, 64>>>(d, m);") == []
    assert reach("if (d[0] > 9) s[t] = d[t];") == []
    assert reach("if (d[t] > 9) s[t] = d[t];") == []


BUFFER = "void run(int m) {{ int *d; cudaMalloc(&d, 250 * sizeof(int)); k<<<4, 64>>>({}); }}"


def test_a_thread_beyond_the_end_is_told():
    body = "int i = blockIdx.x * 64 + threadIdx.x; "
    (found,) = facts(f"__global__ void k(int *d) {{ {body} d[i] = i; }} " + BUFFER.format("d")).of(Overrun)
    assert (found.index, found.elements, found.inside) == (250, 250, True)
    assert found.thread == Thread((58, 0, 0), (3, 0, 0))


def test_guards_keep_threads_inside():
    body = "int i = blockIdx.x * 64 + threadIdx.x; "
    guarded = f"__global__ void k(int *d, int n) {{ {body} if (i < n) d[i] = i; }} "
    assert facts(guarded + BUFFER.format("d, 250")).of(Overrun) == ()
    assert facts(guarded + BUFFER.format("d, m")).of(Overrun) == ()
    assert len(facts(guarded + BUFFER.format("d, 256")).of(Overrun)) == 1
    loaded = f"__global__ void k(int *d) {{ {body} if (i < *d) d[i] = i; }} "
    assert facts(loaded + BUFFER.format("d")).of(Overrun) == ()


def test_static_shared_memory_is_what_is_read():
    unit = unit_of(
        "__device__ int f(int x) { __shared__ int u[8]; u[x] = x; return u[x ^ 1]; }\n"
        "__global__ void k(int *d) { __shared__ int r[16]; __shared__ int w[32]; extern __shared__ int e[];\n"
        "  r[0] = d[0]; w[r[1]] = 1; e[0] = f(2); d[1] = e[1]; }"
    )
    kernel = next(f for f in unit.functions.values() if f.kernel)
    assert static_shared_bytes(unit, kernel) == (16 + 8) * 4


def off_by_one(guard: str, grid: str = "(n + 255) / 256", passed: str = "n") -> list[tuple[str, str]]:
    """The condition of an access `d[i]`; which threads were one too many, and how often."""
    code = "__global__ void k(int *d, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    code += f"if ({guard}) d[i] = i; }} void run(int *d, int n) {{ k<<<{grid}, 256>>>(d, {passed}); }}"
    return [(one.count, one.operation) for one in facts(code).of(OffByOne)]


def test_a_guard_that_thread_n_passes():
    assert off_by_one("i <= n") == off_by_one("!(n < i)") == off_by_one("i < n + 1") == [("n", "store")]
    assert off_by_one("i <= n", "(2 * n + 255) / 256", "2 * n") == [("2 * n", "store")]


def test_guards_that_agree_with_the_grid():
    assert off_by_one("i < n") == off_by_one("i <= n - 1") == off_by_one("i > 0 && i < n") == []
    assert off_by_one("i <= n", "(n + 256) / 256") == off_by_one("i <= n", passed="n - 1") == []
    assert off_by_one("i <= n", "n / 256") == off_by_one("i <= n", "(n + 255) / 256", "2 * n") == []


def test_blocks_of_a_size_that_the_host_code_reads():
    code = "__global__ void k(int *d, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; "
    code += "if ({}) d[i] = i; }} void run(int *d, int n, int t) {{ k<<<(n + t - 1) / t, t>>>(d, n); }}"
    assert [(one.count, one.per) for one in facts(code.format("i <= n")).of(OffByOne)] == [("n", "t")]
    assert facts(code.format("i < n")).of(OffByOne) == ()


def test_one_thread_that_does_something_of_its_own_is_no_guard():
    assert off_by_one("i == n") == []
