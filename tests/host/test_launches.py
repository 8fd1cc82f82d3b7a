"""Launch shapes, arguments and kernels by constant propagation through host code."""

from pathlib import Path

import pytest

from cudalint.frontend import LoadOptions, load
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.model import run
from cudalint.simt.launch.arguments import together

PRELUDE = """\
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
__global__ void other(float *a, int n) { a[threadIdx.x] = n; }
template <int B> __global__ void sized(float *a) { a[threadIdx.x] = B; }
"""


def facts(tmp_path: Path, text: str) -> HostFacts:
    path = tmp_path / "a.cu"
    path.write_text(PRELUDE + text)
    unit = load(str(path))
    assert not unit.problems
    return run(unit)


def launches(tmp_path: Path, body: str) -> tuple[LaunchFact, ...]:
    """The launches of `main` with this body."""
    return facts(tmp_path, f"int main(int argc, char **argv)\n{{\n    float *d = 0;\n{body}\n}}\n").launches


def blocks(found: tuple[LaunchFact, ...]) -> list[tuple[int | None, int | None, int | None]]:
    return [fact.block for fact in found]


@pytest.mark.parametrize(
    ("body", "grid", "block"),
    [
        ("k<<<10, 256>>>(d, 1);", (10, 1, 1), (256, 1, 1)),
        ("k<<<dim3(2, 3), dim3(4, 5, 6)>>>(d, 1);", (2, 3, 1), (4, 5, 6)),
        ("const int b = 1 << 7; k<<<(1000 + b - 1) / b, b>>>(d, 1);", (8, 1, 1), (128, 1, 1)),
        ("dim3 b(8, 8); b.x *= 2; dim3 c = b; k<<<1, c>>>(d, 1);", (1, 1, 1), (16, 8, 1)),
        ("int n = 1000; k<<<ceil(n / 256.0), 256>>>(d, 1);", (4, 1, 1), (256, 1, 1)),
        ("int n = 1000; k<<<(int)ceilf((float)n / 96), 96>>>(d, 1);", (11, 1, 1), (96, 1, 1)),
        ("k<<<std::min(65535, 70000), std::max(32, 64)>>>(d, 1);", (65535, 1, 1), (64, 1, 1)),
        ("size_t n = 3; n <<= 40; k<<<n >> 38, 32>>>(d, 1);", (12, 1, 1), (32, 1, 1)),
        ("unsigned n = 0; k<<<n - 1, 32>>>(d, 1);", (4294967295, 1, 1), (32, 1, 1)),
        ("int b = 32; while (b < 200) b *= 2; k<<<1, b>>>(d, 1);", (1, 1, 1), (256, 1, 1)),
        (
            "int b; switch (3) { case 3: b = 96; break; default: b = 1; } k<<<1, b>>>(d, 1);",
            (1, 1, 1),
            (96, 1, 1),
        ),
        (
            "int m = 48; auto f = [b = m * 2, g = 3, d] { k<<<g, b>>>(d, 1); }; m = 1; f();",
            (3, 1, 1),
            (96, 1, 1),
        ),
        ("int s[] = {1, 2, 4}; k<<<s[1], s[2] * 32>>>(d, 1);", (2, 1, 1), (128, 1, 1)),
        ("std::vector<float> v(640); k<<<v.size() / 64, 64>>>(d, 1);", (10, 1, 1), (64, 1, 1)),
        (
            "auto cover = [](int n, int b) { return (n + b - 1) / b; }; k<<<cover(100, 32), 32>>>(d, 1);",
            (4, 1, 1),
            (32, 1, 1),
        ),
        (
            "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);k<<<p.warpSize, p.maxThreadsPerBlock>>>(d, 1);",
            (32, 1, 1),
            (1024, 1, 1),
        ),
        (
            "int w; cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, 0); k<<<1, 4 * w>>>(d, 1);",
            (1, 1, 1),
            (128, 1, 1),
        ),
        ("int b = 64; auto grow = [&b] { b *= 2; }; grow(); k<<<1, b>>>(d, 1);", (1, 1, 1), (128, 1, 1)),
    ],
)
def test_known_shapes(tmp_path: Path, body: str, grid: object, block: object) -> None:
    (fact,) = launches(tmp_path, body)
    assert (fact.grid, fact.block) == (grid, block)


@pytest.mark.parametrize(
    "body",
    [
        "int b = atoi(argv[1]); k<<<1, b>>>(d, 1);",
        "int b = argc > 1 ? atoi(argv[1]) : 256; k<<<1, b>>>(d, 1);",
        "int b = 256; if (argc > 1) b = atoi(argv[1]); k<<<1, b>>>(d, 1);",
        "int b = argc > 1 ? 128 : 256; k<<<1, b>>>(d, 1);",
        "int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0); k<<<1, b>>>(d, 1);",
        "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); k<<<1, p.multiProcessorCount>>>(d, 1);",
        "int b; cudaDeviceGetAttribute(&b, cudaDevAttrMultiProcessorCount, 0); k<<<1, b>>>(d, 1);",
        "int b = 256; while (argc-- > 0) b /= 2; k<<<1, b>>>(d, 1);",
        "int b; k<<<1, b>>>(d, 1);",
        "int b[4] = {32, 32, 32, 32}; b[argc] = 64; k<<<1, b[2]>>>(d, 1);",
    ],
)
def test_what_depends_on_input_is_not_guessed(tmp_path: Path, body: str) -> None:
    (fact,) = launches(tmp_path, body)
    assert fact.block == (None, 1, 1)


def test_only_the_unknown_extents_are_unknown(tmp_path: Path) -> None:
    (fact,) = launches(tmp_path, "k<<<dim3(argc, 4), dim3(16, argc, 2)>>>(d, 1);")
    assert fact.grid == (None, 4, 1)
    assert fact.block == (16, None, 2)


def test_functions_called_with_constants(tmp_path: Path) -> None:
    text = """
int cover(int n, int b) { return n % b ? n / b + 1 : n / b; }
dim3 square(int side) { return dim3(side, side); }
void widen(dim3 &b) { b.x *= 2; }
void keep(dim3 b) { b.x = 1; }
void go(float *d, int n, dim3 b) { k<<<cover(n, b.x), b>>>(d, n); }
int main() { float *d = 0; dim3 b = square(8); widen(b); keep(b); go(d, 100, b); }
"""
    (fact,) = facts(tmp_path, text).launches
    assert fact.grid == (7, 1, 1)
    assert fact.block == (16, 8, 1)
    assert fact.arguments is not None
    assert fact.arguments[1].value == 100


def test_globals_and_statics(tmp_path: Path) -> None:
    text = """
static int fixed = 64;
int changed = 64;
struct Policy { static const int threads = 96; enum { ROWS = 2 }; };
void set(int n) { changed = n; }
void later(float *d) { k<<<fixed, 32>>>(d, 1); k<<<changed, 32>>>(d, 1); }
int main()
{
    float *d = 0;
    k<<<1, Policy::threads * Policy::ROWS>>>(d, 1);
    set(128);
    k<<<1, changed>>>(d, 1);
}
"""
    shapes = {(fact.grid[0], fact.block[0]) for fact in facts(tmp_path, text).launches}
    # `later` is not called by main: what some function writes may hold anything there
    assert shapes == {(1, 192), (1, 128), (64, 32), (None, 32)}


def test_a_loop_over_sizes_gives_each_shape(tmp_path: Path) -> None:
    found = launches(tmp_path, "for (int b = 32; b <= 1024; b *= 2) k<<<1024 / b, b>>>(d, 1);")
    assert [(f.grid[0], f.block[0]) for f in found] == [
        (32, 32),
        (16, 64),
        (8, 128),
        (4, 256),
        (2, 512),
        (1, 1024),
    ]
    found = launches(tmp_path, "for (int b : {64, 96}) for (int r = 0; r < 1000; ++r) k<<<1, b>>>(d, 1);")
    assert blocks(found) == [(64, 1, 1), (96, 1, 1)]


def test_template_functions_and_kernels(tmp_path: Path) -> None:
    text = """
template <int B> void go(float *d) { sized<B><<<4, B>>>(d); }
template <class P> void by_policy(float *d) { k<<<1, P::threads>>>(d, 1); }
struct A { static constexpr int threads = 32; };
struct C { static constexpr int threads = 64; };
int main() { float *d = 0; go<128>(d); go<64>(d); by_policy<A>(d); by_policy<C>(d); }
"""
    found = facts(tmp_path, text).launches
    assert sorted(fact.block[0] or 0 for fact in found) == [32, 64, 64, 128]
    sized = [fact for fact in found if fact.name == "sized"]
    assert len({fact.key for fact in sized}) == 2


def test_runtime_launches_and_function_pointers(tmp_path: Path) -> None:
    text = """
void through(void (*kernel)(float *, int), float *d, int b) { kernel<<<2, b>>>(d, 3); }
int main()
{
    float *d = 0; int n = 5;
    void *arguments[] = {&d, &n};
    cudaLaunchKernel((void *)k, dim3(3, 2), dim3(64), arguments, 128, 0);
    cudaLaunchCooperativeKernel((void *)other, dim3(1), dim3(96), arguments, 0, 0);
    through(k, d, 160);
    through(other, d, 32);
}
"""
    found = [(f.name, f.grid, f.block[0], f.dynamic_shared_bytes) for f in facts(tmp_path, text).launches]
    assert found == [
        ("k", (3, 2, 1), 64, 128),
        ("other", (1, 1, 1), 96, 0),
        ("k", (2, 1, 1), 160, 0),
        ("other", (2, 1, 1), 32, 0),
    ]


def test_launch_macros(tmp_path: Path) -> None:
    text = """
#define RUN(kernel, n, ...) do { kernel<<<((n) + 63) / 64, 64>>>(__VA_ARGS__); cudaGetLastError(); } while (0)
int main() { float *d = 0; RUN(k, 1000, d, 7); }
"""
    (fact,) = facts(tmp_path, text).launches
    assert fact.grid == (16, 1, 1)
    assert fact.arguments is not None
    assert fact.arguments[1].value == 7


def test_pointer_arguments_name_their_buffers(tmp_path: Path) -> None:
    text = """
__global__ void two(float *a, float *b, float *c) { a[0] = b[0] + c[0]; }
int main(int argc, char **argv)
{
    float *x, *y;
    cudaMalloc(&x, 400);
    cudaMalloc((void **)&y, argc * 4);
    two<<<1, 32>>>(x, y, x + 8);
    float *z = argc > 1 ? x : y;
    two<<<1, 64>>>(z, x + argc, 0);
}
"""
    first, second = facts(tmp_path, text).launches
    assert first.arguments is not None
    assert second.arguments is not None
    x, y, shifted = first.arguments
    assert x.buffer is not None
    assert y.buffer is not None
    assert (x.buffer.name, x.buffer.space, x.buffer.bytes, x.offset) == ("x", "device", 400, 0)
    assert (y.buffer.name, y.buffer.bytes) == ("y", None)
    assert (shifted.buffer, shifted.offset) == (x.buffer, 32)
    either, moved, null = second.arguments
    assert either.buffer is None
    assert (moved.buffer, moved.offset) == (x.buffer, None)
    assert null.value == 0


def test_struct_arguments_hand_over_their_fields(tmp_path: Path) -> None:
    text = """
struct P { float *data; int n; int m; };
__global__ void with(P p) { p.data[0] = p.n; }
int main(int argc, char **argv) { P p; cudaMalloc(&p.data, 64); p.n = 16; p.m = argc; with<<<1, 32>>>(p); }
"""
    (fact,) = facts(tmp_path, text).launches
    assert fact.arguments is not None
    fields = dict(fact.arguments[0].fields)
    assert fields[0].buffer is not None
    assert fields[0].buffer.bytes == 64
    assert fields[8].value == 16
    assert fields[12].value is None


def test_known_divisors_of_unknown_integers(tmp_path: Path) -> None:
    (fact,) = launches(tmp_path, "int n = atoi(argv[1]) * 64; k<<<n / 32, 32>>>(d, n);")
    assert fact.arguments is not None
    assert (fact.arguments[1].value, fact.arguments[1].multiple_of) == (None, 64)


def test_what_constants_keep_control_from_is_told_apart(tmp_path: Path) -> None:
    text = """
const bool legacy = false;
int main()
{
    float *d = 0;
    if (legacy) { k<<<1, 100>>>(d, 1); other<<<1, 96>>>(d, 1); }
    else k<<<1, 128>>>(d, 1);
}
"""
    found = {(fact.name, fact.block[0], fact.reached) for fact in facts(tmp_path, text).launches}
    # k is launched elsewhere; of `other` the unreached launch is all there is
    assert found == {("k", 128, True), ("other", 96, False)}


def test_a_compared_size_is_guarded(tmp_path: Path) -> None:
    guarded, free = launches(
        tmp_path,
        "int limit = atoi(argv[1]), b = 2048; if (b > limit) return 1;"
        "k<<<1, b>>>(d, 1); other<<<1, 64>>>(d, 1);",
    )
    assert guarded.guarded
    assert not free.guarded


def test_code_after_exit_does_not_run(tmp_path: Path) -> None:
    found = launches(tmp_path, "int b = 64; if (argc > 1) { b = 32; exit(1); } k<<<1, b>>>(d, 1);")
    assert blocks(found) == [(64, 1, 1)]


def test_recursion_and_endless_loops_end(tmp_path: Path) -> None:
    text = """
void down(float *d, int n) { if (n > 0) down(d, n - 1); k<<<1, 32>>>(d, n); }
int main() { float *d = 0; down(d, 1000000); for (;;) { k<<<1, 64>>>(d, 1); } }
"""
    assert {fact.block[0] for fact in facts(tmp_path, text).launches} == {32, 64}


def test_a_unit_without_cuda_has_no_facts(tmp_path: Path) -> None:
    path = tmp_path / "plain.cu"
    path.write_text("int main() { for (int i = 0; i < 1000000000; ++i) {} return 0; }\n")
    assert run(load(str(path))) == HostFacts((), (), ())


def test_known_divisors_of_unknown_offsets(tmp_path: Path) -> None:
    text = """
struct Row { float x, y, z, w; };
__global__ void rows(float *a, float *b, float *c, float *e) { a[0] = b[0] + c[0] + e[0]; }
int main(int argc, char **argv)
{
    float *x;
    Row *r;
    int n = atoi(argv[1]);
    cudaMalloc(&x, 4096);
    cudaMalloc(&r, 4096);
    float *moved = x;
    for (int i = 0; i < n; ++i) moved += 24;
    rows<<<1, 32>>>(x + 32 * n, x + 32 * n + 8, moved, &r[n].z);
}
"""
    (fact,) = facts(tmp_path, text).launches
    assert fact.arguments is not None
    assert all(a.buffer is not None and a.offset is None for a in fact.arguments)
    assert [a.multiple_of for a in fact.arguments] == [128, 32, 96, 8]


def test_the_lesser_of_two_multiples_is_a_multiple(tmp_path: Path) -> None:
    (fact,) = launches(tmp_path, "int n = atoi(argv[1]) * 64; k<<<1, 32>>>(d, std::min(n, 96));")
    assert fact.arguments is not None
    assert (fact.arguments[1].value, fact.arguments[1].multiple_of) == (None, 32)


def test_a_number_of_several_launches_is_not_told_as_one(tmp_path: Path) -> None:
    found = launches(tmp_path, "k<<<1, 32>>>(d, 40); k<<<1, 32>>>(d, 24);")
    rows = together(found)
    assert rows is not None
    assert (rows[1].value, rows[1].values, rows[1].multiple_of) == (None, (40, 24), 8)


@pytest.mark.parametrize(
    ("check", "multiple"),
    [
        ("if (n % 32) return 1;", 32),
        ("if (n % 32 != 0 || n < 1) exit(2);", 32),
        ("if (n & 31) abort();", 32),
        ("if (n & 30) abort();", None),
        ("if (n / 48 * 48 != n) throw 1;", 48),
        ("assert(n % 32 == 0); assert(n % 48 == 0);", 96),
        ("if (!(n % 32 == 0 && argc)) return 1;", 32),
        ("bool whole = n % 32 == 0; if (!whole) return 1;", 32),
        ("demand(n % 32 == 0);", 32),
        ("if (n % 32) puts(argv[0]);", None),
        ("if (n % 32 == 0) return 1;", None),
        ("if (n % argc) return 1;", None),
        ("if (n % 32) return 1; n = atoi(argv[2]);", None),
    ],
)
def test_what_the_program_checks_before_a_launch_divides_the_number(
    tmp_path: Path, check: str, multiple: int | None
) -> None:
    head = (
        "#include <cassert>\n#include <cstdio>\n#include <cstdlib>\n"
        "__global__ void k(int n);\nstatic void demand(bool holds) { if (!holds) exit(1); }\n"
    )
    body = f"int n = atoi(argv[1]); {check} k<<<4, 64>>>(n); return 0;"
    (launch,) = facts(tmp_path, f"{head}int main(int argc, char **argv) {{ {body} }}").launches
    assert launch.arguments is not None
    assert launch.arguments[0].multiple_of == multiple


@pytest.mark.parametrize(
    "text",
    [
        "Kernel table[] = {k, other}; void f(float *d, int at) { table[at]<<<4, 96>>>(d, 9); }",
        "const Row rows[] = {{1, k}, {2, other}};"
        "void f(float *d) { for (const Row &row : rows) row.kernel<<<4, 96>>>(d, 9); }",
        "void f(float *d, bool first) { auto chosen = first ? k : other; chosen<<<4, 96>>>(d, 9); }",
        "void f(float *d, bool first) { Kernel chosen = nullptr; if (first) chosen = k; else chosen = other;"
        " int nine = 9; void *given[] = {&d, &nine};"
        " cudaLaunchKernel((const void *)chosen, 4, 96, given, 0, 0); }",
        "void f(float *d, int which) { Kernel chosen = 0; switch (which) { case 1: chosen = k; break;"
        " case 2: chosen = other; } if (chosen) chosen<<<4, 96>>>(d, 9); }",
    ],
)
def test_each_kernel_that_a_pointer_may_be_is_launched(tmp_path: Path, text: str) -> None:
    head = "using Kernel = void (*)(float *, int); struct Row { int id; Kernel kernel; };\n"
    found = facts(tmp_path, head + text).launches
    assert {(fact.name, fact.block[0], fact.key is not None) for fact in found} == {
        ("k", 96, True), ("other", 96, True),
    }  # fmt: skip
    assert {(fact.arguments or ())[1].value for fact in found} == {9}


@pytest.mark.parametrize(
    ("chosen", "block"),
    [
        ("switch (threads) { case 512: k<<<n, block>>>(a); break; }", 512),
        ("int b = threads < 9 ? 9 : threads; switch (threads) { case 64: k<<<n, block, b>>>(a); }", 64),
        ("if (threads == 64) k<<<n, block>>>(a);", 64),
        ("if (threads != 64) { return; } k<<<n, block>>>(a);", 64),
        ("if (n == 64) k<<<n, block>>>(a);", None),
        ("threads = 32; k<<<n, block>>>(a);", None),
        ("threads = n; if (threads == 64) k<<<n, block>>>(a);", None),
    ],
)
def test_what_a_condition_says_of_a_number_holds_for_what_was_made_of_it(
    chosen: str, block: int | None
) -> None:
    unit = load(
        "case.cu",
        LoadOptions(
            text="__global__ void k(float *a) { a[threadIdx.x] = 1; }\n"
            f"void run(float *a, int threads, int n) {{ dim3 block(threads); {chosen} }}\n"
        ),
    )
    assert {launch.block[0] for launch in run(unit).launches} == {block}


def test_launches_deep_in_loops_of_unknown_length_are_known(tmp_path: Path) -> None:
    """The walks that look for what the loops change do not take what the walk of the program needs."""
    steps = "\n".join(
        f"    for (int i{n} = 0; i{n} < n; i{n}++) {{ k<<<n, 128>>>(d, {n}); }}" for n in range(12)
    )
    forward = "\n".join(f"    layer(d, n + {n});" for n in range(6))
    found = facts(
        tmp_path,
        f"""
void layer(float *d, int n)
{{
    const int threads = 512;
    other<<<(n + threads - 1) / threads, threads>>>(d, n);
{steps}
}}
void forward(float *d, int n)
{{
    for (int l = 0; l < n; l++) {{
{forward}
    }}
}}
int main(int argc, char **argv)
{{
    float *d;
    const int n = atoi(argv[1]), rounds = atoi(argv[2]);
    cudaMalloc(&d, n * sizeof(float));
    for (int epoch = 0; epoch < rounds; epoch++) {{
        for (int batch = 0; batch < n; batch++) {{
            for (int sample = 0; sample < rounds; sample++) forward(d, n);
            forward(d, n);
        }}
        for (int batch = 0; batch < n; batch++) forward(d, n);
    }}
    cudaFree(d);
}}
""",
    ).launches
    assert {(fact.name, fact.block) for fact in found} == {("other", (512, 1, 1)), ("k", (128, 1, 1))}


@pytest.mark.parametrize(
    ("check", "multiple"),
    [
        ("if (n < 9 || n > 30) return 1;", 512),
        ("if (n <= 4) exit(1);", 32),
        ("if (5 > n) return 1;", 32),
        ("if (n < 9) puts(argv[0]);", None),
        ("if (n < 9) return 1; n--;", None),
        ("if (n < 9) return 1; while (argc--) n -= 1;", None),
        ("if (n > 9) return 1;", None),
    ],
)
def test_a_shift_by_no_less_than_what_the_program_checks(
    tmp_path: Path, check: str, multiple: int | None
) -> None:
    head = "#include <cstdio>\n#include <cstdlib>\n__global__ void k(unsigned n);\n"
    body = f"int n = atoi(argv[1]); {check} k<<<4, 64>>>(1u << n); return 0;"
    (launch,) = facts(tmp_path, f"{head}int main(int argc, char **argv) {{ {body} }}").launches
    assert launch.arguments is not None
    assert launch.arguments[0].multiple_of == multiple


def test_launches_behind_a_deep_nest_of_plain_loops_are_known(tmp_path: Path) -> None:
    """Each round of an outer loop goes on from what the inner ones came to before: a nest costs its depth."""
    nest = "\n".join(f"    for (int i{n} = 0; i{n} < n; i{n}++)" for n in range(12))
    found = launches(
        tmp_path,
        f"""
    const int n = atoi(argv[1]);
    float *h = (float *)malloc(n * sizeof(float)), sum = 0;
{nest} {{
        int at = i0 * n + i11;
        if (at < n) h[at] = sum;
        else sum += h[i5];
    }}
    k<<<n, 96>>>(d, n);
""",
    )
    assert blocks(list(found)) == [(96, 1, 1)]
